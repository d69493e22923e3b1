//! The words inside the picture of "waves", Chinese and English side by side. `{…}` stand for values.

use super::{LinkKind, Step};
use crate::scene::Text;

pub(super) const TITLE: Text = ["分成几波，收发和计算接上", "In waves, moving and computing overlap"];

/// Headings of the three runs.
pub(super) const RUNS: [Text; 3] = [
    ["一波到底：发完再算，算完再收", "One wave: send, then compute, then return"],
    ["{waves} 波：到齐就算，收发不停", "Waves: {waves}, each computed once it has come"],
    ["{waves} 波，{gpu} 慢一半", "Waves: {waves}, with {gpu} at half speed"],
];
/// How long a run takes, and how long its GPUs wait on average.
pub(super) const TOOK: Text = ["{end}，平均等 {wait}", "{end}, waiting {wait}"];

/// For a phone: how an average GPU spends a run.
pub(super) const SHARES: Text = ["平均一张卡的时间", "An average GPU's time"];
pub(super) const SHARE: Text =
    ["{count} 波：计算 {work}，等 {wait}", "Waves {count}: computes {work}, waits {wait}"];

/// Legend: out, back, computed, waiting.
pub(super) const LEGEND: [Text; 4] = [
    ["dispatch 发去", "dispatch"],
    ["combine 收回", "combine"],
    ["计算，隔波换色", "compute, wave by wave"],
    ["没在算：等", "not computing: waits"],
];
/// What the three lanes of a row are.
pub(super) const LANES: Text = ["每行：上链路入，中计算，下链路出", "A row: link in, computation, link out"];
/// Beside the picture of a larger plan.
pub(super) const CAPPED: Text = ["计划 {plan} 张卡，按 {ranks} 张模拟", "{ranks} of {plan} GPUs simulated"];

pub(super) const SPEED: Text = ["分成几波，快几倍", "How many waves, how much faster"];
/// The two curves.
pub(super) const CURVES: [Text; 2] =
    [["prefill {n} token", "prefill, {n} tokens"], ["decode 批量 {n}", "decode, batch of {n}"]];
pub(super) const MOST: Text = ["上限 {most}", "limit {most}"];

pub(super) const THRESHOLD: Text =
    ["算力 ÷ 链路，不超过 2·d_ff 才藏得住", "FLOPs per byte of link, against 2·d_ff"];
pub(super) const LIMIT: Text = ["2·d_ff = {limit} FLOP/B", "2·d_ff = {limit} FLOP/B"];
pub(super) const VERDICTS: [Text; 2] = [["藏不住", "exposed"], ["藏得住", "hidden"]];
pub(super) const NOTHING: Text = ["不过链路", "no link"];

/// A link's name.
pub(super) const fn link(kind: LinkKind) -> Text {
    match kind {
        LinkKind::BothWays => ["NVLink 4 双向 {rate}", "NVLink 4, both ways, {rate}"],
        LinkKind::OneWay => ["NVLink 4 单向 {rate}", "NVLink 4, one way, {rate}"],
        LinkKind::Reached => ["其 {share} 是 {rate}", "{share} of that, {rate}"],
        LinkKind::Next => ["NVLink 5 单向 {rate}", "NVLink 5, one way, {rate}"],
        LinkKind::Network => ["{gbit} Gbit/s 网络", "Network, {gbit} Gbit/s"],
        LinkKind::Own => ["本场景 {rate}", "This scenario, {rate}"],
    }
}

/// What each step shows.
pub(super) const fn caption(step: Step) -> Text {
    match step {
        Step::Serial => [
            "发完才算、算完才收：一层专家要 {serial}，平均每张卡有 {wait0} 没在算",
            "Send, then compute, then return: a layer's experts take {serial}, and a GPU idles {wait0} of it",
        ],
        Step::Waves => [
            "每张卡的专家分成 {waves} 波：一波收齐就开算，后面的还在路上，前面的已在送回，共 {waved}",
            "Experts in waves, {waves} in all: one is computed once it has come, later ones travel, earlier ones return. {waved}",
        ],
        Step::Wait => [
            "斜线是没在算的时间：平均每张卡从 {wait0} 到 {wait1}，速度是一波的 {gain} 倍",
            "Hatched is time not spent computing: {wait0} becomes {wait1} on average, {gain} times the speed of one wave",
        ],
        Step::Slow => [
            "{gpu} 慢一半，谁也走不了：一层从 {waved} 拖到 {slowed}，平均每张卡等 {wait2}",
            "{gpu} at half speed holds up all: {waved} becomes {slowed}, and a GPU waits {wait2} on average",
        ],
        Step::Count => [
            "每条消息启动要 {alpha}，波越多付得越多：prefill 分 {best} 波最快，{best_gain} 倍；decode 最多 {small_gain} 倍",
            "Each message starts with {alpha}, more often in more waves: prefill is fastest with {best}, {best_gain} times; decode gains {small_gain} times at best",
        ],
        Step::Links => ["", ""],
    }
}

/// What is said of a slow GPU where all wait for the links anyway.
pub(super) const SLOW_HIDDEN: Text = [
    "{gpu} 慢一半，一层从 {waved} 到 {slowed}：大家本来就在等链路，慢卡没露出来",
    "{gpu} at half speed: {waved} becomes {slowed}, for all wait for the links anyway",
];

/// What the last step says where the link can be hidden, where it cannot, and where there is none.
pub(super) const CLOSING: [Text; 3] = [
    [
        "分 {waves} 波，速度是一波的 {gain} 倍。本场景每字节链路配 {own} FLOP，不超过 {limit}：传输藏得住",
        "Waves: {waves}, {gain} times the speed of one. {own} FLOPs per byte of this link, no more than {limit}: it can be hidden",
    ],
    [
        "分 {waves} 波，速度是一波的 {gain} 倍。本场景每字节链路配 {own} FLOP，超过 {limit}：再怎么分，总有传输露在外面",
        "Waves: {waves}, {gain} times the speed of one. {own} FLOPs per byte of this link, above {limit}: some of it stays exposed",
    ],
    [
        "专家都在一张卡上，不过链路，分波也就没什么可藏的",
        "All experts lie on one GPU: no link is crossed, and waves have nothing to hide",
    ],
];

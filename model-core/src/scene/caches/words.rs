//! The words inside the picture of "caches", Chinese and English side by side. `{…}` stand for values.

use super::Step;
use crate::engine::compare::Tensor;
use crate::scenario::FaultKind;
use crate::scene::Text;
use crate::spec::AttentionKind;

pub(super) const TITLE: Text = ["满一组，才记一条", "An entry for every full group"];

pub(super) const RING: Text = ["窗口环 · {window} 槽", "Window ring: {window} slots"];
pub(super) const POSITION: Text = ["位置 p", "position p"];
pub(super) const SLOT: Text = ["槽 {p} mod {window} = {slot}", "slot {p} mod {window} = {slot}"];
pub(super) const HERE: Text = ["这个 token 自己的一行，在槽 {slot}", "This token's own row, in slot {slot}"];
pub(super) const NEXT: Text =
    ["下一个 token 写槽 {next}，盖掉位置 {out}", "The next takes slot {next}: position {out} goes"];
pub(super) const NEXT_FREE: Text =
    ["下一个 token 写槽 {next}，现在还空着", "The next takes slot {next}, which is free"];

pub(super) const CSA: Text = ["CSA · 每 {m} 个 token 出一条", "CSA: an entry per {m} tokens"];
pub(super) const HCA: Text = ["HCA · 每 {n} 个 token 出一条", "HCA: an entry per {n} tokens"];
pub(super) const FILLED: Text = ["本组已到 {there} / {of}", "{there} of {of} are in"];
pub(super) const FULL: Text = ["本组刚满", "just full"];
/// The two halves of a token's projection.
pub(super) const HALVES: [Text; 2] = [["给下一组", "next group"], ["给本组", "own group"]];
pub(super) const ENTRY: Text = ["第 {entry} 条", "entry {entry}"];
pub(super) const POOLS: Text = [
    "第 {entry} 条：{rows} 行逐通道做 softmax 加权，取自位置 {from}–{to}",
    "Entry {entry} weighs {rows} rows, channel by channel, from positions {from}–{to}",
];
pub(super) const NO_ENTRY: Text =
    ["还没有条目：第 0 条要等到位置 {first}", "No entry yet: entry 0 comes with position {first}"];
pub(super) const ROWS: [Text; 2] = [["压缩条目", "Entries"], ["索引键", "Index keys"]];
pub(super) const PICKS: Text = [
    "醒目的格：小模型实跑，从 {entries} 条里选出 {picked} 条；大模型最多选 {k} 条",
    "Standing out: what the small model picks, {picked} of {entries}; the published one takes up to {k}",
];
pub(super) const PICKS_RULE: Text = [
    "共 {entries} 条，每格 {each} 条；按规则选 {attended} 条，选中哪些不在小模型所及",
    "{entries} entries, {each} to a cell; {attended} get picked, which ones is beyond the small model",
];
pub(super) const PICKS_ALL: Text = [
    "共 {entries} 条，每格 {each} 条；不超过 {k} 条，按规则全部选中",
    "{entries} entries, {each} to a cell; no more than {k}, so all are picked",
];
pub(super) const PICKS_NONE: Text = ["还没有条目可选", "There is nothing to pick yet"];
pub(super) const NO_HCA: Text = ["还没有条目", "no entry yet"];
pub(super) const ALL_HCA: Text = ["共 {hca} 条，全部可见", "{hca} in all, all visible"];

pub(super) const SEES: Text = ["位置 {p} 的 query 能看到", "What the query at position {p} sees"];
pub(super) const SEES_WINDOW: Text = ["窗口 {window} 行", "{window} window rows"];
pub(super) const SEES_NONE: Text = ["窗口 {window} 行，还没有条目", "{window} window rows, no entry yet"];
pub(super) const SEES_ENTRIES: Text =
    ["窗口 {window} 行 + 全部条目，{entries} 条", "{window} window rows + all entries: {entries}"];
pub(super) const SEES_PICKED: Text = [
    "窗口 {window} 行 + 从 {entries} 条里选 {attended} 条",
    "{window} window rows + {attended} of {entries} entries",
];
pub(super) const OPENED: Text = ["；第 {layer} 层就是这种", "; layer {layer} is of this kind"];
pub(super) const HIDDEN: Text = [
    "看不到：{kind} 第 {entry} 条，{from}–{to} 还差 {lacks} 个 token",
    "Not yet: {kind} entry {entry}; {from}–{to} lacks {lacks}",
];
pub(super) const HIDDEN_SHORT: Text = [
    "看不到：{kind} 第 {entry} 条，还差 {lacks} 个 token",
    "Not yet: {kind} entry {entry}, {lacks} tokens to go",
];
pub(super) const GONE: Text = [
    "看不到：位置 0–{last} 的原始行，已被盖掉，只在条目里",
    "No longer: rows 0–{last}; only entries keep them",
];
pub(super) const NOTHING_GONE: Text = ["还没有哪一行被盖掉", "No row has been overwritten so far"];

pub(super) const CHECK: Text = [
    "小模型：{tokens} 个一次跑完，对先跑 {first} 个再逐个跑",
    "Small model: {tokens} at once against {first}, then one by one",
];
pub(super) const FAULT: Text = ["逐个跑时故意出错：{fault}", "Mistake put into the second run: {fault}"];
pub(super) const LAYER: Text = ["第 {layer} 层 {kind}", "layer {layer}: {kind}"];
pub(super) const READING: Text = [
    "从上到下是位置 0–{last}，横线处切开。列：",
    "Downwards: positions 0–{last}, cut at the line. Columns: ",
];
pub(super) const COMMA: Text = ["、", ", "];
pub(super) const SAME: Text =
    ["处处相同：logits 的最大差是 {logits}", "The same everywhere: logits differ by {logits} at most"];
pub(super) const DIFFERS: Text = [
    "最先不同：第 {layer} 层、位置 {position}、{tensor}；logits 最多差 {logits}",
    "First to differ: layer {layer}, position {position}, {tensor}; logits by up to {logits}",
];
pub(super) const UNTOUCHED: Text = [
    "这种层碰不到这个错：处处相同，logits 差 {logits}",
    "This mistake cannot strike such a layer: all the same, logits differ by {logits}",
];
pub(super) const REQUESTS: [Text; 2] = [["请求 A 的环", "Ring of A"], ["请求 B 的环", "Ring of B"]];
pub(super) const APART: Text = [
    "两个请求轮流走一步，各写各的缓存：结果与单独跑逐位相同",
    "Two requests take turns, each with caches of its own: bit for bit as if alone",
];
pub(super) const MIXED: Text = ["两个请求互相影响了", "The two requests disturb each other"];

pub(super) const GROWTH: Text =
    ["{context} token：每请求 {request}", "{context} tokens: {request} a request"];
pub(super) const SLOPE: Text =
    ["固定 {constant}，之后每 token 平均 {slope}", "{constant} fixed, then {slope} a token on average"];

const CAPTIONS: [Text; Step::ALL.len()] = [
    [
        "每层一个 {window} 槽的环，位置 {p} 的行写进槽 {slot}；环里现有 {used} 行",
        "Each layer has a ring of {window} slots; the row of position {p} goes into slot {slot}, and {used} rows are there",
    ],
    [
        "CSA 层每 {m} 个 token 成一组；一条压缩条目用本组的后半和上一组的前半，到现在共 {csa} 条",
        "A CSA layer groups {m} tokens; an entry takes its own group's second halves and the first halves of the one before: {csa} so far",
    ],
    [
        "HCA 层攒满 {n} 个 token 才出一条，组与组不重叠；到现在共 {hca} 条，本组有 {hca_left} 个在等",
        "An HCA layer waits for {n} tokens, groups do not overlap: {hca} entries so far, {hca_left} tokens waiting",
    ],
    [
        "每条 CSA 条目配一个索引键，query 按它打分挑条目：{csa} 条里取 {attended} 条",
        "Every CSA entry has an index key; the query scores them and takes {attended} of {csa} entries",
    ],
    [
        "query 只看环里的 {used} 行和已经完整的条目；没凑满的组一条也看不到",
        "The query sees {used} rows of the ring and complete entries; of an unfinished group it sees no entry at all",
    ],
    [
        "一次跑完和逐个跑应当逐位相同；有一处不同，就顺着层、位置、张量找到最早的那一处",
        "At once or token by token must agree bit for bit; where they do not, look for the first layer, position and tensor",
    ],
    [
        "环和暂存是固定的，条目和索引键随上下文增长：{context} token 时一个请求要 {request}",
        "Rings and tails stay as they are, entries and keys grow: a request takes {request} at {context} tokens",
    ],
];

pub(super) fn caption(step: Step) -> Text {
    CAPTIONS.get(step as usize).copied().unwrap_or_default()
}

pub(super) const fn kind(kind: AttentionKind) -> Text {
    match kind {
        AttentionKind::Window => ["仅窗口", "window"],
        AttentionKind::Csa => ["CSA"; 2],
        AttentionKind::Hca => ["HCA"; 2],
    }
}

pub(super) const fn fault(fault: FaultKind) -> Text {
    match fault {
        FaultKind::None => ["无", "none"],
        FaultKind::SkipRank => ["注意力求和漏掉一张卡", "one GPU is left out of attention's sum"],
        FaultKind::ResetTail => ["每走一步都忘掉未满的组", "each step forgets the unfinished group"],
        FaultKind::LateEntry => ["条目晚一个 token 才可见", "entries are seen one token late"],
        FaultKind::EarlyOverwrite => ["提前一格覆盖环", "the ring's next slot is overwritten early"],
    }
}

pub(super) const fn tensor(tensor: Tensor) -> Text {
    match tensor {
        Tensor::Ring => ["环", "ring"],
        Tensor::MainCompressed => ["压缩条目", "entry"],
        Tensor::IndexerKeys => ["索引键", "index key"],
        Tensor::TopK => ["选中的条目", "picked entries"],
        Tensor::AttentionOutput => ["注意力输出", "attention output"],
        Tensor::ExpertOutput => ["专家输出", "expert output"],
    }
}

//! The words inside the picture of "journey", in both languages. `{…}` stand for values.

use super::{Bound, Journey};
use crate::collective::Algorithm;
use crate::figure::Ledger;
use crate::language::Language;
use crate::ledger::journey::{Kind, Part};
use crate::spec::AttentionKind;

/// Words of the scene.
#[derive(Debug)]
pub(super) struct Words {
    /// Parts of the time, in the order of [`Part::ALL`].
    parts: [&'static str; Part::ALL.len()],
    /// The fixed time as the tutorial has it.
    processor: &'static str,
    /// What comes back from the experts where tokens were sent there.
    back: &'static str,
    bounds: [&'static str; 5],
    algorithms: [&'static str; 3],
    /// A layer that keeps a window only.
    window: &'static str,
    /// Legend: layers that route by table.
    pub(super) hashed: &'static str,
    pub(super) streams: &'static str,
    pub(super) heads: &'static str,
    pub(super) heads_partial: &'static str,
    pub(super) heads_sum: &'static str,
    pub(super) experts_partial: &'static str,
    pub(super) experts_sum: &'static str,
    pub(super) experts_held: &'static str,
    pub(super) picked: &'static str,
    pub(super) gpus: &'static str,
    pub(super) idle: &'static str,
    pub(super) step: &'static str,
    pub(super) all: &'static str,
    pub(super) layer: &'static str,
    pub(super) layer_floor: &'static str,
    /// Unit of a rate that is not known.
    pub(super) rate: &'static str,
    pub(super) rate_of: &'static str,
    pub(super) stop: &'static str,
    pub(super) comma: &'static str,
    pub(super) title: &'static str,
    pub(super) embed: &'static str,
    pub(super) embed_own: &'static str,
    pub(super) embed_alone: &'static str,
    pub(super) attention: &'static str,
    pub(super) attention_whole: &'static str,
    pub(super) sum: &'static str,
    pub(super) sum_alone: &'static str,
    pub(super) sum_own: &'static str,
    pub(super) sum_uncounted: &'static str,
    pub(super) route: &'static str,
    pub(super) table: &'static str,
    pub(super) experts: &'static str,
    pub(super) experts_timed: &'static str,
    pub(super) combine: &'static str,
    pub(super) combine_back: &'static str,
    pub(super) combine_alone: &'static str,
    pub(super) layers: &'static str,
    pub(super) none_behind: &'static str,
    pub(super) illegal: &'static str,
    pub(super) no_step: &'static str,
    pub(super) range: &'static str,
    pub(super) calibrated: &'static str,
    pub(super) report: &'static str,
    pub(super) report_short: &'static str,
    pub(super) tutorial: &'static str,
    pub(super) tutorial_short: &'static str,
}

const ZH: Words = Words {
    parts: [
        "残差混合",
        "注意力投影",
        "注意力",
        "各头相加",
        "dispatch",
        "专家",
        "专家合并",
        "其余延迟",
        "输出头",
        "草稿",
        "调度与采样",
    ],
    processor: "CPU 调度",
    back: "combine",
    bounds: ["HBM", "算力", "启动", "链路", "已隐藏"],
    algorithms: ["环", "树", "交换机内"],
    window: "SWA",
    hashed: "查表",
    streams: "残差 {s} × {d}",
    heads: "{n} 个头",
    heads_partial: "部分和",
    heads_sum: "完整和",
    experts_partial: "专家结果",
    experts_sum: "已合并",
    experts_held: "{n} 个专家",
    picked: "选中 {n}",
    gpus: "{n} 张卡",
    idle: "未使用",
    step: "一步",
    all: "一步 {n} 层",
    layer: "第 {n} 层",
    layer_floor: "第 {n} 层至少",
    rate: "token/s",
    rate_of: "所有请求合计",
    stop: "。",
    comma: "，",
    title: "一枚 token 的全程",
    embed: "词表按行切开：这一行在 GPU {holder}，相加后每卡都有 {d} 维；复制成 {streams} 路，走到第 {at} 层",
    embed_own: "token 住在 GPU {holder}，查到 {d} 维的一行，复制成 {streams} 路残差，走到第 {at} 层",
    embed_alone: "查到 {d} 维的一行，复制成 {streams} 路残差，走到第 {at} 层",
    attention: "第 {layer} 层 {kind}：每卡读投影权重 {proj}、缓存 {kv}，算 {heads} 个头，用 {attn_s}",
    attention_whole: "第 {layer} 层 {kind}：各卡读权重和缓存，算自己的 {heads} 个头，平均 {attn_s}",
    sum: "每卡只有自己那些头的部分和：{ranks} 张卡做一次 all-reduce（{algorithm}），每卡发 {sent}，约 {sum_s}",
    sum_alone: "只有一张卡：头都在这里，不用相加",
    sum_own: "注意力按请求分：这枚 token 的头都在一张卡上，不用相加",
    sum_uncounted: "各卡的部分和要相加；报告没有给这次相加记账",
    route: "路由给 {E} 个专家打分，取前 {k} 个，落在 {homes} 张卡上",
    table: "这一层按 token 编号查表：{E} 个专家里固定的 {k} 个，落在 {homes} 张卡上",
    experts: "{batch} 个 token 约碰到 {distinct} 个专家：每卡读专家权重 {experts}，用 {experts_s}，瓶颈 {bound}",
    experts_timed: "{batch} 个 token 约碰到 {distinct} 个专家，各卡只算自己的，平均 {experts_s}",
    combine: "再做一次 all-reduce，每卡发 {back}；结果写回 {streams} 路残差，这一层共 {layer_s}",
    combine_back: "combine 把结果送回，每卡发 {back}；写回 {streams} 路残差，这一层共 {layer_s}",
    combine_alone: "专家结果写回 {streams} 路残差，这一层共 {layer_s}",
    layers: "后面 {rest} 层照样走一遍：CSA {csa} 层，HCA {hca} 层；一层算完，下一层才能开始",
    none_behind: "打开的就是最后一层，后面没有别的层了",
    illegal: "这样划分切不开，没有时间可算；换一种划分再走",
    no_step: "显存放不下，每卡还差 {short}：下面只是各部分的下限，没有一步的时间",
    range: "走完 {layers} 层，每个请求得一个新 token（批量 {batch}）；其中等待占 {wait}，这款 GPU 还没有干净的实测",
    calibrated: "走完 {layers} 层，每个请求得一个新 token（批量 {batch}）；按实测的每层延迟，等待占 {wait}",
    report: "走完 {layers} 层，每个请求得一个新 token（批量 {batch}）；最长的是{longest}，占 {percent}",
    report_short: "显存放不下，每卡还差 {short}，只能当作估算；最长的是{longest}，占 {percent}",
    tutorial: "走完 {layers} 层，每个请求得一个新 token（批量 {batch}）；时间是教学测量，等待占 {wait}",
    tutorial_short: "走完 {layers} 层；时间是教学测量，等待占 {wait}。八卡只示意怎么切，显存每卡还差 {short}",
};

const EN: Words = Words {
    parts: [
        "Streams",
        "Projections",
        "Attention",
        "Sum of heads",
        "Dispatch",
        "Experts",
        "Expert sum",
        "Other waits",
        "Output head",
        "Drafts",
        "Scheduling",
    ],
    processor: "CPU",
    back: "Combine",
    bounds: ["HBM", "compute", "setup", "link", "hidden"],
    algorithms: ["ring", "tree", "in the switch"],
    window: "SWA",
    hashed: "table",
    streams: "Residual {s} × {d}",
    heads: "Heads: {n}",
    heads_partial: "partial",
    heads_sum: "summed",
    experts_partial: "results",
    experts_sum: "merged",
    experts_held: "Experts: {n}",
    picked: "picked: {n}",
    gpus: "GPUs: {n}",
    idle: "idle",
    step: "Step",
    all: "Step, {n} layers",
    layer: "Layer {n}",
    layer_floor: "Layer {n}, at least",
    rate: "token/s",
    rate_of: "All requests",
    stop: ". ",
    comma: ", ",
    title: "The whole journey of one token",
    embed: "The token's row lies on GPU {holder}; added up, every GPU has its {d} values: {streams} streams, on to layer {at}",
    embed_own: "The token lives on GPU {holder}: its row of {d} values becomes {streams} streams, on to layer {at}",
    embed_alone: "The token's row of {d} values becomes {streams} residual streams, on to layer {at}",
    attention: "Layer {layer}, {kind}: each GPU reads {proj} of projections and {kv} of caches, {heads} heads, {attn_s}",
    attention_whole: "Layer {layer}, {kind}: each GPU reads weights and caches for its {heads} heads, {attn_s} on average",
    sum: "Each GPU has a partial sum of its own heads: an all-reduce over {ranks} ({algorithm}), {sent} from each, {sum_s}",
    sum_alone: "One GPU alone has all heads: nothing to add up",
    sum_own: "Attention goes by request: this token's heads are all on one GPU, nothing to add up",
    sum_uncounted: "The GPUs' partial sums must be added up; the report keeps no account of it",
    route: "The router scores {E} experts and takes the best {k}, which lie on {homes} GPUs",
    table: "This layer looks the token's number up in a table: {k} of {E} experts, on {homes} GPUs",
    experts: "A batch of {batch} touches about {distinct} experts: each GPU reads {experts}, {experts_s}, bound by {bound}",
    experts_timed: "A batch of {batch} touches about {distinct} experts; each GPU runs its own, {experts_s} on average",
    combine: "A second all-reduce, {back} sent by each GPU; the {streams} streams take it up. The layer: {layer_s}",
    combine_back: "Combine brings the results back, {back} sent by each; the {streams} streams take them up. The layer: {layer_s}",
    combine_alone: "The {streams} streams take the experts' result up. The layer: {layer_s}",
    layers: "The other {rest} layers do the same, CSA {csa} times and HCA {hca} times; each must wait for the one before",
    none_behind: "The opened layer is the last; none lies behind it",
    illegal: "The model cannot be cut that way, so there is no time to show; choose another plan",
    no_step: "It does not fit: {short} short on a GPU. Below stands the least each part takes, there is no step",
    range: "Past {layers} layers: a new token for each request (batch {batch}). Waiting is {wait} of it; nobody has cleanly measured this GPU",
    calibrated: "Past {layers} layers: a new token for each request (batch {batch}). By the latency measured, waiting is {wait}",
    report: "Past {layers} layers: a new token for each request (batch {batch}). Longest: {longest}, {percent}",
    report_short: "It does not fit, {short} short on a GPU; an estimate only. Longest: {longest}, {percent}",
    tutorial: "Past {layers} layers: a new token for each request (batch {batch}). Times are the tutorial's example, {wait} of it waiting",
    tutorial_short: "Times are the tutorial's example, {wait} of it waiting. Eight GPUs show the cut only: each is {short} short",
};

impl Words {
    /// The words of a language.
    pub(super) const fn of(language: Language) -> &'static Self {
        match language {
            Language::Chinese => &ZH,
            Language::English => &EN,
        }
    }

    /// A part of the time, as the scenario means it.
    pub(super) fn part(&self, part: Part, journey: &Journey) -> &'static str {
        match part {
            Part::Fixed if journey.ledger == Ledger::Tutorial => return self.processor,
            Part::ExpertSum if journey.here(Kind::Combine).is_some() => return self.back,
            _ => {}
        }
        let at = Part::ALL.iter().position(|known| *known == part);
        at.and_then(|at| self.parts.get(at)).copied().unwrap_or_default()
    }

    /// What bounds a part.
    pub(super) const fn bound(&self, bound: Bound) -> &'static str {
        self.bounds[bound as usize]
    }

    /// How sums are carried out.
    pub(super) const fn algorithm(&self, algorithm: Algorithm) -> &'static str {
        self.algorithms[match algorithm {
            Algorithm::Ring => 0,
            Algorithm::Tree => 1,
            Algorithm::InSwitch => 2,
        }]
    }

    /// How a layer attends.
    pub(super) const fn kind(&self, kind: AttentionKind) -> &'static str {
        match kind {
            AttentionKind::Csa => "CSA",
            AttentionKind::Hca => "HCA",
            AttentionKind::Window => self.window,
        }
    }
}

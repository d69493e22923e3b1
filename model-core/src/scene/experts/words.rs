//! The words inside the picture of "experts", in both languages. `{…}` stand for values.

use super::Step;
use crate::language::Language;

/// Words of the scene.
#[derive(Debug)]
pub(super) struct Words {
    /// The token that every GPU has a copy of.
    pub(super) token: &'static str,
    /// A GPU's own sum.
    pub(super) partial: &'static str,
    /// The sum over all GPUs.
    pub(super) total: &'static str,
    /// The shared expert's part.
    pub(super) shared: &'static str,
    /// What the layer's experts give in the end.
    pub(super) result: &'static str,
    /// A GPU whose experts the example token does not take.
    pub(super) nothing: &'static str,
    /// A place without a GPU.
    pub(super) idle: &'static str,
    /// Legend: an expert that no token takes.
    pub(super) unread: &'static str,
    /// Legend: an expert of one token.
    pub(super) one_token: &'static str,
    /// Legend: an expert of the most tokens.
    pub(super) many_tokens: &'static str,
    /// Legend: the example token's experts.
    pub(super) example: &'static str,
    /// Legend: sums under way.
    pub(super) under_way: &'static str,
    /// Above the column of different experts.
    pub(super) read: &'static str,
    /// The row of the GPU with most to read.
    pub(super) slowest: &'static str,
    /// Title of the first curve.
    pub(super) distinct_title: &'static str,
    /// Title of the second curve.
    pub(super) slowest_title: &'static str,
    /// The axis of both.
    pub(super) batch_axis: &'static str,
    /// Key of the first closed form.
    pub(super) without: &'static str,
    /// Key of the second.
    pub(super) with: &'static str,
    /// Key of the average over all GPUs.
    pub(super) average: &'static str,
    /// Key of the batches: drawn, looked up in a table, or run by the small model.
    pub(super) sampled: [&'static str; 3],
    /// What the scenario's batch comes to in expectation.
    pub(super) marked: &'static str,
    /// What its slowest GPU reads.
    pub(super) marked_slowest: &'static str,
    /// Caption of the first step where a table chooses.
    pub(super) looked_up: &'static str,
    /// Caption of the first step where the small model chooses.
    pub(super) ran: &'static str,
    /// Caption of each step.
    pub(super) captions: [&'static str; Step::ALL.len()],
    /// The stage's title.
    pub(super) title: &'static str,
}

const ZH: Words = Words {
    token: "token",
    partial: "部分和",
    total: "总和",
    shared: "共享",
    result: "结果",
    nothing: "这个 token 没选这里的专家",
    idle: "未使用",
    unread: "没人选",
    one_token: "1 个 token 选",
    many_tokens: "{most} 个 token 选",
    example: "示例 token 选中",
    under_way: "部分和在路上",
    read: "要读的专家",
    slowest: "最慢",
    distinct_title: "一批 token 一共要读几个专家",
    slowest_title: "最慢的卡要读几个专家",
    batch_axis: "一批的 token 数",
    without: "公式：互不相同",
    with: "公式：可重复",
    average: "各卡平均（公式）",
    sampled: ["抽样", "查表", "真跑"],
    marked: "{batch} 个 token：{expected}",
    marked_slowest: "{batch} 个 token：{slowest}",
    looked_up: "不打分：{batch} 个 token 按编号查表，各得 {k} 个专家；示例 token 的落在 {homes} 张卡上",
    ran: "小模型的路由器给 {batch} 个 token 打分，{all} 个专家里各选 {k} 个；示例 token 的落在 {homes} 张卡上",
    captions: [
        "{batch} 个 token 各选 {k} 个专家；示例 token 的 {k} 个落在 {homes} 张卡上",
        "每张卡都有这个 token 的一份，只算自己那几个被选中的专家",
        "每个输出乘上自己的权重，同一张卡上的先加成一个部分和",
        "all-reduce 把各卡的部分和加起来，每张卡都拿到 {total}",
        "共享专家每卡都有，等总和出来再加：{total} + {shared} = {result}",
        "{batch} 个 token 要读 {distinct} 个专家，{slowest_name} 最多：{slowest} 个",
    ],
    title: "专家留在原卡，token 过去算",
};

const EN: Words = Words {
    token: "token",
    partial: "partial",
    total: "total",
    shared: "shared",
    result: "result",
    nothing: "none of the token's experts",
    idle: "idle",
    unread: "no token",
    one_token: "1 token",
    many_tokens: "{most} tokens",
    example: "the example token's pick",
    under_way: "a partial sum under way",
    read: "Experts to read",
    slowest: "slowest",
    distinct_title: "Experts that a batch has to read",
    slowest_title: "Experts that the slowest GPU has to read",
    batch_axis: "Tokens in the batch",
    without: "formula: distinct",
    with: "formula: repeated",
    average: "mean of the GPUs (formula)",
    sampled: ["drawn", "table", "run"],
    marked: "batch {batch}: {expected}",
    marked_slowest: "batch {batch}: {slowest}",
    looked_up: "No scores: {batch} tokens look up {k} experts each by their ids; the example's lie on {homes} of the GPUs",
    ran: "The small model's router scored {all} experts for {batch} tokens and took {k} each; the example's lie on {homes} of the GPUs",
    captions: [
        "A batch of {batch}, {k} experts for each token; the example token's lie on {homes} of the GPUs",
        "Every GPU has a copy of the token and runs only those picked experts it holds",
        "Each output is multiplied by its weight; those of one GPU are summed there first",
        "An all-reduce adds the partial sums, and every GPU ends up with {total}",
        "The shared expert is on every GPU and comes after the sum: {total} + {shared} = {result}",
        "A batch of {batch} reads {distinct} experts in all; {slowest_name} reads most, {slowest}",
    ],
    title: "Experts stay at home and the token comes to them",
};

impl Words {
    /// The words of a language.
    pub(super) const fn of(language: Language) -> &'static Self {
        match language {
            Language::Chinese => &ZH,
            Language::English => &EN,
        }
    }
}

//! The words inside the picture of "place", in both languages. `{…}` stand for values.

use super::Step;
use crate::language::Language;

/// Words of the scene.
#[derive(Debug)]
pub(super) struct Words {
    /// Heads of a GPU, before their range.
    pub(super) query_heads: &'static str,
    /// Output groups of a GPU, before their range.
    pub(super) output_groups: &'static str,
    /// Experts of a GPU, before their range.
    pub(super) experts: &'static str,
    /// Requests of a GPU, before their range.
    pub(super) requests: &'static str,
    /// What every GPU holds whole under TP.
    pub(super) copied_parts: &'static str,
    /// The same where caches are split.
    pub(super) copied_but_cache: &'static str,
    /// What every GPU holds whole where requests are dealt.
    pub(super) copied_by_request: &'static str,
    /// Layers of a GPU's stage, before their range.
    pub(super) layers: &'static str,
    /// A node, before its number.
    pub(super) node: &'static str,
    /// Between the names of parts of one colour.
    pub(super) and: &'static str,
    /// Badge: further nodes are like those shown.
    pub(super) alike: &'static str,
    /// Badge: there are further GPUs, and they hold other amounts.
    pub(super) some: &'static str,
    /// Whose need is told: every GPU's, or the fullest one's.
    pub(super) whose: [&'static str; 2],
    /// What stands for copies in a card.
    pub(super) copied: &'static str,
    /// A GPU that takes no part.
    pub(super) idle: &'static str,
    /// Caption of each step of "place"; `{…}` stand for values.
    pub(super) captions: [&'static str; Step::ALL.len()],
    /// Added to the first caption where layers are cut into stages.
    pub(super) staged: &'static str,
    /// Caption where attention is whole on each GPU.
    pub(super) heads_whole: &'static str,
    /// The same where the ledger counts its weights.
    pub(super) heads_copied: &'static str,
    /// Caption of caches that are dealt by request.
    pub(super) cache_by_request: &'static str,
    /// Caption of caches that are split evenly.
    pub(super) cache_split: &'static str,
    /// The verdict on a cut that the model does not allow.
    pub(super) illegal: &'static str,
    /// Caption where the ledger has no line of its own for a step.
    pub(super) no_line: &'static str,
    /// Caption where the ledger counts all weights as one.
    pub(super) all_weights: &'static str,
    /// Caption of cut heads where the ledger counts their weights.
    pub(super) dense_cut: &'static str,
    /// Caption of empty cards where a reserve is set aside.
    pub(super) reserve: &'static str,
    /// The verdict where it fits.
    pub(super) fits: &'static str,
    /// The verdict where no legal cut fits.
    pub(super) none_fits: &'static str,
    /// The stage's title.
    pub(super) title: &'static str,
}

const ZH: Words = Words {
    query_heads: "Q 头",
    output_groups: "输出组",
    experts: "专家",
    requests: "请求",
    copied_parts: "KV、残差、共享专家",
    copied_but_cache: "残差、共享专家",
    copied_by_request: "注意力、共享专家",
    layers: "层",
    node: "节点",
    and: "、",
    alike: "{nodes} 个节点都一样，共 {gpus} 张卡",
    some: "共 {gpus} 张卡，画出 {shown} 张",
    whose: ["每卡", "最满的卡"],
    copied: "每卡一份",
    idle: "未使用",
    captions: [
        "每卡显存 {capacity}，先看什么都没放的样子",
        "不切的权重：每张卡都放完整一份，{shared}",
        "路由专家按号发牌：每层 {experts_all} 个，一张卡 {experts} 个，占 {routed}",
        "注意力按头切：每卡 {heads} 个 Q 头、{groups} 个输出组",
        "{batch} 个请求、每个 {context} token：缓存 {cache}，每卡都要一份",
        "{whose}要 {need}，只有 {capacity}，差 {short}。放得下的最小划分：{smallest}",
    ],
    staged: "；{all_layers} 层分成 {stages} 段，每段 {group} 张卡",
    heads_whole: "注意力不切：每卡都有全部 {heads} 个 Q 头，只算自己的请求",
    heads_copied: "注意力不切：每卡都有全部 {heads} 个 Q 头，连同词表占 {dense}，只算自己的请求",
    cache_by_request: "{batch} 个请求分给各卡，每个 {context} token：一张卡最多 {own} 个，缓存 {cache}",
    cache_split: "{batch} 个请求、每个 {context} token：缓存平摊，每卡 {cache}",
    illegal: "这个模型不能这样切，没有什么可放",
    no_line: "这本账不单列不切的权重，直接看下一步",
    all_weights: "全部权重平均分到每张卡：{weights}",
    dense_cut: "注意力按头切：每卡 {heads} 个 Q 头、{groups} 个输出组，连同词表占 {dense}",
    reserve: "每卡显存 {capacity}，先留出 {reserve} 给激活和工作区",
    fits: "{whose}要 {need}，有 {capacity}，放得下，还剩 {free}",
    none_fits: "{whose}要 {need}，只有 {capacity}，差 {short}。没有合法的划分放得下",
    title: "每张卡的显存",
};

const EN: Words = Words {
    query_heads: "Q heads",
    output_groups: "Groups",
    experts: "Experts",
    requests: "Requests",
    copied_parts: "KV, streams, shared",
    copied_but_cache: "streams, shared",
    copied_by_request: "attention, shared",
    layers: "L",
    node: "node",
    and: ", ",
    alike: "× {nodes} nodes alike, {gpus} GPUs",
    some: "{shown} of {gpus} GPUs shown",
    whose: ["A GPU", "The fullest GPU"],
    copied: "a copy on each",
    idle: "idle",
    captions: [
        "{capacity} of memory on each GPU, with nothing placed yet",
        "Not cut: {shared} of weights, whole on every GPU",
        "Routed experts are dealt out: {experts_all} a layer, {experts} to a GPU, {routed}",
        "Attention is cut by heads: {heads} query heads and {groups} output groups a GPU",
        "{batch} requests of {context} tokens: {cache} of caches, on every GPU",
        "{whose} needs {need}, has {capacity}, is short by {short}. Smallest plan that fits: {smallest}",
    ],
    staged: "; {all_layers} layers in {stages} stages, GPUs in each: {group}",
    heads_whole: "Attention is not cut: all {heads} query heads on every GPU, for its own requests only",
    heads_copied: "Attention is not cut: all {heads} query heads on every GPU, {dense} with the vocabulary, for its own requests",
    cache_by_request: "A batch of {batch} is dealt over the GPUs, {context} tokens each: at most {own} on one, {cache} of caches",
    cache_split: "A batch of {batch}, {context} tokens each: caches split evenly, {cache} a GPU",
    illegal: "The model cannot be cut this way, so there is nothing to place",
    no_line: "This ledger has no line for uncut weights: on to the next step",
    all_weights: "All weights spread evenly over the GPUs: {weights} each",
    dense_cut: "Attention is cut by heads: {heads} query heads and {groups} groups a GPU, {dense} with the vocabulary",
    reserve: "{capacity} of memory on each GPU, of which {reserve} is kept for activations and workspace",
    fits: "{whose} needs {need}, has {capacity}: it fits, with {free} left",
    none_fits: "{whose} needs {need}, has {capacity}, is short by {short}. No legal cut fits",
    title: "Memory of each GPU",
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

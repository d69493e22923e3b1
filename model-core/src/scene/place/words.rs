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
    /// What every GPU holds whole.
    pub(super) copied_parts: &'static str,
    /// Legend: weights beside the experts.
    pub(super) dense: &'static str,
    /// Legend: weights that each GPU holds whole.
    pub(super) whole: &'static str,
    /// Legend: caches.
    pub(super) caches: &'static str,
    /// What stands for copies in a card.
    pub(super) copied: &'static str,
    /// A GPU that takes no part.
    pub(super) idle: &'static str,
    /// Caption of each step of "place"; `{…}` stand for values.
    pub(super) captions: [&'static str; Step::ALL.len()],
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
    copied_parts: "KV、残差、共享专家",
    dense: "注意力、词表",
    whole: "不切的权重",
    caches: "缓存",
    copied: "每卡一份",
    idle: "未使用",
    captions: [
        "每卡显存 {capacity}，先看什么都没放的样子",
        "不切的权重：每张卡都放完整一份，{shared}",
        "路由专家按号发牌：每层 {experts_all} 个，一张卡 {experts} 个，占 {routed}",
        "注意力按头切：每卡 {heads} 个 Q 头、{groups} 个输出组",
        "{batch} 个请求、每个 {context} token：缓存 {cache}，每卡都要一份",
        "每卡要 {need}，只有 {capacity}，差 {short}。放得下的最小划分：{smallest}",
    ],
    no_line: "这本账不单列不切的权重，直接看下一步",
    all_weights: "全部权重平均分到每张卡：{weights}",
    dense_cut: "注意力按头切：每卡 {heads} 个 Q 头、{groups} 个输出组，连同词表占 {dense}",
    reserve: "每卡显存 {capacity}，先留出 {reserve} 给激活和工作区",
    fits: "每卡要 {need}，有 {capacity}，放得下，还剩 {free}",
    none_fits: "每卡要 {need}，只有 {capacity}，差 {short}。没有合法的划分放得下",
    title: "八张卡的显存",
};

const EN: Words = Words {
    query_heads: "Q heads",
    output_groups: "Groups",
    experts: "Experts",
    copied_parts: "KV, streams, shared",
    dense: "Attention, vocabulary",
    whole: "Uncut weights",
    caches: "Caches",
    copied: "a copy on each",
    idle: "idle",
    captions: [
        "{capacity} of memory on each GPU, with nothing placed yet",
        "Not cut: {shared} of weights, whole on every GPU",
        "Routed experts are dealt out: {experts_all} a layer, {experts} to a GPU, {routed}",
        "Attention is cut by heads: {heads} query heads and {groups} output groups a GPU",
        "{batch} requests of {context} tokens: {cache} of caches, on every GPU",
        "Needs {need} a GPU, has {capacity}, short by {short}. Smallest plan that fits: {smallest}",
    ],
    no_line: "This ledger has no line for uncut weights: on to the next step",
    all_weights: "All weights spread evenly over the GPUs: {weights} each",
    dense_cut: "Attention is cut by heads: {heads} query heads and {groups} groups a GPU, {dense} with the vocabulary",
    reserve: "{capacity} of memory on each GPU, of which {reserve} is kept for activations and workspace",
    fits: "Needs {need} a GPU, has {capacity}: it fits, with {free} left",
    none_fits: "Needs {need} a GPU, has {capacity}, short by {short}. No legal cut fits",
    title: "Memory of the eight GPUs",
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

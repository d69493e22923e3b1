//! The words that stand inside drawings, in both languages. The page's prose has a catalogue of its own in `app`.

use crate::language::Language;
use crate::ledger::memory::{Part, Sharing};
use crate::scene::place::Step;

/// Words of drawings.
#[derive(Debug)]
pub struct Words {
    /// What a column is headed with, before its number.
    pub gpu: &'static str,
    /// The strip of layers.
    pub layers: &'static str,
    /// Heads of a GPU, before their range.
    pub query_heads: &'static str,
    /// Output groups of a GPU, before their range.
    pub output_groups: &'static str,
    /// Experts of a GPU, before their range.
    pub experts: &'static str,
    /// What every GPU holds whole.
    pub copied_parts: &'static str,
    /// A part of memory.
    pub part: fn(Part) -> &'static str,
    /// How a part is shared.
    pub sharing: fn(Sharing) -> &'static str,
    /// Legend: weights beside the experts.
    pub dense: &'static str,
    /// Legend: weights that each GPU holds whole.
    pub whole: &'static str,
    /// Legend: caches.
    pub caches: &'static str,
    /// Legend: free memory.
    pub free: &'static str,
    /// Legend: over the limit.
    pub over: &'static str,
    /// What stands for copies in a card.
    pub copied: &'static str,
    /// A GPU that takes no part.
    pub idle: &'static str,
    /// Caption of each step of "place"; `{…}` stand for values.
    pub place_captions: [&'static str; Step::ALL.len()],
    /// Caption where the ledger has no line of its own for a step.
    pub place_no_line: &'static str,
    /// Caption where the ledger counts all weights as one.
    pub place_all_weights: &'static str,
    /// Caption of cut heads where the ledger counts their weights.
    pub place_dense: &'static str,
    /// Caption of empty cards where a reserve is set aside.
    pub place_reserve: &'static str,
    /// A smallest plan given by its cut.
    pub plan_tp: &'static str,
    /// A smallest plan given by its GPUs.
    pub plan_gpus: &'static str,
    /// The verdict where it fits.
    pub place_fits: &'static str,
    /// The verdict where no legal cut fits.
    pub place_none_fits: &'static str,
    /// The stage's title.
    pub place_title: &'static str,
    /// Title of the cache chart.
    pub cache_chart_title: &'static str,
    /// What the cache chart shows.
    pub cache_chart_description: &'static str,
    /// Its horizontal axis.
    pub context_axis: &'static str,
    /// Its vertical axis.
    pub cache_axis: &'static str,
}

/// Chinese.
pub const ZH: Words = Words {
    gpu: "GPU",
    layers: "层",
    query_heads: "Q 头",
    output_groups: "输出组",
    experts: "专家",
    copied_parts: "KV、残差、共享专家",
    idle: "未使用",
    place_captions: [
        "每卡显存 {capacity}，先看什么都没放的样子",
        "不切的权重：每张卡都放完整一份，{shared}",
        "路由专家按号发牌：每层 {experts_all} 个，一张卡 {experts} 个，占 {routed}",
        "注意力按头切：每卡 {heads} 个 Q 头、{groups} 个输出组",
        "{batch} 个请求、每个 {context} token：缓存 {cache}，每卡都要一份",
        "每卡要 {need}，只有 {capacity}，差 {short}。放得下的最小划分：{smallest}",
    ],
    place_fits: "每卡要 {need}，有 {capacity}，放得下，还剩 {free}",
    place_none_fits: "每卡要 {need}，只有 {capacity}，差 {short}。没有合法的划分放得下",
    place_title: "八张卡的显存",
    cache_chart_title: "一个请求的缓存随上下文增长",
    cache_chart_description: "横轴是上下文长度，纵轴是一个请求的缓存，按部分叠放，两轴都是对数刻度。{context} token 时共 {total}。",
    context_axis: "上下文（token）",
    cache_axis: "每请求缓存",
    part: zh_part,
    sharing: zh_sharing,
    dense: "注意力、词表",
    whole: "不切的权重",
    caches: "缓存",
    free: "空闲",
    over: "超出上限",
    copied: "每卡一份",
    place_no_line: "这本账不单列不切的权重，直接看下一步",
    place_all_weights: "全部权重平均分到每张卡：{weights}",
    place_dense: "注意力按头切：每卡 {heads} 个 Q 头、{groups} 个输出组，连同词表占 {dense}",
    place_reserve: "每卡显存 {capacity}，先留出 {reserve} 给激活和工作区",
    plan_tp: "TP {n}",
    plan_gpus: "{n} 张卡",
};

/// English.
pub const EN: Words = Words {
    gpu: "GPU",
    layers: "Layers",
    query_heads: "Q heads",
    output_groups: "Groups",
    experts: "Experts",
    copied_parts: "KV, streams, shared",
    idle: "idle",
    place_captions: [
        "{capacity} of memory on each GPU, with nothing placed yet",
        "Not cut: {shared} of weights, whole on every GPU",
        "Routed experts are dealt out: {experts_all} a layer, {experts} to a GPU, {routed}",
        "Attention is cut by heads: {heads} query heads and {groups} output groups a GPU",
        "{batch} requests of {context} tokens: {cache} of caches, on every GPU",
        "Needs {need} a GPU, has {capacity}, short by {short}. Smallest plan that fits: {smallest}",
    ],
    place_fits: "Needs {need} a GPU, has {capacity}: it fits, with {free} left",
    place_none_fits: "Needs {need} a GPU, has {capacity}, short by {short}. No legal cut fits",
    place_title: "Memory of the eight GPUs",
    cache_chart_title: "One request's cache as its context grows",
    cache_chart_description: "Context length across, one request's cache upwards, its parts stacked, both axes logarithmic. {total} in all at {context} tokens.",
    context_axis: "Context (tokens)",
    cache_axis: "Cache of a request",
    part: en_part,
    sharing: en_sharing,
    dense: "Attention, vocabulary",
    whole: "Uncut weights",
    caches: "Caches",
    free: "Free",
    over: "Over the limit",
    copied: "one copy each",
    place_no_line: "This ledger has no line for uncut weights: on to the next step",
    place_all_weights: "All weights spread evenly over the GPUs: {weights} each",
    place_dense: "Attention is cut by heads: {heads} query heads and {groups} groups a GPU, {dense} with the vocabulary",
    place_reserve: "{capacity} of memory on each GPU, of which {reserve} is kept for activations and workspace",
    plan_tp: "TP {n}",
    plan_gpus: "{n} GPUs",
};

fn zh_part(part: Part) -> &'static str {
    match part {
        Part::Reserve => "预留",
        Part::Shared => "共享专家",
        Part::Weights => "全部权重",
        Part::Router => "路由表",
        Part::Streams => "残差混合",
        Part::Attention => "注意力",
        Part::Embedding => "词嵌入",
        Part::Head => "输出头",
        Part::Mtp => "草稿块",
        Part::Routed => "路由专家",
        Part::Cache => "缓存",
        Part::Window => "窗口环",
        Part::Compressed => "压缩条目",
        Part::Csa => "CSA 条目",
        Part::Hca => "HCA 条目",
        Part::Indexer => "索引键",
        Part::State => "未满组暂存",
        Part::MtpCache => "草稿块缓存",
        Part::PageRounding => "整页留空",
    }
}

fn en_part(part: Part) -> &'static str {
    match part {
        Part::Reserve => "Reserve",
        Part::Shared => "Shared experts",
        Part::Weights => "All weights",
        Part::Router => "Routers",
        Part::Streams => "Stream mixing",
        Part::Attention => "Attention",
        Part::Embedding => "Embedding",
        Part::Head => "Output head",
        Part::Mtp => "Draft block",
        Part::Routed => "Routed experts",
        Part::Cache => "Caches",
        Part::Window => "Window rings",
        Part::Compressed => "Compressed entries",
        Part::Csa => "CSA entries",
        Part::Hca => "HCA entries",
        Part::Indexer => "Indexer keys",
        Part::State => "Tail state",
        Part::MtpCache => "Draft cache",
        Part::PageRounding => "Page rounding",
    }
}

fn zh_sharing(sharing: Sharing) -> &'static str {
    match sharing {
        Sharing::Cut => "切分",
        Sharing::Mixed => "部分切分",
        Sharing::Copied => "每卡一份",
        Sharing::ByRequest => "按请求分",
        Sharing::Own => "每卡自留",
    }
}

fn en_sharing(sharing: Sharing) -> &'static str {
    match sharing {
        Sharing::Cut => "cut",
        Sharing::Mixed => "partly cut",
        Sharing::Copied => "one copy each",
        Sharing::ByRequest => "by request",
        Sharing::Own => "set aside",
    }
}

impl Words {
    /// The words of a language.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        match language {
            Language::Chinese => &ZH,
            Language::English => &EN,
        }
    }
}

/// Puts values where `{name}` stands; a name without a value stays as it is.
#[must_use]
pub fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut text = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((name, tail)) = after.split_once('}') else {
            text.push('{');
            rest = after;
            continue;
        };
        match values.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => text.push_str(value),
            None => text.extend(["{", name, "}"]),
        }
        rest = tail;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_replace_names() {
        let values = [("a", "1".to_owned()), ("b", "2".to_owned())];
        assert_eq!(fill("{b}{a} {c} x", &values), "21 {c} x");
        assert_eq!(fill("open { end", &values), "open { end");
    }
}

//! The words that stand inside drawings, in both languages. The page's prose has a catalogue of its own in `app`.

use crate::language::Language;
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
    /// Legend: routed experts.
    pub routed: &'static str,
    /// Legend: shared experts.
    pub shared: &'static str,
    /// Legend: caches of all requests.
    pub cache: &'static str,
    /// Legend: free memory.
    pub free: &'static str,
    /// Legend: over the limit.
    pub over: &'static str,
    /// A part that is cut over the GPUs.
    pub cut: &'static str,
    /// A part that is copied to each.
    pub copied: &'static str,
    /// A GPU that takes no part.
    pub idle: &'static str,
    /// Caption of each step of "place"; `{…}` stand for values.
    pub place_captions: [&'static str; Step::ALL.len()],
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
    /// Compression state.
    pub state: &'static str,
    /// Window rings.
    pub window: &'static str,
    /// Compressed entries.
    pub compressed: &'static str,
    /// Indexer keys.
    pub indexer: &'static str,
    /// The mark at the scenario's context.
    pub here: &'static str,
}

/// Chinese.
pub const ZH: Words = Words {
    gpu: "GPU",
    layers: "层",
    query_heads: "Q 头",
    output_groups: "输出组",
    experts: "专家",
    copied_parts: "KV、残差、共享专家",
    routed: "路由专家",
    shared: "共享专家",
    cache: "缓存",
    free: "空闲",
    over: "超出上限",
    cut: "切分",
    copied: "每卡一份",
    idle: "未使用",
    place_captions: [
        "每卡显存 {capacity}，先看什么都没放的样子",
        "不切的部分：共享专家 {shared}，每张卡都放完整一份",
        "路由专家按号发牌：每层 {experts_all} 个，一张卡 {experts} 个，占 {routed}",
        "注意力按头切：每卡 {heads} 个 Q 头、{groups} 个输出组",
        "{batch} 个请求、每个 {context} token：缓存 {cache}，每卡都要一份",
        "每卡要 {need}，只有 {capacity}，差 {short}。最小的合法划分是 TP {min_tp}",
    ],
    place_fits: "每卡要 {need}，有 {capacity}，放得下，还剩 {free}",
    place_none_fits: "每卡要 {need}，只有 {capacity}，差 {short}。没有合法的划分放得下",
    place_title: "八张卡的显存",
    cache_chart_title: "一个请求的缓存随上下文增长",
    cache_chart_description: "横轴是上下文长度，纵轴是一个请求的缓存，按部分叠放，两轴都是对数刻度。{context} token 时共 {total}。",
    context_axis: "上下文（token）",
    cache_axis: "每请求缓存",
    state: "未满组暂存",
    window: "窗口环",
    compressed: "压缩条目",
    indexer: "索引键",
    here: "当前",
};

/// English.
pub const EN: Words = Words {
    gpu: "GPU",
    layers: "Layers",
    query_heads: "Q heads",
    output_groups: "Groups",
    experts: "Experts",
    copied_parts: "KV, streams, shared",
    routed: "Routed experts",
    shared: "Shared experts",
    cache: "Caches",
    free: "Free",
    over: "Over the limit",
    cut: "cut",
    copied: "one copy each",
    idle: "idle",
    place_captions: [
        "{capacity} of memory on each GPU, with nothing placed yet",
        "Not cut: the shared experts, {shared}, whole on every GPU",
        "Routed experts are dealt out: {experts_all} a layer, {experts} to a GPU, {routed}",
        "Attention is cut by heads: {heads} query heads and {groups} output groups a GPU",
        "{batch} requests of {context} tokens: {cache} of caches, on every GPU",
        "Needs {need} a GPU, has {capacity}, short by {short}. Smallest legal cut: TP {min_tp}",
    ],
    place_fits: "Needs {need} a GPU, has {capacity}: it fits, with {free} left",
    place_none_fits: "Needs {need} a GPU, has {capacity}, short by {short}. No legal cut fits",
    place_title: "Memory of the eight GPUs",
    cache_chart_title: "One request's cache as its context grows",
    cache_chart_description: "Context length across, one request's cache upwards, its parts stacked, both axes logarithmic. {total} in all at {context} tokens.",
    context_axis: "Context (tokens)",
    cache_axis: "Cache of a request",
    state: "Tail state",
    window: "Window rings",
    compressed: "Compressed entries",
    indexer: "Indexer keys",
    here: "now",
};

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

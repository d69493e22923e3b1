//! The words that drawings of several kinds share, in both languages. Each scene has its own beside it; the page's prose
//! has a catalogue in `app`.

use crate::language::Language;
use crate::ledger::memory::{Part, Sharing};

/// Words of drawings.
#[derive(Debug)]
pub struct Words {
    /// What a column is headed with, before its number.
    pub gpu: &'static str,
    /// The strip of layers.
    pub layers: &'static str,
    /// A part of memory.
    pub part: fn(Part) -> &'static str,
    /// How a part is shared.
    pub sharing: fn(Sharing) -> &'static str,
    /// Legend: free memory.
    pub free: &'static str,
    /// Legend: over the limit.
    pub over: &'static str,
    /// Note: a table by token id chooses the experts.
    pub hash_table: &'static str,
    /// Note: the small model chooses them.
    pub small_model: &'static str,
}

/// Chinese.
pub const ZH: Words = Words {
    gpu: "GPU",
    layers: "层",
    hash_table: "按编号查表（模型里有 {layers} 层）",
    small_model: "小模型真跑：{ran} / {batch} 个 token",
    part: zh_part,
    sharing: zh_sharing,
    free: "空闲",
    over: "超出上限",
};

/// English.
pub const EN: Words = Words {
    gpu: "GPU",
    layers: "Layers",
    hash_table: "table by token id ({layers} such layers)",
    small_model: "small model: {ran} of {batch} tokens run",
    part: en_part,
    sharing: en_sharing,
    free: "Free",
    over: "Over the limit",
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
        Sharing::Copied => "copied",
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

/// English nouns that follow a number in the texts, as they stand there and as they stand after a one.
const COUNTED: [(&str, &str); 17] = [
    (" tokens", " token"),
    (" layers", " layer"),
    (" experts", " expert"),
    (" times", " time"),
    (" GPUs", " GPU"),
    (" requests", " request"),
    (" streams", " stream"),
    (" rows", " row"),
    (" entries", " entry"),
    (" values", " value"),
    (" moves", " move"),
    (" chunks", " chunk"),
    (" slots", " slot"),
    (" waves", " wave"),
    (" stages", " stage"),
    (" tiles", " tile"),
    (" pages", " page"),
];

/// An English noun as it stands after a number: in the singular after a one.
#[must_use]
pub fn noun(many: &'static str, number: f64) -> &'static str {
    let known = |(plural, _): &&(&str, &str)| number == 1.0 && plural.trim_start() == many;
    COUNTED.iter().find(known).map_or(many, |(_, single)| single.trim_start())
}

/// Puts values where `{name}` stands; a name without a value stays as it is. Behind a bare one, the English noun that is
/// counted stands in the singular.
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
        let value = values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str());
        match value {
            Some(value) => text.push_str(value),
            None => text.extend(["{", name, "}"]),
        }
        rest = tail;
        let counted = |(many, _): &&(&str, &str)| {
            tail.strip_prefix(many).is_some_and(|after| !after.starts_with(char::is_alphanumeric))
        };
        if let Some((many, single)) = COUNTED.iter().filter(|_| value == Some("1")).find(counted) {
            text.push_str(single);
            rest = &tail[many.len()..];
        }
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

    #[test]
    fn one_is_followed_by_the_singular() {
        let values = [("one", "1".to_owned()), ("many", "11".to_owned())];
        assert_eq!(fill("{one} tokens, {many} tokens", &values), "1 token, 11 tokens");
        assert_eq!(fill("{one} entries and {one} layers.", &values), "1 entry and 1 layer.");
        assert_eq!(fill("{one} of {one} GPUs; {one} tokensmith", &values), "1 of 1 GPU; 1 tokensmith");
        assert_eq!(fill("{one} 个 token", &values), "1 个 token");
        for (many, single) in
            [("tokens", "token"), ("requests", "request"), ("GPUs", "GPU"), ("stages", "stage"), ("µs", "µs")]
        {
            assert_eq!([0.0, 1.0, 2.0].map(|number| noun(many, number)), [many, single, many]);
        }
    }
}

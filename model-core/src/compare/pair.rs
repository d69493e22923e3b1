//! Pairs worth comparing: where the documents part from each other, from the checkpoint, or from the engines.

use super::{Case, Comparison, words};
use crate::chart::tokens;
use crate::figure::{Unit, Value};
use crate::format::{self, ABSENT};
use crate::link::{Compared, Link, Room};
use crate::scene::{Look, Text};
use crate::table::FIT;
use crate::words::fill;

/// Two scenarios and what their difference means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Its name for test hooks.
    pub name: &'static str,
    words: Text,
    /// The query strings of A and B.
    pub queries: [&'static str; 2],
    /// What the difference means; `{a0}`, `{b0}`, `{d0}` and `{r0}` are the first figure in A and in B, the difference
    /// without its sign, and how many times A's it is in B; load and link are named too.
    meaning: Text,
    /// The figures it names, by their ids in either ledger.
    figures: &'static [&'static str],
}

impl Pair {
    /// What it is called.
    #[must_use]
    pub const fn title(&self, look: Look) -> &'static str {
        look.say(self.words)
    }

    /// Its two scenarios.
    #[must_use]
    pub fn compared(&self) -> [Compared; 2] {
        self.queries.map(|query| Compared::read(query).unwrap_or_default())
    }

    /// The address that shows both: B's own, with A beside it.
    #[must_use]
    pub fn query(&self) -> String {
        let [a, b] = self.compared();
        let Compared { scenario, ledger, base } = b;
        Link { scenario, ledger, base, compared: vec![a], room: Room::Compare, ..Link::default() }.write()
    }

    /// What the difference means, with its numbers.
    #[must_use]
    pub fn meaning(&self, look: Look) -> String {
        let comparison = Comparison::of(self.compared().iter().map(Case::from).collect());
        let [a, b, ..] = &comparison.cases[..] else { return String::new() };
        let load = &a.settings;
        let rate = |case: &Case| format::count(case.settings.link.get() / 1e9);
        let mut values: Vec<(String, String)> = [
            ("batch", load.batch.to_string()),
            ("context", tokens(load.context as f64)),
            ("gpus", load.gpus.to_string()),
            ("rate_a", rate(a)),
            ("rate_b", rate(b)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec();
        for (index, id) in self.figures.iter().enumerate() {
            let Some(line) = comparison.line(id) else { continue };
            let shown = |case: usize| match line.values.get(case) {
                Some(Value::Flag(fits)) if id.ends_with(".fits") => {
                    let [no, yes] = FIT;
                    look.say(if *fits { yes } else { no }).to_owned()
                }
                Some(Value::Flag(flag)) => words::shown(if *flag { "true" } else { "false" })
                    .map_or("", |text| look.say(text))
                    .to_owned(),
                Some(value) => format::value(value, line.unit, look.base).to_string(),
                None => ABSENT.to_owned(),
            };
            let difference = line.difference(1).map_or(Value::Absent, |amount| Value::Number(amount.abs()));
            let ratio = line.ratio(1).map_or(Value::Absent, Value::Number);
            let ratio = format::value(&ratio, Unit::Count, look.base).number;
            values.push((format!("a{index}"), shown(0)));
            values.push((format!("b{index}"), shown(1)));
            values.push((format!("d{index}"), format::value(&difference, line.unit, look.base).to_string()));
            values.push((format!("r{index}"), ratio));
        }
        let values: Vec<(&str, String)> =
            values.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        fill(look.say(self.meaning), &values)
    }
}

const PAIRS: &[Pair] = &[
    Pair {
        name: "kv-placement",
        words: ["KV 每卡一份，还是分到各卡", "KV copied to every GPU, or split over them"],
        queries: [
            "ledger=report&context=1048576&batch=32&units=gb",
            "ledger=report&context=1048576&batch=32&kv_placement=copied&units=gb",
        ],
        meaning: [
            "{batch} 个请求、{context} 上下文：缓存分到 {gpus} 张卡，每卡 {a0}；只有一个 KV 头，TP 切不开它，每卡都得整份存着，就是 {b0}，多出 {d0}。同样的卡，分开时{a1}，整份时{b1}；读缓存的时间也跟着从 {a2} 变成 {b2}。",
            "{batch} requests at {context}: with the caches split over {gpus} GPUs each needs {a0}. There is a single KV head, which TP cannot cut, so every GPU keeps whole copies and needs {b0}, {d0} more. Split, the load {a1}; copied, it {b1}. Attention over the caches goes from {a2} to {b2}.",
        ],
        figures: &["memory.bytes_per_gpu", "memory.fits", "decode.attn_s"],
    },
    Pair {
        name: "link-rate",
        words: ["NVLink 算 900 GB/s 还是 450 GB/s", "NVLink at 900 GB/s or at 450 GB/s"],
        queries: ["ledger=report&link=nvlink_900&units=gb", "ledger=report&link=nvlink_450&units=gb"],
        meaning: [
            "{rate_a} GB/s 是两个方向加起来的标称，一次派发只走一个方向。照它算，C/B 是 {a0}；按单向的 {rate_b} GB/s 算是 {b0}：离 {a1} 的门槛，余量只剩一半。一层的专家交换从 {a2} 变成 {b2}。",
            "{rate_a} GB/s adds up both directions, while a dispatch uses one of them. At that rate C/B is {a0}; at the {rate_b} GB/s of one direction it is {b0}, with half the margin to the threshold of {a1}. A layer's expert exchange goes from {a2} to {b2}.",
        ],
        figures: &["network.flops_per_byte", "network.hide_threshold", "decode.layer.ep_s"],
    },
    Pair {
        name: "experts-drawn",
        words: ["不同专家：不放回，还是放回", "Different experts: drawn without or with replacement"],
        queries: [
            "ledger=report&batch=32&draw=distinct_top6&units=gb",
            "ledger=report&batch=32&draw=with_replacement&units=gb",
        ],
        meaning: [
            "一个 token 选中的专家互不相同，这样抽，{batch} 个 token 平均碰到 {a0} 个；把每一次选择都当成互相独立，就是 {b0} 个。差 {d0} 个，一步读专家差 {d1}，时间差 {d2}：这个近似无伤大雅，但两份材料的数字就差在这里。",
            "The experts of a token differ from each other; drawn that way {batch} tokens touch {a0} on average. Take all picks as independent and it is {b0}. {d0} experts fewer are {d1} less to read in a step and {d2} less time: harmless as an approximation, and the whole of what parts the two documents' numbers.",
        ],
        figures: &["moe.distinct_experts", "decode.moe.bytes", "decode.step_s"],
    },
    Pair {
        name: "gb-gib",
        words: ["标称显存：当 GB 还是当 GiB", "Memory on the label: GB or GiB"],
        queries: [
            "ledger=exact&context=1048576&batch=4&memory_reading=gb&units=gb",
            "ledger=exact&context=1048576&batch=4&memory_reading=gib&units=gb",
        ],
        meaning: [
            "标称上同一个数，当十进制读是 {a0}，当二进制读是 {b0}，每卡差 {d0}。{batch} 个 {context} 的请求，前一种读法{a1}，后一种{b1}。驱动报出来的更接近后者。",
            "One number on the label is {a0} read as decimal and {b0} read as binary, {d0} a GPU apart. {batch} requests at {context}: by the first reading the load {a1}, by the second it {b1}. What the driver lists is close to the second.",
        ],
        figures: &["gpu.memory.bytes", "memory.fits"],
    },
    Pair {
        name: "cache-rows",
        words: ["缓存行：参考实现，还是引擎 FP8", "Cache rows: the reference's or an engine's FP8"],
        queries: [
            "ledger=exact&context=1048576&kv_rows=reference&units=gb",
            "ledger=exact&context=1048576&kv_rows=fp8&units=gb",
        ],
        meaning: [
            "参考实现每行 {a0}，引擎把不带旋转位置的部分存成 FP8，每行 {b0}。{context} 的一个请求从 {a1} 降到 {b1}，是原来的 {r1} 倍。",
            "A row takes {a0} in the reference; engines keep all but the rotary part in FP8 and need {b0}. A request at {context} shrinks from {a1} to {b1}, {r1} times the size.",
        ],
        figures: &["cache.row.bytes", "cache.request.bytes"],
    },
    Pair {
        name: "index-keys",
        words: ["索引键：FP8 还是 FP4", "Indexer keys: FP8 or FP4"],
        queries: [
            "ledger=exact&gpu=b300&context=1048576&batch=16&kv_rows=fp8&units=gb",
            "ledger=exact&gpu=b300&context=1048576&batch=16&kv_rows=fp8_fp4idx&units=gb",
        ],
        meaning: [
            "索引键从 {a0} 降到 {b0}，{context} 的一个请求省 {d1}。Hopper 上没有这种行，所以这里两边都用 B300。",
            "An indexer key goes from {a0} to {b0}, which saves {d1} on a request at {context}. Hopper has no such rows, so both sides are B300.",
        ],
        figures: &["cache.indexer_row.bytes", "cache.request.bytes"],
    },
    Pair {
        name: "weight-formats",
        words: [
            "权重：检查点原样，还是参考实现转换后",
            "Weights: as stored, or as the reference converts them",
        ],
        queries: ["ledger=exact&dtypes=stored&units=gb", "ledger=exact&dtypes=reference&units=gb"],
        meaning: [
            "照检查点原样放，每卡权重 {a0}；参考实现运行时把一部分张量换成更宽的格式，是 {b0}，每卡多 {d0}。",
            "As the checkpoint stores them the weights take {a0} a GPU; the reference widens some tensors to run them and needs {b0}, {d0} more on each.",
        ],
        figures: &["weights.bytes_per_gpu"],
    },
    Pair {
        name: "attention-layout",
        words: ["TP8，还是注意力按请求分（DP8+EP8）", "TP8, or attention by request (DP8+EP8)"],
        queries: [
            "ledger=exact&context=131072&batch=64&units=gb",
            "ledger=exact&layout=dp_attention_ep&context=131072&batch=64&units=gb",
        ],
        meaning: [
            "按请求分之后，缓存每卡从 {a0} 降到 {b0}；代价是注意力那些权重每卡一份，权重从 {a1} 涨到 {b1}。{batch} 个 {context} 的请求，全用 TP {a2}，按请求分{b2}。",
            "With attention by request the caches of a GPU drop from {a0} to {b0}; in return every GPU holds the dense weights whole, and weights grow from {a1} to {b1}. {batch} requests at {context}: under TP alone the load {a2}, by request it {b2}.",
        ],
        figures: &["cache.batch.bytes_per_gpu", "weights.bytes_per_gpu", "memory.fits"],
    },
    Pair {
        name: "tutorial-exact",
        words: ["教程账与精确账，同样的负载", "The walkthrough's ledger and the exact one, same load"],
        queries: ["", "ledger=exact&gpu=h100&context=32768&batch=8"],
        meaning: [
            "教程只算专家和缓存，每卡 {a0}；把注意力、词嵌入、输出头这些都算上，再把缓存换成引擎的行格式，是 {b0}，差 {d0}。放不放得下，教程账说{a1}，精确账说{b1}。",
            "The walkthrough counts experts and caches alone, {a0} a GPU; with attention, embedding, head and the rest, and caches in an engine's rows, it is {b0}, {d0} apart. By the walkthrough's ledger the load {a1}, by the exact one it {b1}.",
        ],
        figures: &["memory.partial.bytes_per_gpu", "memory.partial.fits"],
    },
    Pair {
        name: "report-exact",
        words: ["报告账与精确账，同样的负载", "The report's ledger and the exact one, same load"],
        queries: [
            "ledger=report&context=1048576&batch=32&units=gb",
            "ledger=exact&context=1048576&batch=32&units=gb",
        ],
        meaning: [
            "报告说一步 {a0}。可是缓存在 TP 下每卡一份，每卡要读的更多：显存带宽跑满、什么延迟都不算，一步也要 {b1}。显存也一样：报告每卡 {a2}，{a3}；实际 {b2}，{b3}。",
            "The report has a step of {a0}. But under TP every GPU holds and reads whole caches: with the memory at its full rate and no latency at all a step takes {b1}. Memory likewise: the report needs {a2} a GPU and the load {a3}; in fact it is {b2}, and the load {b3}.",
        ],
        figures: &["decode.step_s", "decode.floor_s", "memory.bytes_per_gpu", "memory.fits"],
    },
];

/// The pair that these two scenarios are, whichever unit they are read in.
#[must_use]
pub fn pair_of([a, b]: [&Compared; 2]) -> Option<&'static Pair> {
    let same =
        |one: &Compared, other: &Compared| (&one.scenario, one.ledger) == (&other.scenario, other.ledger);
    PAIRS.iter().find(|pair| {
        let [first, second] = pair.compared();
        same(&first, a) && same(&second, b)
    })
}

/// The pairs, in the order in which they are offered.
#[must_use]
pub const fn pairs() -> &'static [Pair] {
    PAIRS
}

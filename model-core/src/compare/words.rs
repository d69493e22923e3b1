//! The words of comparisons, both languages side by side.

use super::Group;
use crate::figure::Ledger;
use crate::ledger::Topic;
use crate::scene::Text;
use crate::table::{BOUND, Head, number, word};

pub(super) const FIGURES: Text = ["逐个数字", "Figure by figure"];
pub(super) const FIGURES_ABOUT: Text = [
    "其余各列都与 A 相比：▲ 更大，▼ 更小，= 相同，≠ 不同，— 没法比。最后一列方案是当前的，点它的数可以看推导。",
    "Everything is set against A: ▲ more, ▼ less, = the same, ≠ different, — not comparable. The last scenario is the current one; press its figures for their derivation.",
];
pub(super) const VALUES: Text = ["哪些设定不同", "Which values differ"];
pub(super) const VALUES_ABOUT: Text = [
    "先是选出来的值，后面淡色的是跟着账本或别的值变的。",
    "First what was chosen; the paler rows below follow from the ledger or from another value.",
];
/// Why a table is empty.
pub(super) const ALIKE: Text = ["这几个方案没有差别。", "There is nothing in which these scenarios differ."];

pub(super) const FIGURE: Head = word(["数字", "Figure"], "figure");
pub(super) const GROUP: Head = word(["类别", "Group"], "group");
pub(super) const VALUE: Head = word(["设定", "Value"], "key");
/// Heads of each case: its value, the difference to the first and the ratio.
pub(super) const CASES: [[Head; 3]; 4] = [
    [number(["A", "A"], "a"), number(["", ""], ""), number(["", ""], "")],
    [
        number(["B", "B"], "b"),
        number(["B − A", "B − A"], "b_difference"),
        number(["B / A", "B / A"], "b_ratio"),
    ],
    [
        number(["C", "C"], "c"),
        number(["C − A", "C − A"], "c_difference"),
        number(["C / A", "C / A"], "c_ratio"),
    ],
    [
        number(["D", "D"], "d"),
        number(["D − A", "D − A"], "d_difference"),
        number(["D / A", "D / A"], "d_ratio"),
    ],
];

/// A group's name, and its name in files.
pub(super) const fn group(group: Group) -> (Text, &'static str) {
    match group {
        Group::Verdict => (["装得下吗", "Does it fit"], "verdict"),
        Group::Memory => (["每卡显存", "Memory of a GPU"], "memory"),
        Group::Request => (["一个请求", "One request"], "request"),
        Group::Decode => (["解码一步", "Decode step"], "decode"),
        Group::Stages => (["各阶段", "Stages"], "stages"),
        Group::Layers => (["每种层", "Layers"], "layers"),
        Group::Exchanges => (["卡间交换", "Exchanges"], "exchanges"),
        Group::Prefill => (["预填充", "Prefill"], "prefill"),
        Group::Model => (["模型", "Model"], "model"),
    }
}

/// What a flag or a word of a figure says.
pub(super) fn shown(word: &str) -> Option<Text> {
    let [memory, compute] = BOUND;
    Some(match word {
        "true" => ["是", "yes"],
        "false" => ["否", "no"],
        "hbm" => memory,
        "compute" => compute,
        "none" => ["不经过链路", "no link"],
        "node" => ["节点内", "a node's link"],
        "network" => ["节点间网络", "the network"],
        _ => return None,
    })
}

/// What a model that the reader brought along is called.
pub(super) const OWN_MODEL: Text = ["自己导入的模型", "your own model"];

/// What the ledger itself is called among the values, and what the ledgers are called.
pub(super) const LEDGER: Text = ["账本", "Ledger"];
pub(super) const fn ledger(ledger: Ledger) -> Text {
    match ledger {
        Ledger::Tutorial => ["教程账", "Tutorial"],
        Ledger::Report => ["报告账", "Report"],
        Ledger::Exact => ["精确账", "Exact"],
    }
}

pub(super) const COLON: Text = ["：", ": "];
pub(super) const COMMA: Text = ["，", ", "];
pub(super) const SEMICOLON: Text = ["；", "; "];
pub(super) const STOP: Text = ["。", ". "];

/// A scenario's load, in as few words as its card has room for.
pub(super) const LOAD: Text = ["{batch} 个请求 × {context}", "{batch} requests × {context}"];

/// What a waterfall is called: of what.
pub(super) const fn topic(topic: Topic) -> Text {
    match topic {
        Topic::WeightsPerGpu => ["每卡权重", "Weights per GPU"],
        Topic::CachePerRequest => ["一个请求的缓存", "Cache of a request"],
        Topic::MemoryPerGpu => ["每卡显存", "Memory per GPU"],
        Topic::CachePerGpu => ["每卡缓存", "Caches per GPU"],
        Topic::DistinctExperts => ["每层不同专家", "Different experts"],
        Topic::DecodeFloor => ["一步的下限", "Floor of a step"],
        Topic::DecodeStep => ["解码一步", "Decode step"],
    }
}
pub(super) const WATERFALL: Text = ["{topic}：从 {a} 到 {b}", "{topic}: from {a} to {b}"];
pub(super) const WATERFALL_ABOUT: Text = [
    "从 {a} 出发，按表里的次序每次改一项，看每一项加减多少；各项加起来正好是 {a} 与 {b} 之差。次序不同，单项的份额会不同，总差不变。",
    "Starting from {a}, one value changes at a time, in this order, and each row is what it adds or takes away; together they are the whole difference. Another order shares it out otherwise, the whole stays.",
];
pub(super) const MEMORY_ABOUT: Text = ["预留不算在内。", " The reserve is not counted."];
pub(super) const FLOOR_ABOUT: Text = [
    "精确账不知道这里的每层延迟，所以步时取的是下限；真正的一步比它长，测得的延迟给出的范围另列一栏。",
    " The exact ledger knows no latency per layer here, so its times are floors; a real step takes longer, and the range that measured latencies give has a column of its own.",
];
/// Why there is no waterfall.
pub(super) const NO_PLAN: Text = [
    "有一个方案没法这样切分，差值无从算起。",
    "One of the plans cannot be carried out, so there is no difference to explain.",
];
pub(super) const NO_TIMES: Text = [
    "教程账本不算时间；两边都用报告账或精确账才能比步时。",
    "The tutorial ledger counts no time; steps compare under the report's or the exact ledger.",
];

pub(super) const CHANGED: Head = word(["改了什么", "What changes"], "change");
pub(super) const AMOUNT: Head = number(["加减", "Adds"], "amount");
pub(super) const AFTER: Head = number(["改完之后", "Then"], "after");
pub(super) const RANGE: Head = number(["一步，按测得的延迟", "Step by measured latencies"], "step_s");
pub(super) const FLOOR: Text = ["下限", "floor"];
pub(super) const WHOLE: Text = ["方案的总数", "A scenario's whole"];
pub(super) const MORE: Text = ["增加", "More"];
pub(super) const LESS: Text = ["减少", "Less"];
pub(super) const OTHERS: Text = ["另外 {count} 项", "{count} more changes"];
pub(super) const NOT_FROM_ZERO: Text = ["不从 0 起", "not from 0"];

/// A waterfall in sentences.
pub(super) const TOLD: Text = [
    "{name_a}：{a}；{name_b}：{b}；相差 {difference}。",
    "{name_a}: {a}; {name_b}: {b}; the difference: {difference}. ",
];
pub(super) const RANGES: Text =
    ["按测得的延迟，{case} 一步要 {range}。", "By measured latencies a step of {case} takes {range}. "];
pub(super) const NO_EFFECT: Text = ["不影响这个数：{changes}。", "Without effect on it: {changes}. "];

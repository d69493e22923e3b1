//! The words inside the picture of "request", in both languages. `{…}` stand for values.

use super::sheet::Panel;
use super::{Regime, STAGES, Step};
use crate::scene::Text;
use crate::simulate::prefix::Policy;

pub(super) const TITLE: Text = ["一条请求的一生", "The life of a request"];

/// Above the two groups of stages.
pub(super) const GROUPS: [Text; 2] = [
    ["到首个 token：走一遍", "To the first token: once"],
    ["一步 decode：每个 token 走一遍", "A decode step: once for every token"],
];

/// Names of the stages.
pub(super) const STAGE_NAMES: [Text; STAGES] = [
    ["分词排队", "Queue"],
    ["查前缀", "Prefix"],
    ["分 KV 页", "Pages"],
    ["分块预填", "Prefill"],
    ["首 token", "1st token"],
    ["组批", "Batch"],
    ["注意力", "Attention"],
    ["写 KV", "Write KV"],
    ["选专家", "Router"],
    ["分发", "Dispatch"],
    ["专家", "Experts"],
    ["合并", "Combine"],
    ["头与采样", "Sample"],
];

/// Parts of the machine.
pub(super) const PARTS: [Text; 7] = [
    ["CPU", "CPU"],
    ["SSD", "SSD"],
    ["PCIe", "PCIe"],
    ["卡间互联", "Scale-up"],
    ["HBM", "HBM"],
    ["片内 NoC", "NoC"],
    ["张量核", "Tensor cores"],
];

pub(super) const SCALE: Text = ["条长按时间取对数：1 µs 到 10 s", "Bar: time, logarithmic, 1 µs to 10 s"];
pub(super) const UNKNOWN: Text = ["有压力，时间未知", "presses, time unknown"];

/// What the times rest on.
pub(super) const GROUNDS: [Text; 5] = [
    ["时间按报告的屋顶线和固定开销", "Times: the report's roofline and fixed times"],
    ["时间按下限加每层延迟 {low}", "Times: floor plus {low} a layer"],
    [
        "每层延迟只知 {low} 到 {high}，取短的一头，实际更慢",
        "Latency a layer known only as {low} to {high}: the short end is taken",
    ],
    [
        "教程不计时，借精确账的下限；每层延迟 {low} 到 {high}，取短的一头",
        "The walkthrough times nothing: exact floor, latency {low} to {high} a layer, short end",
    ],
    ["这个划分切不开模型，没有时间可说", "The model cannot be cut this way: no times"],
];

/// Heads of the panels.
pub(super) const fn panel(panel: Panel) -> Text {
    match panel {
        Panel::First => ["首 token 的时间去哪了", "To the first token"],
        Panel::Prefix => ["前缀缓存：窗口存多少", "Prefix: windows on disk"],
        Panel::Pages => ["分页的 KV", "KV in pages"],
        Panel::Batch => ["批量换来什么", "What a batch buys"],
        Panel::Run => ["随机到达的来往", "Random traffic"],
    }
}

/// Parts of the time to the first token.
pub(super) const FIRST: [Text; 4] = [
    ["排队", "queue"],
    ["读回前缀", "prefix from disk"],
    ["分块预填充", "chunks"],
    ["首步 decode", "first step"],
];
pub(super) const TOTAL: Text = ["平均 TTFT", "mean TTFT"];
pub(super) const ANSWER: Text =
    ["绿：找到的前缀；紫：要算的 {chunks} 块", "Green: found; purple: to compute, chunks: {chunks}"];

/// Where nothing needs to be sent to the experts: each GPU has every token.
pub(super) const NOT_SENT: Text = ["不用发", "not sent"];
/// The pool where it is assumed.
pub(super) const ASSUMED: Text = ["页池（内存放不下）", "pool (does not fit)"];

/// Ways of keeping window rows.
pub(super) const fn policy(policy: Policy) -> Text {
    match policy {
        Policy::All => ["全存", "all"],
        Policy::Periodic => ["每块末尾存一窗", "one per chunk"],
        Policy::Nothing => ["不存", "none"],
    }
}

pub(super) const KEPT: Text = ["读 {read}，重算 {again}", "read {read}, redo {again}"];
pub(super) const RATIO: Text = ["窗口行：压缩行的 {ratio} 倍", "Window rows: {ratio} × the compressed"];

pub(super) const PAGES: [Text; 7] = [
    ["每页 token", "tokens a page"],
    ["每页", "a page"],
    ["典型请求的页", "pages, typical"],
    ["另有固定状态", "fixed state"],
    ["单卡页池", "pool, pages"],
    ["最多占用", "most held"],
    ["页内空槽", "empty slots"],
];

/// Names of the regimes.
pub(super) const REGIMES: [Text; Regime::ALL.len()] = [["小批", "small"], ["中批", "mid"], ["大批", "large"]];

pub(super) const BATCH: [Text; 5] = [
    ["当前批量", "batch"],
    ["触达专家", "experts hit"],
    ["每专家 token", "tokens each"],
    ["一步", "step"],
    ["合计吞吐", "throughput"],
];

pub(super) const WAITING: Text = ["在等", "waiting"];
pub(super) const RUNNING: Text = ["在跑", "running"];
pub(super) const AXIS: Text = ["最高 {most}", "peak {most}"];
pub(super) const RUN: [Text; 3] =
    [["吐出", "given out"], ["答完 / 到达", "done / arrived"], ["结束时在等", "waiting at the end"]];

/// Caption of a step.
pub(super) const fn caption(step: Step) -> Text {
    match step {
        Step::Queue => [
            "文本在 CPU 上切成 token 再排队：每秒来 {arrivals} 条，进引擎前平均等 {wait}",
            "The CPU cuts text into tokens, then the request queues: {arrivals} arrive a second and wait {wait} on average",
        ],
        Step::Prefix => [
            "{hits} 的请求找得到前缀：典型的一条有 {found} 个 token 从盘上读回 {read}，再补算 {again} 个",
            "{hits} of the requests find a prefix: {found} tokens of a typical one come from disk as {read}, {again} are redone",
        ],
        Step::Pages => [
            "每页装 {page} 个 token，两种压缩组都正好装满整组：{prompt} 个 token 要 {pages} 页，外加固定状态",
            "A page holds {page} tokens, whole groups of both caches: {prompt} tokens take {pages} pages and some fixed state",
        ],
        Step::Prefill => [
            "剩下的提示词分 {chunks} 块算完，再走一步 decode 才有首个 token：平均 TTFT {ttft}",
            "The rest of the prompt goes in chunks ({chunks}), then a decode step gives the first token: mean TTFT {ttft}",
        ],
        Step::Decode => [
            "一步 decode 从 D1 走到 D8，共 {step}，{batch} 条请求各得一个 token；各层合在一起记",
            "A decode step goes from D1 to D8 in {step} and gives each of {batch} requests a token; layers are added up",
        ],
        Step::Batch => [
            "批量 {batch} 算{regime}：每层触达 {distinct} 个专家，每个专家分到 {each} 个 token，读一遍权重的代价由它们分摊",
            "Batch {batch}, {regime}: a layer touches {distinct} experts, and {each} tokens each share the reading of their weights",
        ],
        Step::Run => [
            "{span} 里来了 {arrived} 条，答完 {finished} 条：TTFT 中位 {p50}、p99 {p99}，合计 {rate}",
            "In {span} {arrived} requests came and {finished} were answered: TTFT p50 {p50}, p99 {p99}, {rate} in all",
        ],
    }
}

/// Caption of the prefix where none is ever found, and of pages where memory leaves too few.
pub(super) const NO_HITS: Text = [
    "一条前缀也没找到，提示词从头算；右侧几种存法按整段提示词估价",
    "No prefix is ever found and prompts are computed whole; the ways to keep windows are priced for whole prompts",
];
pub(super) const NO_ROOM: Text = [
    "单卡内存放不下权重和一条请求：下面当作页池刚好够 {batch} 条用，其余照算",
    "Weights and one request do not fit a GPU: the run goes on as if the pool held just {batch} requests",
];

//! The words of published rows, of judgements and of the engines' terms, both languages side by side.

use super::facet::PlanKind;
use crate::scene::Text;
use crate::table::derive::Head;

const fn number(name: Text, code: &'static str) -> Head {
    Head { name, code, numeric: true }
}

const fn word(name: Text, code: &'static str) -> Head {
    Head { name, code, numeric: false }
}

pub(super) const PUBLISHED: Text = ["公开的实测", "Published measurements"];
pub(super) const PUBLISHED_ABOUT: Text = [
    "收集到的每一行。干净的解码行旁边是精确账在同样的卡、划分、批量和上下文下的下限，实测是它的几倍，多出的摊到每层是多少；其余的行写明为什么不能这样比。点一行就采用它的每层延迟。",
    "Every row collected. Beside clean decode rows stand the exact ledger's floor for the same GPU, plan, batch and context, how many times that the measurement is, and what the rest comes to for each layer; the others say why they cannot be compared so. Press a row to take its latency.",
];
pub(super) const NO_ROWS: Text =
    ["没有这样的行。去掉一个筛选条件。", "There is no such row. Drop one of the filters."];

pub(super) const ROW: Head = word(["行", "Row"], "id");
pub(super) const MODEL: Head = word(["模型", "Model"], "model");
pub(super) const HARDWARE: Head = word(["硬件", "Hardware"], "hardware");
pub(super) const ENGINE: Head = word(["引擎", "Engine"], "engine");
pub(super) const PLAN: Head = word(["划分", "Plan"], "plan");
pub(super) const SPECULATION: Head = word(["投机解码", "Speculation"], "speculation");
pub(super) const PROMPT: Head = word(["提示词", "Prompt"], "prompt_tokens");
pub(super) const ANSWER: Head = word(["回答", "Answer"], "answer_tokens");
pub(super) const LOAD: Head = word(["并发或批量", "Load"], "load");
pub(super) const CONTEXT: Head = word(["上下文", "Context"], "context");
pub(super) const TTFT: Head = number(["TTFT", "TTFT"], "ttft_s");
pub(super) const TPOT: Head = number(["TPOT 或一层用时", "TPOT, or a layer's time"], "tpot_s");
pub(super) const RATE_ALL: Head =
    number(["每卡 token/s，含提示词", "Tokens/s per GPU, prompts too"], "total_rate");
pub(super) const RATE_OUT: Head =
    number(["每卡 token/s，只算回答", "Tokens/s per GPU, answers"], "output_rate");
pub(super) const FLOOR: Head = number(["步时下限", "Floor"], "floor_s");
pub(super) const RATIO: Head = number(["实测 ÷ 下限", "Measured over floor"], "ratio");
pub(super) const PER_LAYER: Head = number(["多出，每层", "Beyond it, a layer"], "latency_per_layer_s");
pub(super) const CLEAN: Head = word(["能否比较", "Comparable"], "clean");
pub(super) const SOURCE: Head = word(["出处", "Source"], "source");

pub(super) const ALL: Text = ["全部", "All"];
pub(super) const NOT_STATED: Text = ["没有写明", "not stated"];
pub(super) const NO_DRAFTS: Text = ["不用", "none"];

pub(super) const fn plan_kind(kind: PlanKind) -> Text {
    match kind {
        PlanKind::Tp => ["TP", "TP"],
        PlanKind::TpEp => ["TP，专家按 EP", "TP, experts by EP"],
        PlanKind::Pp => ["PP × TP", "PP × TP"],
        PlanKind::DpEp => ["DP 注意力 + EP", "DP attention + EP"],
        PlanKind::Ep => ["EP，注意力没有写明", "EP, attention not stated"],
        PlanKind::Unstated => NOT_STATED,
    }
}

pub(super) const AND: Text = ["；", "; "];
pub(super) const IS_CLEAN: Text = ["干净的解码一步", "a clean decode step"];
pub(super) const KERNEL_ONLY: Text = ["只测了一层的一个 kernel", "one kernel of one layer alone"];
pub(super) const PROMPT_ONLY: Text = ["只测了提示词的处理", "the prompt alone"];
pub(super) const NO_STEP_TIME: Text = ["只有速率，没有一步的时间", "a rate, and no time of a step"];
pub(super) const SPECULATED: Text =
    ["投机解码，一步得到几个 token", "speculation: a step yields several tokens"];
pub(super) const SPECULATION_UNSTATED: Text = ["没写是否投机解码", "whether it speculates is not stated"];
pub(super) const PLAN_UNSTATED: Text = ["没写注意力怎么划分", "how attention was cut is not stated"];
pub(super) const PREFILL_MIXED: Text = ["两步之间插着预填", "prefill mixed in between steps"];
pub(super) const LOAD_UNKNOWN: Text = ["同时解码的请求数不明", "how many requests decode at once is unknown"];

pub(super) const USE_LATENCY: Text = ["采用这个每层延迟", "Use this latency"];
pub(super) const USE_SITUATION: Text = ["换成它的整个处境", "Go to its whole situation"];
pub(super) const USE_FIXED: Text = ["多出的记作预填的固定开销", "Take the rest as fixed time of prefill"];
pub(super) const USE_QUEUE: Text = ["多出的记作排队", "Take the rest as queueing"];
pub(super) const USE_RESERVE: Text = ["差额记作每卡预留", "Take the rest as a reserve of each GPU"];
pub(super) const ASSUME: Text = ["换成这个前提", "Assume that instead"];

pub(super) const FLOOR_OF_STEP: Text = ["一步的下限", "Least time of a step"];
pub(super) const STEP: Text = ["预计一步", "Step to expect"];
pub(super) const LAYER_LATENCY: Text = ["每层延迟", "Latency of a layer"];
pub(super) const BOUND_OF_TOKENS: Text = ["上限", "Bound"];
pub(super) const OF_BOUND: Text = ["实测 ÷ 上限", "Measured over bound"];

pub(super) const SAME_GPU: [Text; 2] = [["同一种卡", "the same GPU"], ["另一种卡", "another GPU"]];
pub(super) const KIND: [Text; 2] =
    [["同类划分", "the same kind of plan"], ["另一类划分", "another kind of plan"]];
pub(super) const EQUAL: Text = ["一样", "the same"];

pub(super) const ABOUT_TPOT: Text = [
    "两个 token 之间的时间，不含第一个。先把卡、划分、批量和上下文设成测量时的样子；批量是一个实例同时解码的请求数。",
    "The time between tokens of one request, the first left out. Set GPU, plan, batch and context as they were; the batch is what one instance decodes at once.",
];
pub(super) const ABOUT_TTFT: Text = [
    "从发出请求到第一个 token。块长填要算的提示词，前缀填已在缓存里的部分。",
    "From sending a request to its first token. Chunk is the prompt to be processed, prefix what was in the cache already.",
];
pub(super) const ABOUT_KV_TOKENS: Text = [
    "引擎启动时报出的缓存 token 数，按一个 rank 计。",
    "The tokens of cache that the engine names when it starts, of one rank.",
];
pub(super) const CANNOT_CUT: Text = [
    "这个模型不能按这个方案切分，没有下限可比。",
    "The model cannot be cut as this plan says, so there is no floor to hold anything against.",
];
pub(super) const UNEXPLAINED: Text = [
    "试过的前提单独换掉都解释不了。看看单位，或者是不是有两条同时不对。",
    "None of the assumptions tried explains it alone. Look at the unit, or whether two are wrong at once.",
];
/// Beside what is published: of a step's latency, and of tokens by an engine's logs.
pub(super) const BETTER: [Text; 2] = [
    [
        "比公开的不投机的解码都快，多半开着投机解码",
        "quicker than any published step without speculation, so that drafts are likely",
    ],
    ["比 SGLang 日志推出的多", "more than SGLang's logs let expect"],
];
pub(super) const USUAL: [Text; 2] = [
    ["在公开的范围里", "within what is published"],
    ["与 SGLang 日志推出的相近", "near what SGLang's logs let expect"],
];
pub(super) const WORSE: [Text; 2] = [
    ["比公开的都慢", "slower than anything published"],
    ["比 SGLang 日志推出的少", "less than SGLang's logs let expect"],
];

/// What a word of a key is called within a sentence.
pub(super) fn setting(word: &str) -> Text {
    match word {
        "reference" => ["参考实现的", "the reference's"],
        "fp8" => ["FP8", "FP8"],
        "fp8_fp4idx" => ["FP8、索引 FP4", "FP8 with an FP4 index"],
        "copied" => ["每卡一份", "copied to each GPU"],
        "split" => ["切分到各卡", "split over the GPUs"],
        "by_plan" => ["按划分来", "placed as the plan says"],
        "stored" => ["检查点里的", "as stored"],
        _ => ["另一种", "of another kind"],
    }
}

/// One of the engines' terms before it has values.
pub(super) struct TermWords {
    pub(super) code: &'static str,
    pub(super) name: Text,
    pub(super) about: Text,
    pub(super) vllm: &'static str,
    pub(super) sglang: &'static str,
}

const fn term(code: &'static str, [vllm, sglang]: [&'static str; 2], name: Text, about: Text) -> TermWords {
    TermWords { code, name, about, vllm, sglang }
}

/// Terms whose values are shares of one.
pub(super) const SHARES: [&str; 3] = ["memory_fraction", "usage", "prefix_hit"];

pub(super) const KV_TOKENS: TermWords = term(
    "kv_tokens",
    ["GPU KV cache size: … tokens", "max_total_num_tokens"],
    ["一个 rank 放得下的 token", "Tokens that a rank holds"],
    [
        "我们的值是上限：权重以外的显存全用来放缓存行。引擎还要放窗口、未满的组，按页取整，并留出别的东西。",
        "Ours is a bound: all that weights leave filled with rows. Engines also hold windows and unfinished groups, round up to pages and keep room for more.",
    ],
);
pub(super) const MEMORY_FRACTION: TermWords = term(
    "memory_fraction",
    ["gpu_memory_utilization", "mem_fraction_static"],
    ["引擎可用的显存份额", "Share of memory that an engine takes"],
    [
        "我们用每卡预留来表示余下的。vLLM 的份额含激活的峰值，SGLang 的只含权重和缓存。",
        "We say it by the reserve. vLLM's share includes the peak of activations, SGLang's holds weights and caches alone.",
    ],
);
pub(super) const PAGE: TermWords = term(
    "page_tokens",
    ["block_size", "page_size"],
    ["一页多少 token", "Tokens of a page"],
    [
        "两种压缩的组都完整的最短长度；引擎的页是它的整数倍。",
        "The shortest length at which groups of both compressions are complete; an engine's page is a multiple of it.",
    ],
);
pub(super) const WEIGHTS: TermWords = term(
    "weights",
    ["Model loading took … GiB", "Load weight end … mem usage=… GB"],
    ["每卡权重", "Weights of a GPU"],
    [
        "按检查点的格式逐个张量相加。SGLang 日志里的 GB 其实是 GiB。",
        "Tensor by tensor in the checkpoint's formats. What SGLang's log calls GB is GiB.",
    ],
);
pub(super) const CONCURRENCY: TermWords = term(
    "concurrency",
    ["Maximum concurrency for … tokens per request", "max_total_num_tokens / context_len"],
    ["放得下几个这样的请求", "Requests of this context that fit"],
    [
        "我们只数整个的请求；引擎给出的是容量除以长度，而且每个 rank 各报各的。",
        "We count whole requests; engines divide capacity by length, and each rank speaks for itself.",
    ],
);
pub(super) const USAGE: TermWords = term(
    "usage",
    ["GPU KV cache usage", "token usage"],
    ["缓存用了多少", "Share of the cache in use"],
    [
        "一个 rank 的请求占的 token，除以它放得下的 token。",
        "Tokens of a rank's requests over the tokens that it holds.",
    ],
);
pub(super) const ROWS: TermWords = term(
    "row_bytes",
    ["kv_cache_dtype", "kv_cache_dtype"],
    ["一行缓存的字节", "Bytes of a cached row"],
    [
        "FP8 行仍把位置那部分留在 BF16，另加比例因子，所以不是一值一字节。",
        "An FP8 row keeps the values that carry the position in BF16 and has scales, so it is more than a byte a value.",
    ],
);
pub(super) const RUNNING: TermWords = term(
    "running",
    ["max_num_seqs, Running: … reqs", "max_running_requests, #running-req"],
    ["同时解码的请求", "Requests decoded at once"],
    [
        "我们的批量是一个实例的；请求按 DP 分开时，日志里每个 rank 只数自己的。",
        "Our batch is an instance's; where DP divides requests, each rank's log counts its own.",
    ],
);
pub(super) const LENGTH: TermWords = term(
    "length",
    ["max_model_len", "context_length"],
    ["放得下的最长上下文", "Longest context that fits"],
    [
        "引擎里是人定的上限；我们的是当前批量下显存允许的长度。",
        "In an engine somebody sets it; ours is what memory allows for the batch in force.",
    ],
);
pub(super) const CHUNK: TermWords = term(
    "chunk",
    ["max_num_batched_tokens", "chunked_prefill_size"],
    ["一次预填的 token", "Tokens of a prefill chunk"],
    [
        "vLLM 的上限还包括同一步里解码的请求，SGLang 的只管提示词。",
        "vLLM's limit counts the requests that decode in the same step too, SGLang's the prompt alone.",
    ],
);
pub(super) const HIT: TermWords = term(
    "prefix_hit",
    ["Prefix cache hit rate", "#cached-token"],
    ["提示词里已在缓存的份额", "Share of the prompt in the cache"],
    [
        "前缀除以前缀与块之和。引擎报的是一段时间的平均。",
        "The prefix over prefix and chunk. Engines report an average over time.",
    ],
);
pub(super) const TPOT_TERM: TermWords = term(
    "tpot",
    ["Mean TPOT", "Mean TPOT"],
    ["每个 token 的时间", "Time of a token"],
    [
        "我们的值是下限；引擎报的还有每层的延迟，混着预填时还有等待。",
        "Ours is the floor; what engines report has the latency of each layer, and waiting where prefill is mixed in.",
    ],
);
pub(super) const TTFT_TERM: TermWords = term(
    "ttft",
    ["Mean TTFT", "Mean TTFT"],
    ["第一个 token 的时间", "Time to the first token"],
    [
        "我们的值是预填的下限；交换、固定开销、排队和第一步解码另加。",
        "Ours is the floor of prefill; exchanges, fixed time, the queue and a first step come on top.",
    ],
);
pub(super) const DRAFTS: TermWords = term(
    "drafts",
    ["num_speculative_tokens", "speculative_num_steps"],
    ["一步的草稿", "Tokens drafted for a step"],
    [
        "SGLang 的 speculative_num_draft_tokens 还数了要验证的那一个。",
        "SGLang's speculative_num_draft_tokens counts the token that is verified as well.",
    ],
);
pub(super) const TP_TERM: TermWords = term(
    "tp",
    ["tensor_parallel_size", "tp_size"],
    ["注意力切成几份", "GPUs that attention is cut over"],
    [
        "SGLang 开 DP 注意力时，tp_size 仍是实例的全部卡数。",
        "With DP attention SGLang's tp_size still counts all GPUs of the instance.",
    ],
);
pub(super) const DP_TERM: TermWords = term(
    "dp",
    ["data_parallel_size", "dp_size, enable_dp_attention"],
    ["各管各的请求的组", "Groups with requests of their own"],
    [
        "每组有自己的缓存；容量和批量都按组报。",
        "Each has caches of its own; capacity and batch are reported for each.",
    ],
);
pub(super) const EP_TERM: TermWords = term(
    "ep",
    ["enable_expert_parallel", "ep_size"],
    ["专家分到几张卡", "GPUs that experts are dealt over"],
    ["vLLM 里只是开关，卡数是 TP 乘 DP。", "In vLLM it is a switch; their number is TP times DP."],
);
pub(super) const PP_TERM: TermWords = term(
    "pp",
    ["pipeline_parallel_size", "pp_size"],
    ["层分成几段", "Stages of layers"],
    [
        "每段只放自己那些层的缓存，所以一张卡放得下的 token 更多。",
        "A stage holds the caches of its own layers alone, so a GPU holds more tokens.",
    ],
);

pub(super) const GAP_RESERVE: Text = ["预留", "the reserve"];
pub(super) const GAP_FIXED: Text =
    ["各请求的窗口和未满的组", "windows and unfinished groups of the requests"];
pub(super) const GAP_TAILS: Text = ["未满的组", "unfinished groups"];
pub(super) const GAP_PAGES: Text = ["按页对齐", "pages and their padding"];
pub(super) const GAP_ENGINE: Text = ["按日志推出的引擎占用", "what the engine keeps, by its logs"];
pub(super) const GAP_EACH_TOKEN: Text =
    ["每个 token 比缓存行多占的，按日志", "what a token takes beyond its rows, by the logs"];
pub(super) const GAP_WHOLE_PAGES: Text = ["只数整页", "whole pages alone"];
pub(super) const GAP_PART_OF_ONE: Text = ["不满一个请求的余数", "the part of one more request"];
pub(super) const GAP_BESIDE: Text = ["留给激活等", "kept for activations and the like"];
pub(super) const GAP_LONGER_PAGE: Text = ["引擎用更长的页", "the longer page of the engines"];
pub(super) const GAP_HELD: Text = ["权重以外的常驻占用，按日志", "held beside stored weights, by the logs"];
pub(super) const GAP_FEWER_TOKENS: Text = ["引擎放得下的更少", "the engine holds fewer"];
pub(super) const GAP_PER_RANK: Text = ["每个 rank 只数自己的", "each rank counts its own"];
pub(super) const GAP_LATENCY: Text = ["各层延迟", "latency of the layers"];
pub(super) const GAP_FIXED_TIME: Text = ["固定开销", "fixed time"];
pub(super) const GAP_EXCHANGE: Text = ["卡间交换", "exchanges between GPUs"];
pub(super) const GAP_QUEUE: Text = ["排队", "the queue"];
pub(super) const GAP_FIRST_STEP: Text = ["第一步解码", "the first decode step"];

pub(super) const TERMS: Text = ["引擎的说法对到这里", "The engines' terms in ours"];
pub(super) const TERMS_ABOUT: Text = [
    "vLLM 和 SGLang 的参数和日志里的数，在这里对应什么，当前方案下是多少，引擎会报多少，差在哪里。选一个引擎常量，差额就用它日志里的数。",
    "What flags and log lines of vLLM and SGLang are here, what they come to for this scenario, what an engine would print, and where the difference lies. Choose an engine's constants to have the difference by its logs.",
];
pub(super) const OURS: Head = word(["这里叫", "Here"], "term");
pub(super) const VLLM: Head = word(["vLLM", "vLLM"], "vllm");
pub(super) const SGLANG: Head = word(["SGLang", "SGLang"], "sglang");
pub(super) const OUR_VALUE: Head = number(["我们的值", "Our value"], "ours");
pub(super) const PRINTS: Head = number(["引擎会报", "An engine prints"], "prints");
pub(super) const GAP: Head = word(["差在", "What lies between"], "gap");
pub(super) const ABOUT: Head = word(["说明", "Mind"], "about");

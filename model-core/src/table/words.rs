//! The words of tables, both languages side by side.

use super::derive::Head;
use crate::ledger::ExchangeKind;
use crate::scene::Text;
use crate::spec::AttentionKind;

pub(super) const STAGES: Text = ["解码一步，逐个阶段", "A decode step, stage by stage"];
pub(super) const STAGES_ABOUT: Text = [
    "每个阶段读多少、算多少，各要多久；两个时间里长的那个才算数，各阶段依次相加。",
    "What each stage reads and computes and how long either takes; the longer time counts, and the stages add up.",
];
pub(super) const LAYERS: Text = ["每种层里的一层", "One layer of each kind"];
pub(super) const LAYERS_ABOUT: Text = [
    "一步解码里，每种层的一层读多少、算多少、要多久；条形是这种层全部加起来占的份额。",
    "What one layer of each kind reads, computes and takes in a decode step; bars show the share of all layers of a kind.",
];
pub(super) const EXCHANGES: Text = ["一步里的卡间交换", "Exchanges between GPUs in a step"];
pub(super) const EXCHANGES_ABOUT: Text = [
    "每类交换有几次、一次多大、一张卡一共发多少；时间分成启动和传输。",
    "How often each kind happens, how large one is and what a GPU sends in all; time is start-up and transfer.",
];
pub(super) const SCAN: Text = ["一档一档加批量", "Batch by batch"];
pub(super) const SCAN_ABOUT: Text = [
    "同一个方案在几种上下文下加大批量：显存够不够，专家和缓存各读多少，一步多久。点一行就换到那里。",
    "One plan at several contexts as the batch grows: whether memory suffices, what experts and caches cost in reads, how long a step is. Press a row to go there.",
];
pub(super) const CAPACITY: Text = ["不同上下文能放多少请求", "How many requests fit, by context"];
pub(super) const CAPACITY_ABOUT: Text = [
    "权重之外的显存全给缓存时能放多少请求，以及留出预留之后还能放多少；当前批量放不下的上下文会标出来。",
    "How many requests fit when caches get all memory beside the weights, and how many once the reserve is kept free; contexts at which the batch in force does not fit are marked.",
];
pub(super) const PREFILL: Text =
    ["预填一块，前缀从短到长", "A prefill chunk after longer and longer prefixes"];
pub(super) const PREFILL_ABOUT: Text = [
    "块的大小不变，前面已经算过的 token 越多，读的缓存越多；每一列是这一块的一部分时间。",
    "The chunk stays the same; the more tokens came before it, the more cache it reads. Each column is a part of its time.",
];

pub(crate) const fn number(name: Text, code: &'static str) -> Head {
    Head { name, code, numeric: true }
}

pub(crate) const fn word(name: Text, code: &'static str) -> Head {
    Head { name, code, numeric: false }
}

pub(super) const STAGE: Head = word(["阶段", "Stage"], "stage");
pub(super) const READS: Head = number(["读，全部卡", "Reads, all GPUs"], "read_bytes");
pub(super) const READS_GPU: Head = number(["每卡读", "Reads per GPU"], "read_bytes_per_gpu");
pub(super) const FLOPS: Head = number(["运算，全部卡", "FLOPs, all GPUs"], "flops");
pub(super) const FLOPS_GPU: Head = number(["每卡运算", "FLOPs per GPU"], "flops_per_gpu");
pub(super) const HBM_TIME: Head = number(["显存时间", "HBM time"], "hbm_s");
pub(super) const COMPUTE_TIME: Head = number(["计算时间", "Compute time"], "compute_s");
pub(super) const BINDS: Head = word(["受限于", "Bound by"], "bound");
pub(super) const TAKES: Head = number(["用时", "Takes"], "taken_s");
pub(super) const SHARE: Head = number(["占比", "Share"], "share");

pub(super) const LAYER: Head = word(["层", "Layer"], "layer");
pub(super) const COUNT: Head = number(["个数", "Count"], "count");
pub(super) const WEIGHTS: Head = number(["权重，全部卡", "Weights, all GPUs"], "weights_bytes");
pub(super) const WEIGHTS_GPU: Head = number(["每卡权重", "Weights per GPU"], "weights_bytes_per_gpu");
pub(super) const CACHE: Head = number(["读缓存，全部卡", "Cache read, all GPUs"], "cache_read_bytes");
pub(super) const CACHE_GPU: Head = number(["每卡读缓存", "Cache read per GPU"], "cache_read_bytes_per_gpu");
pub(super) const SENT: Head = number(["每卡发送", "Sent per GPU"], "sent_bytes_per_gpu");

pub(super) const EXCHANGE: Head = word(["交换", "Exchange"], "exchange");
pub(super) const MESSAGE: Head = number(["一次的大小", "Size of one"], "message_bytes");
pub(super) const STARTUP: Head = number(["启动", "Start-up"], "startup_s");
pub(super) const TRANSFER: Head = number(["传输", "Transfer"], "transfer_s");

pub(super) const CONTEXT: Head = number(["上下文", "Context"], "context");
pub(super) const BATCH: Head = number(["批量", "Batch"], "batch");
pub(super) const DISTINCT: Head = number(["每层不同专家", "Experts touched per layer"], "distinct_experts");
pub(super) const MEMORY: Head = number(["每卡显存", "Memory per GPU"], "memory_bytes_per_gpu");
pub(super) const FITS: Head = word(["容量", "Capacity"], "fits");
pub(super) const EXPERTS: Head = number(["读专家，全部卡", "Experts read, all GPUs"], "expert_read_bytes");
pub(super) const EXPERTS_GPU: Head =
    number(["每卡读专家", "Experts read per GPU"], "expert_read_bytes_per_gpu");
pub(super) const EP_TIME: Head = number(["专家交换", "Expert exchange"], "exchange_s");
pub(super) const EXCHANGE_TIME: Head = number(["卡间交换", "Exchanges"], "exchange_s");
pub(super) const FLOOR_TIME: Head = number(["步时下限", "Floor"], "floor_s");
pub(super) const STEP_TIME: Head = number(["步时", "Step"], "step_s");
pub(super) const RATE: Head = number(["每秒 token", "Tokens per second"], "tokens_per_s");

pub(super) const REQUEST: Head = number(["每请求缓存", "Cache per request"], "cache_bytes_per_request");
pub(super) const REQUEST_GPU: Head =
    number(["每请求每卡缓存", "Of it on each GPU"], "cache_bytes_per_request_and_gpu");
pub(super) const BATCH_GPU: Head =
    number(["整批每卡缓存", "Caches of the batch per GPU"], "cache_bytes_per_gpu");
pub(super) const MOST: Head = number(["最大批量", "Largest batch"], "max_batch");
pub(super) const MOST_RESERVED: Head = number(["留预留后", "With the reserve kept"], "max_batch_reserved");

pub(super) const PREFIX: Head = number(["前缀", "Prefix"], "prefix");
pub(super) const CHUNK: Head = number(["块", "Chunk"], "chunk");
pub(super) const PROJ: Head = number(["投影", "Projections"], "proj_s");
pub(super) const ATTN: Head = number(["注意力", "Attention"], "attn_s");
pub(super) const MOE: Head = number(["专家", "Experts"], "moe_s");
pub(super) const REST: Head = number(["其余", "The rest"], "rest_s");
pub(super) const CACHE_WRITE: Head = number(["写缓存", "Cache writes"], "cache_write_s");
pub(super) const FIXED: Head = number(["固定", "Fixed"], "fixed_s");
pub(super) const TOTAL: Head = number(["合计", "Total"], "total_s");

pub(super) const FIXED_TIME: Text = ["固定开销", "Fixed time"];
pub(super) const LATENCY: Text = ["各层延迟", "Latency of the layers"];
pub(super) const FLOOR: Text = ["下限：只算各阶段", "Floor: the stages alone"];
pub(super) const STEP: Text = ["一步", "Step"];
pub(super) const STEP_RANGE: Text = ["一步，按别处测得的延迟", "Step, by latencies measured elsewhere"];
pub(super) const HIDDEN: Text = ["专家交换：藏在专家计算之后", "Expert exchange: hidden behind the experts"];
pub(super) const CONTAINED: Text = ["卡间交换：已含在延迟里", "Exchanges: contained in the latency"];
pub(super) const BESIDE: Text = ["卡间交换：下限里没有", "Exchanges: not in the floor"];
pub(super) const SUM: Text = ["合计", "Total"];

pub(super) const MOE_LAYER: Text = ["专家", "Experts"];
pub(super) const EP_LAYER: Text = ["分发与合并", "Dispatch and combine"];
pub(super) const ONE_SUM: Text = ["一次 all-reduce", "One all-reduce"];
pub(super) const ONE_DISPATCH: Text = ["一层的分发，全部副本", "One layer's dispatch, all copies"];

pub(crate) const FIT: [Text; 2] = [["放不下", "does not fit"], ["放得下", "fits"]];
pub(crate) const BOUND: [Text; 2] = [["显存带宽", "memory rate"], ["算力", "compute"]];

/// Why a table is empty.
pub(super) const NO_TIMES: Text = [
    "教程账本只算字节，不算时间。换成报告账本或精确账本就有这张表。",
    "The tutorial ledger counts bytes, not time. The report and the exact ledger have this table.",
];
pub(super) const NO_PLAN: Text = [
    "这个模型不能按这个方案切分，表里没有可写的数。",
    "The model cannot be cut as this plan says, so there is nothing to put into the table.",
];
pub(super) const NOTHING_SENT: Text =
    ["这个方案里，一步解码不需要卡间交换。", "In this plan a decode step needs no exchange between GPUs."];

/// A layer by how it attends.
pub(super) const fn kind(kind: AttentionKind) -> Text {
    match kind {
        AttentionKind::Csa => ["CSA 层", "CSA layer"],
        AttentionKind::Hca => ["HCA 层", "HCA layer"],
        AttentionKind::Window => ["只有窗口的层", "Layer with a window alone"],
    }
}

/// What is exchanged, and its name in files.
pub(super) const fn exchange(kind: ExchangeKind) -> (Text, &'static str) {
    match kind {
        ExchangeKind::Embedding => (["词嵌入求和", "Sum of embeddings"], "embedding"),
        ExchangeKind::IndexScores => (["索引分数求和", "Sum of index scores"], "index_scores"),
        ExchangeKind::AttentionOutput => (["注意力输出求和", "Sum of attention outputs"], "attention_output"),
        ExchangeKind::RoutedSum => (["路由专家求和", "Sum of routed experts"], "routed_sum"),
        ExchangeKind::Logits => (["收集 logits", "Gathering of logits"], "logits"),
        ExchangeKind::Dispatch => (["分发到专家", "Dispatch to the experts"], "dispatch"),
        ExchangeKind::Combine => (["合并专家结果", "Combine of their results"], "combine"),
        ExchangeKind::Stages => (["交给下一段", "Hand-over to the next stage"], "stages"),
    }
}

//! The figures that are compared: in which order, in which group, and what they are called.
//!
//! Left out are facts that no plan changes (the checkpoint, the schedule of layers), readings of the advertised memory,
//! lists, and the walkthrough's worked numbers.

use super::words;
use crate::draw::Paint;
use crate::scene::{Look, Text};

/// Figures that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Whether it fits, and how much would.
    Verdict,
    /// Parts of a GPU's memory.
    Memory,
    /// One request's cache.
    Request,
    /// A decode step as a whole.
    Decode,
    /// Its stages.
    Stages,
    /// One layer of each kind.
    Layers,
    /// What GPUs exchange.
    Exchanges,
    /// A chunk of a prompt.
    Prefill,
    /// The model as the ledger counts it.
    Model,
}

impl Group {
    /// Every group, in the order in which they are shown.
    pub const ALL: [Self; 9] = [
        Self::Verdict,
        Self::Memory,
        Self::Request,
        Self::Decode,
        Self::Stages,
        Self::Layers,
        Self::Exchanges,
        Self::Prefill,
        Self::Model,
    ];

    /// Its name.
    #[must_use]
    pub const fn title(self, look: Look) -> &'static str {
        look.say(words::group(self).0)
    }

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        words::group(self).1
    }

    /// The colour of what it counts.
    #[must_use]
    pub const fn paint(self) -> Paint {
        match self {
            Self::Verdict => Paint::Ink,
            Self::Memory | Self::Model => Paint::Weight,
            Self::Request => Paint::Cache,
            Self::Decode | Self::Stages => Paint::Compute,
            Self::Layers => Paint::ComputeSoft,
            Self::Exchanges => Paint::Comm,
            Self::Prefill => Paint::Token,
        }
    }
}

/// A figure, or the figures that have one part in several ledgers.
pub(super) struct Told {
    pub(super) ids: &'static [&'static str],
    pub(super) name: Text,
}

/// Lists figures with their names; those of one stage come at once.
macro_rules! told {
    (@row [$($row:tt)*]) => { &[$($row)*] };
    (@row [$($row:tt)*] $($id:literal)|+ => $zh:literal, $en:literal; $($rest:tt)*) => {
        told!(@row [$($row)* Told { ids: &[$($id),+], name: [$zh, $en] },] $($rest)*)
    };
    (@row [$($row:tt)*] stage $stage:literal => $zh:literal, $en:literal; $($rest:tt)*) => {
        told!(@row [
            $($row)*
            Told { ids: &[concat!("decode.", $stage, "_s")], name: [concat!($zh, "：用时"), concat!($en, ": time")] },
            Told { ids: &[concat!("decode.", $stage, ".bound")], name: [concat!($zh, "：受限于"), concat!($en, ": bound by")] },
            Told { ids: &[concat!("decode.", $stage, ".hbm_s")], name: [concat!($zh, "：显存时间"), concat!($en, ": HBM time")] },
            Told { ids: &[concat!("decode.", $stage, ".compute_s")], name: [concat!($zh, "：计算时间"), concat!($en, ": compute time")] },
            Told { ids: &[concat!("decode.", $stage, ".bytes_per_gpu")], name: [concat!($zh, "：每卡读"), concat!($en, ": reads per GPU")] },
            Told { ids: &[concat!("decode.", $stage, ".flops_per_gpu")], name: [concat!($zh, "：每卡运算"), concat!($en, ": FLOPs per GPU")] },
            Told { ids: &[concat!("decode.", $stage, ".bytes")], name: [concat!($zh, "：读，全部卡"), concat!($en, ": reads, all GPUs")] },
            Told { ids: &[concat!("decode.", $stage, ".flops")], name: [concat!($zh, "：运算，全部卡"), concat!($en, ": FLOPs, all GPUs")] },
        ] $($rest)*)
    };
    ($($all:tt)*) => { told!(@row [] $($all)*) };
}

impl Group {
    /// Its figures in their order.
    pub(super) const fn figures(self) -> &'static [Told] {
        match self {
            Self::Verdict => told! {
                "memory.partial.fits" | "memory.fits" => "放得下", "Fits";
                "memory.partial.bytes_per_gpu" | "memory.bytes_per_gpu" => "每卡需要", "Needed per GPU";
                "gpu.memory.bytes" => "每卡显存", "Memory per GPU";
                "memory.reserve.bytes_per_gpu" => "每卡预留", "Reserve per GPU";
                "memory.free.bytes_per_gpu" => "每卡空闲", "Free per GPU";
                "memory.short.bytes_per_gpu" => "每卡缺口", "Short by / GPU";
                "plan.legal" => "切得开", "Plan can be cut";
                "capacity.max_batch_reserved" => "最大批量", "Largest batch";
                "capacity.max_batch" => "不留预留的最大批量", "Largest batch without the reserve";
                "capacity.max_context" => "这个批量下的最长上下文", "Longest context at this batch";
                "capacity.tokens" => "放得下的 token 总数", "Tokens that fit in all";
                "capacity.engine_tokens" => "引擎放得下的 token（每卡）", "Tokens an engine holds per GPU";
                "capacity.engine_tokens_least" => "引擎放得下的 token，最少", "Tokens an engine holds, least";
                "capacity.engine_tokens_most" => "引擎放得下的 token，最多", "Tokens an engine holds, most";
                "capacity.engine_short.bytes_per_gpu" => "加上引擎占用后的缺口", "Short by, with the engine's own needs";
                "plan.min_tp_partial" | "plan.min_gpus" => "放得下的最少卡数", "Fewest GPUs that fit";
                "plan.min_tp" => "最小 TP", "Smallest TP";
                "plan.min_ep" => "最小 EP", "Smallest EP";
                "plan.min_pp" => "最少段数", "Fewest stages";
                "plan.min_gpus_one_stage" => "不分段时的最少卡数", "Fewest GPUs in one stage";
                "plan.min_gpus_by_bytes" => "只按字节的卡数下界", "Fewest GPUs by bytes alone";
            },
            Self::Memory => told! {
                "weights.bytes_per_gpu" => "全部权重（每卡）", "All weights / GPU";
                "weights.routed.bytes_per_gpu" => "路由专家（每卡）", "Routed experts / GPU";
                "weights.shared.bytes_per_gpu" => "共享专家（每卡）", "Shared experts / GPU";
                "weights.attention.bytes_per_gpu" => "注意力（每卡）", "Attention / GPU";
                "weights.router.bytes_per_gpu" => "路由表（每卡）", "Routers / GPU";
                "weights.streams.bytes_per_gpu" => "残差混合（每卡）", "Stream mixing / GPU";
                "weights.embedding.bytes_per_gpu" => "词嵌入（每卡）", "Embedding / GPU";
                "weights.head.bytes_per_gpu" => "输出头（每卡）", "Output head / GPU";
                "weights.mtp.bytes_per_gpu" => "草稿块（每卡）", "Draft block / GPU";
                "cache.requests_per_gpu" => "每卡放几个请求的缓存", "Requests cached on a GPU";
                "cache.batch.bytes_per_gpu" => "全部缓存（每卡）", "All caches / GPU";
                "cache.window.bytes_per_gpu" => "窗口环（每卡）", "Window rings / GPU";
                "cache.csa.bytes_per_gpu" => "CSA 条目（每卡）", "CSA entries / GPU";
                "cache.hca.bytes_per_gpu" => "HCA 条目（每卡）", "HCA entries / GPU";
                "cache.indexer.bytes_per_gpu" => "索引键（每卡）", "Indexer keys / GPU";
                "cache.state.bytes_per_gpu" => "未满组暂存（每卡）", "Tail state / GPU";
                "cache.mtp.bytes_per_gpu" => "草稿块缓存（每卡）", "Draft cache / GPU";
                "cache.page_rounding.bytes_per_gpu" => "整页留空（每卡）", "Page rounding / GPU";
                "shard.routed_experts_per_gpu" => "每卡路由专家", "Routed experts on a GPU";
                "shard.query_heads_per_gpu" => "每卡 Q 头", "Query heads on a GPU";
                "shard.output_groups_per_gpu" => "每卡输出组", "Output groups on a GPU";
                "shard.indexer_heads_per_gpu" => "每卡索引头", "Indexer heads on a GPU";
            },
            Self::Request => told! {
                "cache.request.bytes" => "一个请求的缓存", "Cache of a request";
                "cache.request.bytes_per_gpu" => "一个请求的缓存（每卡）", "Cache of a request / GPU";
                "cache.bytes_per_token" => "每多一个 token 多的缓存", "Cache for each further token";
                "cache.fixed.bytes" => "与长度无关的缓存", "Cache whatever the length";
                "cache.window.bytes" => "窗口环", "Window rings";
                "cache.main.bytes" => "主缓存", "Main cache";
                "cache.compressed.bytes" => "压缩条目", "Compressed entries";
                "cache.csa.bytes" => "CSA 条目", "CSA entries";
                "cache.hca.bytes" => "HCA 条目", "HCA entries";
                "cache.indexer.bytes" => "索引键", "Indexer keys";
                "cache.state.bytes" => "未满组暂存", "Tail state";
                "cache.state.csa_layer.bytes" => "CSA 层的未满组暂存", "Tail state of a CSA layer";
                "cache.state.hca_layer.bytes" => "HCA 层的未满组暂存", "Tail state of an HCA layer";
                "cache.mtp.bytes" => "草稿块缓存", "Draft cache";
                "cache.page_rounding.bytes" => "整页留空", "Page rounding";
                "cache.row.bytes" => "一行缓存", "A cache row";
                "cache.indexer_row.bytes" => "一行索引键", "An indexer key";
                "cache.rows_available" => "这种卡支持这种行", "Rows available on this GPU";
                "cache.write_per_token.bytes" => "每 token 写缓存", "Cache writes of a token";
            },
            Self::Decode => told! {
                "decode.step_s" => "一步解码", "One decode step";
                "decode.floor_s" => "一步解码的下限", "Floor of a decode step";
                "decode.step_low_s" => "一步，按测得的最小延迟", "Step, by the least latency measured";
                "decode.step_high_s" => "一步，按测得的最大延迟", "Step, by the most latency measured";
                "decode.latency_s" => "各层延迟", "Latency of the layers";
                "decode.latency_per_layer_s" => "每层延迟", "Latency of a layer";
                "decode.overhead_s" => "固定开销", "Fixed time";
                "decode.tpot_s" => "每 token 用时", "Time for each token";
                "decode.tokens_per_request_step" => "每请求每步得到的 token", "Tokens a request gains in a step";
                "decode.tokens_per_s" => "吞吐", "Throughput";
                "decode.tokens_per_s_low" => "吞吐，最少", "Throughput, least";
                "decode.tokens_per_s_high" => "吞吐，最多", "Throughput, most";
                "decode.tokens_per_s_at_most" => "吞吐的上限", "Throughput at most";
                "moe.distinct_experts" => "每层读到的不同专家", "Different experts of a layer";
            },
            Self::Stages => told! {
                stage "proj" => "投影", "Projections";
                stage "attn" => "注意力", "Attention";
                stage "moe" => "专家", "Experts";
                stage "head" => "输出头", "Output head";
                stage "other" => "其余", "The rest";
                stage "mtp" => "草稿块", "Draft block";
            },
            Self::Layers => told! {
                "decode.layer.csa_s" => "CSA 层：用时", "CSA layer: time";
                "decode.layer.csa.proj_bytes_per_gpu" => "CSA 层：读投影（每卡）", "CSA layer: projections read per GPU";
                "decode.layer.csa.proj_bytes" => "CSA 层：读投影，全部卡", "CSA layer: projections read, all GPUs";
                "decode.layer.csa.kv_bytes_per_gpu" => "CSA 层：读缓存（每卡）", "CSA layer: cache read per GPU";
                "decode.layer.csa.kv_bytes" => "CSA 层：读缓存，全部卡", "CSA layer: cache read, all GPUs";
                "decode.layer.csa.flops_per_gpu" => "CSA 层：运算（每卡）", "CSA layer: FLOPs per GPU";
                "decode.layer.csa.flops" => "CSA 层：运算，全部卡", "CSA layer: FLOPs, all GPUs";
                "decode.layer.hca_s" => "HCA 层：用时", "HCA layer: time";
                "decode.layer.hca.proj_bytes_per_gpu" => "HCA 层：读投影（每卡）", "HCA layer: projections read per GPU";
                "decode.layer.hca.proj_bytes" => "HCA 层：读投影，全部卡", "HCA layer: projections read, all GPUs";
                "decode.layer.hca.kv_bytes_per_gpu" => "HCA 层：读缓存（每卡）", "HCA layer: cache read per GPU";
                "decode.layer.hca.kv_bytes" => "HCA 层：读缓存，全部卡", "HCA layer: cache read, all GPUs";
                "decode.layer.hca.flops_per_gpu" => "HCA 层：运算（每卡）", "HCA layer: FLOPs per GPU";
                "decode.layer.hca.flops" => "HCA 层：运算，全部卡", "HCA layer: FLOPs, all GPUs";
                "decode.layer.moe_s" => "一层专家：用时", "A layer's experts: time";
                "decode.layer.moe.bytes_per_gpu" => "一层专家：读（每卡）", "A layer's experts: read per GPU";
                "decode.layer.moe.bytes" => "一层专家：读，全部卡", "A layer's experts: read, all GPUs";
                "decode.layer.moe.flops_per_gpu" => "一层专家：运算（每卡）", "A layer's experts: FLOPs per GPU";
                "decode.layer.moe.flops" => "一层专家：运算，全部卡", "A layer's experts: FLOPs, all GPUs";
            },
            Self::Exchanges => told! {
                "decode.exchange_s" => "一步里的交换", "Exchanges of a step";
                "decode.exchange.startup_s" => "交换：启动", "Exchanges: start-up";
                "decode.exchange.transfer_s" => "交换：传输", "Exchanges: transfer";
                "decode.ep_s" => "专家交换（一步）", "Expert exchange of a step";
                "decode.layer.ep_s" => "专家交换（一层）", "Expert exchange of a layer";
                "decode.layer.ep.bytes_per_gpu" => "一层派发与合并（每卡）", "A layer's dispatch and combine / GPU";
                "ep.dispatch.bytes" => "朴素派发的载荷", "Naive dispatch";
                "ep.pair.bytes" => "每对 token 与专家的载荷", "Payload of a token and an expert";
                "allreduce.message.bytes" => "一次归约的消息", "Message of an all-reduce";
                "allreduce.sent.bytes_per_gpu" => "一次归约每卡发送", "Sent by a GPU in an all-reduce";
                "collectives.allreduce_per_forward" => "一次前向的归约次数", "All-reduces in a forward pass";
                "collectives.allgather_per_forward" => "一次前向的收集次数", "All-gathers in a forward pass";
                "plan.tp_crosses" => "TP 经过", "TP crosses";
                "plan.ep_crosses" => "EP 经过", "EP crosses";
                "plan.pp_crosses" => "PP 经过", "PP crosses";
                "network.hide_threshold" => "藏得住通信的 C/B 上限", "C/B up to which exchange is hidden";
                "network.flops_per_byte" => "C/B，按所选的速率", "C/B at the rate chosen";
                "network.hidden" => "按所选速率藏得住", "Hidden at the rate chosen";
                "network.flops_per_byte_one_way" => "C/B，按单向速率", "C/B at the one-way rate";
                "network.hidden_one_way" => "按单向速率藏得住", "Hidden at the one-way rate";
                "network.flops_per_byte_reached" => "C/B，按达到的速率", "C/B at the rate reached";
                "network.hidden_reached" => "按达到的速率藏得住", "Hidden at the rate reached";
            },
            Self::Prefill => told! {
                "prefill.step_s" => "一块预填充", "One prefill chunk";
                "prefill.floor_s" => "一块预填充的下限", "Floor of a prefill chunk";
                "prefill.tokens_per_s" => "预填充吞吐", "Prefill throughput";
                "ttft_s" => "首 token 延迟", "Time to the first token";
                "ttft_low_s" => "首 token 延迟，最少", "Time to the first token, least";
                "ttft_high_s" => "首 token 延迟，最多", "Time to the first token, most";
                "prefill.proj_s" => "预填充：投影", "Prefill: projections";
                "prefill.attn_s" => "预填充：注意力", "Prefill: attention";
                "prefill.moe_s" => "预填充：专家", "Prefill: experts";
                "prefill.head_s" => "预填充：输出头", "Prefill: output head";
                "prefill.other_s" => "预填充：其余", "Prefill: the rest";
                "prefill.exchange_s" => "预填充：交换", "Prefill: exchanges";
                "prefill.kv_write_s" => "预填充：写缓存", "Prefill: cache writes";
                "prefill.overhead_s" => "预填充：固定开销", "Prefill: fixed time";
                "prefill.kv_read.bytes_per_gpu" => "预填充读缓存（每卡）", "Cache read in prefill / GPU";
                "prefill.kv_read.bytes" => "预填充读缓存，全部卡", "Cache read in prefill, all GPUs";
                "prefill.proj.flops_per_gpu" => "预填充投影的运算（每卡）", "Prefill projections, FLOPs per GPU";
                "prefill.attn.flops_per_gpu" => "预填充注意力的运算（每卡）", "Prefill attention, FLOPs per GPU";
                "prefill.moe.flops_per_gpu" => "预填充专家的运算（每卡）", "Prefill experts, FLOPs per GPU";
                "prefill.index_scores.bytes_per_gpu" => "预填充时的临时索引分数", "Index scores held in prefill";
                "prefill.index_product.bytes_per_gpu" => "加权后的第二份分数", "Their weighted product";
                "prefill.index_scores_summed.bytes" => "各头相加后的分数", "Scores summed over heads";
                "prefill.index_peak.bytes_per_gpu" => "一次读完的索引临时量", "Index peak, read at once";
                "prefill.index_peak_chunked.bytes_per_gpu" => "分块后的索引临时量", "Index peak, in chunks";
                "prefill.index_peak_fused.bytes_per_gpu" => "融合后的索引临时量", "Index peak, fused";
            },
            Self::Model => told! {
                "weights.routed.params" => "路由专家参数", "Parameters of routed experts";
                "weights.routed.bytes" => "路由专家（全部）", "Routed experts in all";
                "weights.routed.bytes_unscaled" => "路由专家，不计缩放", "Routed experts without scales";
                "weights.routed.bytes_per_param" => "每个专家参数的字节", "Bytes of an expert's parameter";
                "expert.params" => "一个专家的参数", "Parameters of an expert";
                "expert.bytes" => "一个专家的字节", "Bytes of an expert";
                "expert.pair.flops" => "一个 token 过一个专家的运算", "FLOPs of a token in an expert";
                "moe.layer.flops_per_token" => "每 token 每层专家计算", "Experts' FLOPs of a token in a layer";
                "moe.flops_per_token" => "每 token 专家计算", "Experts' FLOPs of a token";
                "attention.proj.params" => "注意力投影参数", "Parameters of the projections";
                "attention.proj.flops_per_token" => "每 token 投影计算", "Projections' FLOPs of a token";
                "active.params" | "active.params_nominal" => "每 token 激活参数", "Active parameters of a token";
            },
        }
    }
}

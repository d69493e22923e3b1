//! Chapter 1: where weights and caches lie.

use super::Chapter;

const DETAILS: &[&str] = &[
    "checkpoint.params",
    "checkpoint.bytes",
    "active.params",
    "expert.bytes",
    "collectives.allreduce_per_forward",
    "weights.routed.params",
    "weights.routed.bytes_per_param",
    "weights.routed.bytes",
    "weights.shared.bytes_per_gpu",
    "cache.request.bytes",
    "plan.min_gpus_by_bytes",
    "moe.distinct_experts",
    "allreduce.message.bytes",
    "allreduce.sent.bytes_per_gpu",
    "prefill.index_scores.bytes_per_gpu",
];

pub(super) const ZH: Chapter = Chapter {
    heading: "万亿参数的模型，怎样摆进八张卡",
    lead: "答一个 token 之前，权重要先住进显存。有的部分切开，每张卡只拿一段；有的部分谁都要用，只好每张卡放一整份。看清哪些切、哪些不切，放不放得下就是一道加法。",
    takeaways: [
        "专家占了绝大部分，而专家可以按号分，卡越多每张越轻。",
        "缓存不跟着卡数变小：只有一个 KV 头，切不开，每张卡都得存。",
        "参数总量除以卡数并不等于每卡用量，复制的部分要原样加上。",
    ],
    step_names: &["空卡", "复制", "分专家", "切头", "缓存", "结论"],
    step_texts: &[
        "八张空卡，虚线是显存上限",
        "每个 token 都会用到的部分，每张卡放一整份",
        "每层的路由专家按编号平均分，{layers} 层分法相同",
        "Q 头、输出组按编号切开，算完再把部分和加起来",
        "上下文越长、请求越多，缓存越高，每张卡一样高",
        "把各部分加起来，和上限比一比",
    ],
    details: DETAILS,
};

pub(super) const EN: Chapter = Chapter {
    heading: "How a trillion-parameter model moves into eight GPUs",
    lead: "Before a single token can be answered the weights need a place in memory. Some parts are cut, and each GPU takes a piece; others are needed everywhere, so each GPU holds a whole copy. Once you see which is which, whether it fits is plain addition.",
    takeaways: [
        "Experts are nearly all of it, and experts can be dealt out: more GPUs, less on each.",
        "Caches do not shrink with more GPUs: there is one KV head, it cannot be cut, so every GPU stores it.",
        "Total size over GPU count is not what a GPU needs; what is copied comes on top.",
    ],
    step_names: &["Empty", "Copy", "Deal experts", "Cut heads", "Caches", "Verdict"],
    step_texts: &[
        "Eight empty GPUs; the dashed line is the end of memory",
        "What every token uses goes onto every GPU, whole",
        "The routed experts of a layer are dealt by number, the same way in all {layers} layers",
        "Query heads and output groups are cut by number; partial sums are added up later",
        "Longer contexts and more requests raise the caches, equally on every GPU",
        "Add the parts up and hold them against the limit",
    ],
    details: DETAILS,
};

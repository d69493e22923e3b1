//! Chapter 5: experts at home.

use super::Chapter;

const DETAILS: &[&str] = &[
    "moe.distinct_experts",
    "shard.routed_experts_per_gpu",
    "expert.bytes",
    "weights.routed.bytes_per_gpu",
    "weights.shared.bytes_per_gpu",
    "allreduce.message.bytes",
    "allreduce.sent.bytes_per_gpu",
    "collectives.allreduce_per_forward",
    "moe.layer.flops_per_token",
    "decode.layer.moe.bytes",
];

pub(super) const ZH: Chapter = Chapter {
    heading: "专家不搬家，token 就地算",
    lead: "一层有几百个专家，一个 token 只用其中几个。专家的权重太重，搬不动；token 很轻，每张卡本来就有一份。于是路由选完之后，谁家的专家被选中，谁就在自己那份 token 上算，最后把结果加到一起。",
    takeaways: [
        "没被选中的专家也占着显存，只是这一次不读；省下的是读取和计算，不是容量。",
        "各卡先把自己的几项加好再做一次归约，共享专家每卡都有，所以放在归约之后，只加一遍。",
        "批量一大，被选中的专家越来越多，一步要读的权重也跟着涨；全组都要等读得最多的那张卡。",
    ],
    step_names: &["路由", "就地算", "加权", "归约", "共享专家", "铺开"],
    step_texts: &[
        "路由给每个 token 选出几个专家和各自的权重，权重之和为 1",
        "每张卡只算自己名下被选中的专家，没有的就空着",
        "输出乘权重，同一张卡上的先加成一个数。图里的权重和输出由种子生成，只取一个坐标，方便手算；模型还会统一乘一个系数，这里略去",
        "各卡的部分和归约成一个总和，每张卡都有一份",
        "共享专家对每个 token 都算，在总和之后加上",
        "把热力图排成行，看批量越大要读多少专家，谁最慢",
    ],
    details: DETAILS,
};

pub(super) const EN: Chapter = Chapter {
    heading: "Experts stay home, tokens are computed on the spot",
    lead: "A layer has hundreds of experts and a token uses a handful. Their weights are far too heavy to move; a token is light, and every GPU has a copy of it anyway. So once the router has chosen, whoever holds a chosen expert runs it on its own copy, and the results are added up.",
    takeaways: [
        "Experts that nobody picks still occupy memory. What is saved is reading and computing, not room.",
        "Each GPU sums its own terms before the one all-reduce. The shared expert is on every GPU, so it is added after it, once.",
        "Larger batches touch more experts, so a step reads more weights, and all GPUs wait for the one that reads most.",
    ],
    step_names: &["Route", "Compute", "Weigh", "All-reduce", "Shared expert", "Spread"],
    step_texts: &[
        "The router picks a few experts for each token, with weights that add up to 1",
        "Each GPU runs the picked experts it holds, and nothing where it holds none",
        "Outputs are weighted, and those of one GPU become one number. Weights and outputs here come from the seed, one coordinate only, so that you can check them by hand; the model's common factor is left out",
        "The partial sums are reduced to a total that every GPU receives",
        "The shared expert runs for every token and is added to the total",
        "The map lines up in rows: how many experts a batch reads, and which GPU is slowest",
    ],
    details: DETAILS,
};

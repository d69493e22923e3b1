//! Chapter 11: the whole journey of one token.

use super::Chapter;

const DETAILS: &[&str] = &[
    "decode.step_s",
    "decode.step_low_s",
    "decode.step_high_s",
    "decode.floor_s",
    "decode.proj_s",
    "decode.attn_s",
    "decode.moe_s",
    "decode.head_s",
    "decode.other_s",
    "decode.exchange_s",
    "decode.latency_per_layer_s",
    "decode.overhead_s",
    "decode.ep_s",
    "critical_path.before_s",
    "collectives.allreduce_per_forward",
    "allreduce.sent.bytes_per_gpu",
    "moe.distinct_experts",
    "active.params",
    "active.params_nominal",
];

pub(super) const ZH: Chapter = Chapter {
    heading: "一枚 token，八张卡，一步",
    lead: "从查表到采样，一枚 token 要依次穿过每一层。每一层里，八张卡各读自己的权重和缓存，各算自己的头和专家，然后停下来把结果加到一起，两次。跟着它走完，就知道一步的时间花在了哪里。",
    takeaways: [
        "层与层只能一个接一个：一层里多等一点，整步就多等几十遍。",
        "每层要停两次：各头的部分和要相加，各专家的结果也要相加。最慢的那张卡决定大家何时往下走。",
        "小批量时，读显存往往不是最长的一段；启动和同步随层数累积，比字节更难省。",
    ],
    step_names: &["入口", "注意力", "相加", "路由", "专家", "合并", "其余各层", "下一个"],
    step_texts: &[
        "查到词向量，复制成几路残差，穿过打开的那层之前的各层",
        "几路残差合成一路；各卡读投影权重和缓存，算自己的头，也把这枚 token 的 KV 写进缓存",
        "各卡只有部分和，经交换机加成完整的一份",
        "路由打分，挑出这枚 token 的专家，它们住在不同的卡上",
        "专家不动，权重就地读出，各卡只算自己那几个",
        "专家的结果再合并一次，写回残差，才轮到下一层",
        "后面的层照样走一遍，共 {layers} 层",
        "输出头打分，采样出新 token，接到末尾，再从头来",
    ],
    details: DETAILS,
};

pub(super) const EN: Chapter = Chapter {
    heading: "One token, eight GPUs, one step",
    lead: "From lookup to sample a token passes all layers, one after the other. In each of them every GPU reads its own weights and caches, computes its own heads and experts, and then stops so that the results can be added up, twice. Follow it once, and you know where a step's time goes.",
    takeaways: [
        "Layers wait for each other: whatever one of them waits, a step waits dozens of times.",
        "Each layer stops twice, for the heads' partial sums and for the experts' results, and the slowest GPU says when all go on.",
        "In small batches reading memory is seldom the longest part: start-ups and synchronisation pile up with the layers and are harder to save than bytes.",
    ],
    step_names: &["Entry", "Attention", "Sum", "Route", "Experts", "Merge", "Other layers", "Next"],
    step_texts: &[
        "The token's row becomes the residual streams and passes the layers before the opened one",
        "The streams are mixed into one; each GPU reads projections and caches for its own heads, and the token's own row is written to the caches",
        "Each GPU has a partial sum; over the switch they become one",
        "The router picks the token's experts, which live on several GPUs",
        "Experts stay at home: their weights are read where they lie, and each GPU runs its own",
        "The experts' results become one, the streams take it up, and only then the next layer begins",
        "The layers behind do the same, {layers} in all",
        "The head scores, a token is drawn and appended, and all begins anew",
    ],
    details: DETAILS,
};

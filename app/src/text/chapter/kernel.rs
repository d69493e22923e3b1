//! Chapter 3: one kernel on one GPU.

use super::Chapter;

const DETAILS: &[&str] = &[
    "decode.proj.bytes_per_gpu",
    "decode.proj.flops_per_gpu",
    "decode.attn.bytes_per_gpu",
    "decode.attn.flops_per_gpu",
    "decode.moe.bytes_per_gpu",
    "decode.moe.flops_per_gpu",
    "decode.layer.csa.proj_bytes_per_gpu",
    "decode.layer.csa.kv_bytes_per_gpu",
    "decode.layer.csa.flops_per_gpu",
    "decode.layer.moe.bytes_per_gpu",
    "decode.layer.moe.flops_per_gpu",
    "decode.moe.bound",
    "moe.distinct_experts",
    "expert.bytes",
    "cache.batch.bytes_per_gpu",
    "cache.request.bytes",
    "gpu.memory.bytes",
];

pub(super) const ZH: Chapter = Chapter {
    heading: "一块权重进来，一块结果出去",
    lead: "打开 0 号卡，盯住第一个按分数路由的 CSA 层，看其中一个 kernel。权重和缓存躺在 HBM 里不动，切成小块，经 L2 送到 SM；和激活一乘一加，只有结果写回去。读了多少、算了多少，两个数一除，就知道它在等谁。显存里的小格是示意，填实的表示读过。字节按张量的真实大小记，与精确账同一套口径。",
    takeaways: [
        "常驻的是权重和缓存，激活只是过客：读过的块不会少，下一个 token 还要从头再读。",
        "batch 小的时候，一块权重只配得上几列激活，张量核心的大半列是空的，时间都花在等 HBM 上。",
        "预留多少缓存看的是上限，不是眼下的上下文：上限一拉长，显存先满。",
    ],
    step_names: &["常驻", "搬块", "乘加", "写回", "屋脊", "预留"],
    step_texts: &[
        "先看显存里有什么：权重、缓存一直在，激活用完就腾",
        "要读的部分切成块，排队经 L2 上片",
        "一块一块乘加，部分和攒在寄存器里",
        "攒够一组输出就写回，读过的块原样留下",
        "算量除以字节，落在屋脊左边就是等内存，右边就是等算力",
        "缓存按最长上下文预留，和现在用到的比一比",
    ],
    details: DETAILS,
};

pub(super) const EN: Chapter = Chapter {
    heading: "A tile of weights in, a tile of results out",
    lead: "Open GPU 0 and watch a single kernel of its first CSA layer that routes by score. Weights and caches lie still in HBM; cut into tiles, they pass L2 to the SMs, meet activations, and only results go back. Divide the FLOPs by the bytes and you know what it waits for. The cells in HBM are a sketch; filled ones have been read. Bytes are those of the real tensors, counted as in the exact ledger.",
    takeaways: [
        "Weights and caches stay, activations pass through: reading a tile does not use it up, and the next token reads it all again.",
        "With a small batch a tile of weights meets only a few columns of activations: most of the tensor core's columns are empty and the time goes into waiting for HBM.",
        "What caches set aside follows the limit, not the context of the moment: raise the limit and memory fills before anyone has asked anything.",
    ],
    step_names: &["What stays", "Load", "Multiply", "Store", "Roofline", "Set aside"],
    step_texts: &[
        "What lies in memory: weights and caches stay, activations make room again",
        "What is to be read is cut into tiles that queue through L2",
        "Tile after tile is multiplied; partial sums gather in registers",
        "A finished block of results goes back; the tiles stay as they were",
        "FLOPs over bytes: left of the ridge it waits for memory, right of it for compute",
        "Caches are set aside for the longest context; compare with what is used now",
    ],
    details: DETAILS,
};

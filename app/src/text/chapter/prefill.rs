//! Chapter 2: a block of prompt tokens through the layers.

use super::Chapter;

const DETAILS: &[&str] = &[
    "cache.row.bytes",
    "cache.window.bytes",
    "cache.compressed.bytes",
    "cache.csa.bytes",
    "cache.hca.bytes",
    "cache.indexer.bytes",
    "cache.state.bytes",
    "cache.request.bytes",
    "cache.batch.bytes_per_gpu",
    "prefill.index_scores.bytes_per_gpu",
    "prefill.index_product.bytes_per_gpu",
    "prefill.index_scores_summed.bytes",
    "prefill.index_peak.bytes_per_gpu",
    "prefill.index_peak_chunked.bytes_per_gpu",
    "prefill.index_peak_fused.bytes_per_gpu",
    "prefill.kv_read.bytes",
    "prefill.step_s",
    "prefill.tokens_per_s",
    "ttft_s",
];

pub(super) const ZH: Chapter = Chapter {
    heading: "先读题：一整块提示词怎样走完所有层",
    lead: "提示词不用一个一个读。成千上万个 token 摞成一块，同时乘上一层的权重，再去下一层。每过一层都要留下那一层自己的缓存，往后生成时反复查的就是它们。快是快，代价是中途的临时张量可能比缓存大得多。",
    takeaways: [
        "缓存按层存：每层都有自己的窗口环和压缩条目，CSA 层多一份索引键，互不共用。",
        "切块能压低峰值，但块内照样要遮住后面的 token，没凑满的 CSA、HCA 组也得带到下一块。",
        "峰值常常不是缓存，而是索引器给每个头都留了一份分数，乘完权重又多一份。",
    ],
    step_names: &["进门", "遮罩", "过层", "缓存", "切块", "峰值"],
    step_texts: &[
        "一批提示词排成块，每个 token 展开成几路残差",
        "因果遮罩：行是提问的 token，列是它能看的 token",
        "同一块按顺序穿过 {layers} 层，各层按自己的种类留下缓存",
        "打开其中一层：环、条目、索引键、等着凑组的尾巴",
        "一次装不下就切块，切口处有两件事不能忘",
        "把临时分数摆到显存旁边，再看切块和融合省下多少",
    ],
    details: DETAILS,
};

pub(super) const EN: Chapter = Chapter {
    heading: "Reading the question: a whole prompt through every layer",
    lead: "A prompt need not be read token by token. Thousands of tokens form one block, meet a layer's weights together and move on to the next. Every layer keeps caches of its own from it, and generation will look things up there again and again. That is fast; the price is temporaries on the way that can dwarf the caches.",
    takeaways: [
        "Caches belong to layers: each has its own window ring and entries, CSA layers have indexer keys as well, and none are shared.",
        "Chunks lower the peak, but a chunk still needs its mask, and unfinished CSA and HCA groups must be carried to the next one.",
        "The peak is often not the cache: the indexer keeps scores of every head, and weighting them makes a second copy.",
    ],
    step_names: &["Prompt", "Mask", "Layers", "Caches", "Chunks", "Peak"],
    step_texts: &[
        "Prompts form a block; each token becomes several residual streams",
        "The causal mask: a row for the token that asks, a column for each it may see",
        "The same block passes {layers} layers in order; each keeps caches of its kind",
        "One layer opened: ring, entries, indexer keys, and the tail that waits for its group",
        "What does not fit at once goes in chunks, and two things matter at each border",
        "Hold the temporary scores against the memory, then see what chunks and fusing save",
    ],
    details: DETAILS,
};

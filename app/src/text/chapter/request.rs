//! Chapter 0: a request, from text to the first token and on.

use super::Chapter;

const DETAILS: &[&str] = &[
    "prefill.step_s",
    "prefill.tokens_per_s",
    "decode.step_s",
    "decode.step_low_s",
    "decode.step_high_s",
    "decode.tokens_per_s",
    "ttft_s",
    "cache.request.bytes",
    "moe.distinct_experts",
];

pub(super) const ZH: Chapter = Chapter {
    heading: "一条请求：先排队，再吐字",
    lead: "用户按下回车，到看见第一个字，中间不只是“算”。文本要切成 token，要排队，要看前面有没有人算过同样的开头，要领到放 KV 的页，再把剩下的提示词分块算完。之后每吐一个 token，引擎都带着一批请求走同样的八步。哪一步压在机器的哪个部件上，决定了加钱该加在哪里。",
    takeaways: [
        "首个 token 的时间是四段相接：排队、读回前缀、预填充、首步 decode。请求一多，先变长的是排队。",
        "前缀缓存把 GPU 的活换成了盘和 PCIe 的活。窗口行比压缩行大得多，存多少就是写盘和重算之间的取舍。",
        "批量小，读一遍权重只服务几个 token；批量大，几乎每个专家都要读，单步变慢，合计却更快。",
    ],
    step_names: &["排队", "前缀", "分页", "预填充", "decode", "批量", "来往"],
    step_texts: &[
        "文本切成 token，记下长度，排进队里：主要是 CPU 的事",
        "查有没有算过同样的开头；压缩条目整段可用，窗口行要看存了多少",
        "按页发 KV 空间：一页装满两种压缩组的整组，浪费的只有最后一页",
        "剩下的提示词一块块算，最后一块之后再走一步，才有首个 token",
        "D1 到 D8：组批、注意力、写 KV、选专家、分发、专家、合并、采样",
        "批量从小到大：先省在分摊权重，后卡在专家全被触达",
        "按随机到达跑一段：队多长，TTFT 与 TPOT 的中位和尾部各是多少",
    ],
    details: DETAILS,
};

pub(super) const EN: Chapter = Chapter {
    heading: "A request waits first, then gets its tokens",
    lead: "Between pressing Enter and the first word there is more than computing. Text is cut into tokens, the request queues, somebody may have computed the same beginning before, pages of KV are handed out, and the rest of the prompt is computed in chunks. From then on every token takes a whole batch through the same eight parts. Which part of the machine each of them presses decides where faster hardware would help.",
    takeaways: [
        "The first token's time is four parts in a row: queue, prefix from disk, prefill, first step. Under load the queue grows first.",
        "A prefix cache trades work of the GPU for work of disks and PCIe. Window rows are far larger than compressed ones, so how many are kept trades writing against recomputing.",
        "In a small batch, weights are read for a few tokens. In a large one nearly every expert is read: steps get slower, all of them together faster.",
    ],
    step_names: &["Queue", "Prefix", "Pages", "Prefill", "Decode", "Batch", "Traffic"],
    step_texts: &[
        "Text becomes tokens, lengths are noted, the request queues: work for the CPU above all",
        "Was the same beginning computed before? Compressed entries serve as they are; windows depend on what was kept",
        "KV space comes in pages of whole groups of both caches; only the last page has room to spare",
        "The rest of the prompt in chunks; one decode step after the last gives the first token",
        "D1 to D8: batch, attention, new KV, router, dispatch, experts, combine, sampling",
        "From small to large: weights are shared first, then every expert is touched",
        "Random arrivals for a while: how long the queue gets, and the median and tail of TTFT and TPOT",
    ],
    details: DETAILS,
};

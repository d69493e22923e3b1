//! Chapter 10: waves.

use super::Chapter;

const DETAILS: &[&str] = &[
    "network.hide_threshold",
    "network.flops_per_byte",
    "network.flops_per_byte_one_way",
    "network.flops_per_byte_reached",
    "decode.layer.ep.bytes_per_gpu",
    "decode.exchange_s",
    "decode.layer.moe.bytes_per_gpu",
    "decode.layer.moe.flops_per_gpu",
    "moe.distinct_experts",
    "expert.bytes",
    "ep.pair.bytes",
];

pub(super) const ZH: Chapter = Chapter {
    heading: "切成几波，传输藏到计算后面",
    lead: "一层专家要先把 token 发到位，算完再把结果送回。三段排成一列，链路忙时算力闲，算力忙时链路闲。把每张卡的专家分成几波，一波到齐就开算，下一波在路上，上一波在送回。这里把 prefill 的一块送进一层专家，逐条消息模拟：每张卡的链路入、链路出、计算各自一次只做一件事；每个专家发一份，FP8 去、BF16 回。",
    takeaways: [
        "分波省下的是重叠的那部分：长的一头全要付，短的一头只露出最先和最后一波。",
        "波不是越多越好：每条消息都要付一次启动，波越多付得越多；小批量本来就没多少可藏。计算、显存、链路一起满载，功耗也可能先到顶。",
        "藏不藏得住，先比每字节链路配多少算力和 2·d_ff，再看口径：双向、单向、打折，结论会变；有一张卡慢，谁都得等。",
    ],
    step_names: &["一波到底", "分波", "剩下的等待", "一张慢卡", "分几波", "哪些链路"],
    step_texts: &[
        "发完才算，算完才收，三段首尾相接",
        "一波收齐就开算，链路同时送后一波、收前一波",
        "标出每张卡没在算的时间，两种做法对比",
        "让算得最久的那张卡再慢一半，看其他卡等多久",
        "换不同的波数各跑一遍，prefill 和 decode 分开看",
        "各种链路口径下，每字节配多少算力，和 2·d_ff 比；跨节点的网口差得远，专家并行最好不出节点",
    ],
    details: DETAILS,
};

pub(super) const EN: Chapter = Chapter {
    heading: "Cut into waves, transfers hide behind computation",
    lead: "A layer's experts need their tokens first, and the results must go back. One after the other, the link rests while the GPU computes and the GPU rests while the link moves. Split each GPU's experts into waves, and one is computed as soon as it has come, with the next on its way and the last going back. Here a prefill chunk passes one layer, message by message: each GPU's link in, link out and computation do one thing at a time; every expert gets a copy of its own, FP8 out and BF16 back.",
    takeaways: [
        "Waves save what overlaps: all of the longer side is paid, and of the shorter only the first and the last wave.",
        "More waves are not always better: every message pays its start-up again, and a small batch has little to hide. With compute, memory and links all busy at once, power may be the next limit.",
        "Whether a link can be hidden is the GPU's FLOPs per byte of it against 2·d_ff, and the verdict hangs on the convention: both ways, one way, or what is reached. One slow GPU holds up all.",
    ],
    step_names: &["One wave", "Waves", "What waits", "A slow GPU", "How many", "Which links"],
    step_texts: &[
        "Send, then compute, then return: three parts after each other",
        "A wave is computed once it has come, while the link brings the next and returns the last",
        "Where a GPU does not compute is marked, in both ways of working",
        "The GPU that computes longest slows to half, and the others wait",
        "Other numbers of waves are run, for a prefill chunk and for a decode batch",
        "FLOPs for each byte of link, by every convention, against 2·d_ff; a network port falls far short, so experts had better stay within a node",
    ],
    details: DETAILS,
};

//! Chapter 4: how partial sums become one sum on every GPU.

use super::Chapter;

const DETAILS: &[&str] = &[
    "allreduce.message.bytes",
    "allreduce.sent.bytes_per_gpu",
    "allreduce.worked_sum",
    "collectives.allreduce_per_forward",
    "decode.exchange.startup_s",
    "decode.exchange.transfer_s",
    "decode.exchange_s",
];

pub(super) const ZH: Chapter = Chapter {
    heading: "八份半成品，怎样变成八份成品",
    lead: "头按编号分到各卡以后，谁都算不出完整的结果：每张卡手里只有自己那些头的贡献。把这些贡献加起来，再让每张卡都拿到总和，就是 all-reduce。每层至少做两次，做法和消息大小决定它要等多久。",
    takeaways: [
        "环形做法把消息切块，每步只和邻居交换一块；发的字节最省，步数最多。",
        "消息小的时候，时间几乎都是每步的启动延迟，换成 BF16 字节减半，等待却差不多。",
        "漏加一张卡，所有卡会得到同一个错误的和，互相比对发现不了。",
    ],
    step_names: &["分头", "部分和", "归约", "分发", "三种走法", "时间", "漏一张卡"],
    step_texts: &[
        "Q 头按编号分到各卡，紫色是正在计算的头",
        "每张卡得到一个部分向量，切成 c0、c1……每块只画其中一个数；c0 的各份在中间手算一遍",
        "橙色标签是路上的块，收到的卡把它加进自己那份；底条长度是已加进几张卡",
        "攒齐的块不再相加，只是复制，直到每张卡都有全部的和",
        "同一组数，三种算法各走一遍：时间向下走，粗线跟着 c0",
        "时间 = 步数 × 启动 + 字节 ÷ 带宽。横轴是消息大小，圆点是当前场景",
        "去掉选中的那张卡，其余照做；橙色的数都错了",
    ],
    details: DETAILS,
};

pub(super) const EN: Chapter = Chapter {
    heading: "Eight unfinished results become eight finished ones",
    lead: "Once the heads are dealt out, no GPU can produce the whole result: each holds only what its own heads contribute. Adding those contributions and giving every GPU the total is an all-reduce. Every layer does at least two, and how it is done and how large the message is decide how long everyone waits.",
    takeaways: [
        "A ring cuts the message into chunks and passes one to a neighbour in each move: few bytes, many moves.",
        "Small messages are nearly all start-up: with BF16 the bytes halve, the wait hardly changes.",
        "Leave one GPU out and all of them get the same wrong sum; comparing them shows nothing.",
    ],
    step_names: &["Deal heads", "Parts", "Reduce", "Hand out", "Three ways", "Time", "One left out"],
    step_texts: &[
        "Query heads are dealt by number; purple ones are being computed",
        "Each GPU gets a vector of parts, cut into c0, c1 …, one number drawn for each; the parts of c0 are added by hand in the middle",
        "Orange labels are chunks on their way; the receiver adds them to its own. The bar shows how many GPUs are in it",
        "Finished chunks are only copied, until every GPU has all the sums",
        "The same numbers by three algorithms: time runs downwards, and the thick line follows c0",
        "Time = moves × start-up + bytes ÷ bandwidth. Message size runs across; the dots are this scenario",
        "The chosen GPU gives nothing, all else is the same; the orange numbers are wrong",
    ],
    details: DETAILS,
};

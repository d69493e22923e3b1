//! Chapter 9: accounts.

use super::Chapter;

const DETAILS: &[&str] = &[
    "critical_path.before_s",
    "critical_path.experts_2x_s",
    "critical_path.hide_8ms_comm_s",
    "decode.step_s",
    "decode.floor_s",
    "decode.exchange_s",
    "decode.overhead_s",
    "decode.moe.bound",
    "decode.tokens_per_s",
    "prefill.step_s",
    "prefill.tokens_per_s",
    "ttft_s",
    "decode.tpot_s",
    "memory.bytes_per_gpu",
];

pub(super) const ZH: Chapter = Chapter {
    heading: "先把账记清，再决定优化哪里",
    lead: "同样一张卡，prefill 忙着算，decode 忙着等。先看各段工作落在屋脊的哪一边，再看一步里谁接着谁：只有露在关键路径上的时间，缩短了才算数。右边那一步的用时是教学数值，可以换成自己测的。",
    takeaways: [
        "一步的快慢只看关键路径：专家快一倍，省的只是它自己的一半；先动露在外面最长的一段。",
        "时间有重叠时，逐项相加会超过实际；异步提交时，主机上的表只量到提交。先预热、多跑几轮，同步后再停表；GPU 事件只管自己那条流，多卡要找最慢的一张。",
        "排队、prefill、每步 decode 分开记：首个 token 看 TTFT，之后看 TPOT，整台看吞吐，慢的那些看 p95、p99。占满显存不等于用满算力。",
    ],
    step_names: &["屋脊线", "关键路径", "改一段", "重叠", "计时", "尾巴"],
    step_texts: &[
        "把 decode 和 prefill 的各段放到同一条屋脊线下",
        "一步的四段接起来，旁边是本场景自己的一步",
        "每次只改一段，看整步变多少",
        "让一部分通信和计算同时进行，再看逐项相加的和",
        "同一步用三种办法计时，两只表各走各的",
        "同一步换着路由跑很多次，按快慢排好",
    ],
    details: DETAILS,
};

pub(super) const EN: Chapter = Chapter {
    heading: "Keep the books before you optimise",
    lead: "On the same GPU prefill is busy computing and decode is busy waiting. See on which side of the ridge each stage lies, then what follows what in a step: only time that is exposed on the critical path counts when it shrinks. The times of the step on the right are for teaching; put in your own.",
    takeaways: [
        "A step is as long as its critical path. Experts twice as fast save half of their own part and no more; start with the longest part that is exposed.",
        "Where times overlap, items add up to more than what passes; where work is submitted, a host's clock may see the submitting alone. Warm up, repeat, synchronise before the clock stops; events see their own stream only, and of many GPUs find the slowest.",
        "Record queue, prefill and each decode step apart: TTFT for the first token, TPOT for those after, throughput for the machine, p95 and p99 for the slow ones. Full memory is not busy compute.",
    ],
    step_names: &["Roofline", "Critical path", "Change a part", "Overlap", "Clocks", "Tail"],
    step_texts: &[
        "The stages of decode and of prefill under one roofline",
        "Four parts make a step; the scenario's own step stands beside",
        "One part changes at a time: what becomes of the step?",
        "Some communication runs beside computation; then look at the sum",
        "The same step timed in three ways, under two clocks",
        "The same step with other routing, many times, sorted",
    ],
    details: DETAILS,
};

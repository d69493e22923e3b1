//! Chapter 6: expert parallel.

use super::Chapter;

const DETAILS: &[&str] = &[
    "ep.dispatch.bytes",
    "ep.pair.bytes",
    "decode.layer.ep.bytes_per_gpu",
    "decode.exchange_s",
    "decode.exchange.startup_s",
    "decode.exchange.transfer_s",
    "shard.routed_experts_per_gpu",
    "moe.distinct_experts",
];

pub(super) const ZH: Chapter = Chapter {
    heading: "token 各有归属，去别的卡找专家",
    lead: "另一种分法里，每个 token 只住在一张卡上。要用别处的专家，就把自己的激活寄过去，算完再寄回来。寄多少份、每份多大、哪些根本不用寄，决定了这一层在链路上花多少时间。",
    takeaways: [
        "去和回是两次传输，各有各的数据格式，要分开记账。",
        "同一个 token 的几个专家若在同一张卡，只寄一份，到了再分；结果也先在那边加权合好，再回一份。",
        "目的地就是本卡的不上链路。真正过链路的字节，比“token 数 × 专家数”要少。",
    ],
    step_names: &["归属", "打包", "发出", "计算", "送回", "流量表"],
    step_texts: &[
        "一批 token 平均分给各卡，每张卡只管自己的那几个",
        "按目的地打包：先是每个专家一份，再把去同一张卡的合成一份",
        "每一轮里，每张卡发给一张卡，也从一张卡收",
        "收到的 token 只过本卡的专家",
        "结果加权合并后送回，按编号放回原来的位置",
        "各卡发出的份数排成一张表，再数一遍字节",
    ],
    details: DETAILS,
};

pub(super) const EN: Chapter = Chapter {
    heading: "Tokens have owners and travel to their experts",
    lead: "In another way of sharing the work, a token lives on one GPU only. Where it needs an expert of another, its activations are sent there and the result is sent back. How many copies, how large each, and which need no sending decide what a layer costs on the links.",
    takeaways: [
        "Out and back are two transfers, each with its own number format, and each is counted by itself.",
        "Several experts on one GPU need one copy of the token. Their results are weighted and merged there, and one comes back.",
        "What is for a token's own GPU crosses no link. The links carry less than tokens times experts.",
    ],
    step_names: &["Owners", "Pack", "Dispatch", "Compute", "Combine", "Traffic"],
    step_texts: &[
        "A batch is spread evenly, and each GPU looks after its own tokens",
        "Copies are packed by destination: first one for each expert, then one for each GPU",
        "In each round every GPU sends to one and receives from one",
        "What has arrived passes the experts of its new GPU only",
        "Results are weighted, merged and sent back, and take the old places",
        "What each GPU sends becomes a row of a matrix; then the bytes are counted",
    ],
    details: DETAILS,
};

//! Chapter 8: the decode loop.

use super::Chapter;

const DETAILS: &[&str] = &[
    "decode.step_s",
    "decode.step_low_s",
    "decode.step_high_s",
    "decode.tokens_per_s",
    "decode.head_s",
    "decode.head.bytes_per_gpu",
    "decode.mtp_s",
    "ttft_s",
];

pub(super) const ZH: Chapter = Chapter {
    heading: "生成一个，再接着生成一个",
    lead: "decode 是一个循环：上一步的 token 穿过全部层，输出头给词表打分，按温度和 top-p 抽一个，接到末尾，再来一轮。历史的 KV 都留着，但权重每一轮都要重新读。想少走几轮，可以先猜几个，再一次验证。",
    takeaways: [
        "每个 token 都要走完全部层，层的次序是定死的：下一层等上一层，卡再多也并不掉。",
        "温度改的是差距，top-p 切的是尾巴；两者都在输出头之后，不动模型，也几乎不花时间。",
        "草稿的收益看接受率，代价看验证时多读的专家。接受率低，或者批量已经很大，猜得越深越亏。",
    ],
    step_names: &["穿层", "输出头", "抽样", "追加", "草稿", "时间"],
    step_texts: &[
        "一个 token 带着几路残差依次穿过全部层，前几层按编号查表选专家",
        "残差合成一路，输出头给词表里每个 token 打分",
        "除以温度，留下概率够数的几个，抽出一个",
        "抽中的接到末尾；下一步只算它一个，历史靠 KV",
        "先猜几个再一起验证：每步多得几个，每步又贵了多少",
        "首个 token 看预填充，之后每个看 TPOT；有没有草稿差多少",
    ],
    details: DETAILS,
};

pub(super) const EN: Chapter = Chapter {
    heading: "One token, then the next",
    lead: "Decoding is a loop: the last token passes all layers, the head scores the vocabulary, temperature and top-p decide what may be drawn, one token is drawn and appended, and it starts again. The KV of all before stays, but weights are read anew each time. To go round less often, guess a few tokens and verify them together.",
    takeaways: [
        "Every token passes every layer, and each layer waits for the one before it: more GPUs do not change that.",
        "Temperature changes the gaps, top-p cuts the tail. Both come after the head, leave the model alone and take hardly any time.",
        "Drafts gain by being accepted and cost the further experts that verifying reads. With few accepted, or in a large batch already, deeper guesses lose.",
    ],
    step_names: &["Layers", "Head", "Sample", "Append", "Drafts", "Times"],
    step_texts: &[
        "A token and its streams pass all layers in order; the first ones take experts from a table",
        "The streams become one, and the head scores every token of the vocabulary",
        "Divide by the temperature, keep the likeliest that reach top-p, draw one",
        "The drawn token is appended; the next step computes it alone, the rest is in the KV",
        "Guess a few and verify them together: what a step gains, and what it costs",
        "The first token waits for the prefill, the rest come by TPOT; what drafts change",
    ],
    details: DETAILS,
};

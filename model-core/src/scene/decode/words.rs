//! The words inside the picture of "decode", in both languages. `{…}` stand for values.

use super::Step;
use super::frame::Panel;
use crate::scene::Text;

pub(super) const TITLE: Text = ["生成一个，再接着生成一个", "One token, then the next"];

pub(super) const STRIP: Text = [
    "{layers} 个主干层，按真实次序；{streams} 路残差一路相伴，每路 {hidden} 个值",
    "{layers} main layers in their true order; {streams} residual streams of {hidden} values run along",
];
pub(super) const NARROW_STRIP: Text =
    ["{layers} 层，{streams} 路残差 × {hidden}", "{layers} layers, {streams} streams × {hidden}"];
pub(super) const HEAD: Text = ["输出头", "Head"];
pub(super) const KINDS: [Text; 5] = [
    ["CSA", "CSA"],
    ["HCA", "HCA"],
    ["只有窗口", "window only"],
    ["按编号查表选专家", "experts by table"],
    ["残差流", "streams"],
];

/// Heads of the panels.
pub(super) const fn panel(panel: Panel) -> Text {
    match panel {
        Panel::Sample => ["从 logits 到一个 token", "From logits to a token"],
        Panel::Append => ["追加，再来一轮", "Append and go on"],
        Panel::Draft => ["草稿划不划算", "Are drafts worth it"],
        Panel::Times => ["第一个与之后每个", "The first and the rest"],
    }
}

pub(super) const SMALL: Text =
    ["小模型真跑：{vocab} 个词里最像的 {shown} 个", "Small model, run: likeliest {shown} of {vocab}"];
pub(super) const KEPT: Text =
    ["灰为原样，黄为可抽，共 {kept} 个", "grey: plain, amber: may be drawn, {kept}"];
pub(super) const PROMPT: Text = ["提示词 {prompt} 个", "prompt, {prompt}"];
pub(super) const GROWTH: Text = [
    "每步各层窗口写一行；每 {m} 步多一条 CSA，每 {n} 步多一条 HCA",
    "A step writes a window row a layer; every {m} a CSA entry, every {n} an HCA one",
];
pub(super) const LINES: [Text; 3] =
    [["每步 token", "tokens a step"], ["每步时间", "time a step"], ["加速", "speed-up"]];
pub(super) const DRAFT: [Text; 6] = [
    ["草稿深度", "depth"],
    ["每步期望 token", "tokens a step"],
    ["验证一步", "verifying"],
    ["打草稿", "drafting"],
    ["加速", "speed-up"],
    ["最划算的深度", "best depth"],
];
pub(super) const TIMES: [Text; 5] = [
    ["TTFT（不排队）", "TTFT, no queue"],
    ["TPOT，无草稿", "TPOT, plain"],
    ["TPOT，有草稿", "TPOT, drafts"],
    ["合计吞吐，无", "all, plain"],
    ["合计吞吐，有", "all, drafts"],
];
pub(super) const ANSWERS: [Text; 2] = [
    ["{answer} 个 token，无草稿", "{answer} tokens, plain"],
    ["{answer} 个 token，有草稿", "{answer} tokens, drafts"],
];

/// What the times rest on.
pub(super) const GROUNDS: [Text; 5] = [
    [
        "时间按报告的屋顶线；草稿块按一层加输出头估",
        "Times: the report's roofline; a draft counts as a layer and the head",
    ],
    ["时间按下限加每层延迟 {low}", "Times: floor plus {low} a layer"],
    [
        "每层延迟只知 {low} 到 {high}，取短的一头",
        "Latency a layer known only as {low} to {high}: the short end is taken",
    ],
    [
        "教程不计时，借精确账；每层延迟 {low} 到 {high}，取短的一头",
        "The walkthrough times nothing: exact floor, latency {low} to {high} a layer, short end",
    ],
    ["这个划分切不开模型，没有时间可说", "The model cannot be cut this way: no times"],
];

/// Caption of a step.
pub(super) const fn caption(step: Step) -> Text {
    match step {
        Step::Layers => [
            "token 依次穿过 {layers} 层：每层读自己的 KV 和权重，改写 {streams} 路残差；前 {hash} 层按编号查表选专家",
            "The token passes {layers} layers, each with its own KV and weights; the first {hash} take experts from a table",
        ],
        Step::Head => [
            "{streams} 路残差合成一路，输出头给词表里 {entries} 个 token 各打一个分",
            "The {streams} streams become one, and the head scores each of the {entries} tokens of the vocabulary",
        ],
        Step::Sample => [
            "分数除以温度 {temperature}，留下概率合计到 {top_p} 的 {kept} 个，抽中 t{token}",
            "Divide by temperature {temperature}, keep the {kept} likeliest that reach {top_p}, and draw t{token}",
        ],
        Step::Append => [
            "抽中的 token 接到末尾，成为下一步的输入；历史的 KV 留着，不用重算",
            "The token is appended and is the next step's input; the KV of all before it stays and is not computed again",
        ],
        Step::Draft => [
            "先猜 {depth} 个再一起验证：接受率 {acceptance} 时每步得 {gained} 个，每步变成 {step}，合 {speed} 倍",
            "Guess {depth}, verify together: at {acceptance} accepted a step gains {gained} and takes {step}, {speed} × as fast",
        ],
        Step::Times => [
            "{prompt} 个 token 的提示词：首个 token 要 {ttft}，之后每个 {plain}，有草稿 {tpot}",
            "A prompt of {prompt} tokens: the first token takes {ttft}, each further one {plain}, with drafts {tpot}",
        ],
    }
}

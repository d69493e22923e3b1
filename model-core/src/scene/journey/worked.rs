//! The calculation of "journey": the step put together from its parts, as the ledger in use does it.

use crate::figure::{Ledger, Report, Unit};
use crate::formula;
use crate::ledger::journey::{DecodeStep, Kind};
use crate::scenario::Settings;
use crate::scene::worked::{Sheet, Worked, sum_of};
use crate::scene::{Look, Text};

/// What the calculation starts from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Basis {
    ledger: Ledger,
    /// Values of the figures in [`IDS`].
    figures: [Option<f64>; IDS.len()],
    /// Values of the figures in [`LIMITS`]; not a number where there is none.
    limits_s: [[f64; 2]; LIMITS.len()],
    layers: f64,
    batch: f64,
    /// The step's time at least and at most; not a number where there is none.
    step_s: [f64; 2],
    /// Latency of a layer, at least and at most.
    latency_s: [f64; 2],
    /// The tutorial's parts.
    measured_s: [f64; 4],
}

/// A stage's time over its bytes and over its FLOPs: projections, attention, experts, head.
const LIMITS: [[&str; 2]; 4] = [
    ["decode.proj.hbm_s", "decode.proj.compute_s"],
    ["decode.attn.hbm_s", "decode.attn.compute_s"],
    ["decode.moe.hbm_s", "decode.moe.compute_s"],
    ["decode.head.hbm_s", "decode.head.compute_s"],
];

const IDS: [&str; 9] = [
    "decode.proj_s",
    "decode.attn_s",
    "decode.moe_s",
    "decode.head_s",
    "decode.other_s",
    "decode.mtp_s",
    "decode.overhead_s",
    "decode.floor_s",
    "decode.tokens_per_request_step",
];

impl Basis {
    pub(super) fn of(report: &Report, settings: &Settings, step: &DecodeStep) -> Self {
        let layers =
            step.events.iter().filter_map(|event| event.layer).max().map_or(0.0, |last| last as f64 + 1.0);
        let of = |kinds: &[Kind]| step.taken_s(|event| kinds.contains(&event.kind))[0];
        let waits =
            step.taken_s(|event| event.layer.is_some() && (event.kind.sends() || event.kind == Kind::Wait));
        Self {
            ledger: report.ledger,
            figures: IDS.map(|id| report.number(id)),
            limits_s: LIMITS.map(|ids| ids.map(|id| report.number(id).unwrap_or(f64::NAN))),
            layers,
            batch: settings.batch as f64,
            step_s: step.step_s.unwrap_or([f64::NAN; 2]),
            latency_s: waits.map(|all| if step.step_s.is_some() { all / layers } else { f64::NAN }),
            measured_s: [
                of(&[Kind::Attend]),
                of(&[Kind::Experts]),
                of(&[Kind::OutputSum, Kind::RoutedSum, Kind::Dispatch, Kind::Combine]),
                of(&[Kind::Finish]),
            ],
        }
    }

    fn figure(&self, at: usize) -> f64 {
        self.figures.get(at).copied().flatten().unwrap_or(f64::NAN)
    }
}

const TITLE: Text = ["一步的时间是怎样加起来的", "How a step's time adds up"];

/// The scenario's calculation.
pub(super) fn of(basis: &Basis, look: Look) -> Worked {
    match basis.ledger {
        Ledger::Tutorial => tutorial(basis, look),
        Ledger::Report => report(basis, look),
        Ledger::Exact => exact(basis, look),
    }
}

fn tutorial(basis: &Basis, look: Look) -> Worked {
    let mut sheet = Sheet::new(look, TITLE);
    let [attention, experts, exposed, processor] = basis.measured_s;
    let l = basis.layers;
    let share = |sheet: &mut Sheet, text, all: f64| {
        sheet.line(text, Unit::Seconds, all / l, formula!("{t} / {L}", t = all => Seconds, L = l))
    };
    let a = share(&mut sheet, ["注意力的时间摊到每一层", "Attention's time, for each layer"], attention);
    let e = share(&mut sheet, ["专家计算摊到每一层", "Experts' time, for each layer"], experts);
    let w = sheet.line(
        ["没藏住的通信：每层两次，每次这么久", "Waiting for links: two exchanges a layer, each"],
        Unit::Seconds,
        exposed / (2.0 * l),
        formula!("{t} / (2 × {L})", t = exposed => Seconds, L = l),
    );
    let all = sheet.line(
        ["所有层加起来", "All layers together"],
        Unit::Seconds,
        l * (a + e + 2.0 * w),
        formula!("{L} × ({a} + {e} + 2 × {w})", L = l, a = a => Seconds, e = e => Seconds, w = w => Seconds),
    );
    let step = sheet.line(
        ["再加上 CPU 和调度，就是一步", "With CPU and scheduling, a step"],
        Unit::Seconds,
        all + processor,
        formula!("{T} + {t_cpu}", T = all => Seconds, t_cpu = processor => Seconds),
    );
    sheet.is("critical_path.before_s", Some(basis.step_s[0]));
    sheet.line(
        ["等通信占一步的几成", "Waiting's share of a step"],
        Unit::Count,
        exposed / step,
        formula!("{t} / {T}", t = exposed => Seconds, T = step => Seconds),
    );
    sheet.done()
}

/// A stage's line, and the figure it is.
fn stage(sheet: &mut Sheet, basis: &Basis, at: usize, text: Text) -> f64 {
    let value = basis.figure(at);
    let [memory, compute] = basis.limits_s.get(at).copied().unwrap_or([f64::NAN; 2]);
    let formula = formula!("max({t_HBM}, {t_comp})", t_HBM = memory => Seconds, t_comp = compute => Seconds);
    sheet.line(text, Unit::Seconds, value, formula);
    if let Some(id) = IDS.get(at) {
        sheet.is(id, Some(value));
    }
    value
}

const PROJ: Text = [
    "所有层的注意力投影：读权重和做运算，取长的那个",
    "Attention's projections, all layers: the longer of reading and computing",
];
const ATTN: Text = ["读缓存的注意力，也取长的那个", "Attention over the caches, likewise"];
const MOE: Text = ["路由和专家", "Router and experts"];

fn report(basis: &Basis, look: Look) -> Worked {
    let mut sheet = Sheet::new(look, TITLE);
    let proj = stage(&mut sheet, basis, 0, PROJ);
    let attn = stage(&mut sheet, basis, 1, ATTN);
    let moe = stage(&mut sheet, basis, 2, MOE);
    let head = stage(&mut sheet, basis, 3, ["输出头", "Output head"]);
    let fixed = basis.figure(6);
    let step = sheet.line(
        ["各阶段一个接一个，加上固定的调度时间", "Stages one after the other, and the fixed time"],
        Unit::Seconds,
        proj + attn + moe + head + fixed,
        formula!(
            "{t_proj} + {t_attn} + {t_moe} + {t_head} + {t_0}",
            t_proj = proj => Seconds,
            t_attn = attn => Seconds,
            t_moe = moe => Seconds,
            t_head = head => Seconds,
            t_0 = fixed => Seconds
        ),
    );
    sheet.is("decode.step_s", Some(basis.step_s[0]));
    sheet.line(
        ["每个请求一步出一个 token", "Each request gains one token a step"],
        Unit::TokensPerSecond,
        basis.batch / step,
        formula!("{B} / {t}", B = basis.batch, t = step => Seconds),
    );
    sheet.is("decode.tokens_per_s", Some(basis.batch / basis.step_s[0]));
    sheet.done()
}

fn exact(basis: &Basis, look: Look) -> Worked {
    let mut sheet = Sheet::new(look, TITLE);
    let proj = stage(&mut sheet, basis, 0, PROJ);
    let attn = stage(&mut sheet, basis, 1, ATTN);
    let moe = stage(&mut sheet, basis, 2, MOE);
    let rest = [3, 4, 5].map(|at| basis.figure(at));
    let others = sheet.line(
        ["输出头、残差混合和草稿", "Output head, stream mixing and drafts"],
        Unit::Seconds,
        rest.iter().sum(),
        sum_of(&rest, Unit::Seconds),
    );
    let floor = sheet.line(
        ["加起来是下限：字节和运算再快也要这么久", "Together the floor: bytes and FLOPs allow no less"],
        Unit::Seconds,
        proj + attn + moe + others,
        sum_of(&[proj, attn, moe, others], Unit::Seconds),
    );
    sheet.is("decode.floor_s", basis.figures.get(7).copied().flatten());
    let [low, high] = basis.latency_s;
    let one = low == high;
    let ids = if one { ["decode.step_s"; 2] } else { ["decode.step_low_s", "decode.step_high_s"] };
    let fixed = basis.figure(6);
    let texts = if one {
        [["每层再等这么久，就是一步", "With the latency of each layer, a step"]; 2]
    } else {
        [
            ["每层至少再等这么久：一步的下端", "With the least latency known for a layer: a step at least"],
            ["每层最多等这么久：一步的上端", "With the most: a step at most"],
        ]
    };
    let ends = if one { 1 } else { 2 };
    let mut step = f64::NAN;
    for (end, (text, id)) in texts.into_iter().zip(ids).take(ends).enumerate() {
        let each = if end == 0 { low } else { high };
        step = sheet.line(
            text,
            Unit::Seconds,
            floor + basis.layers * each + fixed,
            formula!(
                "{t_floor} + {L} × {c} + {t_0}",
                t_floor = floor => Seconds,
                L = basis.layers,
                c = each => Seconds,
                t_0 = fixed => Seconds
            ),
        );
        sheet.is(id, Some(basis.step_s[end]));
    }
    let gained = basis.figure(8);
    sheet.line(
        ["这样一步，每秒出多少 token", "Tokens a second at that step"],
        Unit::TokensPerSecond,
        basis.batch * gained / step,
        formula!("{B} × {n} / {t}", B = basis.batch, n = gained, t = step => Seconds),
    );
    let id = if one { "decode.tokens_per_s" } else { "decode.tokens_per_s_low" };
    sheet.is(id, Some(basis.batch * gained / basis.step_s[usize::from(!one)]));
    sheet.done()
}

//! The calculation of "place": from one expert to everything a GPU holds, and that against its memory.

use super::Placing;
use crate::figure::{Figure, Ledger, Report, Unit, Value};
use crate::formula;
use crate::formula::Formula;
use crate::ledger::memory::Part;
use crate::plan::Plan;
use crate::scenario::Settings;
use crate::scene::Look;
use crate::scene::routed::expert_bytes;
use crate::scene::worked::{Sheet, Worked, sum_of};
use crate::spec::ModelSpec;
use crate::units::Bytes;
use crate::words::Words;

/// A four-bit weight with its share of an eight-bit scale.
const FP4_BYTES: f64 = 4.0 / 8.0 + 1.0 / 32.0;

/// What the calculation begins with.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Basis {
    /// A ledger that divides all weights alike has the figure that says so; the others begin with an expert.
    whole: Option<Figure>,
    /// Width of the model, width of an expert, bytes of a weight with its share of the scales.
    expert: [f64; 3],
    /// Routed experts of a layer, and the GPUs they are dealt over.
    dealt: [f64; 2],
    /// The only part beside the routed experts, where there is just one.
    rest: Option<Figure>,
    /// One request's cache on a GPU, and the batch's.
    caches: [Option<Figure>; 2],
    /// What is left, or what is missing.
    left: Option<Figure>,
}

impl Basis {
    pub(super) fn of(report: &Report, settings: &Settings, spec: &ModelSpec) -> Self {
        let given = |id: &str| report.get(id).filter(|figure| figure.value != Value::Absent).cloned();
        let params = spec.expert_params().max(1) as f64;
        let each = report.number("weights.routed.bytes_per_param");
        let tutorial = report.ledger == Ledger::Tutorial;
        let missing = report.bytes("memory.short.bytes_per_gpu") > Bytes::ZERO;
        Self {
            whole: report.get("weights.bytes_per_gpu").filter(|_| report.ledger == Ledger::Report).cloned(),
            expert: [
                spec.hidden as f64,
                spec.expert_hidden as f64,
                each.unwrap_or_else(|| expert_bytes(settings, spec) / params),
            ],
            dealt: [
                spec.experts as f64,
                f64::from(if tutorial { settings.tp } else { Plan::of(settings).ep }),
            ],
            rest: given("weights.shared.bytes_per_gpu").filter(|_| tutorial),
            caches: ["cache.request.bytes_per_gpu", "cache.batch.bytes_per_gpu"].map(given),
            left: given(if missing { "memory.short.bytes_per_gpu" } else { "memory.free.bytes_per_gpu" }),
        }
    }
}

/// The scenario's calculation.
pub(super) fn of(placing: &Placing, look: Look) -> Worked {
    let mut sheet = Sheet::new(look, ["一张卡要放下多少", "What one GPU has to hold"]);
    let basis = &placing.basis;
    let weights = match &basis.whole {
        Some(whole) => {
            figure(&mut sheet, ["全部权重由各卡平分", "All weights, shared out evenly"], Some(whole))
        }
        None => by_expert(&mut sheet, placing, look),
    };
    if basis.whole.is_some() {
        let text = ["一个请求的缓存，也由各卡平分", "One request's cache, shared out as well"];
        figure(&mut sheet, text, basis.caches[0].as_ref());
    }
    let text = ["这批请求的缓存", "The caches of the whole batch"];
    let cache = figure(&mut sheet, text, basis.caches[1].as_ref());
    let need = sheet.line(
        ["加起来，就是这张卡要放的", "Together: what this GPU has to hold"],
        Unit::Bytes,
        weights + cache,
        formula!("{W} + {M_cache}", W = weights => Bytes, M_cache = cache => Bytes),
    );
    sheet.is(placing.need_figure, Some(placing.need.get()));
    left(&mut sheet, placing, need);
    sheet.done()
}

/// A line that is a figure, by the figure's own formula; absent where the figure is.
fn figure(sheet: &mut Sheet, text: [&'static str; 2], figure: Option<&Figure>) -> f64 {
    let Some((figure, value)) = figure.and_then(|figure| Some((figure, figure.value.number()?))) else {
        return sheet.line(text, Unit::Bytes, f64::NAN, Formula::GIVEN);
    };
    sheet.line(text, figure.unit, value, figure.formula.clone());
    sheet.is(figure.id, Some(value));
    value
}

/// One expert, those of a GPU, and what lies beside them: all weights.
fn by_expert(sheet: &mut Sheet, placing: &Placing, look: Look) -> f64 {
    let Basis { expert: [d, d_ff, s], dealt: [all, gpus], rest, .. } = &placing.basis;
    let (text, formula) = if *s == FP4_BYTES {
        (
            [
                "一个路由专家：三个矩阵，每个权重 4 位，每 32 个权重另有 1 字节缩放系数",
                "One routed expert: three matrices of four-bit weights, with a byte of scale for every 32",
            ],
            formula!("3 × {d} × {d_ff} × (4 / 8 + 1 / 32)", d = *d, d_ff = *d_ff),
        )
    } else {
        (
            [
                "一个路由专家：三个矩阵，缩放系数摊到每个权重上",
                "One routed expert: three matrices, each weight with its share of scales",
            ],
            formula!("3 × {d} × {d_ff} × {s}", d = *d, d_ff = *d_ff, s = *s => Bytes),
        )
    };
    let one = sheet.line(text, Unit::Bytes, 3.0 * d * d_ff * s, formula);
    let each = sheet.line(
        ["每层的路由专家平分给各卡", "A layer's routed experts, dealt out evenly"],
        Unit::Count,
        all / gpus,
        formula!("{E} / {G}", E = *all, G = *gpus),
    );
    let lines = || placing.blocks.iter().map(|block| block.line);
    let held = lines().find(|line| line.part == Part::Routed);
    let held_bytes = held.map_or(f64::NAN, |line| line.bytes.get());
    // The layers that the fullest GPU holds.
    let layers = (held_bytes / (one * each)).round();
    let routed = sheet.line(
        ["这张卡上各层的路由专家合计", "Routed experts of all layers on this GPU"],
        Unit::Bytes,
        layers * each * one,
        formula!("{L} × {n} × {M_e}", L = layers, n = each, M_e = one => Bytes),
    );
    if let Some(line) = held {
        sheet.is(line.figure, Some(line.bytes.get()));
    }
    let others =
        || lines().filter(|line| !line.part.is_cache() && !matches!(line.part, Part::Routed | Part::Reserve));
    let text = ["其余权重：{parts}", "All other weights: {parts}"];
    let beside = if rest.is_some() {
        figure(sheet, text, rest.as_ref())
    } else {
        let bytes: Vec<f64> = others().map(|line| line.bytes.get()).collect();
        let sum = if held.is_some() { bytes.iter().sum() } else { f64::NAN };
        sheet.line(text, Unit::Bytes, sum, sum_of(&bytes, Unit::Bytes))
    };
    let words = Words::of(look.language);
    let names: Vec<&str> = others().map(|line| (words.part)(line.part)).collect();
    let names =
        if names.is_empty() { crate::format::ABSENT.to_owned() } else { names.join(look.say(["、", ", "])) };
    sheet.filled(&[("parts", names)]);
    sheet.line(
        ["这张卡上的全部权重", "All weights on this GPU"],
        Unit::Bytes,
        routed + beside,
        formula!("{M_routed} + {M_rest}", M_routed = routed => Bytes, M_rest = beside => Bytes),
    )
}

/// The sum against the memory.
fn left(sheet: &mut Sheet, placing: &Placing, need: f64) {
    let reserve = placing.blocks.iter().find(|block| block.line.part == Part::Reserve);
    let (c, m) = (placing.capacity.get(), need);
    let (text, value, formula) = match (placing.fits, reserve.map(|block| block.line.bytes.get())) {
        (true, None) => (ROOM, c - m, formula!("{C} − {M}", C = c => Bytes, M = m => Bytes)),
        (true, Some(r)) => {
            (ROOM, c - (m + r), formula!("{C} − ({M} + {R})", C = c => Bytes, M = m => Bytes, R = r => Bytes))
        }
        (false, None) => (SHORT, m - c, formula!("{M} − {C}", M = m => Bytes, C = c => Bytes)),
        (false, Some(r)) => {
            (SHORT, m + r - c, formula!("{M} + {R} − {C}", M = m => Bytes, R = r => Bytes, C = c => Bytes))
        }
    };
    sheet.line(text, Unit::Bytes, value, formula);
    if let Some(figure) = &placing.basis.left {
        sheet.is(figure.id, figure.value.number());
    }
}

const ROOM: [&str; 2] = ["和显存相比，还剩", "Held against the memory, this is left"];
const SHORT: [&str; 2] = ["和显存相比，还差", "Held against the memory, this is missing"];

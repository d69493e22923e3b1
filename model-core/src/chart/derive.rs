//! Each chart's data from the ledgers, the cost model and the routing; nothing is computed here but ratios that they
//! give.

use super::axis::Scale;
use super::data::{Chart, Form, Name, Series, level_name};
use super::{ChartId, words};
use crate::basis::Basis;
use crate::collective::Algorithm;
use crate::draw::{Fill, Paint};
use crate::figure::{Ledger, Unit};
use crate::ledger::memory::{Line, Sharing, lines_over, request_cache, request_over};
use crate::ledger::{
    Roof, ScanRow, StepPart, batch_scan, capacity_table, distinct_over, prefill_table, roof_points, step_grid,
};
use crate::plan::{self, Plan};
use crate::scenario::{Draw, Key, KvPlacement, Layout, Router, Scenario, Settings};
use crate::scene::routed::Routed;
use crate::scene::{Facts, Text, allreduce::Clock};
use crate::units::{Bytes, Seconds};

/// Stops of a slider that lie at whole and half doublings, and the value in force.
fn stops(key: Key, here: u64) -> Vec<u64> {
    let wanted = |stop: &u64| {
        let top = stop.checked_ilog2().unwrap_or(0).saturating_sub(1);
        stop.trailing_zeros() >= top
    };
    let mut stops: Vec<u64> = key.stops().into_iter().map(|stop| stop as u64).filter(wanted).collect();
    stops.push(here);
    stops.sort_unstable();
    stops.dedup();
    stops
}

fn numbers(values: &[u64]) -> Vec<f64> {
    values.iter().map(|value| *value as f64).collect()
}

fn seconds(time: Seconds) -> Option<f64> {
    Some(time.get())
}

/// What each GPU holds whole is dotted, as in the pictures of the cards.
const fn line_fill(line: &Line) -> Fill {
    match line.sharing {
        Sharing::Copied => Fill::Dotted(line.part.paint()),
        _ => Fill::Solid(line.part.paint()),
    }
}

fn memory(id: ChartId, basis: Basis, key: Key) -> Chart {
    let Basis { report, settings, spec, .. } = basis;
    if report.ledger == Ledger::Exact && !basis.legal() {
        return Chart::without(id, words::NO_PLAN);
    }
    let here = if key == Key::Batch { settings.batch } else { settings.context };
    let values = stops(key, here);
    let load = |value: &u64| match key {
        Key::Batch => (*value, settings.context),
        _ => (settings.batch, *value),
    };
    let loads: Vec<_> = values.iter().map(load).collect();
    let (lines, sizes) = lines_over(report, settings, spec, &loads);
    let mut chart = Chart::new(id, Scale::DOUBLING, Scale::linear(Unit::Bytes), numbers(&values));
    for (index, line) in lines.iter().enumerate() {
        let values = sizes.iter().map(|own| own.get(index).copied().map(Bytes::get)).collect();
        let series = Series::new(Name::Part(line.part), Form::Band, line_fill(line), values);
        chart.series.push(Series { figure: Some(line.figure), ..series });
    }
    chart.limit = report.number("gpu.memory.bytes");
    chart.marked_at(here as f64)
}

pub(super) fn memory_context(id: ChartId, basis: Basis) -> Chart {
    memory(id, basis, Key::Context)
}

pub(super) fn memory_batch(id: ChartId, basis: Basis) -> Chart {
    memory(id, basis, Key::Batch)
}

pub(crate) const fn part_fill(part: StepPart) -> Fill {
    match part {
        StepPart::Proj => Fill::Solid(Paint::WeightDeep),
        StepPart::Attn => Fill::Solid(Paint::Cache),
        StepPart::Moe => Fill::Solid(Paint::Weight),
        StepPart::Head => Fill::Dotted(Paint::WeightDeep),
        StepPart::Other => Fill::Solid(Paint::WeightSoft),
        StepPart::Draft => Fill::Solid(Paint::ComputeSoft),
        StepPart::Fixed => Fill::Solid(Paint::Mute),
    }
}

/// Why a ledger has no times, if so.
fn no_times(basis: Basis) -> Option<Text> {
    if basis.ledger() == Ledger::Tutorial {
        Some(words::NO_TIMES)
    } else {
        (!basis.legal()).then_some(words::NO_PLAN)
    }
}

/// Whether what fits has floors only.
fn floors<'a>(mut rows: impl Iterator<Item = &'a ScanRow>) -> bool {
    rows.all(|row| row.step.is_none())
}

pub(super) fn decode(id: ChartId, basis: Basis) -> Chart {
    if let Some(reason) = no_times(basis) {
        return Chart::without(id, reason);
    }
    let values = stops(Key::Batch, basis.settings.batch);
    let rows = basis.scan(&values);
    let mut chart = Chart::new(id, Scale::DOUBLING, Scale::linear(Unit::Seconds), numbers(&values));
    for (index, part) in StepPart::ALL.into_iter().enumerate() {
        let time = |row: &ScanRow| row.parts.and_then(|parts| parts.get(index).copied()).map(Seconds::get);
        let values: Vec<_> = rows.iter().map(time).collect();
        if values.iter().flatten().any(|time| *time > 0.0) {
            let series = Series::new(Name::Said(words::part(part)), Form::Band, part_fill(part), values);
            chart.series.push(Series { figure: part.figures().map(|[.., taken]| taken), ..series });
        }
    }
    chart.fits = vec![rows.iter().map(|row| row.fits).collect()];
    chart.floor = floors(rows.iter());
    chart.total = Some(if chart.floor { "decode.floor_s" } else { "decode.step_s" });
    chart.marked_at(basis.settings.batch as f64).or_reason(words::NO_PLAN)
}

/// Plans to compare, as a ledger tells them apart: the cut under TP and the group under attention by request.
const PLANS: [(&str, Key, f64, Fill); 6] = [
    ("tp", Key::Tp, 4.0, Fill::Solid(Paint::WeightSoft)),
    ("tp", Key::Tp, 8.0, Fill::Solid(Paint::Weight)),
    ("tp", Key::Tp, 16.0, Fill::Solid(Paint::WeightDeep)),
    ("dp_attention_ep", Key::Ep, 8.0, Fill::Hatched(Paint::CacheSoft)),
    ("dp_attention_ep", Key::Ep, 16.0, Fill::Hatched(Paint::Cache)),
    ("dp_attention_ep", Key::Ep, 64.0, Fill::Hatched(Paint::CacheDeep)),
];

/// GPUs to compare where a ledger splits everything evenly.
const EVEN_GPUS: [(f64, Fill); 4] = [
    (8.0, Fill::Solid(Paint::WeightSoft)),
    (16.0, Fill::Solid(Paint::Weight)),
    (32.0, Fill::Solid(Paint::WeightDeep)),
    (64.0, Fill::Hatched(Paint::WeightDeep)),
];

fn plan_name(ledger: Ledger, settings: &Settings) -> String {
    match ledger {
        Ledger::Exact => Plan::of(settings).to_string(),
        _ => format!("{} GPU", settings.gpus),
    }
}

pub(super) fn pareto(id: ChartId, basis: Basis) -> Chart {
    if basis.ledger() == Ledger::Tutorial {
        return Chart::without(id, words::NO_TIMES);
    }
    let ledger = basis.ledger();
    let batches: Vec<u64> = {
        let mut doublings: Vec<u64> = (0..=10).map(|power| 1_u64 << power).collect();
        doublings.push(basis.settings.batch);
        doublings.sort_unstable();
        doublings.dedup();
        doublings
    };
    let other = |choices: &[(Key, f64)], layout: Option<&str>| {
        let mut other = basis.scenario.clone();
        for key in [Key::Tp, Key::Ep, Key::Pp, Key::Gpus, Key::GpusPerNode] {
            other.forget(key);
        }
        if let Some(layout) = layout {
            let _ = other.choose_text(Key::Layout, layout);
        }
        for (key, number) in choices {
            let _ = other.choose_number(*key, *number);
        }
        other
    };
    let others: Vec<(Scenario, Fill)> = match ledger {
        Ledger::Exact => {
            let of = |(layout, key, number, fill): (&str, Key, f64, Fill)| {
                (other(&[(key, number)], Some(layout)), fill)
            };
            PLANS.into_iter().map(of).collect()
        }
        _ => EVEN_GPUS.into_iter().map(|(gpus, fill)| (other(&[(Key::Gpus, gpus)], None), fill)).collect(),
    };
    let own = plan_name(ledger, basis.settings);
    let mut chart = Chart::new(
        id,
        Scale::log(Unit::TokensPerSecond),
        Scale::log(Unit::TokensPerSecond),
        numbers(&batches),
    );
    let mut timed = false;
    let mut add = |name: String, fill: Fill, scenario: &Scenario, gpus: u32| {
        if plan::check(ledger, scenario, basis.spec).is_err() {
            return;
        }
        let rows = batch_scan(ledger, scenario, basis.spec, &batches);
        let rates = |index: usize| {
            let of = |row: &ScanRow| row.rates(gpus).and_then(|both| both.get(index).copied());
            rows.iter().map(of).collect::<Vec<_>>()
        };
        timed |= !floors(rows.iter());
        let series = Series::new(Name::Own(name), Form::Line, fill, rates(1));
        if series.values.iter().any(Option::is_some) {
            chart.series.push(Series { across: Some(rates(0)), ..series });
        }
    };
    for (scenario, fill) in &others {
        let settings = scenario.resolve(ledger);
        let name = plan_name(ledger, &settings);
        if name != own {
            add(name, *fill, scenario, settings.gpus);
        }
    }
    add(own.clone(), Fill::Solid(Paint::Ink), basis.scenario, basis.settings.gpus);
    chart.floor = !timed;
    chart.own = chart.series.iter().position(|series| series.name == Name::Own(own.clone()));
    if !chart.series.is_empty() {
        chart.series.extend(super::measured::points(basis));
    }
    chart.marked_at(basis.settings.batch as f64).or_reason(words::NOTHING_FITS)
}

pub(super) fn roofline(id: ChartId, basis: Basis) -> Chart {
    if let Some(reason) = no_times(basis) {
        return Chart::without(id, reason);
    }
    let points = roof_points(basis.report);
    let roof = Roof::of(basis.settings);
    let mut chart = Chart::new(
        id,
        Scale::log(Unit::FlopPerByte),
        Scale::log(Unit::FlopsPerSecond),
        vec![basis.settings.batch as f64],
    );
    for point in &points {
        let fill = Fill::Solid(match part_fill(point.part) {
            Fill::Dotted(_) => Paint::Token,
            Fill::Solid(paint) | Fill::Hatched(paint) => paint,
            Fill::Empty => Paint::Ink,
        });
        let name = Name::Said(words::part(point.part));
        let series = Series::new(name, Form::Dots, fill, vec![Some(point.reached().get())]);
        let figure = point.part.figures().map(|[.., taken]| taken);
        chart.series.push(Series { across: Some(vec![Some(point.intensity())]), figure, ..series });
    }
    let (low, high) = points
        .iter()
        .map(|point| point.intensity())
        .fold((roof.ridge(), roof.ridge()), |(low, high), at| (low.min(at), high.max(at)));
    // Room on either side, so that slope and flat part are seen.
    let ends = [low / 4.0, roof.ridge(), high * 4.0];
    chart.guide = ends.map(|at| (at, roof.at(at).get())).to_vec();
    chart.or_reason(words::NO_PLAN)
}

pub(super) fn cache(id: ChartId, basis: Basis) -> Chart {
    let values = stops(Key::Context, basis.settings.context);
    let parts = request_cache(basis.ledger(), basis.settings);
    let sizes = request_over(basis.ledger(), basis.settings, basis.spec, &values);
    let columns =
        (0..parts.len()).map(|index| sizes.iter().map(|own| own.get(index).map(|size| size.get())).collect());
    let mut chart = Chart::new(id, Scale::DOUBLING, Scale::log(Unit::Bytes), numbers(&values));
    chart.total = Some("cache.request.bytes");
    for ((part, figure), values) in parts.iter().zip(columns) {
        let series = Series::new(Name::Part(*part), Form::Band, Fill::Solid(part.paint()), values);
        chart.series.push(Series { figure: Some(figure), ..series });
    }
    chart.marked_at(basis.settings.context as f64)
}

/// Batches that are drawn as samples: few enough to be quick.
const SAMPLED: [u64; 6] = [1, 4, 16, 64, 256, 1024];

pub(super) fn experts(id: ChartId, basis: Basis) -> Chart {
    let values = stops(Key::Batch, basis.settings.batch);
    let mut chart = Chart::new(id, Scale::DOUBLING, Scale::linear(Unit::Count), numbers(&values));
    // The one in force first, under the other, which is dashed: the two are close.
    let mut draws = Draw::ALL.to_vec();
    draws.sort_by_key(|draw| *draw != basis.settings.draw);
    for draw in draws {
        let touched = distinct_over(basis.spec, draw, &values).into_iter().map(Some).collect();
        let own = draw == basis.settings.draw;
        let name = match draw {
            Draw::Distinct => words::DISTINCT,
            Draw::WithReplacement => words::WITH_REPLACEMENT,
        };
        let fill = if own { Fill::Solid(Paint::Weight) } else { Fill::Hatched(Paint::Ink) };
        let series = Series::new(Name::Said(name), Form::Line, fill, touched);
        let figure = own.then_some("moe.distinct_experts");
        chart.series.push(Series { figure, ..series });
    }
    chart.own = Some(0);
    // The small model has experts of its own, of another number.
    if basis.settings.router != Router::Engine {
        let once = Settings { batch: 1, ..basis.settings.clone() };
        let routed = Routed::new(&Facts { settings: &once, ..basis.facts() });
        let drawn = |batch: &u64| {
            let wanted = SAMPLED.contains(batch);
            wanted.then(|| routed.draw(*batch)).flatten().map(|drawn| drawn.distinct() as f64)
        };
        let dots: Vec<_> = values.iter().map(drawn).collect();
        if dots.iter().any(Option::is_some) {
            let fill = Fill::Solid(Paint::Compute);
            chart.series.push(Series::new(Name::Said(words::SAMPLE), Form::Dots, fill, dots));
        }
    }
    chart.marked_at(basis.settings.batch as f64)
}

/// Powers of two that the smallest and the largest message are.
const MESSAGES: (u32, u32) = (10, 30);

pub(super) fn allreduce(id: ChartId, basis: Basis) -> Chart {
    let clock = Clock::of(basis.facts());
    if clock.link.is_none() {
        return Chart::without(id, words::NOTHING_SENT);
    }
    let mut sizes: Vec<f64> = (MESSAGES.0..=MESSAGES.1).map(|power| (1_u64 << power) as f64).collect();
    sizes.push(clock.message.get());
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let mut chart = Chart::new(id, Scale::log(Unit::Bytes), Scale::log(Unit::Seconds), sizes.clone());
    for algorithm in Algorithm::ALL {
        let name = match algorithm {
            Algorithm::Ring => words::RING,
            Algorithm::Tree => words::TREE,
            Algorithm::InSwitch => words::IN_SWITCH,
        };
        let fill = match algorithm {
            Algorithm::Ring => Fill::Solid(Paint::Comm),
            Algorithm::Tree => Fill::Hatched(Paint::Comm),
            Algorithm::InSwitch => Fill::Solid(Paint::Ink),
        };
        let times = sizes.iter().map(|size| seconds(clock.cost(algorithm, Bytes(*size)).total()));
        chart.series.push(Series::new(Name::Said(name), Form::Line, fill, times.collect()));
    }
    chart.own = Algorithm::ALL.iter().position(|algorithm| *algorithm == basis.settings.algorithm);
    chart.marked_at(clock.message.get())
}

/// Parts that the range of prefixes is cut into.
const PREFIXES: u64 = 32;

pub(super) fn prefill(id: ChartId, basis: Basis) -> Chart {
    if let Some(reason) = no_times(basis) {
        return Chart::without(id, reason);
    }
    let most = Key::Prefix.stops().last().copied().unwrap_or(0.0) as u64;
    let mut prefixes: Vec<u64> = (0..=PREFIXES).map(|part| most / PREFIXES * part).collect();
    prefixes.push(basis.settings.prefix);
    prefixes.sort_unstable();
    prefixes.dedup();
    let rows = prefill_table(basis.ledger(), basis.scenario, basis.spec, &prefixes);
    let across = Scale { doubling: true, ..Scale::linear(Unit::Count) };
    let mut chart = Chart::new(id, across, Scale::linear(Unit::Seconds), numbers(&prefixes));
    type Of = fn(&crate::ledger::PrefillRow) -> Option<Seconds>;
    let parts: [(Text, Fill, Option<&'static str>, Of); 6] = [
        (words::part(StepPart::Proj), part_fill(StepPart::Proj), Some("prefill.proj_s"), |row| {
            Some(row.proj)
        }),
        (words::part(StepPart::Attn), part_fill(StepPart::Attn), Some("prefill.attn_s"), |row| {
            Some(row.attn)
        }),
        (words::part(StepPart::Moe), part_fill(StepPart::Moe), Some("prefill.moe_s"), |row| Some(row.moe)),
        (words::EXCHANGE, Fill::Solid(Paint::Comm), Some("prefill.exchange_s"), |row| row.exchange),
        (words::REST, Fill::Solid(Paint::WeightSoft), None, |row| Some(row.rest)),
        (words::PREFILL_FIXED, part_fill(StepPart::Fixed), None, |row| Some(row.fixed)),
    ];
    chart.total = Some("prefill.step_s");
    for (name, fill, figure, of) in parts {
        let values: Vec<_> = rows.iter().map(|row| of(row).map(Seconds::get)).collect();
        if values.iter().flatten().any(|time| *time > 0.0) {
            chart.series.push(Series { figure, ..Series::new(Name::Said(name), Form::Band, fill, values) });
        }
    }
    chart.marked_at(basis.settings.prefix as f64).or_reason(words::NO_PLAN)
}

pub(super) fn capacity(id: ChartId, basis: Basis) -> Chart {
    if basis.ledger() == Ledger::Tutorial {
        return Chart::without(id, words::NO_CAPACITY);
    }
    let values = stops(Key::Context, basis.settings.context);
    let mut chart = Chart::new(id, Scale::DOUBLING, Scale::DOUBLING, numbers(&values));
    let ways = [
        (words::COPIED, KvPlacement::Copied, Fill::Solid(Paint::CacheSoft)),
        (words::SPLIT, KvPlacement::Split, Fill::Solid(Paint::CacheDeep)),
        (words::BY_REQUEST, KvPlacement::ByPlan, Fill::Hatched(Paint::Cache)),
    ];
    let mut legal = false;
    for (name, placement, fill) in ways {
        let mut scenario = basis.scenario.clone();
        let by_request = placement == KvPlacement::ByPlan;
        let _ = scenario.choose_text(Key::KvPlacement, placement.word());
        if by_request && basis.settings.layout != Layout::DpAttentionEp {
            // The same GPUs, each with requests of its own.
            let _ = scenario.choose_text(Key::Layout, Layout::DpAttentionEp.word());
            scenario.forget(Key::Tp);
            let _ = scenario.choose_number(Key::Ep, f64::from(basis.settings.ep));
        }
        legal |= plan::check(basis.ledger(), &scenario, basis.spec).is_ok();
        let rows = capacity_table(basis.ledger(), &scenario, basis.spec, &values);
        let most = rows.iter().map(|row| row.max_batch_reserved.map(|most| most as f64)).collect();
        chart.series.push(Series::new(Name::Said(name), Form::Line, fill, most));
    }
    let own = match (basis.settings.kv_placement, basis.settings.layout) {
        (KvPlacement::Copied, _) | (KvPlacement::ByPlan, Layout::Tp) => 0,
        (KvPlacement::Split, _) => 1,
        (KvPlacement::ByPlan, Layout::DpAttentionEp) => 2,
    };
    chart.own = Some(own);
    if let Some(series) = chart.series.get_mut(own) {
        series.figure = Some("capacity.max_batch_reserved");
    }
    let chart = chart.marked_at(basis.settings.context as f64);
    if !legal {
        return Chart::without(id, words::NO_PLAN);
    }
    let some = chart.series.iter().any(|series| series.values.iter().flatten().any(|most| *most > 0.0));
    if some { chart } else { Chart::without(id, words::NOTHING_FITS) }
}

/// Contexts and batches of the heat map.
const HEAT_CONTEXTS: [u64; 9] = [4096, 8192, 16_384, 32_768, 65_536, 131_072, 262_144, 524_288, 1_048_576];
const HEAT_BATCHES: [u64; 11] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

pub(super) fn heat(id: ChartId, basis: Basis) -> Chart {
    if let Some(reason) = no_times(basis) {
        return Chart::without(id, reason);
    }
    let grid = step_grid(basis.ledger(), basis.scenario, basis.spec, &HEAT_CONTEXTS, &HEAT_BATCHES);
    let mut chart = Chart::new(id, Scale::DOUBLING, Scale::DOUBLING, numbers(&HEAT_BATCHES));
    for (context, rows) in HEAT_CONTEXTS.into_iter().zip(&grid) {
        let times = rows.iter().map(|row| row.step_or_floor().map(Seconds::get)).collect();
        chart.series.push(Series::new(level_name(context), Form::Cells, Fill::Solid(Paint::Compute), times));
        chart.fits.push(rows.iter().map(|row| row.fits).collect());
        chart.levels.push(context as f64);
    }
    chart.floor = floors(grid.iter().flatten());
    chart.cell = Some((basis.settings.batch as f64, basis.settings.context as f64));
    chart.own = HEAT_CONTEXTS.iter().position(|context| *context == basis.settings.context);
    chart.marked_at(basis.settings.batch as f64).or_reason(words::NOTHING_FITS)
}

//! The panels of "request": the way to the first token, the prefix cache, pages, batches, traffic. Each fills the box it
//! is given, on a wide stage beside the others, on a narrow one alone.

use super::frame::Stage;
use super::sheet::{Group, Panel};
use super::words;
use super::{Point, Regime};
use crate::draw::{Anchor, Fill, Paint, Shape, Type};
use crate::format;
use crate::scene::sheet::Sheet;
use crate::simulate::outcome::{Percentiles, Sample};
use crate::simulate::prefix::Policy;
use crate::simulate::requests::SAMPLES;
use crate::units::{Bytes, Seconds};

/// Pages drawn one by one at most.
const MOST_PAGES: u64 = 240;

pub(super) fn draw(
    stage: &Stage,
    sheet: &mut Sheet,
    panel: Panel,
    [x, y, width, height]: [f64; 4],
    size: f64,
) {
    sheet.panel(Some(panel as usize));
    sheet.group(Group::ALWAYS);
    sheet.rect([x, y, width, height], 12.0, Fill::Solid(Paint::Card)).stroked(Paint::Line, 2.0);
    let inner = [x + 16.0, y, width - 32.0, height];
    let title = stage.look.say(words::panel(panel));
    sheet.text((inner[0], y + size * 1.75), title, Type::new(size + 2.0, Paint::Ink).bold());
    let body = [inner[0], y + size * 2.5, inner[2], height - size * 3.0];
    match panel {
        Panel::First => first(stage, sheet, body, size),
        Panel::Prefix => prefix(stage, sheet, body, size),
        Panel::Pages => pages(stage, sheet, body, size),
        Panel::Batch => batch(stage, sheet, body, size),
        Panel::Run => run(stage, sheet, body, size),
    }
    sheet.group(Group::ALWAYS);
    sheet.panel(None);
}

fn seconds(s: f64) -> String {
    format::seconds(Seconds(s)).to_string()
}

/// The typical prompt as a strip, and where the time to the first token goes.
fn first(stage: &Stage, sheet: &mut Sheet, [x, y, width, _]: [f64; 4], size: f64) {
    let traffic = &stage.scene.traffic;
    let scale = width / (traffic.typical.prompt as f64).max(1.0);
    let strip = |from: u64, tokens: u64| [x + from as f64 * scale, y, tokens as f64 * scale, size];
    sheet.rect(strip(0, traffic.typical.prompt), 3.0, Fill::Solid(Paint::Sunk));
    sheet.group(Group::RESTORE);
    sheet.bar(strip(0, traffic.typical.found), Fill::Solid(Paint::Cache));
    let chunks = stage.scene.drawn_chunks();
    for index in 0..super::MOST_CHUNKS {
        sheet.group(Group::chunk(index));
        let (from, tokens) = chunks.get(index).copied().unwrap_or((traffic.typical.prompt, 0));
        let [left, top, wide, high] = strip(from, tokens);
        // A hairline of paper keeps neighbours apart.
        sheet.bar([left, top, (wide - 2.0).max(0.0), high], Fill::Solid(Paint::Compute));
    }
    let parts = traffic.run.first;
    let total = parts.total_s();
    let rows = [
        (Group::WAIT, parts.queue_s, Paint::Mute),
        (Group::RESTORE, parts.restore_s, Paint::Cache),
        (Group::chunk(0), parts.prefill_s, Paint::Compute),
        (Group::FIRST, parts.step_s, Paint::Token),
    ];
    let known = traffic.run.started > 0;
    let told = |s: f64| if known { seconds(s) } else { format::ABSENT.to_owned() };
    let mut top = y + size * 2.3;
    for ((group, part, paint), name) in rows.into_iter().zip(words::FIRST) {
        sheet.group(if group == Group::RESTORE && traffic.typical.found == 0 {
            Group::keep(0)
        } else {
            group
        });
        sheet.pair([x, top + size * 0.4, width], stage.look.say(name), told(part), size);
        let share = if total > 0.0 { part / total } else { 0.0 };
        sheet.bar([x, top + size * 0.8, width * share, size * 0.4], Fill::Solid(paint));
        top += size * 2.5;
    }
    sheet.group(Group::FIRST);
    sheet.line((x, top - size * 0.6), (x + width, top - size * 0.6), Paint::Line, 2.0);
    sheet.pair([x, top + size * 0.8, width], stage.look.say(words::TOTAL), told(total), size + 2.0);
    let answer = stage.say(words::ANSWER);
    sheet.lines((x, top + size * 2.6), width, &answer, 2, &[size], Type::new(size, Paint::Mute));
}

/// What is kept of window rows, and what that costs.
fn prefix(stage: &Stage, sheet: &mut Sheet, [x, y, width, _]: [f64; 4], size: f64) {
    let traffic = &stage.scene.traffic;
    let most = traffic.policies.iter().map(|cost| cost.stored.get()).fold(1.0, f64::max);
    let mut top = y + size * 0.4;
    for (index, (policy, cost)) in Policy::ALL.into_iter().zip(traffic.policies).enumerate() {
        sheet.group(Group::keep(index));
        let name = stage.look.say(words::policy(policy));
        let bytes = |amount: Bytes| format::bytes(amount, stage.look.base).to_string();
        sheet.pair([x, top + size * 0.6, width], name, bytes(cost.stored), size);
        sheet.bar([x, top + size, width * cost.stored.get() / most, size * 0.4], Fill::Solid(Paint::Cache));
        let values = [("read", bytes(cost.read)), ("again", format::count(cost.recomputed as f64))];
        let told = crate::words::fill(stage.look.say(words::KEPT), &values);
        sheet.lines((x, top + size * 2.6), width, &told, 1, &[size], Type::new(size, Paint::Mute));
        top += size * 4.1;
    }
    sheet.group(Group::keep(2));
    let note = stage.say(words::RATIO);
    sheet.lines((x, top + size * 0.7), width, &note, 2, &[size], Type::new(size, Paint::Ink));
}

/// The typical request's pages, and the pool.
fn pages(stage: &Stage, sheet: &mut Sheet, [x, y, width, _]: [f64; 4], size: f64) {
    let traffic = &stage.scene.traffic;
    let pages = traffic.typical.prompt.div_ceil(traffic.engine.page_tokens);
    let shown = pages.clamp(1, MOST_PAGES) as usize;
    sheet.group(Group::ALLOT);
    let area = [x, y, width, size * 4.0];
    sheet.shape(crate::scene::parts::squares(area, shown, shown, size * 1.4), Fill::Solid(Paint::Cache));
    let number = |count: u64| format::count(count as f64);
    let bytes = |amount: Bytes| format::bytes(amount, stage.look.base).to_string();
    let run = &traffic.run;
    let peak = run.pool.peak as f64 / (traffic.engine.pages as f64).max(1.0);
    let told = |share: f64| {
        if stage.scene.step.is_some() { format::percent(share) } else { format::ABSENT.to_owned() }
    };
    let rows = [
        (Group::ALLOT, number(traffic.engine.page_tokens)),
        (Group::ALLOT, bytes(traffic.page.0)),
        (Group::ALLOT, number(pages)),
        (Group::ALLOT, bytes(traffic.page.1)),
        (Group::POOL, number(traffic.engine.pages)),
        (Group::POOL, told(peak)),
        (Group::POOL, told(run.empty_slots)),
    ];
    let mut top = y + size * 5.4;
    for (index, ((group, value), name)) in rows.into_iter().zip(words::PAGES).enumerate() {
        sheet.group(group);
        let name = if index == 4 && !traffic.fits { words::ASSUMED } else { name };
        sheet.pair([x, top, width], stage.look.say(name), value, size);
        top += size * 1.62;
    }
}

/// Step and throughput over all batches, with the regimes behind them.
fn batch(stage: &Stage, sheet: &mut Sheet, [x, y, width, _]: [f64; 4], size: f64) {
    let scene = stage.scene;
    let high = size * 6.0;
    let (least, most) = (1.0, scene.curve.last().map_or(1, |point| point.batch) as f64);
    let across =
        |batch: f64| x + width * (libm::log2(batch / least) / libm::log2(most / least)).clamp(0.0, 1.0);
    sheet.group(Group::CURVE);
    let border = |share: f64| {
        let first = scene.curve.iter().find(|point| point.touched >= share);
        first.map_or(x + width, |point| across(point.batch as f64))
    };
    let [medium, large] = Regime::BORDERS.map(border);
    let zones = [(x, medium), (medium, large), (large, x + width)];
    for (index, ((from, to), name)) in zones.into_iter().zip(words::REGIMES).enumerate() {
        let fill = if index == 1 { Paint::Sunk } else { Paint::Band };
        sheet.rect([from, y, to - from, high], 0.0, Fill::Solid(fill));
        let set = Type::new(size, Paint::Mute).anchored(Anchor::Middle);
        let name = stage.look.say(name);
        let fits = crate::draw::metrics::text_width(name, size, false) < to - from - 4.0;
        sheet.text((f64::midpoint(from, to), y + size * 1.1), if fits { name } else { "" }, set);
    }
    let curve = |value: &dyn Fn(&Point) -> f64| {
        let top = scene.curve.iter().map(value).fold(0.0, f64::max);
        let place = |point: &Point| {
            let part = if top > 0.0 { value(point) / top } else { 0.0 };
            (across(point.batch as f64), y + high - (high - size * 1.8) * part)
        };
        scene.curve.iter().map(place).collect::<Vec<_>>()
    };
    let known = scene.step.is_some();
    let opacity = if known { 1.0 } else { 0.0 };
    for (points, paint) in [
        (curve(&|point| if known { point.step_s } else { 0.0 }), Paint::Compute),
        (curve(&|point| if known { point.tokens_per_s() } else { 0.0 }), Paint::Token),
    ] {
        sheet.shape(Shape::Path { points, closed: false }, Fill::Empty).stroked(paint, 3.0).faded(opacity);
    }
    sheet.group(Group::HERE);
    let here = across(scene.here.batch as f64);
    sheet.line((here, y + size * 1.5), (here, y + high), Paint::Ink, 2.0).dashed();
    let (all, _) = scene.experts;
    let rate = format::value(
        &crate::figure::Value::Number(scene.here.tokens_per_s()),
        crate::figure::Unit::TokensPerSecond,
        stage.look.base,
    );
    let touched = format!("{} / {}", format::count((scene.here.touched * all as f64).round()), all);
    let regime = stage.look.say(words::REGIMES[scene.regime() as usize]);
    let this = format!("{} · {regime}", format::count(scene.here.batch as f64));
    let rows = [
        (this, Paint::Ink, None),
        (touched, Paint::Weight, Some(("moe.distinct_experts", scene.here.touched * all as f64))),
        (format::count((scene.tokens_per_expert() * 100.0).round() / 100.0), Paint::Ink, None),
        (seconds(scene.here.step_s), Paint::Compute, scene.step_figure()),
        (rate.to_string(), Paint::Token, None),
    ];
    let mut top = y + high + size * 1.7;
    for ((value, paint, figure), name) in rows.into_iter().zip(words::BATCH) {
        sheet
            .rect([x, top - size * 0.7, size * 0.5, size * 0.7], 2.0, Fill::Solid(paint))
            .faded(if paint == Paint::Ink { 0.0 } else { 1.0 });
        let left = x + size * 0.9;
        let mark = sheet.pair([left, top, width - size * 0.9], stage.look.say(name), value, size);
        if let Some((id, number)) = figure {
            mark.shows(id, number);
        }
        top += size * 1.75;
    }
}

/// Waiting and running over time, percentiles, and what came of it.
fn run(stage: &Stage, sheet: &mut Sheet, [x, y, width, _]: [f64; 4], size: f64) {
    let run = &stage.scene.traffic.run;
    let high = size * 5.2;
    let of = |value: fn(&Sample) -> u64| run.samples.iter().map(value).max().unwrap_or(0);
    let most = of(|sample| sample.waiting).max(of(|sample| sample.running)).max(1) as f64;
    sheet.group(Group::TRAFFIC);
    sheet.rect([x, y, width, high], 0.0, Fill::Solid(Paint::Band));
    let stairs = |value: fn(&Sample) -> u64| {
        let mut points = vec![(x, y + high)];
        for (index, sample) in run.samples.iter().enumerate() {
            let up = y + high - (high - 8.0) * value(sample) as f64 / most;
            let from = points.last().map_or(x, |(at, _)| *at);
            points.push((from, up));
            points.push((x + width * (index + 1) as f64 / SAMPLES as f64, up));
        }
        points
    };
    let mut waiting = stairs(|sample| sample.waiting);
    let end = waiting.last().map_or(x, |(at, _)| *at);
    waiting.push((end, y + high));
    sheet.shape(Shape::Path { points: waiting, closed: true }, Fill::Solid(Paint::Comm)).faded(0.35);
    let running = stairs(|sample| sample.running);
    sheet.shape(Shape::Path { points: running, closed: false }, Fill::Empty).stroked(Paint::Token, 3.0);
    let mut left = x;
    for (paint, name) in [(Paint::Comm, words::WAITING), (Paint::Token, words::RUNNING)] {
        sheet.rect([left, y + high + size * 0.65, size * 0.7, size * 0.7], 2.0, Fill::Solid(paint));
        let name = stage.look.say(name);
        sheet.text((left + size, y + high + size * 1.3), name, Type::new(size, Paint::Mute));
        left += size * 2.0 + crate::draw::metrics::text_width(name, size, false);
    }
    let set = Type::new(size, Paint::Mute).anchored(Anchor::End);
    sheet.text((x + width, y + high + size * 1.3), stage.most_of(most), set);
    sheet.group(Group::PERCENTILES);
    let mut top = y + high + size * 3.1;
    let column = (width - size * 3.2) / 3.0;
    for (index, head) in ["p50", "p95", "p99"].into_iter().enumerate() {
        let right = x + size * 3.2 + column * (index + 1) as f64;
        sheet.text((right, top), head, set);
    }
    for (name, Percentiles { p50_s, p95_s, p99_s }) in [("TTFT", run.ttft), ("TPOT", run.tpot)] {
        top += size * 1.6;
        sheet.text((x, top), name, Type::new(size, Paint::Mute));
        for (index, s) in [p50_s, p95_s, p99_s].into_iter().enumerate() {
            let right = x + size * 3.2 + column * (index + 1) as f64;
            let told = if run.started > 0 { seconds(s) } else { format::ABSENT.to_owned() };
            let set = Type::new(size, Paint::Ink).bold().anchored(Anchor::End);
            sheet.text((right, top), told, set);
        }
    }
    let count = |count: u64| format::count(count as f64);
    let rate = format::value(
        &crate::figure::Value::Number(if run.seconds > 0.0 { run.tokens_per_s } else { f64::NAN }),
        crate::figure::Unit::TokensPerSecond,
        stage.look.base,
    );
    let rows =
        [rate.to_string(), format!("{} / {}", count(run.finished), count(run.arrived)), count(run.waiting)];
    top += size * 2.0;
    for (value, name) in rows.into_iter().zip(words::RUN) {
        sheet.pair([x, top, width], stage.look.say(name), value, size);
        top += size * 1.6;
    }
}

/// Whole seconds.
pub(super) fn seconds_round(s: f64) -> String {
    format!("{} s", format::count(s.round()))
}

//! The panels of "decode": sampling, the answer, drafts, times. Each fills the box it is given.

use super::frame::{Panel, Stage, group};
use super::sampled::{DRAWN, PROMPT, SHOWN};
use super::{ANSWER_TOKENS, Depth, words};
use crate::draw::{Anchor, Fill, Paint, Shape, Type};
use crate::figure::{Unit, Value};
use crate::format;
use crate::scene::sheet::Sheet;
use crate::units::Seconds;

pub(super) fn draw(
    stage: &Stage,
    sheet: &mut Sheet,
    panel: Panel,
    [x, y, width, height]: [f64; 4],
    size: f64,
) {
    sheet.panel(Some(panel as usize));
    sheet.group(group::ALWAYS);
    sheet.rect([x, y, width, height], 12.0, Fill::Solid(Paint::Card)).stroked(Paint::Line, 2.0);
    let title = stage.look.say(words::panel(panel));
    sheet.text((x + 16.0, y + size * 1.75), title, Type::new(size + 2.0, Paint::Ink).bold());
    let body = [x + 16.0, y + size * 2.5, width - 32.0, height - size * 3.3];
    match panel {
        Panel::Sample => sample(stage, sheet, body, size),
        Panel::Append => append(stage, sheet, body, size),
        Panel::Draft => draft(stage, sheet, body, size),
        Panel::Times => times(stage, sheet, body, size),
    }
    sheet.group(group::ALWAYS);
    sheet.panel(None);
}

fn seconds(s: f64) -> String {
    format::seconds(Seconds(s)).to_string()
}

fn name(token: u32) -> String {
    format!("t{token}")
}

/// The likeliest tokens: as the logits have them, as temperature and top-p leave them, and the one drawn.
fn sample(stage: &Stage, sheet: &mut Sheet, [x, y, width, height]: [f64; 4], size: f64) {
    let Some(sampled) = &stage.scene.sampled else { return };
    let pitch = size * 1.75;
    let rows = SHOWN.min(((height - size * 3.4) / pitch) as usize).min(sampled.plain.len());
    let list = [("vocab", format::count(sampled.vocab as f64)), ("shown", format::count(rows as f64))];
    let head = crate::words::fill(stage.look.say(words::SMALL), &list);
    sheet.group(group::LOGITS);
    sheet.lines((x, y + size * 0.7), width, &head, 1, &[size], Type::new(size, Paint::Mute));
    let first = sampled.drawn.first();
    let of = |token: u32| {
        let own = sampled.kept.iter().find(|candidate| candidate.token == token);
        own.map_or(0.0, |candidate| candidate.probability)
    };
    let mut shown: Vec<(u32, f64)> =
        sampled.plain.iter().map(|candidate| (candidate.token, candidate.probability)).collect();
    // The drawn one stands in the last row where it is none of the likeliest.
    let place = first.and_then(|drawn| shown.iter().position(|(token, _)| *token == drawn.token));
    if let Some(place) = place.filter(|place| *place >= rows) {
        shown.swap(rows.saturating_sub(1), place);
    }
    shown.truncate(rows);
    let most = shown.iter().map(|(token, plain)| plain.max(of(*token))).fold(1e-9, f64::max);
    let (left, bars) = (x + size * 3.0, width - size * 7.4);
    let mut top = y + size * 1.5;
    for (token, plain) in shown {
        let drawn = first.is_some_and(|drawn| drawn.token == token);
        sheet.group(group::LOGITS);
        let set = Type::new(size, Paint::Ink);
        sheet.text((x + size * 0.4, top + size), name(token), if drawn { set.bold() } else { set });
        sheet
            .bar([left, top + size * 0.1, bars * plain / most, size * 1.1], Fill::Solid(Paint::Mute))
            .faded(0.4);
        sheet.group(group::KEEP);
        let kept = of(token);
        sheet.bar([left, top + size * 0.35, bars * kept / most, size * 0.6], Fill::Solid(Paint::Token));
        let told = if kept > 0.0 { format::percent(kept) } else { "–".to_owned() };
        let set = Type::new(size, if kept > 0.0 { Paint::Ink } else { Paint::Mute }).anchored(Anchor::End);
        sheet.text((x + width - size * 0.4, top + size), told, if drawn { set.bold() } else { set });
        if drawn {
            sheet.group(group::DRAW);
            let frame = [x, top - size * 0.15, width, size * 1.6];
            sheet.rect(frame, 6.0, Fill::Empty).stroked(Paint::Token, 3.0);
        }
        top += pitch;
    }
    sheet.group(group::KEEP);
    let note = stage.say(words::KEPT);
    sheet.lines((x, top + size * 1.0), width, &note, 1, &[size], Type::new(size, Paint::Mute));
}

/// The tokens drawn one after the other.
fn append(stage: &Stage, sheet: &mut Sheet, [x, y, width, _]: [f64; 4], size: f64) {
    let Some(sampled) = &stage.scene.sampled else { return };
    let list = [("prompt", format::count(PROMPT as f64))];
    let head = crate::words::fill(stage.look.say(words::PROMPT), &list);
    sheet.text((x, y + size * 0.7), head, Type::new(size, Paint::Mute));
    let cells = [x, y + size * 1.2, width, size];
    sheet.shape(crate::scene::parts::squares(cells, PROMPT, PROMPT, size), Fill::Solid(Paint::Sunk));
    let mut top = y + size * 3.1;
    for (index, drawn) in sampled.drawn.iter().enumerate().take(DRAWN) {
        sheet.group(group::APPEND + index);
        let chip = [x, top, size * 4.0, size * 1.5];
        sheet.rect(chip, 6.0, Fill::Solid(Paint::Token)).faded(0.3);
        let set = Type::new(size, Paint::Ink).bold().anchored(Anchor::Middle);
        sheet.text((x + size * 2.0, top + size * 1.1), name(drawn.token), set);
        let mute = Type::new(size, Paint::Mute);
        sheet.text((x + size * 4.8, top + size * 1.1), format!("#{}", PROMPT + index), mute);
        let told = format::percent(drawn.probability);
        sheet.text((x + width, top + size * 1.1), told, Type::new(size, Paint::Ink).anchored(Anchor::End));
        top += size * 1.95;
    }
    sheet.group(group::APPEND + DRAWN - 1);
    let [m, n] = stage.scene.ratios;
    let note = if m > 0 && n > 0 { stage.say(words::GROWTH) } else { String::new() };
    sheet.lines((x, top + size * 0.9), width, &note, 4, &[size], Type::new(size, Paint::Mute));
}

/// Gain, cost and speed-up over all depths.
fn draft(stage: &Stage, sheet: &mut Sheet, [x, y, width, _]: [f64; 4], size: f64) {
    let scene = stage.scene;
    let high = size * 7.4;
    let known = scene.plain_s().is_finite();
    let deepest = scene.depths.len().saturating_sub(1).max(1) as f64;
    let across = |depth: f64| x + size * 0.6 + (width - size * 1.2) * depth / deepest;
    let cost = |depth: &Depth| depth.step.total().get() / scene.plain_s();
    let most = scene.depths.iter().map(|depth| depth.gained.max(if known { cost(depth) } else { 0.0 }));
    let most = most.fold(1.0, f64::max);
    let up = |value: f64| y + high - (high - 8.0) * value / most;
    sheet.group(group::CURVE);
    sheet.rect([x, y, width, high], 0.0, Fill::Solid(Paint::Band));
    sheet.line((x, up(1.0)), (x + width, up(1.0)), Paint::Mute, 1.5).dashed();
    let path = |value: &dyn Fn(&Depth) -> f64| {
        let point = |depth: &Depth| (across(depth.depth as f64), up(value(depth)));
        Shape::Path { points: scene.depths.iter().map(point).collect(), closed: false }
    };
    let opacity = if known { 1.0 } else { 0.0 };
    sheet.shape(path(&|depth| depth.gained), Fill::Empty).stroked(Paint::Token, 3.0);
    sheet
        .shape(path(&|depth| if known { cost(depth) } else { 1.0 }), Fill::Empty)
        .stroked(Paint::Compute, 3.0)
        .faded(opacity);
    let speed = path(&|depth| if known { scene.speed_up(depth) } else { 1.0 });
    sheet.shape(speed, Fill::Empty).stroked(Paint::Ink, 3.0).faded(opacity);
    for depth in &scene.depths {
        let set = Type::new(size, Paint::Mute).anchored(Anchor::Middle);
        sheet.text((across(depth.depth as f64), y + high + size * 1.1), depth.depth.to_string(), set);
    }
    let mut left = x;
    for (paint, name) in [Paint::Token, Paint::Compute, Paint::Ink].into_iter().zip(words::LINES) {
        let name = stage.look.say(name);
        sheet.rect([left, y + high + size * 2.1, size * 0.6, size * 0.6], 2.0, Fill::Solid(paint));
        sheet.text((left + size * 0.9, y + high + size * 2.7), name, Type::new(size, Paint::Mute));
        left += size * 1.7 + crate::draw::metrics::text_width(name, size, false);
    }
    sheet.group(group::HERE);
    let here = across(scene.here.depth as f64);
    sheet.line((here, y), (here, y + high), Paint::Ink, 2.0).dashed();
    let rounded = |number: f64| {
        if number.is_finite() {
            format::count((number * 100.0).round() / 100.0)
        } else {
            format::ABSENT.to_owned()
        }
    };
    let best = if known { scene.best().to_string() } else { format::ABSENT.to_owned() };
    let rows = [
        (scene.here.depth.to_string(), f64::NAN),
        (rounded(scene.here.gained), f64::NAN),
        (seconds(scene.here.step.verify.get()), scene.here.step.verify.get()),
        (seconds(scene.here.step.draft.get()), scene.here.step.draft.get()),
        (format!("{} ×", rounded(scene.speed_up(&scene.here))), f64::NAN),
        (best, f64::NAN),
    ];
    let mut top = y + high + size * 4.5;
    for ((told, value), name) in rows.into_iter().zip(words::DRAFT) {
        let mark = sheet.pair([x, top, width], stage.look.say(name), told, size);
        if let Some((id, number)) = scene.figure(value) {
            mark.shows(id, number);
        }
        top += size * 1.6;
    }
}

/// The time to the first token, and what follows.
fn times(stage: &Stage, sheet: &mut Sheet, [x, y, width, _]: [f64; 4], size: f64) {
    let scene = stage.scene;
    let (ttft, plain, fast) = (scene.ttft_s(), scene.plain_s(), scene.here.tpot_s());
    let rest = (ANSWER_TOKENS - 1) as f64;
    let answers = [plain, fast].map(|each| ttft + rest * each);
    let most = answers.into_iter().filter(|s| s.is_finite()).fold(0.0, f64::max);
    let part = |s: f64| if most > 0.0 && s.is_finite() { width * s / most } else { 0.0 };
    let mut top = y + size * 0.8;
    let groups = [group::FURTHER, group::FASTER];
    for ((group, whole), name) in groups.into_iter().zip(answers).zip(words::ANSWERS) {
        sheet.group(group::FIRST);
        sheet.bar([x, top + size * 0.6, part(ttft), size * 1.2], Fill::Solid(Paint::Compute));
        sheet.group(group);
        sheet.pair([x, top, width], &stage.say(name), seconds(whole), size);
        let begin = part(ttft);
        sheet.bar(
            [x + begin, top + size * 0.6, (part(whole) - begin).max(0.0), size * 1.2],
            Fill::Solid(Paint::Token),
        );
        top += size * 3.6;
    }
    let rate = |each: f64| {
        let number = scene.batch as f64 / each;
        format::value(&Value::Number(number), Unit::TokensPerSecond, stage.look.base).to_string()
    };
    let rows = [
        (group::FIRST, Some(Paint::Compute), seconds(ttft), ttft),
        (group::FURTHER, Some(Paint::Token), seconds(plain), plain),
        (group::FASTER, Some(Paint::Token), seconds(fast), f64::NAN),
        (group::FURTHER, None, rate(plain), f64::NAN),
        (group::FASTER, None, rate(fast), f64::NAN),
    ];
    top += size * 0.6;
    for ((group, paint, told, value), name) in rows.into_iter().zip(words::TIMES) {
        sheet.group(group);
        let opacity = if paint.is_some() { 1.0 } else { 0.0 };
        let sample = [x, top - size * 0.7, size * 0.5, size * 0.7];
        sheet.rect(sample, 2.0, Fill::Solid(paint.unwrap_or(Paint::Ink))).faded(opacity);
        let place = [x + size * 0.9, top, width - size * 0.9];
        let mark = sheet.pair(place, stage.look.say(name), told, size);
        if let Some((id, number)) = scene.figure(value) {
            mark.shows(id, number);
        }
        top += size * 1.9;
    }
}

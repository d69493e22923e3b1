//! The curves of "experts": what a batch has to read, drawn batches beside the closed forms.

use super::Experts;
use super::LAST_POWER;
use super::words::Words;
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type};
use crate::format;
use crate::routing::closed_form::{distinct_top_k, distinct_with_replacement};
use crate::scene::routed::Source;
use crate::words::fill;

/// Which curve.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Panel {
    /// Different experts of the whole batch.
    Distinct,
    /// Those of the GPU that has most.
    Slowest,
}

/// Where batches and experts stand in the plot.
struct Axes {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    most: f64,
}

impl Axes {
    fn x(&self, tokens: f64) -> f64 {
        self.left + self.width * libm::log2(tokens.max(1.0)) / f64::from(LAST_POWER)
    }

    fn y(&self, experts: f64) -> f64 {
        self.top + self.height * (1.0 - (experts / self.most.max(1.0)).clamp(0.0, 1.0))
    }
}

/// Draws a panel with letters of that size.
pub(super) fn draw(
    drawing: &mut Drawing,
    experts: &Experts,
    words: &Words,
    panel: Panel,
    [x, y, width, height]: [f64; 4],
    size: f64,
) {
    let routed = &experts.routed;
    let (all, each) = (f64::from(routed.shape.experts()), f64::from(routed.shape.per_token()));
    let most = if panel == Panel::Distinct { all } else { f64::from(routed.each()) };
    drawing.rect([x, y, width, height], 14.0, Fill::Solid(Paint::Card)).stroked(Paint::Line, 2.0);
    let title = if panel == Panel::Distinct { words.distinct_title } else { words.slowest_title };
    drawing.text((x + 20.0, y + size * 1.75), title, Type::new(size * 1.15, Paint::Ink).bold());
    let axes = Axes {
        left: x + size * 3.6,
        top: y + size * 5.2,
        width: width - size * 5.6,
        height: height - size * 8.4,
        most,
    };
    ticks(drawing, &axes, words, size);
    let curve = |value: &dyn Fn(u64) -> f64| {
        let quarter = |index: u32| libm::exp2(f64::from(index) / 4.0).round() as u64;
        let mut tokens: Vec<u64> = (0..=4 * LAST_POWER).map(quarter).collect();
        tokens.dedup();
        tokens.into_iter().map(|tokens| (axes.x(tokens as f64), axes.y(value(tokens)))).collect::<Vec<_>>()
    };
    let share = if panel == Panel::Distinct { 1.0 } else { f64::from(routed.ranks) };
    let without = |tokens: u64| distinct_top_k(all, each, tokens) / share;
    let with = |tokens: u64| distinct_with_replacement(all, each as u64, tokens) / share;
    let mut line = |points: Vec<(f64, f64)>, paint: Paint, dashed: bool| {
        let mark = drawing.push(Shape::Path { points, closed: false }, Fill::Empty).stroked(paint, 3.5);
        if dashed {
            mark.dashed();
        }
    };
    if panel == Panel::Distinct {
        line(curve(&without), Paint::Weight, false);
        line(curve(&with), Paint::Ink, true);
    } else {
        line(curve(&without), Paint::Mute, true);
    }
    for sample in &experts.samples {
        let value = if panel == Panel::Distinct { sample.distinct } else { sample.slowest };
        let dot =
            Shape::Circle { x: axes.x(sample.tokens as f64), y: axes.y(f64::from(value)), r: size * 0.3 };
        drawing.push(dot, Fill::Solid(Paint::Card)).stroked(Paint::Compute, 3.0);
    }
    mark_batch(drawing, experts, words, panel, &axes, size);
    keys(drawing, experts, words, panel, [x + 20.0, y + size * 3.4], size);
}

/// The scenario's batch, with what it comes to.
fn mark_batch(drawing: &mut Drawing, experts: &Experts, words: &Words, panel: Panel, axes: &Axes, size: f64) {
    let tokens = experts.routed.tokens as f64;
    let x = axes.x(tokens);
    drawing.line((x, axes.top), (x, axes.top + axes.height), Paint::Token, 3.0);
    let (_, load) = experts.slowest();
    let (template, value) = match panel {
        Panel::Distinct => (words.marked, experts.expected),
        Panel::Slowest => (words.marked_slowest, Some(f64::from(load.distinct_experts))),
    };
    let at = axes.y(value.unwrap_or(0.0));
    let dot = Shape::Circle { x, y: at, r: size * 0.36 };
    drawing.push(dot, Fill::Solid(Paint::Token)).stroked(Paint::Card, 2.0);
    let shown = value.map_or_else(|| format::ABSENT.to_owned(), format::count);
    let values = [("batch", format::count(tokens)), ("expected", shown.clone()), ("slowest", shown)];
    let text = fill(template, &values);
    // The curve rises to the right: upper left of it and lower right are free.
    let needs = text_width(&text, size, true);
    let right = x + size * 0.7 + needs > axes.left + axes.width;
    let high = at - axes.top < axes.height / 2.0;
    let baseline = if high { axes.top + axes.height - size * 0.7 } else { axes.top + size };
    let (tx, anchor) = if right { (x - size * 0.5, Anchor::End) } else { (x + size * 0.5, Anchor::Start) };
    let label = drawing.text((tx, baseline), text, Type::new(size, Paint::Ink).bold().anchored(anchor));
    if let (Panel::Distinct, Some(value), None) = (panel, value, experts.routed.small()) {
        label.shows("moe.distinct_experts", value);
    }
}

fn ticks(drawing: &mut Drawing, axes: &Axes, words: &Words, size: f64) {
    let small = Type::new(size.max(18.0) - if size > 20.0 { 0.0 } else { 2.0 }, Paint::Mute);
    let bottom = axes.top + axes.height;
    for part in [0.0, 0.5, 1.0] {
        let y = axes.y(axes.most * part);
        drawing.line((axes.left, y), (axes.left + axes.width, y), Paint::Line, 1.5);
        let text = format::count((axes.most * part).round());
        let at = (axes.left - size * 0.5, y + small.size * 0.36);
        drawing.text(at, text, small.anchored(Anchor::End));
    }
    for power in (0..=LAST_POWER).step_by(2) {
        let tokens = f64::from(1_u32 << power);
        let at = (axes.x(tokens), bottom + small.size * 1.35);
        drawing.text(at, format::count(tokens), small.anchored(Anchor::Middle));
    }
    let at = (axes.left + axes.width / 2.0, bottom + small.size * 2.6);
    drawing.text(at, words.batch_axis, small.anchored(Anchor::Middle));
}

/// What lines and dots stand for.
fn keys(
    drawing: &mut Drawing,
    experts: &Experts,
    words: &Words,
    panel: Panel,
    [left, y]: [f64; 2],
    size: f64,
) {
    let [drawn, looked_up, ran] = words.sampled;
    let sampled = match experts.routed.source {
        Some(Source::Table { .. }) => looked_up,
        Some(Source::Small(_)) => ran,
        _ => drawn,
    };
    let small = Type::new(if size > 20.0 { size } else { size - 2.0 }, Paint::Mute);
    let all = [
        (words.without, Some((Paint::Weight, false)), panel == Panel::Distinct),
        (words.with, Some((Paint::Ink, true)), panel == Panel::Distinct),
        (words.average, Some((Paint::Mute, true)), panel == Panel::Slowest),
        (sampled, None, true),
    ];
    let mut x = left;
    for (word, line, _) in all.into_iter().filter(|entry| entry.2) {
        let middle = y - small.size * 0.34;
        let sample = small.size * 1.3;
        if let Some((paint, dashed)) = line {
            let mark = drawing.line((x, middle), (x + sample, middle), paint, 3.5);
            if dashed {
                mark.dashed();
            }
        } else {
            let dot = Shape::Circle { x: x + sample / 2.0, y: middle, r: size * 0.3 };
            drawing.push(dot, Fill::Solid(Paint::Card)).stroked(Paint::Compute, 3.0);
        }
        drawing.text((x + sample + small.size * 0.4, y), word, small);
        x += sample + small.size * 1.3 + text_width(word, small.size, false);
    }
}

//! What fills a GPU's memory, whichever ledger counts it: the figures that stand for its parts, from bottom to top, and
//! those that judge the sum. Pictures and tables read this list and know no ledger.

use crate::draw::Paint;
use crate::figure::{Ledger, Report};
use crate::ledger::exact;
use crate::scenario::{Key, KvPlacement, Layout, Settings};
use crate::spec::ModelSpec;
use crate::units::Bytes;

/// A part of a GPU's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Set aside for activations and workspace.
    Reserve,
    /// Shared experts.
    Shared,
    /// Weights without a part of their own.
    Weights,
    /// Routers of all layers.
    Router,
    /// Mixing of the residual streams, and norms.
    Streams,
    /// Attention.
    Attention,
    /// Rows of the embedding table.
    Embedding,
    /// The output head.
    Head,
    /// Draft blocks.
    Mtp,
    /// Routed experts.
    Routed,
    /// Caches of all requests together.
    Cache,
    /// Window rings.
    Window,
    /// Compressed entries of all layers.
    Compressed,
    /// Compressed entries of CSA layers.
    Csa,
    /// Compressed entries of HCA layers.
    Hca,
    /// Indexer keys.
    Indexer,
    /// Groups that are not complete yet.
    State,
    /// Rings of the draft blocks.
    MtpCache,
    /// Rows an engine allots and does not fill.
    PageRounding,
}

/// Whether GPUs hold pieces of a part or a copy each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Each GPU holds its piece.
    Cut,
    /// Some tensors are cut, others copied.
    Mixed,
    /// Each GPU holds all of it.
    Copied,
    /// Each GPU holds what belongs to its own requests.
    ByRequest,
    /// Each GPU sets it aside for itself.
    Own,
}

/// A part on one GPU and the figure that says how large it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Which part.
    pub part: Part,
    /// Cut or copied.
    pub sharing: Sharing,
    /// The figure's id.
    pub figure: &'static str,
    /// Its size.
    pub bytes: Bytes,
}

/// The figures that judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judges {
    /// What is needed, the reserve apart.
    pub need: &'static str,
    /// Whether it fits.
    pub fits: &'static str,
    /// The smallest plan that fits, as the number shown for it.
    pub smallest: &'static str,
    /// The figures that make up that plan, with the keys that take them.
    pub way_out: &'static [(&'static str, Key)],
}

impl Part {
    /// Its colour wherever it is drawn.
    #[must_use]
    pub const fn paint(self) -> Paint {
        match self {
            Self::Reserve => Paint::Mute,
            Self::Routed | Self::Weights => Paint::Weight,
            Self::Shared | Self::Router | Self::Streams => Paint::WeightSoft,
            Self::Attention | Self::Embedding | Self::Head | Self::Mtp => Paint::WeightDeep,
            Self::Cache | Self::Compressed | Self::Csa => Paint::Cache,
            Self::Window | Self::Hca => Paint::CacheSoft,
            Self::Indexer | Self::PageRounding => Paint::CacheDeep,
            Self::State | Self::MtpCache => Paint::CacheFaint,
        }
    }

    /// Whether it belongs to the caches.
    #[must_use]
    pub const fn is_cache(self) -> bool {
        matches!(self.paint(), Paint::Cache | Paint::CacheSoft | Paint::CacheDeep | Paint::CacheFaint)
    }
}

impl Judges {
    /// The judging figures of a ledger.
    #[must_use]
    pub const fn of(ledger: Ledger) -> Self {
        match ledger {
            Ledger::Tutorial => Self {
                need: "memory.partial.bytes_per_gpu",
                fits: "memory.partial.fits",
                smallest: "plan.min_tp_partial",
                way_out: &[("plan.min_tp_partial", Key::Tp)],
            },
            Ledger::Report => Self {
                need: "memory.bytes_per_gpu",
                fits: "memory.fits",
                smallest: "plan.min_gpus",
                way_out: &[("plan.min_gpus", Key::Gpus)],
            },
            Ledger::Exact => Self {
                need: "memory.bytes_per_gpu",
                fits: "memory.fits",
                smallest: "plan.min_gpus",
                way_out: &[("plan.min_tp", Key::Tp), ("plan.min_ep", Key::Ep), ("plan.min_pp", Key::Pp)],
            },
        }
    }
}

/// The smallest plan that fits, in the field's own terms, such as `TP 4 × PP 2`; none where none does.
#[must_use]
pub fn smallest_plan(report: &Report) -> Option<String> {
    let parts: Option<Vec<(Key, f64)>> =
        Judges::of(report.ledger).way_out.iter().map(|(id, key)| Some((*key, report.number(id)?))).collect();
    let parts = parts?;
    let tp = parts.iter().find(|(key, _)| *key == Key::Tp).map(|(_, number)| *number);
    let words = parts.iter().filter_map(|(key, number)| match key {
        Key::Gpus => Some(format!("{number} GPU")),
        Key::Pp if *number > 1.0 => Some(format!("PP {number}")),
        // Under TP the experts lie on the same GPUs as the heads; under attention by request heads are not cut.
        Key::Ep if tp != Some(*number) => Some(format!("EP {number}")),
        Key::Tp if tp != Some(1.0) => Some(format!("TP {number}")),
        _ => None,
    });
    let words: Vec<String> = words.collect();
    Some(if words.is_empty() { "TP 1".to_owned() } else { words.join(" × ") })
}

/// The parts of the fullest GPU's memory, from bottom to top; those a scenario leaves empty are left out.
#[must_use]
pub fn lines(report: &Report, settings: &Settings) -> Vec<Line> {
    filled(report, settings, |figure| report.bytes(figure))
}

/// The same for the fullest GPU of each stage; one list where the ledger spreads everything evenly.
#[must_use]
pub fn stage_lines(report: &Report, settings: &Settings, spec: &ModelSpec) -> Vec<Vec<Line>> {
    if report.ledger != Ledger::Exact || settings.pp <= 1 || !report.flag("plan.legal") {
        return vec![lines(report, settings)];
    }
    let stages = exact::memory::stage_parts(settings, &settings.model_in_force(spec));
    let of = |parts: &Vec<(&'static str, f64)>| {
        filled(report, settings, |figure| {
            let part = parts.iter().find(|(id, _)| *id == figure);
            part.map_or_else(|| report.bytes(figure), |(_, bytes)| Bytes(*bytes))
        })
    };
    stages.iter().map(of).collect()
}

/// The same lines at several loads, each a batch and a context: one list of sizes for each load, in the order of the
/// lines, which are the same for all.
#[must_use]
pub fn lines_over(
    report: &Report,
    settings: &Settings,
    spec: &ModelSpec,
    loads: &[(u64, u64)],
) -> (Vec<Line>, Vec<Vec<Bytes>>) {
    let all = every_line(report, settings, |figure| report.bytes(figure));
    let sizes: Vec<Vec<Bytes>> = if report.ledger == Ledger::Exact {
        let at = exact::memory::fullest_parts(settings, &settings.model_in_force(spec), loads);
        let size = |parts: &[(&'static str, f64)], line: &Line| {
            let own = parts.iter().find(|(id, _)| *id == line.figure);
            own.map_or(line.bytes, |(_, bytes)| Bytes(*bytes))
        };
        at.iter().map(|parts| all.iter().map(|line| size(parts, line)).collect()).collect()
    } else {
        let at = |(batch, context): &(u64, u64)| {
            let there = Settings { batch: *batch, context: *context, ..settings.clone() };
            let figures = super::report_of(report.ledger, &there, spec);
            all.iter().map(|line| figures.bytes(line.figure)).collect()
        };
        loads.iter().map(at).collect()
    };
    // Parts that are nowhere are left out everywhere.
    let used: Vec<bool> = (0..all.len())
        .map(|index| sizes.iter().any(|own| own.get(index).is_some_and(|size| size.get() > 0.0)))
        .collect();
    let sizes = sizes.into_iter().map(|own| kept(own, &used)).collect();
    (kept(all, &used), sizes)
}

fn kept<T>(all: Vec<T>, used: &[bool]) -> Vec<T> {
    all.into_iter().zip(used).filter_map(|(one, used)| used.then_some(one)).collect()
}

/// The sizes of [`request_cache`]'s parts at several contexts, in their order.
#[must_use]
pub fn request_over(
    ledger: Ledger,
    settings: &Settings,
    spec: &ModelSpec,
    contexts: &[u64],
) -> Vec<Vec<Bytes>> {
    let parts = request_cache(ledger, settings);
    let at = |context: &u64| {
        if ledger == Ledger::Exact {
            let sizes = exact::memory::request_parts(settings, &settings.model_in_force(spec), *context);
            let size =
                |figure: &str| sizes.iter().find(|(id, _)| *id == figure).map_or(0.0, |(_, size)| *size);
            parts.iter().map(|(_, figure)| Bytes(size(figure))).collect()
        } else {
            let there = Settings { context: *context, ..settings.clone() };
            let figures = super::report_of(ledger, &there, spec);
            parts.iter().map(|(_, figure)| figures.bytes(figure)).collect()
        }
    };
    contexts.iter().map(at).collect()
}

fn filled(report: &Report, settings: &Settings, bytes: impl Fn(&str) -> Bytes) -> Vec<Line> {
    every_line(report, settings, bytes).into_iter().filter(|line| line.bytes.get() > 0.0).collect()
}

fn every_line(report: &Report, settings: &Settings, bytes: impl Fn(&str) -> Bytes) -> Vec<Line> {
    use Part::*;
    let by_request = settings.layout == Layout::DpAttentionEp;
    let dense = if by_request { Sharing::Copied } else { Sharing::Mixed };
    let cut = if by_request { Sharing::Copied } else { Sharing::Cut };
    let cache = match (settings.kv_placement, by_request) {
        (KvPlacement::Split, _) => Sharing::Cut,
        (KvPlacement::ByPlan, true) => Sharing::ByRequest,
        _ => Sharing::Copied,
    };
    let table: &[(Part, Sharing, &'static str)] = match report.ledger {
        Ledger::Tutorial => &[
            (Shared, Sharing::Copied, "weights.shared.bytes_per_gpu"),
            (Routed, Sharing::Cut, "weights.routed.bytes_per_gpu"),
            (Cache, Sharing::Copied, "cache.batch.bytes_per_gpu"),
        ],
        Ledger::Report => &[
            (Reserve, Sharing::Own, "memory.reserve.bytes_per_gpu"),
            (Weights, Sharing::Cut, "weights.bytes_per_gpu"),
            (Cache, Sharing::Cut, "cache.batch.bytes_per_gpu"),
        ],
        Ledger::Exact => &[
            (Reserve, Sharing::Own, "memory.reserve.bytes_per_gpu"),
            (Shared, Sharing::Copied, "weights.shared.bytes_per_gpu"),
            (Router, Sharing::Copied, "weights.router.bytes_per_gpu"),
            (Streams, Sharing::Copied, "weights.streams.bytes_per_gpu"),
            (Attention, dense, "weights.attention.bytes_per_gpu"),
            (Embedding, cut, "weights.embedding.bytes_per_gpu"),
            (Head, cut, "weights.head.bytes_per_gpu"),
            (Mtp, dense, "weights.mtp.bytes_per_gpu"),
            (Routed, Sharing::Cut, "weights.routed.bytes_per_gpu"),
            (Window, cache, "cache.window.bytes_per_gpu"),
            (Csa, cache, "cache.csa.bytes_per_gpu"),
            (Hca, cache, "cache.hca.bytes_per_gpu"),
            (Indexer, cache, "cache.indexer.bytes_per_gpu"),
            (State, cache, "cache.state.bytes_per_gpu"),
            (MtpCache, cache, "cache.mtp.bytes_per_gpu"),
            (PageRounding, cache, "cache.page_rounding.bytes_per_gpu"),
        ],
    };
    let line = |&(part, sharing, figure)| Line { part, sharing, figure, bytes: bytes(figure) };
    table.iter().map(line).collect()
}

/// The parts of one request's cache that a scenario counts, from bottom to top, with the figures that hold them.
#[must_use]
pub fn request_cache(ledger: Ledger, settings: &Settings) -> Vec<(Part, &'static str)> {
    use Part::*;
    match ledger {
        Ledger::Tutorial => vec![
            (State, "cache.state.bytes"),
            (Window, "cache.window.bytes"),
            (Compressed, "cache.compressed.bytes"),
            (Indexer, "cache.indexer.bytes"),
        ],
        Ledger::Report => vec![(Cache, "cache.request.bytes")],
        Ledger::Exact => [
            (settings.state, (State, "cache.state.bytes")),
            (settings.mtp, (MtpCache, "cache.mtp.bytes")),
            (settings.page_rounding, (PageRounding, "cache.page_rounding.bytes")),
            (true, (Window, "cache.window.bytes")),
            (true, (Hca, "cache.hca.bytes")),
            (true, (Csa, "cache.csa.bytes")),
            (true, (Indexer, "cache.indexer.bytes")),
        ]
        .into_iter()
        .filter_map(|(counted, part)| counted.then_some(part))
        .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::report;
    use crate::scenario::Scenario;

    #[test]
    fn the_lines_add_up_to_need_and_reserve() {
        let choices: [&[(Key, &str)]; 6] = [
            &[],
            &[(Key::Context, "1M"), (Key::Batch, "32"), (Key::Mtp, "true")],
            &[(Key::Layout, "dp_attention_ep"), (Key::Ep, "16"), (Key::Batch, "64")],
            &[(Key::Tp, "8"), (Key::Pp, "2"), (Key::PageRounding, "true")],
            &[(Key::Tp, "4"), (Key::Pp, "5"), (Key::Mtp, "true"), (Key::Batch, "100")],
            &[(Key::Model, "v4-flash"), (Key::Tp, "4"), (Key::ReserveGb, "3")],
        ];
        for choices in choices {
            let mut scenario = Scenario::default();
            for (key, text) in choices {
                scenario.choose_text(*key, text).unwrap();
            }
            for ledger in Ledger::ALL {
                let settings = scenario.resolve(ledger);
                let report = report(ledger, &scenario, &crate::spec::of(settings.model));
                let lines = lines(&report, &settings);
                let sum: Bytes = lines.iter().map(|line| line.bytes).sum();
                let stages = stage_lines(&report, &settings, &crate::spec::of(settings.model));
                let full: Vec<_> =
                    stages.iter().map(|own| own.iter().map(|l| l.bytes).sum::<Bytes>()).collect();
                assert_eq!(
                    full.iter().copied().fold(Bytes(0.0), Bytes::max),
                    sum,
                    "the fullest is the report's"
                );
                assert!(stages.contains(&lines), "{} {choices:?}", ledger.name());
                let parts = request_cache(ledger, &settings);
                let request: Bytes = parts.iter().map(|(_, figure)| report.bytes(figure)).sum();
                assert_eq!(request, report.bytes("cache.request.bytes"), "{} {choices:?}", ledger.name());
                let judges = Judges::of(ledger);
                let reserve = report.bytes("memory.reserve.bytes_per_gpu");
                assert_eq!(sum, report.bytes(judges.need) + reserve, "{} {choices:?}", ledger.name());
                let fits = sum <= report.bytes("gpu.memory.bytes");
                assert_eq!(report.flag(judges.fits), fits, "{} {choices:?}", ledger.name());
                assert!(report.get(judges.smallest).is_some());
                assert!(judges.way_out.iter().all(|(id, _)| report.get(id).is_some()));
            }
        }
    }
}

//! The latency per layer that a clean decode row implies: what its step took beyond the floor, spread over the layers.
//!
//! The floor is a parameter, so that the figures always belong to the ledger that is shown.

use super::{DecodePoint, Layout, Row, clean_decode_rows};
use crate::units::Seconds;

/// What one row implies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Implied {
    /// The row.
    pub row: &'static Row,
    /// What was decoded.
    pub point: DecodePoint,
    /// The measured time between tokens.
    pub measured: Seconds,
    /// The least that bytes and FLOPs allow.
    pub floor: Seconds,
    /// Measured over floor.
    pub ratio: f64,
    /// The rest, for each layer.
    pub per_layer: Seconds,
}

/// Latency per layer of one system, engine and layout, over its clean rows.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemLatency {
    /// The GPU's name among the presets.
    pub gpu: &'static str,
    /// The serving software.
    pub engine: &'static str,
    /// How the model was cut.
    pub layout: Layout,
    /// At the smallest load measured.
    pub at_smallest_load: Seconds,
    /// The least of its rows.
    pub lowest: Seconds,
    /// The most of its rows.
    pub highest: Seconds,
    /// The rows, the smallest load first.
    pub rows: Vec<&'static str>,
    /// Key of where they were published.
    pub source: &'static str,
}

/// The rows whose pair shows how latency grows with the batch: one system, one context, batch 1 and 16.
pub const GROWTH_ROWS: [&str; 2] = ["M34", "M35"];

/// Systems that stand in for one without clean rows (an H200 has none): a Hopper with little computation, and a
/// Blackwell.
const STAND_INS: [&str; 2] = ["h20-141", "b300"];

/// What each clean row implies over the floor given for it. Rows without a floor, or that lie under it, are left out.
pub fn implied(layers: u64, floor: impl Fn(&DecodePoint) -> Option<Seconds>) -> Vec<Implied> {
    clean_decode_rows()
        .filter_map(|(row, point, measured)| {
            let floor = floor(&point)?;
            let per_layer = super::calibrate(measured, floor, layers).ok()?;
            Some(Implied { row, point, measured, floor, ratio: measured / floor, per_layer })
        })
        .collect()
}

/// Gathers rows by system, engine and layout, in the order of the collection.
#[must_use]
pub fn latency_table(implied: &[Implied]) -> Vec<SystemLatency> {
    let mut table: Vec<SystemLatency> = Vec::new();
    for system in systems(implied) {
        let Some(first) = system.first() else { continue };
        let of = |pick: fn(f64, f64) -> f64| {
            Seconds(system.iter().map(|one| one.per_layer.get()).fold(first.per_layer.get(), pick))
        };
        table.push(SystemLatency {
            gpu: first.point.gpu,
            engine: first.row.engine,
            layout: first.point.layout,
            at_smallest_load: first.per_layer,
            lowest: of(f64::min),
            highest: of(f64::max),
            rows: system.iter().map(|one| one.row.id).collect(),
            source: first.row.source,
        });
    }
    table
}

/// Rows of one system, engine and layout together, the smallest load first.
pub(super) fn systems(implied: &[Implied]) -> Vec<Vec<Implied>> {
    let mut systems: Vec<Vec<Implied>> = Vec::new();
    for one in implied {
        let same = |other: &Implied| {
            (other.point.gpu, other.row.engine, other.point.layout)
                == (one.point.gpu, one.row.engine, one.point.layout)
        };
        match systems.iter_mut().find(|system| system.first().is_some_and(same)) {
            Some(system) => system.push(*one),
            None => systems.push(vec![*one]),
        }
    }
    for system in &mut systems {
        system.sort_by_key(|one| (one.point.batch, one.point.context));
    }
    systems
}

/// By how much the latency per layer grows with each further request of a GPU, from [`GROWTH_ROWS`]; never negative.
///
/// It is fitted on that one system. On others it helps where the batch is much larger than the calibrated one and
/// costs a few percent elsewhere; see the accuracy table.
#[must_use]
pub fn growth(implied: &[Implied]) -> Option<Seconds> {
    let [first, second] = GROWTH_ROWS.map(|id| implied.iter().find(|one| one.row.id == id));
    let (first, second) = (first?, second?);
    let requests = second.point.requests_per_gpu() - first.point.requests_per_gpu();
    (requests > 0.0).then(|| ((second.per_layer - first.per_layer) / requests).max(Seconds::ZERO))
}

/// The systems whose latencies speak for a GPU and a kind of layout: its own of that kind; else, where requests are
/// divided, every GPU's of that kind; else its own of the other kind, or the stand-ins. None only where nothing is known
/// at all.
#[must_use]
pub fn known_systems<'a>(
    table: &'a [SystemLatency],
    gpu: &str,
    divides_requests: bool,
) -> Vec<&'a SystemLatency> {
    let own = |system: &SystemLatency| system.gpu == gpu;
    let stand_in = |system: &SystemLatency| STAND_INS.contains(&system.gpu);
    let kind = |system: &SystemLatency| system.layout.divides_requests() == divides_requests;
    let picks: [&dyn Fn(&SystemLatency) -> bool; 5] = [
        &|system| own(system) && kind(system),
        &|system| divides_requests && kind(system),
        &own,
        &stand_in,
        &|_| true,
    ];
    let of = |pick: &dyn Fn(&SystemLatency) -> bool| -> Vec<&SystemLatency> {
        table.iter().filter(|system| pick(system)).collect()
    };
    picks.into_iter().map(of).find(|systems| !systems.is_empty()).unwrap_or_default()
}

/// The range that [`known_systems`] span.
#[must_use]
pub fn known_range(table: &[SystemLatency], gpu: &str, divides_requests: bool) -> Option<(Seconds, Seconds)> {
    known_systems(table, gpu, divides_requests)
        .into_iter()
        .map(|system| (system.lowest, system.highest))
        .reduce(|(low, high), (lowest, highest)| (if lowest < low { lowest } else { low }, high.max(highest)))
}

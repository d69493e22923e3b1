//! What others and the reader measured, in charts: points beside plans, and every clean row over its floor.

use super::axis::Scale;
use super::data::{Chart, Form, Name, Place, Series};
use super::{ChartId, words};
use crate::basis::Basis;
use crate::draw::{Fill, Paint};
use crate::figure::{Ledger, Unit};
use crate::measured::Implied;
use crate::reality::{clean_rows, stands_in, step_bound};
use crate::scenario::{Layout, Settings};
use crate::units::Seconds;

const MEASURED: Fill = Fill::Dotted(Paint::Token);

/// Throughput and interactivity of the clean rows on the scenario's GPU that divide requests as it does, and of what
/// the reader measured; nothing where there is neither.
pub(super) fn points(basis: Basis) -> Option<Series> {
    let settings = basis.settings;
    let divides = settings.layout == Layout::DpAttentionEp;
    let alike = |implied: &Implied| {
        implied.point.gpu == settings.gpu.name && implied.point.layout.divides_requests() == divides
    };
    let published = clean_rows().into_iter().filter(alike).map(|implied| {
        let point = implied.point;
        let name = Name::Own(format!("{} {}", implied.row.id, point.layout));
        (name, point.batch, point.layout.gpus(), implied.measured)
    });
    let own = own(settings).map(|tpot| (Name::Said(words::YOURS), settings.batch, settings.gpus, tpot));
    let (mut places, mut across, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for (name, batch, gpus, tpot) in published.chain(own) {
        let batch = batch as f64;
        places.push(Place { row: batch, name });
        across.push(Some(1.0 / tpot.get()));
        values.push(Some(batch / tpot.get() / f64::from(gpus.max(1))));
    }
    let series = Series::new(Name::Said(words::DIAMONDS), Form::Diamonds, MEASURED, values);
    (!places.is_empty()).then_some(Series { across: Some(across), places, ..series })
}

/// What the reader measured.
fn own(settings: &Settings) -> Option<Seconds> {
    settings.measured.tpot
}

pub(super) fn measured(id: ChartId, basis: Basis) -> Chart {
    let rows = clean_rows();
    let mut labels: Vec<Name> = rows.iter().map(|implied| Name::Own(implied.row.id.to_owned())).collect();
    let mut floors: Vec<Option<f64>> = rows.iter().map(|implied| Some(implied.floor.get())).collect();
    let mut times: Vec<Option<f64>> = rows.iter().map(|implied| Some(implied.measured.get())).collect();
    let own = own(&basis.scenario.resolve(Ledger::Exact)).zip(step_bound(basis));
    if let Some((own, floor)) = own {
        labels.push(Name::Said(words::YOURS));
        floors.push(Some(floor.get()));
        times.push(Some(own.get()));
    }
    let places = (0..labels.len()).map(|place| place as f64).collect();
    let mut chart = Chart::new(id, Scale::linear(Unit::Count), Scale::log(Unit::Seconds), places);
    chart.labels = labels;
    chart.joined = true;
    chart.series = vec![
        Series::new(Name::Said(words::FLOORS), Form::Dots, Fill::Solid(Paint::Weight), floors),
        Series::new(Name::Said(words::DIAMONDS), Form::Diamonds, MEASURED, times),
    ];
    let there = || rows.iter().position(|implied| stands_in(implied, basis.scenario));
    chart.marked = own.map(|_| rows.len()).or_else(there);
    chart
}

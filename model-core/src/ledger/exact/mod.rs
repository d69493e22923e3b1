//! The exact ledger: from the checkpoint's tensors, the reference's cache rules and the engines' row formats. What it
//! says of memory is a lower bound for an engine; what it says of time is a floor, and a step time only beside a known
//! latency per layer.

pub(super) mod cache;
mod decode;
pub(super) mod holding;
pub(super) mod memory;
mod model;
mod prefill;
pub(super) mod room;
pub(super) mod step;
mod sums;

use super::book::{Book, What};
use super::index_scores;
use super::report::network;
use crate::figure::{Figure, Kind, Ledger, Scope, Source, Unit, Value};
use crate::formula;
use crate::plan::Plan;
use crate::scenario::Settings;
use crate::spec::ModelSpec;
pub(crate) use decode::latency_range;
pub(super) use decode::overhead;
use holding::Tensors;

const TOTAL_BYTES: What = (Unit::Bytes, Scope::Total, Kind::Exact);
const GPU_BYTES: What = (Unit::Bytes, Scope::PerGpu, Kind::Exact);
const REQUEST_BYTES: What = (Unit::Bytes, Scope::PerRequest, Kind::Exact);
const LAYER_BYTES: What = (Unit::Bytes, Scope::PerLayer, Kind::Exact);
const COUNT: What = (Unit::Count, Scope::Total, Kind::Exact);
const STEP_BYTES: What = (Unit::Bytes, Scope::PerGpu, Kind::Assumed);
const STEP_FLOPS: What = (Unit::Flop, Scope::PerGpu, Kind::Assumed);
const STEP_TIME: What = (Unit::Seconds, Scope::Total, Kind::Assumed);
const LAYER_TIME: What = (Unit::Seconds, Scope::PerLayer, Kind::Assumed);
const EXPECTED: What = (Unit::Count, Scope::PerLayer, Kind::Assumed);
const RATE: What = (Unit::TokensPerSecond, Scope::Total, Kind::Assumed);

const SHAPES: &[Source] = &[Source::Config, Source::Checkpoint, Source::Reference];
const CACHES: &[Source] =
    &[Source::Config, Source::Reference, Source::Engine("vLLM, DeepSeek-V4 attention layer")];
const ROWS: &[Source] = &[Source::Engine("vLLM and tokenspeed, FP4 indexer cache")];
const PAGES: &[Source] = &[Source::Engine("SGLang, pool page sizes")];
const CUTS: &[Source] = &[Source::Reference];
const HARDWARE: &[Source] = &[Source::HardwareTable, Source::Driver];
const CHOICE: &[Source] = &[Source::Scenario];
const FLOOR: &[Source] = &[Source::Config, Source::Checkpoint, Source::HardwareTable];
const LATENCY: &[Source] = &[Source::Measured("clean decode rows, one latency per layer"), Source::Scenario];
const LINKS: &[Source] = &[Source::Reference, Source::HardwareTable];

/// All figures of the ledger.
pub(super) fn figures(settings: &Settings, spec: &ModelSpec) -> Vec<Figure> {
    let mut book = Book::new(Ledger::Exact, 220);
    let tensors = Tensors::of(spec);
    model::write(&mut book, settings, spec, &tensors);
    let plan = Plan::of(settings);
    let legal = plan.check(spec).is_ok();
    book.flag("plan.legal", Scope::Total, legal, CUTS);
    let stand_in;
    let settings = if legal {
        settings
    } else {
        // Nothing that follows has a value, but every figure keeps its name.
        book.blank(true);
        stand_in = Settings { tp: 1, ep: 1, pp: 1, gpus: 1, ..settings.clone() };
        &stand_in
    };
    let fits = memory::write(&mut book, settings, spec, &tensors);
    let work = step::Work::of(settings, spec, &tensors);
    let first = decode::write(&mut book, settings, spec, &tensors, &work, fits);
    prefill::write(&mut book, settings, &work, &first, fits);
    index_scores::write(
        &mut book,
        settings,
        spec,
        Plan::of(settings).requests_on_gpu(settings.batch),
        SHAPES,
    );
    book.blank(false);
    network::write(&mut book, settings, spec);
    links(&mut book, settings, spec, legal);
    book.figures()
}

/// What each exchange crosses, and how many sums a forward takes.
fn links(book: &mut Book, settings: &Settings, spec: &ModelSpec, legal: bool) {
    let plan = Plan::of(settings);
    let word = (Unit::Word, Scope::Total, Kind::Exact);
    for (id, crossing) in [
        ("plan.tp_crosses", plan.tp_crossing()),
        ("plan.ep_crosses", plan.ep_crossing()),
        ("plan.pp_crosses", plan.pp_crossing()),
    ] {
        let value = if legal { Value::Word(crossing.name()) } else { Value::Absent };
        book.value(id, word, value, formula!(""), CUTS);
    }
    let (layers, csa) =
        (spec.main_layers().len() as f64, spec.layers_of(crate::spec::AttentionKind::Csa) as f64);
    book.number(
        "collectives.allreduce_per_forward",
        COUNT,
        1.0 + 2.0 * layers + csa,
        formula!("1 + 2 × {L} + {L_CSA}", L = layers, L_CSA = csa),
        CUTS,
    );
    book.number("collectives.allgather_per_forward", COUNT, 1.0, formula!("1"), CUTS);
}

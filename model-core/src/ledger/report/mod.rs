//! The report ledger: the hardware report's bookkeeping. Decimal units, weights and caches split evenly, a roofline
//! with assumed efficiencies.

mod capacity;
mod decode;
pub(super) mod network;
pub(super) mod prefill;
pub(super) mod step;

use super::book::{Book, What};
use crate::figure::{Figure, Kind, Ledger, Scope, Source, Unit};
use crate::scenario::Settings;
use crate::spec::ModelSpec;

const TOTAL_BYTES: What = (Unit::Bytes, Scope::Total, Kind::Assumed);
const GPU_BYTES: What = (Unit::Bytes, Scope::PerGpu, Kind::Assumed);
const REQUEST_BYTES: What = (Unit::Bytes, Scope::PerRequest, Kind::Assumed);
const LAYER_BYTES: What = (Unit::Bytes, Scope::PerLayer, Kind::Assumed);
const TOKEN_BYTES: What = (Unit::Bytes, Scope::PerToken, Kind::Assumed);
const STEP_FLOPS: What = (Unit::Flop, Scope::Total, Kind::Assumed);
const LAYER_FLOPS: What = (Unit::Flop, Scope::PerLayer, Kind::Assumed);
const TOKEN_FLOPS: What = (Unit::Flop, Scope::PerToken, Kind::Assumed);
const STEP_TIME: What = (Unit::Seconds, Scope::Total, Kind::Assumed);
const LAYER_TIME: What = (Unit::Seconds, Scope::PerLayer, Kind::Assumed);
const COUNT: What = (Unit::Count, Scope::Total, Kind::Assumed);
const RATE: What = (Unit::TokensPerSecond, Scope::Total, Kind::Assumed);

const CACHE: &[Source] = &[Source::Report("3.1"), Source::Config];
const MOE: &[Source] = &[Source::Report("3.2"), Source::Config];
const ATTENTION: &[Source] = &[Source::Report("3.3"), Source::Config];
const CAPACITY: &[Source] = &[Source::Report("4")];
const DECODE: &[Source] = &[Source::Report("5")];
const SCAN: &[Source] = &[Source::Report("6")];
const PREFILL: &[Source] = &[Source::Report("7")];
const NETWORK: &[Source] = &[Source::Report("8.2"), Source::TechnicalReport("3.1")];

/// All figures of the ledger.
pub(super) fn figures(settings: &Settings, spec: &ModelSpec) -> Vec<Figure> {
    let mut book = Book::new(Ledger::Report, 120);
    capacity::write(&mut book, settings, spec);
    decode::write(&mut book, settings, spec);
    prefill::write(&mut book, settings, spec);
    network::write(&mut book, settings, spec);
    book.figures()
}

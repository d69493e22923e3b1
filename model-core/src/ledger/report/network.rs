//! Whether computation hides the experts' exchange: the GPU's FLOPs per byte of link against the model's threshold.

use super::*;
use crate::formula;

pub(in crate::ledger) fn write(book: &mut Book, settings: &Settings, spec: &ModelSpec) {
    const INTENSITY: What = (Unit::FlopPerByte, Scope::PerGpu, Kind::Assumed);
    let threshold = book.number(
        "network.hide_threshold",
        INTENSITY,
        2.0 * spec.expert_hidden as f64,
        formula!("2 × {d_ff}", d_ff = spec.expert_hidden as f64),
        NETWORK,
    );
    let peak = settings.peak.get();
    let rates = [
        ("network.flops_per_byte", "network.hidden", settings.link.get()),
        ("network.flops_per_byte_one_way", "network.hidden_one_way", settings.link_one_way().get()),
        (
            "network.flops_per_byte_reached",
            "network.hidden_reached",
            settings.link_one_way().get() * settings.efficiency.link,
        ),
    ];
    for (id, hidden, rate) in rates {
        let formula = formula!("{P} / {BW}", P = peak => FlopsPerSecond, BW = rate => BytesPerSecond);
        let intensity = book.number(id, INTENSITY, peak / rate, formula, NETWORK);
        book.flag(hidden, Scope::PerGpu, intensity <= threshold, NETWORK);
    }
}

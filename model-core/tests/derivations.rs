//! The derivation text of twenty figures, as a reader sees it: symbols, then values, then the result.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use model_core::figure::Ledger;
use model_core::format::{self, ByteBase};
use model_core::ledger::{Topic, report, walk};
use model_core::scenario::Scenario;
use model_core::spec::v4_pro;

fn derivations(ledger: Ledger, base: ByteBase, ids: &[&str]) -> String {
    let report = report(ledger, &Scenario::default(), &v4_pro());
    let lines = ids.iter().map(|id| {
        let figure = report.get(id).unwrap_or_else(|| panic!("no figure {id}"));
        let shown = format::value(&figure.value, figure.unit, base);
        let (symbols, values) = (figure.formula.symbolic(), figure.formula.substituted(base));
        format!("{id}\n  = {symbols}\n  = {values}\n  = {shown}\n  {:?}, {:?}", figure.kind, figure.sources)
    });
    lines.collect::<Vec<_>>().join("\n\n")
}

#[test]
fn the_tutorials_derivations_read_well() {
    insta::assert_snapshot!(derivations(
        Ledger::Tutorial,
        ByteBase::Binary,
        &[
            "weights.routed.bytes",
            "weights.shared.bytes_per_gpu",
            "cache.compressed.bytes",
            "cache.request.bytes",
            "memory.partial.bytes_per_gpu",
            "allreduce.sent.bytes_per_gpu",
            "moe.distinct_experts",
        ],
    ));
}

#[test]
fn the_reports_derivations_read_well() {
    insta::assert_snapshot!(derivations(
        Ledger::Report,
        ByteBase::Decimal,
        &[
            "cache.request.bytes",
            "cache.write_per_token.bytes",
            "moe.distinct_experts",
            "decode.layer.csa.proj_bytes",
            "decode.attn.bytes",
            "decode.moe.hbm_s",
            "decode.step_s",
            "network.flops_per_byte",
        ],
    ));
}

#[test]
fn the_exact_ledgers_derivations_read_well() {
    insta::assert_snapshot!(derivations(
        Ledger::Exact,
        ByteBase::Binary,
        &[
            "active.params",
            "weights.bytes_per_gpu",
            "cache.bytes_per_token",
            "capacity.max_batch_reserved",
            "decode.moe.bytes_per_gpu",
            "decode.floor_s",
        ],
    ));
}

#[test]
fn the_walk_from_report_to_exact_reads_well() {
    let walk =
        walk(Topic::MemoryPerGpu, Ledger::Report, Ledger::Exact, &Scenario::default(), &v4_pro()).unwrap();
    let line = |name: &str, amount: f64| format!("{name:20}{amount:>18}");
    let steps = walk.differences.iter().map(|one| line(one.cause.name(), one.amount));
    let lines: Vec<String> = [line("report", walk.start)].into_iter().chain(steps).collect();
    insta::assert_snapshot!(format!("{}\n{}", lines.join("\n"), line("exact", walk.end)));
}

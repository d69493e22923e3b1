//! The checks that page and command line run on themselves: each compares two ways to the same number.

use crate::figure::{Ledger, Value};
use crate::format::ByteBase;
use crate::ledger::{BATCHES, batch_scan, report};
use crate::scenario::{Dtypes, Key, Refusal, Scenario};
use crate::spec::{AttentionKind, ModelSpec, tensors, v4_flash, v4_pro};
use crate::units::{GIB, MIB};

/// One check and how it went.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What is compared.
    pub name: &'static str,
    /// Whether it holds.
    pub passed: bool,
    /// What was found, for a reader who wants to know.
    pub found: String,
}

impl Check {
    fn equal<T: PartialEq + core::fmt::Debug>(name: &'static str, found: &T, expected: &T) -> Self {
        let passed = found == expected;
        let found = if passed { format!("{found:?}") } else { format!("{found:?}, expected {expected:?}") };
        Self { name, passed, found }
    }
}

/// Runs all checks for a scenario.
///
/// ```
/// let checks = model_core::checks::run(&model_core::scenario::Scenario::default());
/// assert!(checks.iter().all(|check| check.passed));
/// ```
#[must_use]
pub fn run(scenario: &Scenario) -> Vec<Check> {
    let mut checks = published();
    checks.extend(caches(scenario));
    checks.extend(
        Ledger::ALL.into_iter().flat_map(|ledger| [derivations(ledger, scenario), scans(ledger, scenario)]),
    );
    checks
}

/// Numbers that others published.
fn published() -> Vec<Check> {
    let bytes =
        |spec: &ModelSpec| tensors::all(spec).map(|(_, tensor)| tensor.bytes(Dtypes::Stored)).sum::<f64>();
    let (pro, flash) = (v4_pro(), v4_flash());
    let kinds = |spec: &ModelSpec| AttentionKind::ALL.map(|kind| spec.layers_of(kind));
    vec![
        Check::equal("checkpoint of V4-Pro, in bytes", &bytes(&pro), &864_704_792_696.0),
        Check::equal("checkpoint of V4-Flash, in bytes", &bytes(&flash), &159_609_485_896.0),
        Check::equal("layers of V4-Pro: window only, CSA, HCA", &kinds(&pro), &[0, 30, 31]),
        Check::equal("layers of V4-Flash: window only, CSA, HCA", &kinds(&flash), &[2, 21, 20]),
        Check::equal("legal cuts of V4-Pro", &pro.legal_tp(), &vec![1, 2, 4, 8, 16]),
    ]
}

/// The tutorial's cache against the exact ledger's in the reference's rows: two ways to one number.
fn caches(scenario: &Scenario) -> Option<Check> {
    let mut exact = scenario.clone();
    exact.choose_text(Key::KvRows, "reference").ok()?;
    exact.choose_text(Key::State, "true").ok()?;
    exact.choose_text(Key::PageRounding, "false").ok()?;
    exact.choose_text(Key::Mtp, "false").ok()?;
    // Contexts differ by default.
    let context = scenario.in_force(Key::Context, Ledger::Tutorial).real();
    exact.choose_number(Key::Context, context).ok()?;
    let spec = v4_pro();
    let tutorial = report(Ledger::Tutorial, scenario, &spec).number("cache.request.bytes");
    let exact = report(Ledger::Exact, &exact, &spec).number("cache.request.bytes");
    let name = "cache of a request: tutorial and exact ledger in reference rows";
    exact.is_some().then(|| Check::equal(name, &tutorial, &exact))
}

/// Every formula against its figure.
fn derivations(ledger: Ledger, scenario: &Scenario) -> Check {
    let report = report(ledger, scenario, &v4_pro());
    let derived = report.figures().iter().filter(|figure| !figure.formula.template.is_empty());
    let (mut count, mut wrong) = (0, Vec::new());
    for figure in derived {
        count += 1;
        let (value, derived) = (figure.value.number(), figure.formula.evaluate());
        let near = |(value, derived): (f64, f64)| (value - derived).abs() <= 1e-12 * value.abs();
        if !value.zip(derived).is_some_and(near) {
            wrong.push(format!("{}: {}", figure.id, figure.formula.substituted(ByteBase::Binary)));
        }
    }
    let name = match ledger {
        Ledger::Tutorial => "derivations of the tutorial ledger",
        Ledger::Report => "derivations of the report ledger",
        Ledger::Exact => "derivations of the exact ledger",
    };
    let passed = wrong.is_empty();
    Check { name, passed, found: if passed { format!("{count} formulas") } else { wrong.join("; ") } }
}

/// Memory never falls and distinct experts never pass all of them as the batch grows.
fn scans(ledger: Ledger, scenario: &Scenario) -> Check {
    let spec = v4_pro();
    let rows = batch_scan(ledger, scenario, &spec, &BATCHES);
    let rises = rows.windows(2).all(|pair| {
        let [a, b] = pair else { return true };
        b.memory_per_gpu >= a.memory_per_gpu && b.distinct_experts >= a.distinct_experts
    });
    let bounded = rows.iter().all(|row| row.distinct_experts <= spec.experts as f64);
    let name = match ledger {
        Ledger::Tutorial => "batch scan of the tutorial ledger",
        Ledger::Report => "batch scan of the report ledger",
        Ledger::Exact => "batch scan of the exact ledger",
    };
    Check { name, passed: rises && bounded, found: format!("{} batches", rows.len()) }
}

/// The lines that the walkthrough prints for a context and a batch.
///
/// # Errors
/// The context or the batch lies outside its bound.
///
/// ```
/// let lines = model_core::checks::lines(32_768, 8)?;
/// assert_eq!(lines[0], "cache @ 32768: 333.218750 MiB/request/rank");
/// # Ok::<(), model_core::scenario::Refusal>(())
/// ```
pub fn lines(context: u64, batch: u64) -> Result<Vec<String>, Refusal> {
    let mut scenario = Scenario::default();
    scenario.choose_number(Key::Context, context as f64)?;
    scenario.choose_number(Key::Batch, batch as f64)?;
    let report = report(Ledger::Tutorial, &scenario, &v4_pro());
    let bytes = |id| report.bytes(id).get();
    let tp = |id| match report.get(id).map(|figure| &figure.value) {
        Some(Value::Number(tp)) => tp.to_string(),
        _ => "none".to_owned(),
    };
    Ok(vec![
        format!("cache @ {context}: {:.6} MiB/request/rank", bytes("cache.request.bytes") / MIB),
        format!("cache for batch {batch}: {:.6} GiB/rank", bytes("cache.batch.bytes_per_gpu") / GIB),
        format!("routed FP4+scale: {:.6} GiB total", bytes("weights.routed.bytes") / GIB),
        format!("routed FP4+scale: {:.6} GiB/rank", bytes("weights.routed.bytes_per_gpu") / GIB),
        format!("shared FP8+scale: {:.6} GiB/rank", bytes("weights.shared.bytes_per_gpu") / GIB),
        format!("memory named so far: {:.6} GiB/rank", bytes("memory.partial.bytes_per_gpu") / GIB),
        format!("all-reduce sent: {:.6} KiB/rank", bytes("allreduce.sent.bytes_per_gpu") / 1024.0),
        format!("distinct experts: {:.6} of 384", report.number("moe.distinct_experts").unwrap_or(0.0)),
        format!("minimum TP for routed weights on 80 GiB: {}", tp("plan.min_tp")),
    ])
}

//! The workbench's steps: unbent they are the ledgers' own to the last bit; nothing gets slower by more of anything;
//! limits are what they must be.

mod shown;

use proptest::prelude::*;

use super::*;
use crate::figure::Report;
use crate::ledger::{StepPart, report};
use crate::routing::survey;
use crate::scenario::{Bound, Overlap};
use crate::spec::{of, v4_pro};

const TIMED: [Ledger; 2] = [Ledger::Report, Ledger::Exact];

fn chosen(choices: &[(Key, &str)]) -> Scenario {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    scenario
}

fn with(scenario: &Scenario, choices: &[(Key, &str)]) -> Scenario {
    let mut scenario = scenario.clone();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    scenario
}

/// The bench of a scenario, what it is derived from being thrown away.
fn bench(ledger: Ledger, scenario: &Scenario) -> Bench {
    basis(ledger, scenario, Bench::of)
}

fn basis<T>(ledger: Ledger, scenario: &Scenario, of_basis: impl Fn(Basis) -> T) -> T {
    let settings = scenario.resolve(ledger);
    let spec = of(settings.model);
    let report = report(ledger, scenario, &spec);
    of_basis(Basis { scenario, report: &report, settings: &settings, spec: &spec })
}

fn own(ledger: Ledger, scenario: &Scenario) -> Report {
    report(ledger, scenario, &of(scenario.resolve(ledger).model))
}

/// Scenarios of every kind of plan, each of which the model can be cut into.
fn plans() -> Vec<Scenario> {
    let mut all = Vec::new();
    for plan in [
        &[][..],
        &[(Key::Tp, "1")],
        &[(Key::Tp, "16")],
        &[(Key::Pp, "2"), (Key::Tp, "8")],
        &[(Key::Layout, "dp_attention_ep"), (Key::Ep, "8")],
        &[(Key::Layout, "dp_attention_ep"), (Key::Ep, "32")],
        &[(Key::Gpu, "b300"), (Key::LatencyUsPerLayer, "141")],
        &[(Key::Mtp, "true"), (Key::DraftDepth, "3")],
        &[(Key::KvPlacement, "copied")],
        &[(Key::Model, "v4-flash"), (Key::Tp, "4")],
    ] {
        for load in [
            [(Key::Context, "1"), (Key::Batch, "1")],
            [(Key::Context, "128K"), (Key::Batch, "128")],
            [(Key::Context, "1M"), (Key::Batch, "33")],
        ] {
            all.push(with(&chosen(plan), &load));
        }
    }
    all
}

/// A scenario with some of the bends at any of their values.
fn any_bent() -> impl Strategy<Value = (Scenario, Ledger)> {
    let values = |key: Key| {
        let bound = key.bound();
        let value = match bound {
            Bound::OneOf(words) => prop::sample::select(words).prop_map(ToOwned::to_owned).boxed(),
            Bound::Whole(low, high) => (low..=high).prop_map(|number| number.to_string()).boxed(),
            Bound::Real(low, high) => {
                let middle = (0.0..1.0_f64).prop_map(move |t| low + (high - low) * t * t * t);
                prop_oneof![Just(low), Just(high), middle].prop_map(|number| format!("{number:.9}")).boxed()
            }
        };
        prop::option::weighted(0.4, value.prop_map(move |text| (key, text)))
    };
    let keys: Vec<_> = BENDS.iter().chain(BESIDE).copied().map(values).collect();
    let plan = prop::sample::select(plans());
    (keys, plan, prop::sample::select(TIMED.to_vec())).prop_map(|(choices, plan, ledger)| {
        let mut scenario = plan;
        for (key, text) in choices.into_iter().flatten() {
            // Nine decimals may round past a bound; the key then stays as it was.
            let _ = scenario.choose_text(key, &text);
        }
        (scenario, ledger)
    })
}

#[test]
fn unbent_steps_are_the_ledgers_to_the_last_bit() {
    for scenario in plans() {
        for ledger in TIMED {
            let bench = bench(ledger, &scenario);
            let report = own(ledger, &scenario);
            assert_eq!(bench.reason, None);
            assert_eq!(bench.before, bench.after);
            assert!(bench.bent.is_empty() && bench.moved().is_none() && bench.speedup() == 1.0);
            for stage in &bench.before.stages {
                let [.., taken] = stage.part.figures().unwrap();
                if let Some(known) = report.number(taken) {
                    assert_eq!(stage.taken.get().to_bits(), known.to_bits(), "{taken}");
                }
            }
            let total = bench.before.total.get();
            let settings = scenario.resolve(ledger);
            let demands = demands(ledger, &settings, &of(settings.model)).unwrap();
            assert_eq!(demands.total().get().to_bits(), total.to_bits());
            let known = report.number("decode.step_s").or_else(|| report.number("decode.step_low_s"));
            if let Some(known) = known {
                assert_eq!(total.to_bits(), known.to_bits(), "{ledger:?}");
            }
            let floor = report.number("decode.floor_s").unwrap();
            let stages: f64 = bench.before.stages.iter().map(|stage| stage.taken.get()).sum();
            assert!((stages / floor - 1.0).abs() < 1e-12);
        }
    }
}

/// Bytes, FLOPs and exchanges are the figures that the ledgers give for them.
#[test]
fn demands_are_the_ledgers_figures() {
    for scenario in plans() {
        for ledger in TIMED {
            let (settings, report) = (scenario.resolve(ledger), own(ledger, &scenario));
            let demands = demands(ledger, &settings, &of(settings.model)).unwrap();
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs();
            for stage in &demands.stages {
                let [bytes, flops, _] = stage.part.figures().unwrap();
                for (value, id) in [(stage.bytes.get(), bytes), (stage.flops.get(), flops)] {
                    assert!(report.number(id).is_none_or(|known| near(value, known)), "{id}");
                }
            }
            let transfer: f64 =
                demands.stages.iter().map(|s| (s.sums.transfer + s.legs.transfer).get()).sum();
            let known = match ledger {
                Ledger::Report => {
                    if settings.gpus > settings.gpus_per_node {
                        continue;
                    }
                    report.number("decode.ep_s").unwrap()
                }
                _ => report.number("decode.exchange.transfer_s").unwrap(),
            };
            assert!(near(transfer, known), "{ledger:?} {transfer} {known}");
        }
    }
}

#[test]
fn the_reports_situations_are_its_own_steps() {
    let shown = Case::ALL.map(|case| {
        let step = bench(Ledger::Report, &case.scenario()).before;
        let moe = step.stage(StepPart::Moe).unwrap();
        [step.total, moe.taken, moe.compute].map(|time| format!("{:.2}", time.get() * 1e3))
    });
    assert_eq!(shown[0], ["14.36", "11.41", "0.38"]);
    assert_eq!(shown[1], ["27.78", "24.97", "1.52"]);
}

#[test]
fn the_tutorial_and_illegal_plans_say_why_they_have_none() {
    let tutorial = bench(Ledger::Tutorial, &Scenario::default());
    assert_eq!(tutorial.reason, Some(words::NO_TIMES));
    let uncut = bench(Ledger::Exact, &chosen(&[(Key::Tp, "7")]));
    assert_eq!(uncut.reason, Some(words::NO_PLAN));
    for bench in [tutorial, uncut] {
        assert_eq!(bench.speedup(), 1.0);
        assert!(bench.moved().is_none() && bench.after.stages.is_empty());
    }
}

#[test]
fn without_memory_bounds_compute_or_links_bind() {
    for ledger in TIMED {
        let long = with(&Case::Long.scenario(), &[(Key::ExpertCacheHit, "1")]);
        let moe = |scenario: &Scenario| *bench(ledger, scenario).after.stage(StepPart::Moe).unwrap();
        let free = moe(&long);
        assert_eq!((free.hbm_bytes.get(), free.hbm.get()), (0.0, 0.0));
        assert!(free.noc_bytes.get() > 0.0, "the NoC still carries them");
        assert_eq!(free.bound, Resource::Compute);
        let narrow = moe(&with(&long, &[(Key::NocTbS, "1")]));
        assert_eq!(narrow.bound, Resource::Noc);
        assert_eq!(narrow.taken.get(), narrow.noc_bytes.get() / 1e12);
        let spread = [(Key::Layout, "dp_attention_ep"), (Key::Overlap, "waves"), (Key::LinkGbS, "1")];
        assert_eq!(moe(&with(&long, &spread)).bound, Resource::Link);
        let step =
            bench(ledger, &with(&Case::Long.scenario(), &[(Key::HbmTbS, "100"), (Key::HbmEfficiency, "1")]));
        let bounds: Vec<_> =
            step.after.stages.iter().filter(|s| s.taken.get() > 0.0).map(|s| s.bound).collect();
        assert!(bounds.contains(&Resource::Compute), "{ledger:?} {bounds:?}");
    }
}

/// The channel takes the scan off the memory: at most the keys' share, and both paths end together.
#[test]
fn a_channel_takes_at_most_the_keys() {
    let long = Case::Long.scenario();
    let attn = |channel: &str| {
        let scenario = with(&long, &[(Key::IndexerTbS, channel), (Key::PeakTflops, "100000")]);
        *bench(Ledger::Report, &scenario).after.stage(StepPart::Attn).unwrap()
    };
    let settings = long.resolve(Ledger::Report);
    let keys = demands(Ledger::Report, &settings, &v4_pro()).unwrap().stages[1].keys;
    // 30 layers read 262 144 keys of 128 bytes each.
    assert!((keys - 30.0 * 262_144.0 * 128.0 / (37.604e9 / 32.0)).abs() < 1e-3, "{keys}");
    let [none, equal, most] = ["0", "4.8", "100"].map(|channel| attn(channel).hbm.get());
    assert!((equal / none - 0.5).abs() < 1e-12);
    assert!((most / none - (1.0 - keys)).abs() < 1e-12);
}

/// Counted one after the other, exchanges add what the ledgers say they take; a known latency already contains them.
#[test]
fn exchanges_apart_add_up() {
    let online = Case::Online.scenario();
    let report = own(Ledger::Report, &online);
    let total =
        |overlap: &str| bench(Ledger::Report, &with(&online, &[(Key::Overlap, overlap)])).after.total.get();
    let exchange = report.number("decode.ep_s").unwrap() + 2.0 * 61.0 * 2e-6;
    assert!((total("serial") - total("ledger") - exchange).abs() < 1e-12);
    assert_eq!(total("waves"), total("ledger"), "hidden beside the experts");
    let known = with(&online, &[(Key::Gpu, "b300"), (Key::LatencyUsPerLayer, "141")]);
    let total =
        |overlap: &str| bench(Ledger::Exact, &with(&known, &[(Key::Overlap, overlap)])).after.total.get();
    assert!((total("serial") / total("ledger") - 1.0).abs() < 1e-12);
    let slow = with(&known, &[(Key::Overlap, "serial"), (Key::AlphaUs, "10")]);
    assert!(bench(Ledger::Exact, &slow).speedup() < 1.0);
}

#[test]
fn a_power_cap_slows_what_is_busy_with_both() {
    let long = Case::Long.scenario();
    let capped = bench(Ledger::Report, &with(&long, &[(Key::PowerCap, "0.4")]));
    let [attn, moe] = [StepPart::Attn, StepPart::Moe]
        .map(|part| (*capped.before.stage(part).unwrap(), *capped.after.stage(part).unwrap()));
    let [tensor, memory, _] = POWER_SHARES;
    let drawn = tensor * attn.0.compute.get() + memory * attn.0.hbm.get();
    assert_eq!(attn.1.bound, Resource::Power);
    assert!((attn.1.taken.get() - drawn / 0.4).abs() < 1e-15);
    assert_eq!((moe.1.bound, moe.1.taken), (moe.0.bound, moe.0.taken));
    assert!((POWER_SHARES.iter().sum::<f64>() - 1.0).abs() < 1e-15, "all together are the whole");
}

#[test]
fn the_slowest_gpu_has_what_the_draws_say() {
    let skewed = [(Key::Router, "zipf"), (Key::Skew, "0.5"), (Key::SlowestGpu, "true")];
    let online = with(&Case::Online.scenario(), &skewed);
    let settings = online.resolve(Ledger::Report);
    let spec = v4_pro();
    let demands = demands(Ledger::Report, &settings, &spec).unwrap();
    let slow = skew::Slow::of(&settings, &spec, &demands);
    let shape = crate::routing::RoutingShape::of(&spec).unwrap();
    let law = crate::routing::Popularity::of(&settings, shape);
    let sampler = crate::routing::Sampler::new(shape, &law, settings.seed).unwrap();
    let drawn = survey(&sampler, 128, 8, 64).unwrap();
    assert!((slow.pairs / (drawn.slowest_pairs.mean / 96.0) - 1.0).abs() < 0.05);
    assert!(slow.pairs > 1.1 && slow.experts > 0.9);
    let off = with(&online, &[(Key::SlowestGpu, "false")]);
    assert_eq!(skew::Slow::of(&off.resolve(Ledger::Report), &spec, &demands), skew::Slow::NONE);
    assert_eq!(bench(Ledger::Report, &off).speedup(), 1.0, "who picks matters only to the slowest");
}

/// Whether a value of a bend is at least as good as another.
fn better(key: Key) -> Option<bool> {
    match key {
        Key::AlphaUs | Key::FixedTimes => Some(false),
        // More L2 acts through no rate, and these are no amounts; the slowest GPU may even have fewer experts to read.
        Key::L2Mib | Key::SlowestGpu | Key::GpusPerNode => None,
        _ => Some(true),
    }
}

fn assert_sound(step: &Step) {
    let sum: f64 = step.stages.iter().map(|stage| stage.taken.get()).sum::<f64>() + step.rest().get();
    assert!(step.total.get() > 0.0 && (sum / step.total.get() - 1.0).abs() < 1e-12);
    for stage in &step.stages {
        let times = [stage.hbm, stage.noc, stage.compute, stage.link, stage.waits, stage.taken];
        assert!(times.iter().all(|time| time.get().is_finite() && time.get() >= 0.0), "{stage:?}");
        let longest = stage.hbm.get().max(stage.noc.get()).max(stage.compute.get());
        assert!(stage.taken.get() >= longest + stage.waits.get() - 1e-15, "{stage:?}");
        assert!(stage.hbm_bytes.get() <= stage.noc_bytes.get() * (1.0 + 1e-12), "all of it passes the NoC");
        assert!(stage.bound != Resource::Fixed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn more_of_anything_is_never_slower((scenario, ledger) in any_bent()) {
        let here = bench(ledger, &scenario);
        assert_sound(&here.before);
        assert_sound(&here.after);
        let total = here.after.total.get();
        for key in BENDS {
            let (Some(more_is_better), Bound::Real(low, high)) = (better(*key), key.bound()) else { continue };
            let own = scenario.in_force(*key, ledger).real();
            let target = if more_is_better { own * 2.0 + 0.01 } else { own / 2.0 };
            let mut there = scenario.clone();
            // What follows the peak follows it, unless held.
            for follows in [Key::Fp4Tflops, Key::Bf16Tflops] {
                there.choose_number(follows, scenario.in_force(follows, ledger).real()).unwrap();
            }
            there.choose_number(*key, target.clamp(low, high)).unwrap();
            let better = bench(ledger, &there).after.total.get();
            prop_assert!(better <= total * (1.0 + 1e-9), "{}: {total} becomes {better}", key.name());
        }
        let mut joined = scenario.clone();
        joined.choose_number(Key::GpusPerNode, 576.0).unwrap();
        let faster = scenario.resolve(ledger);
        if faster.link_one_way().get() >= faster.network.get() {
            prop_assert!(bench(ledger, &joined).after.total.get() <= total * (1.0 + 1e-9));
        }
    }

    #[test]
    fn overlap_helps_and_what_is_bent_is_listed((scenario, ledger) in any_bent()) {
        let total = |overlap: Overlap| {
            bench(ledger, &with(&scenario, &[(Key::Overlap, overlap.word())])).after.total.get()
        };
        prop_assert!(total(Overlap::Waves) <= total(Overlap::Serial) * (1.0 + 1e-9));
        let here = bench(ledger, &scenario);
        let bare = unbent(&scenario);
        for key in BENDS {
            let differs = scenario.in_force(*key, ledger) != bare.in_force(*key, ledger);
            prop_assert_eq!(here.bent.contains(key), differs);
        }
    }

    #[test]
    fn ledgers_know_none_of_the_workbenchs_own_keys((scenario, ledger) in any_bent()) {
        let mut bare = scenario.clone();
        let bends = BENDS.iter().chain(BESIDE);
        for key in bends.filter(|key| Ledger::ALL.iter().all(|ledger| !key.acts_in(*ledger))) {
            bare.forget(*key);
        }
        let (with, without) = (own(ledger, &scenario), own(ledger, &bare));
        for (one, other) in with.figures().iter().zip(without.figures()) {
            prop_assert_eq!(&one.value, &other.value, "{}", one.id);
        }
    }
}

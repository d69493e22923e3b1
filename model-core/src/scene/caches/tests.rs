//! The events of "caches" for three positions; its rules against the engine's own; the deviations it names; its figures
//! against the report.

use proptest::prelude::*;

use super::*;
use crate::engine::{self, Engine, ModelConfig, Weights, cache};
use crate::figure::Ledger;
use crate::format::ByteBase;
use crate::language::Language;
use crate::ledger::report;
use crate::scenario::{Key, Scenario};
use crate::scene::{Layout, Look, Scene, SceneId, end_of, inspect};
use crate::spec::{ModelSpec, v4_flash, v4_pro};

fn derived(ledger: Ledger, choices: &[(Key, &str)], spec: &ModelSpec) -> Caches {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    let (report, settings) = (report(ledger, &scenario, spec), scenario.resolve(ledger));
    Caches::new(Facts { report: &report, settings: &settings, spec })
}

fn caches(choices: &[(Key, &str)]) -> Caches {
    derived(Ledger::Tutorial, choices, &v4_pro())
}

fn told(caches: &Caches, step: Step) -> Vec<Event> {
    caches.events(step).into_iter().map(|timed| timed.event).collect()
}

fn hide(kind: AttentionKind, entry: u64, lacks: u64) -> Event {
    Event::Hide { kind, entry, lacks }
}

const CSA: AttentionKind = AttentionKind::Csa;
const HCA: AttentionKind = AttentionKind::Hca;

#[test]
fn position_3_completes_the_first_entry() {
    let caches = caches(&[(Key::Position, "3"), (Key::Fault, "none")]);
    assert_eq!(told(&caches, Step::Ring), [Event::Fill(0..4), Event::Next { slot: 4, drives_out: None }]);
    let joined = (0..4).map(Event::Join);
    let pool = Event::Pool { entry: 0, pooled: 0..4 };
    assert_eq!(told(&caches, Step::Csa), joined.chain([pool]).collect::<Vec<_>>());
    assert_eq!(told(&caches, Step::Hca), [Event::Count(4), Event::Entries(0)]);
    assert_eq!(told(&caches, Step::Index), [Event::Keys(1), Event::Pick { picked: 1, real: true }]);
    let see = |kind, entries| Event::See(kind, Seen { window: 0..4, entries, attended: entries });
    assert_eq!(told(&caches, Step::Sees), [see(CSA, 1), see(HCA, 0), hide(CSA, 1, 4), hide(HCA, 0, 124)]);
    let samples = TOKENS * check::TENSORS.len();
    let compare = (0..3).map(|layer| Event::Compare { layer, agree: samples });
    let all = compare.chain([Event::Turns { apart: true }]);
    assert_eq!(told(&caches, Step::Check), all.collect::<Vec<_>>());
    assert_eq!(told(&caches, Step::Grows), [Event::Grow]);
}

#[test]
fn position_7_pools_two_groups() {
    let caches = caches(&[(Key::Position, "7"), (Key::Fault, "reset_tail"), (Key::Layer, "3")]);
    let joined = (0..8).map(Event::Join);
    let pool = Event::Pool { entry: 1, pooled: 0..8 };
    assert_eq!(told(&caches, Step::Csa), joined.chain([pool]).collect::<Vec<_>>());
    assert_eq!(told(&caches, Step::Sees)[2..], [hide(CSA, 2, 4), hide(HCA, 0, 120)]);
    let first = Event::Deviate { layer: 2, position: 7, tensor: Tensor::MainCompressed };
    assert_eq!(
        told(&caches, Step::Check)[2..],
        [Event::Compare { layer: 2, agree: 7 * 6 + 1 }, first, Event::Turns { apart: true }]
    );
}

#[test]
fn position_128_drives_the_first_row_out() {
    let caches = caches(&[(Key::Position, "128")]);
    assert_eq!(
        told(&caches, Step::Ring),
        [Event::Fill(1..129), Event::Next { slot: 1, drives_out: Some(1) }]
    );
    // The first entry of the third drawn group is not there yet.
    let joined = (120..129).map(Event::Join);
    let pool = Event::Pool { entry: 31, pooled: 120..128 };
    assert_eq!(told(&caches, Step::Csa), joined.chain([pool]).collect::<Vec<_>>());
    assert_eq!(told(&caches, Step::Hca), [Event::Count(1), Event::Entries(1)]);
    assert_eq!(told(&caches, Step::Index), [Event::Keys(32), Event::Pick { picked: 8, real: true }]);
    let csa = Seen { window: 1..129, entries: 32, attended: 32 };
    let hca = Seen { window: 1..129, entries: 1, attended: 1 };
    assert_eq!(
        told(&caches, Step::Sees),
        [Event::See(CSA, csa), Event::See(HCA, hca), hide(CSA, 32, 3), hide(HCA, 1, 127)]
    );
}

#[test]
fn far_on_the_rule_alone_is_told() {
    let caches = caches(&[(Key::Position, "1048575")]);
    assert_eq!(caches.picks(), None);
    assert_eq!(told(&caches, Step::Index), [Event::Keys(262_144), Event::Pick { picked: 1024, real: false }]);
    assert_eq!(caches.seen(HCA), Seen { window: 1_048_448..1_048_576, entries: 8192, attended: 8192 });
}

fn engines(kind: AttentionKind) -> engine::AttentionKind {
    match kind {
        AttentionKind::Window => engine::AttentionKind::Window,
        AttentionKind::Csa => engine::AttentionKind::Csa,
        AttentionKind::Hca => engine::AttentionKind::Hca,
    }
}

/// Every position up to several turns of the ring, then some of each size: what is seen is what the engine shows its
/// own queries.
#[test]
fn queries_see_what_the_engine_lets_them_see() {
    let (config, mut scene) = (ModelConfig::page61(), caches(&[]));
    let far = (0..20_000).map(|step| step * 52 + step % 129).filter(|position| *position < LONGEST);
    for position in (0..1500).chain(far).chain([LONGEST - 1]) {
        scene.position = position;
        for kind in AttentionKind::ALL {
            let rule = cache::visible(&config, engines(kind), position as usize);
            let seen = scene.seen(kind);
            let window = seen.window.start as usize..seen.window.end as usize;
            assert_eq!(
                (window, seen.entries as usize),
                (rule.window, rule.entries),
                "{kind:?} at {position}"
            );
            // What is hidden becomes visible exactly when its last token is in.
            let Some(ratio) = scene.ratio_of(kind) else { continue };
            let due = position + ratio - (scene.waiting(kind).end - scene.waiting(kind).start);
            let entries = |position: u64| cache::visible(&config, engines(kind), position as usize).entries;
            assert_eq!(
                (entries(due - 1), entries(due)),
                (rule.entries, rule.entries + 1),
                "{kind:?} {position}"
            );
        }
    }
}

/// After so many tokens the engine's own caches hold what the picture shows.
#[test]
fn the_engines_caches_hold_what_is_drawn() {
    let config = ModelConfig { layers: ModelConfig::page6().layers[1..3].to_vec(), ..ModelConfig::page6() };
    let engine = Engine::new(config.clone(), &Weights::seeded(&config, 1).unwrap()).unwrap();
    let mut request = engine.start();
    let mut scene = caches(&[]);
    for position in 0..270_u64 {
        engine.step(&mut request, (position * 7 % 128) as u32).unwrap();
        scene.position = position;
        for (layer, kind) in [HCA, CSA].into_iter().enumerate() {
            let cache = request.cache(0, layer).unwrap();
            let held: Vec<_> =
                (0..scene.window).map(|slot| scene.held_by(slot).map(|p| p as usize)).collect();
            assert_eq!(cache.ring().positions(), held, "after {position}");
            let main = cache.main().unwrap();
            assert_eq!(main.entries().len() as u64, scene.seen(kind).entries);
            assert_eq!(main.tail().waiting().len() as u64, {
                let waiting = scene.waiting(kind);
                // The engine forgets a full group only when the next token comes.
                if waiting.is_empty() {
                    main.tail().waiting().len() as u64
                } else {
                    waiting.end - waiting.start
                }
            });
            if kind == CSA {
                for entry in 0..main.entries().len() {
                    let pooled = scene.pooled(entry as u64);
                    assert_eq!(main.entries().pooled(entry), pooled.start as usize..pooled.end as usize);
                }
                assert_eq!(cache.index().unwrap().entries().len() as u64, scene.seen(kind).entries);
            }
        }
    }
}

#[test]
fn picks_are_real_and_within_what_is_visible() {
    let mut chosen = 0;
    for position in [0, 3, 4, 31, 35, 36, 127, 128, REACH - 1, REACH] {
        let caches = caches(&[(Key::Position, &position.to_string()), (Key::Fault, "none")]);
        let entries = caches.seen(CSA).entries;
        let Some(picks) = caches.picks() else {
            assert_eq!(position, REACH);
            continue;
        };
        assert_eq!(picks.len() as u64, entries.min(SMALL_TOP_K as u64), "at {position}");
        assert!(picks.windows(2).all(|pair| pair[0] < pair[1]), "{picks:?}");
        assert!(picks.iter().all(|pick| u64::from(*pick) < entries), "{picks:?}");
        chosen += usize::from(entries > SMALL_TOP_K as u64 && *picks != *(0..8).collect::<Vec<_>>());
    }
    assert!(chosen >= 3, "the indexer chooses rather than taking the first ones");
    let of = |seed| caches(&[(Key::Position, "131"), (Key::Seed, seed)]).picks().map(<[u32]>::to_vec);
    assert_eq!(of("1"), of("1"));
    assert_ne!(of("1"), of("2"));
}

#[test]
fn each_mistake_is_named_where_it_first_shows() {
    use Tensor::{AttentionOutput, MainCompressed, Ring, TopK};
    type Wanted = [Option<(usize, Tensor)>; 3];
    let cases: [(&str, Wanted); 5] = [
        ("none", [None; 3]),
        ("skip_rank", [Some((0, AttentionOutput)); 3]),
        // The cut after 6 tokens parts the group that ends with position 7.
        ("reset_tail", [None, Some((7, MainCompressed)), Some((7, MainCompressed))]),
        ("late_entry", [None, Some((3, TopK)), Some((7, TopK))]),
        ("early_overwrite", [Some((11, Ring)); 3]),
    ];
    for seed in ["1", "2", "4294967295"] {
        for (fault, wanted) in &cases {
            for (layer, (kind, wanted)) in LAYERS.into_iter().zip(wanted).enumerate() {
                // Layer 0 of the smaller published model keeps its window alone.
                let opened = match kind {
                    AttentionKind::Window => "0",
                    AttentionKind::Csa => "2",
                    AttentionKind::Hca => "3",
                };
                let choices = [(Key::Fault, *fault), (Key::Layer, opened), (Key::Seed, seed)];
                let caches = derived(Ledger::Exact, &choices, &v4_flash());
                let live = caches.live.as_ref().unwrap();
                let first = live.first.map(|first| (first.layer, first.position, first.tensor));
                let wanted = wanted.map(|(position, tensor)| (layer, position, tensor));
                assert_eq!(first, wanted, "{fault} in {kind:?}, seed {seed}");
                assert_eq!(live.logits > 0.0, first.is_some(), "{fault} in {kind:?} reaches the logits");
                assert!(live.apart);
            }
        }
    }
}

#[test]
fn drawn_figures_are_the_reports() {
    let all: [&[(Key, &str)]; 3] = [
        &[],
        &[(Key::Context, "1048576"), (Key::KvRows, "fp8_fp4idx")],
        &[(Key::Context, "7"), (Key::Mtp, "true"), (Key::PageRounding, "true")],
    ];
    for choices in all {
        for ledger in Ledger::ALL {
            let mut scenario = Scenario::default();
            for (key, text) in choices {
                scenario.choose_text(*key, text).unwrap();
            }
            let (report, caches) =
                (report(ledger, &scenario, &v4_pro()), derived(ledger, choices, &v4_pro()));
            for layout in [Layout::Wide, Layout::Narrow] {
                let look = Look { layout, language: Language::English, base: ByteBase::Binary };
                let drawing = caches.frame(end_of(SceneId::Caches), look);
                let tags: Vec<_> = drawing.marks.iter().filter_map(|mark| mark.figure).collect();
                assert_eq!(tags.len(), 1 + caches.parts.len(), "{ledger:?}");
                for tag in tags {
                    assert_eq!(report.number(tag.id), Some(tag.value), "{} {ledger:?}", tag.id);
                }
            }
            let sum: Bytes = caches.parts.iter().map(|share| share.bytes).sum();
            assert_eq!(sum, caches.request, "{ledger:?}");
        }
    }
}

#[test]
fn a_constant_and_a_slope_tell_the_request() {
    for ledger in Ledger::ALL {
        for context in [32_768_u64, 131_072, 1_048_576] {
            let caches = derived(ledger, &[(Key::Context, &context.to_string())], &v4_pro());
            let (constant, slope) = caches.growth;
            let told = constant.get() + slope.get() * context as f64;
            assert!((told / caches.request.get() - 1.0).abs() < 1e-9, "{told} {caches:?}");
            let drawn: Bytes = caches.parts.iter().map(|share| share.constant).sum();
            assert!((drawn.get() - constant.get()).abs() < 1.0, "{drawn:?} {constant:?}");
        }
    }
}

#[test]
fn every_frame_is_sound() {
    inspect::everywhere(SceneId::Caches, 8.0);
}

#[test]
fn odd_models_are_drawn() {
    inspect::odd_models(SceneId::Caches);
    let spec = ModelSpec { window: 300, indexer_top_k: 1, ..v4_flash() };
    let far = [(Key::Position, "1048575".to_owned()), (Key::Layer, "0".to_owned())];
    inspect::model(SceneId::Caches, Ledger::Exact, &far, 0.2, &spec);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_scenario_is_drawn(
        position in prop_oneof![0..140_u64, 0..LONGEST],
        context in 1..=LONGEST,
        layer in 0..61_u64,
        fault in prop::sample::select(FaultKind::WORDS),
        ledger in 0..3_usize,
        flash: bool,
        part in 0.02..0.98_f64,
    ) {
        let choices = [
            (Key::Position, position.to_string()),
            (Key::Context, context.to_string()),
            (Key::Layer, layer.to_string()),
            (Key::Fault, fault.to_owned()),
        ];
        let spec = if flash { v4_flash() } else { v4_pro() };
        inspect::model(SceneId::Caches, Ledger::ALL[ledger], &choices, part, &spec);
    }
}

//! How long chunks of a prompt and steps of a decode take in the ledger in use: for simulations, which ask for many of
//! them. What does not depend on the load is computed once.
//!
//! The tutorial times nothing; the exact ledger's floor with the tutorial's settings stands in for it.

use super::exact;
use super::exact::holding::Tensors;
use super::exact::step::Work;
use super::exchanges::{ExchangeKind as Kind, ExchangeRow};
use super::report::prefill::Chunk;
use super::report::step::{Fixed, Stage, overhead};
use crate::figure::Ledger;
use crate::plan::Plan;
use crate::scenario::Settings;
use crate::spec::ModelSpec;
use crate::units::{Bytes, Seconds};

/// What a step's time rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Basis {
    /// The report's roofline with its efficiencies and fixed times.
    Roofline,
    /// A floor with a latency per layer that is known or chosen.
    Known(Seconds),
    /// A floor with a latency per layer of which only the least and the most are known: steps take the least.
    Range([Seconds; 2]),
}

/// What something asks of one GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// Bytes of its memory.
    pub bytes: Bytes,
    /// The time they take.
    pub hbm: Seconds,
    /// The time its FLOPs take.
    pub compute: Seconds,
}

/// A decode step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepPace {
    /// Projections, attention over the caches, experts, head, and streams with the embedding.
    pub stages: [Demand; 5],
    /// Time on the links of attention, dispatch, combine, and embedding with logits. Hidden behind the experts in the
    /// report, part of the latency in the exact ledger.
    pub links: [Seconds; 4],
    /// Fixed time of a step.
    pub fixed: Seconds,
    /// Latency of all layers together.
    pub latency: Seconds,
    /// The step.
    pub total: Seconds,
}

/// A chunk of a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChunkPace {
    /// All its stages together.
    pub demand: Demand,
    /// Time on the links.
    pub link: Seconds,
    /// The chunk.
    pub total: Seconds,
}

enum Way<'a> {
    Even(Fixed),
    Tensors(Work<'a>),
}

/// The times of a scenario under a ledger.
pub struct Pace<'a> {
    settings: &'a Settings,
    spec: &'a ModelSpec,
    way: Way<'a>,
    /// What its steps rest on.
    pub basis: Basis,
}

impl<'a> Pace<'a> {
    /// The times of a scenario; none where the model cannot be cut as it says.
    #[must_use]
    pub fn new(ledger: Ledger, settings: &'a Settings, spec: &'a ModelSpec) -> Option<Self> {
        let (way, basis) = if ledger == Ledger::Report {
            (Way::Even(Fixed::of(settings, spec)), Basis::Roofline)
        } else {
            Plan::of(settings).check(spec).ok()?;
            let range = || exact::latency_range(settings.gpu.name, settings.layout).map(Seconds);
            let basis = settings.latency_per_layer.map_or_else(|| Basis::Range(range()), Basis::Known);
            (Way::Tensors(Work::of(settings, spec, &Tensors::of(spec))), basis)
        };
        Some(Self { settings, spec, way, basis })
    }

    /// Latency of a layer that steps take.
    fn latency_s(&self) -> f64 {
        match self.basis {
            Basis::Roofline => 0.0,
            Basis::Known(each) | Basis::Range([each, _]) => each.get(),
        }
    }

    /// Tokens that a request gains from a step, in expectation.
    #[must_use]
    pub fn gained_tokens(&self) -> f64 {
        match &self.way {
            Way::Even(_) => 1.0,
            Way::Tensors(work) => work.gained_tokens(),
        }
    }

    /// How long a decode step of a batch takes.
    #[must_use]
    pub fn step_s(&self, batch: u64) -> f64 {
        match &self.way {
            Way::Even(fixed) => fixed.step(self.settings, self.spec, batch).total_s(),
            Way::Tensors(work) => {
                let fixed = work.layers * self.latency_s() + overhead(self.settings, batch);
                work.decode(batch).floor_s() + fixed
            }
        }
    }

    /// The least that a step's bytes and FLOPs allow: nothing fixed, no latency.
    #[must_use]
    pub fn step_floor(&self, batch: u64) -> Seconds {
        Seconds(match &self.way {
            Way::Even(fixed) => {
                let step = fixed.step(self.settings, self.spec, batch);
                step.total_s() - step.overhead_s
            }
            Way::Tensors(work) => work.decode(batch).floor_s(),
        })
    }

    /// The same for so many tokens of a prompt after a prefix.
    #[must_use]
    pub fn chunk_floor(&self, prefix: u64, tokens: u64) -> Seconds {
        match &self.way {
            Way::Even(_) => Seconds(self.chunk_s(prefix, tokens)) - self.settings.overhead.prefill,
            Way::Tensors(work) => Seconds(work.prefill_of(prefix, tokens).floor_s()),
        }
    }

    /// How long so many tokens of a prompt take after a prefix.
    #[must_use]
    pub fn chunk_s(&self, prefix: u64, tokens: u64) -> f64 {
        match &self.way {
            Way::Even(_) => Chunk::after(self.settings, self.spec, prefix, tokens).total_s(self.settings),
            Way::Tensors(work) => {
                let step = work.prefill_of(prefix, tokens);
                step.floor_s() + step.exchange.total_s() + self.settings.overhead.prefill.get()
            }
        }
    }

    /// A decode step of a batch, by what it asks of a GPU.
    #[must_use]
    pub fn step(&self, batch: u64) -> StepPace {
        let total = Seconds(self.step_s(batch));
        let fixed = Seconds(overhead(self.settings, batch));
        match &self.way {
            Way::Even(even) => {
                let step = even.step(self.settings, self.spec, batch);
                let gpus = f64::from(self.settings.gpus);
                let layers = self.spec.main_layers().len() as f64;
                // FP8 out, BF16 back.
                let link = |part: f64| Seconds(step.exchange_layer_s * layers * part / 3.0);
                let stages =
                    [(step.proj, gpus), (step.attn, even.split()), (step.moe, gpus), (step.head, gpus)];
                let [proj, attn, moe, head] = stages.map(|(stage, share)| demand(&stage, share));
                StepPace {
                    stages: [proj, attn, moe, head, Demand::default()],
                    links: [Seconds::ZERO, link(1.0), link(2.0), Seconds::ZERO],
                    fixed,
                    latency: Seconds::ZERO,
                    total,
                }
            }
            Way::Tensors(work) => {
                let [proj, attn, moe, head, other, _] = work.decode(batch).stages();
                StepPace {
                    stages: [proj, attn, moe, head, other].map(|stage| demand(&stage, 1.0)),
                    links: by_stage(&work.decode_exchanges(batch)),
                    fixed,
                    latency: Seconds(work.layers * self.latency_s()),
                    total,
                }
            }
        }
    }

    /// So many tokens of a prompt after a prefix, by what they ask of a GPU.
    #[must_use]
    pub fn chunk(&self, prefix: u64, tokens: u64) -> ChunkPace {
        let total = Seconds(self.chunk_s(prefix, tokens));
        let (demand, link) = match &self.way {
            Way::Even(even) => {
                let chunk = Chunk::after(self.settings, self.spec, prefix, tokens);
                let gpus = f64::from(self.settings.gpus);
                let stages =
                    [demand(&chunk.proj, gpus), demand(&chunk.attn, even.split()), demand(&chunk.moe, gpus)];
                let layers = self.spec.main_layers().len() as f64;
                let step = even.step(self.settings, self.spec, tokens);
                (stages.into_iter().fold(Demand::default(), Demand::and), step.exchange_layer_s * layers)
            }
            Way::Tensors(work) => {
                let step = work.prefill_of(prefix, tokens);
                let stages = step.stages().map(|stage| demand(&stage, 1.0));
                (stages.into_iter().fold(Demand::default(), Demand::and), step.exchange.total_s())
            }
        };
        ChunkPace { demand, link: Seconds(link), total }
    }
}

/// A step that verifies drafts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drafted {
    /// All layers with the token and its drafts.
    pub verify: Seconds,
    /// Making the drafts, one after the other.
    pub draft: Seconds,
}

impl Drafted {
    /// Both.
    #[must_use]
    pub fn total(&self) -> Seconds {
        self.verify + self.draft
    }
}

/// A step of the batch with so many drafted tokens a request; none where the model cannot be cut as the plan says. The
/// report knows no draft block: one of its layers and the head stand for it.
#[must_use]
pub fn drafted(ledger: Ledger, settings: &Settings, spec: &ModelSpec, depth: u64) -> Option<Drafted> {
    let drafting = Settings { mtp: depth > 0, draft_depth: depth.max(1), ..settings.clone() };
    let batch = settings.batch;
    let pace = Pace::new(ledger, &drafting, spec)?;
    let (verify, draft) = match &pace.way {
        Way::Tensors(work) => {
            let draft = work.decode(batch).draft.taken_s();
            (pace.step_s(batch) - draft, draft)
        }
        Way::Even(fixed) => {
            let plain = fixed.step(settings, spec, batch);
            let wide = fixed.step(settings, spec, batch.saturating_mul(1 + depth));
            // All of a request's positions share one reading of its caches.
            let attn = plain.attn.hbm_s.max(wide.attn.compute_s);
            let rest = wide.proj.taken_s() + wide.moe.taken_s() + wide.head.taken_s();
            let layers = (spec.main_layers().len() as f64).max(1.0);
            let layer = (plain.proj.taken_s() + plain.attn.taken_s() + plain.moe.taken_s()) / layers;
            (rest + attn + plain.overhead_s, depth as f64 * (layer + plain.head.taken_s()))
        }
    };
    Some(Drafted { verify: Seconds(verify), draft: Seconds(draft) })
}

/// Tokens that a step gains with so many drafts, each of which holds with a chance if those before it did.
#[must_use]
pub fn gained(depth: u64, acceptance: f64) -> f64 {
    (0..=depth).map(|drafts| crate::power::whole_power(acceptance, drafts)).sum()
}

impl Demand {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            bytes: self.bytes + other.bytes,
            hbm: self.hbm + other.hbm,
            compute: self.compute + other.compute,
        }
    }
}

/// A stage whose bytes so many GPUs share.
fn demand(stage: &Stage, share: f64) -> Demand {
    Demand { bytes: Bytes(stage.bytes / share), hbm: Seconds(stage.hbm_s), compute: Seconds(stage.compute_s) }
}

/// What of a step's exchanges stands where: attention, dispatch, combine, and embedding with logits.
fn by_stage(rows: &[ExchangeRow]) -> [Seconds; 4] {
    let sum = |kinds: &[Kind]| {
        let of = rows.iter().filter(|row| kinds.contains(&row.kind));
        of.fold(Seconds::ZERO, |sum, row| sum + row.startup + row.transfer)
    };
    [
        sum(&[Kind::IndexScores, Kind::AttentionOutput]),
        sum(&[Kind::Dispatch]),
        sum(&[Kind::RoutedSum, Kind::Combine]),
        sum(&[Kind::Embedding, Kind::Logits]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::report;
    use crate::scenario::{Key, Scenario};
    use crate::spec::v4_pro;

    fn near(a: f64, b: f64) -> bool {
        (a / b - 1.0).abs() < 1e-12
    }

    #[test]
    fn times_are_those_of_the_figures() {
        for (ledger, latency) in [(Ledger::Report, "0"), (Ledger::Exact, "250"), (Ledger::Exact, "0")] {
            for (layout, cut) in [("tp", Key::Tp), ("dp_attention_ep", Key::Ep)] {
                let mut scenario = Scenario::default();
                scenario.choose_text(Key::Layout, layout).unwrap();
                scenario.choose_text(cut, "16").unwrap();
                scenario.choose_text(Key::Prefix, "9000").unwrap();
                scenario.choose_text(Key::LatencyUsPerLayer, latency).unwrap();
                let (spec, settings) = (v4_pro(), scenario.resolve(ledger));
                let figures = report(ledger, &scenario, &spec);
                let pace = Pace::new(ledger, &settings, &spec).unwrap();
                let number = |id| figures.number(id).unwrap();
                assert!(near(pace.chunk_s(9000, 8192), number("prefill.step_s")));
                if ledger == Ledger::Exact {
                    assert_eq!(Some(pace.step_floor(settings.batch).get()), figures.number("decode.floor_s"));
                    assert_eq!(Some(pace.chunk_floor(9000, 8192).get()), figures.number("prefill.floor_s"));
                }
                let step = match pace.basis {
                    Basis::Range(_) => number("decode.step_low_s"),
                    _ => number("decode.step_s"),
                };
                assert!(near(pace.step_s(settings.batch), step), "{layout}");
                let step = pace.step(settings.batch);
                let known = step.stages.map(|stage| stage.hbm.max(stage.compute).get());
                let sum = known.iter().sum::<f64>() + step.fixed.get() + step.latency.get();
                assert!(near(sum, step.total.get()));
                if ledger == Ledger::Exact {
                    let links = step.links.iter().map(|s| s.get()).sum::<f64>();
                    assert!(near(links, number("decode.exchange_s")), "{layout}: {links}");
                }
            }
        }
    }

    /// Ten accepted of ten give eleven tokens; none accepted give one. The exact ledger's own figures say the same.
    #[test]
    fn drafts_cost_and_gain_what_the_figures_say() {
        assert_eq!([gained(10, 1.0), gained(8, 0.0), gained(0, 0.7)], [11.0, 1.0, 1.0]);
        assert!((gained(2, 0.5) - 1.75).abs() < 1e-12);
        let mut scenario = Scenario::default();
        for (key, text) in
            [(Key::Mtp, "true"), (Key::DraftDepth, "3"), (Key::LatencyUsPerLayer, "200"), (Key::Tp, "16")]
        {
            scenario.choose_text(key, text).unwrap();
        }
        let (spec, settings) = (v4_pro(), scenario.resolve(Ledger::Exact));
        let figures = report(Ledger::Exact, &scenario, &spec);
        let drafted = drafted(Ledger::Exact, &settings, &spec, 3).unwrap();
        assert!(near(drafted.total().get(), figures.number("decode.step_s").unwrap()));
        assert!(near(drafted.draft.get(), figures.number("decode.mtp_s").unwrap()));
        let rate = figures.number("decode.tokens_per_s").unwrap();
        let gained = gained(3, settings.acceptance) * settings.batch as f64;
        assert!(near(gained / drafted.total().get(), rate));
        for ledger in Ledger::ALL {
            let settings = Scenario::default().resolve(ledger);
            let steps = [0, 1, 4, 8].map(|depth| super::drafted(ledger, &settings, &spec, depth).unwrap());
            let pace = Pace::new(ledger, &settings, &spec).unwrap();
            assert!(near(steps[0].total().get(), pace.step_s(settings.batch)) && steps[0].draft.get() == 0.0);
            assert!(steps.windows(2).all(|pair| pair[0].total() < pair[1].total()));
        }
    }

    #[test]
    fn a_plan_that_cannot_be_cut_has_no_times() {
        let mut scenario = Scenario::default();
        scenario.choose_text(Key::Tp, "7").unwrap();
        let settings = scenario.resolve(Ledger::Exact);
        assert!(Pace::new(Ledger::Exact, &settings, &v4_pro()).is_none());
    }
}

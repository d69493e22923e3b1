//! What the report says of the hardware where figures say otherwise, or only just the same: its own number, and the
//! exact one beside it.

use super::preset::Case;
use super::skew::Slow;
use super::{Bench, CacheNeed, words};
use crate::figure::{Ledger, Unit, Value};
use crate::format::{self, ByteBase, Shown};
use crate::ledger::demands::demands;
use crate::ledger::report_of;
use crate::scenario::{Key, Scenario};
use crate::scene::{Look, Text};
use crate::spec::ModelSpec;
use crate::words::fill;

/// A claim and what comes out.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Its name in test hooks.
    pub name: &'static str,
    /// The preset it belongs to.
    pub preset: &'static str,
    /// As the report has it, with the report's own numbers.
    pub said: String,
    /// What comes out, with the exact ledger's.
    pub truth: String,
    /// Whether the claim holds all the same.
    pub holds: bool,
    /// The two numbers that stand against each other, in base units.
    pub numbers: [f64; 2],
}

/// The words of a claim before their numbers.
struct Told {
    name: &'static str,
    preset: &'static str,
    said: Text,
    truth: Text,
}

/// Puts numbers into words.
struct Speaker<'a> {
    spec: &'a ModelSpec,
    look: Look,
}

type Values<'a> = &'a [(&'a str, String)];

impl Speaker<'_> {
    fn show(&self, number: f64, unit: Unit) -> String {
        let base = if unit == Unit::Bytes { ByteBase::Decimal } else { self.look.base };
        let shown = format::value(&Value::Number(number), unit, base);
        // What was assumed is a round number, and is said as one.
        Shown { number: format::trimmed(shown.number), ..shown }.to_string()
    }

    fn claim(&self, told: Told, said: Values, truth: Values, holds: bool, numbers: [f64; 2]) -> Claim {
        let said = fill(self.look.say(told.said), said);
        let truth = fill(self.look.say(told.truth), truth);
        Claim { name: told.name, preset: told.preset, said, truth, holds, numbers }
    }

    /// A figure of a ledger; what it has no number for is no number here either.
    fn figure(&self, ledger: Ledger, scenario: &Scenario, id: &str) -> f64 {
        report_of(ledger, &scenario.resolve(ledger), self.spec).number(id).unwrap_or(f64::NAN)
    }

    fn l2(&self) -> Claim {
        let long = Case::Long.scenario();
        let settings = long.resolve(Ledger::Exact);
        let said = self.figure(Ledger::Report, &long, "expert.bytes");
        let need = CacheNeed::of(Ledger::Exact, &settings, self.spec).unwrap_or_default();
        let truth = self.figure(Ledger::Exact, &long, "expert.bytes");
        let bytes = |number: f64| self.show(number, Unit::Bytes);
        self.claim(
            Told {
                name: "l2",
                preset: "expert-cache",
                said: words::CLAIM_L2_SAID,
                truth: words::CLAIM_L2_TRUTH,
            },
            &[("l2", bytes(need.l2.get())), ("expert", bytes(said))],
            &[
                ("expert", bytes(truth)),
                ("layer", bytes(need.layer.get())),
                ("resident", bytes(need.resident.get())),
                ("held", format!("{:.2} %", need.held() * 100.0)),
            ],
            truth <= need.l2.get(),
            [said, need.layer.get()],
        )
    }

    fn link(&self) -> Claim {
        let long = Case::Long.scenario();
        let settings = long.resolve(Ledger::Report);
        let figure = |id| self.figure(Ledger::Report, &long, id);
        let limit = figure("network.hide_threshold");
        let (said, truth) = (figure("network.flops_per_byte"), figure("network.flops_per_byte_one_way"));
        let rate = |number: f64| self.show(number, Unit::BytesPerSecond);
        self.claim(
            Told {
                name: "link-rate",
                preset: "ep-domain",
                said: words::CLAIM_LINK_SAID,
                truth: words::CLAIM_LINK_TRUTH,
            },
            &[("rate", rate(settings.link.get())), ("ratio", whole(said)), ("limit", whole(limit))],
            &[
                ("rate", rate(settings.link_one_way().get())),
                ("ratio", whole(truth)),
                ("limit", whole(limit)),
                ("said_margin", format!("{:.1}", limit / said)),
                ("margin", format!("{:.1}", limit / truth)),
                ("share", format::percent(settings.efficiency.link)),
                ("reached", whole(figure("network.flops_per_byte_reached"))),
            ],
            truth <= limit,
            [said, truth],
        )
    }

    fn network(&self) -> Claim {
        let online = with(&Case::Online.scenario(), &[(Key::GpusPerNode, "1"), (Key::Overlap, "waves")]);
        let settings = online.resolve(Ledger::Report);
        let limit = 2.0 * self.spec.expert_hidden as f64;
        let said = settings.peak.get() / settings.network.get();
        let bench = Bench::between(Ledger::Report, [&online, &online], self.spec);
        let [exchange, experts] = bench.domain.times.map(|time| time.get());
        let seconds = |number: f64| self.show(number, Unit::Seconds);
        self.claim(
            Told {
                name: "network",
                preset: "ep-domain",
                said: words::CLAIM_NETWORK_SAID,
                truth: words::CLAIM_NETWORK_TRUTH,
            },
            &[("ratio", whole(said)), ("limit", whole(limit))],
            &[("exchange", seconds(exchange)), ("experts", seconds(experts))],
            exchange > experts,
            [said, exchange],
        )
    }

    fn fixed(&self) -> Claim {
        let settings = Case::Long.scenario().resolve(Ledger::Report);
        let [least, most] = crate::ledger::latency_range(settings.gpu.name, settings.layout);
        let layers = self.spec.main_layers().len() as f64;
        let (small, medium) = (settings.overhead.small.get(), settings.overhead.medium.get());
        let seconds = |number: f64| self.show(number, Unit::Seconds);
        self.claim(
            Told {
                name: "fixed",
                preset: "software",
                said: words::CLAIM_FIXED_SAID,
                truth: words::CLAIM_FIXED_TRUTH,
            },
            &[("small", seconds(small)), ("medium", seconds(medium))],
            &[
                ("least", seconds(least)),
                ("most", seconds(most)),
                ("layers", format::count(layers)),
                ("sum_least", seconds(least * layers)),
                ("sum_most", seconds(most * layers)),
            ],
            medium >= least * layers,
            [medium, least * layers],
        )
    }

    fn capacity(&self) -> Claim {
        let long = Case::Long.scenario();
        let figure = |id| self.figure(Ledger::Report, &long, id);
        let (most, reserved) = (figure("capacity.max_batch"), figure("capacity.max_batch_reserved"));
        let exact = |layout| {
            let there = with(&long, &[(Key::PageRounding, "true"), (Key::Layout, layout)]);
            // Not even the weights fit: no request does.
            let fit = self.figure(Ledger::Exact, &there, "capacity.max_batch_reserved");
            if fit.is_finite() { fit } else { 0.0 }
        };
        let (copied, spread) = (exact("tp"), exact("dp_attention_ep"));
        let reserve = self.show(long.resolve(Ledger::Report).reserve.get(), Unit::Bytes);
        self.claim(
            Told {
                name: "capacity",
                preset: "capacity",
                said: words::CLAIM_CAPACITY_SAID,
                truth: words::CLAIM_CAPACITY_TRUTH,
            },
            &[
                ("most", format::count(most)),
                ("reserved", format::count(reserved)),
                ("reserve", reserve.clone()),
            ],
            &[("reserve", reserve), ("copied", format::count(copied)), ("spread", format::count(spread))],
            copied.max(spread) >= reserved,
            [reserved, copied],
        )
    }

    fn skew(&self) -> Claim {
        let slowest = |choices: &[(Key, &str)]| {
            let settings = with(&Case::Online.scenario(), choices).resolve(Ledger::Report);
            demands(Ledger::Report, &settings, self.spec)
                .and_then(|demands| Slow::drawn(&settings, self.spec, &demands))
                .unwrap_or(Slow::NONE)
        };
        let even = slowest(&[(Key::Router, "uniform")]);
        let skewed = slowest(&[(Key::Router, "zipf"), (Key::Skew, "0.5")]);
        let times = |number: f64| format!("{number:.2}");
        self.claim(
            Told {
                name: "skew",
                preset: "routing-skew",
                said: words::CLAIM_SKEW_SAID,
                truth: words::CLAIM_SKEW_TRUTH,
            },
            &[],
            &[
                ("even", times(even.experts)),
                ("pairs", times(skewed.pairs)),
                ("skewed", times(skewed.experts)),
            ],
            skewed.experts > even.experts,
            [even.experts, skewed.experts],
        )
    }

    fn step(&self) -> Claim {
        let long = Case::Long.scenario();
        let said = self.figure(Ledger::Report, &long, "decode.step_s");
        let floor = |layout| {
            let there = with(&long, &[(Key::Layout, layout)]);
            self.figure(Ledger::Exact, &there, "decode.floor_s")
        };
        let (copied, spread) = (floor("tp"), floor("dp_attention_ep"));
        let seconds = |number: f64| self.show(number, Unit::Seconds);
        self.claim(
            Told {
                name: "step",
                preset: "expert-cache",
                said: words::CLAIM_STEP_SAID,
                truth: words::CLAIM_STEP_TRUTH,
            },
            &[("step", seconds(said))],
            &[("copied", seconds(copied)), ("spread", seconds(spread))],
            said >= copied.min(spread),
            [said, copied],
        )
    }
}

fn whole(number: f64) -> String {
    format::count(number.round())
}

fn with(scenario: &Scenario, choices: &[(Key, &str)]) -> Scenario {
    let mut scenario = scenario.clone();
    for (key, text) in choices {
        // Only words and numbers that the bounds allow stand here; a test looks at what comes out.
        let _ = scenario.choose_text(*key, text);
    }
    scenario
}

/// The claims about a model, in the report's order.
#[must_use]
pub fn claims(spec: &ModelSpec, look: Look) -> Vec<Claim> {
    let speaker = Speaker { spec, look };
    vec![
        speaker.step(),
        speaker.l2(),
        speaker.link(),
        speaker.network(),
        speaker.skew(),
        speaker.capacity(),
        speaker.fixed(),
    ]
}

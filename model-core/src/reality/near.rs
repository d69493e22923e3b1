//! What the clean rows say of the reader's scenario: the nearest of them, and a time or the range of one.

use super::Fact;
use super::published::clean_rows;
use super::take::Take;
use super::{said, words as say};
use crate::basis::Basis;
use crate::figure::Ledger;
use crate::format::{self, Digits};
use crate::hardware;
use crate::ledger::pace::{Basis as Rests, Pace};
use crate::measured::{Implied, Prediction, known_systems, latency_table};
use crate::plan::Plan;
use crate::scenario::{Key, Layout, Settings};
use crate::scene::Look;
use crate::units::Seconds;

/// A clean row beside the scenario.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// The row with its floor and latency.
    pub implied: Implied,
    /// Whether it ran on the scenario's GPU.
    pub same_gpu: bool,
    /// Whether both copy, or both divide, requests among GPUs.
    pub same_kind: bool,
    /// Its requests on a GPU over the scenario's.
    pub requests: f64,
    /// Its context over the scenario's.
    pub context: f64,
}

impl Near {
    fn of(settings: &Settings, implied: Implied) -> Self {
        let own = Plan::of(settings).requests_on_gpu(settings.batch).max(1) as f64;
        let divides = settings.layout == Layout::DpAttentionEp;
        Self {
            implied,
            same_gpu: implied.point.gpu == settings.gpu.name,
            same_kind: implied.point.layout.divides_requests() == divides,
            requests: implied.point.requests_per_gpu() / own,
            context: implied.point.context as f64 / settings.context.max(1) as f64,
        }
    }

    /// Takes the row's latency per layer.
    #[must_use]
    pub fn latency(&self) -> Option<Take> {
        Take::latency(say::USE_LATENCY, self.implied.per_layer)
    }

    /// Takes the row's whole situation: GPU, plan, batch, context and latency.
    #[must_use]
    pub fn situation(&self) -> Option<Take> {
        Take::situation(say::USE_SITUATION, &self.implied)
    }

    /// By how many doublings load and context differ together.
    #[must_use]
    pub fn doublings(&self) -> f64 {
        libm::fabs(libm::log2(self.requests)) + libm::fabs(libm::log2(self.context))
    }

    /// How near it is.
    #[must_use]
    pub fn sentence(&self, look: Look) -> String {
        let point = &self.implied.point;
        let gpu = hardware::preset(point.gpu).label;
        let id = self.implied.row.id;
        let place = |same: bool, [yes, no]: [crate::scene::Text; 2]| look.say(if same { yes } else { no });
        let kind = place(self.same_kind, say::KIND);
        let same_gpu = place(self.same_gpu, say::SAME_GPU);
        let [requests, context] = [self.requests, self.context].map(|ratio| times(ratio, look));
        let latency = Digits::Micros(0).show(Some(self.implied.per_layer.get()), look.base);
        let layout = point.layout;
        said(
            look,
            format!(
                "{id}：{gpu} {layout}，{same_gpu}，{kind}；每卡请求{requests}，上下文{context}；每层 {latency}"
            ),
            format!(
                "{id}: {gpu} {layout}, {same_gpu}, {kind}; requests on a GPU {requests}, context {context}; {latency} a layer"
            ),
        )
    }
}

/// A ratio in words: as many, or how many times as many.
fn times(ratio: f64, look: Look) -> String {
    if (ratio - 1.0).abs() < 0.01 {
        return look.say(say::EQUAL).to_owned();
    }
    let more = ratio > 1.0;
    let factor = Digits::Fixed(1).show(Some(if more { ratio } else { 1.0 / ratio }), look.base);
    let [fewer, larger] = [["是现在的 1/", "1/"], ["是现在的 ", ""]].map(|text| look.say(text));
    let after = look.say([" 倍", "×"]);
    if more { format!("{larger}{factor}{after}") } else { format!("{fewer}{factor}") }
}

/// Every clean row, the nearest first: of the same GPU and kind of plan, of the same GPU, of the same kind, the others;
/// among those the nearest in load and context.
#[must_use]
pub fn nearest(basis: Basis) -> Vec<Near> {
    let settings = basis.scenario.resolve(Ledger::Exact);
    let mut rows: Vec<Near> = clean_rows().into_iter().map(|implied| Near::of(&settings, implied)).collect();
    rows.sort_by(|one, other| {
        let rank = |near: &Near| (!near.same_gpu, !near.same_kind);
        rank(one).cmp(&rank(other)).then(one.doublings().total_cmp(&other.doublings()))
    });
    rows
}

/// Where the latency behind a predicted step comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestsOn {
    /// The reader chose it.
    Chosen,
    /// A batch-1 row of the same GPU, or of its twin.
    Row,
    /// Only ranges are known, from rows of this GPU.
    OwnRows,
    /// Only ranges are known, from rows of other GPUs.
    OtherRows,
}

/// What a step of the scenario is expected to take.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The floor.
    pub floor: Seconds,
    /// The step: a number where a latency is in force, else a range. Figures `decode.step_s`, `decode.step_low_s` and
    /// `decode.step_high_s` are the same where all fits.
    pub step: Prediction,
    /// Latency of a layer, from the least to the most.
    pub per_layer: [Seconds; 2],
    /// Where the latency comes from.
    pub rests_on: RestsOn,
    /// The rows it rests on.
    pub rows: Vec<&'static str>,
    gpu: &'static str,
}

/// What the rows say of a step of the scenario; none where the model cannot be cut as its plan says.
#[must_use]
pub fn expected(basis: Basis) -> Option<Expected> {
    let settings = basis.scenario.resolve(Ledger::Exact);
    let spec = &*settings.model_in_force(basis.spec);
    let pace = Pace::new(Ledger::Exact, &settings, spec)?;
    let floor = pace.step_floor(settings.batch);
    let table = latency_table(&clean_rows());
    let layers = spec.main_layers().len() as f64;
    let low = Seconds(pace.step_s(settings.batch));
    let gpu = settings.gpu.name;
    let (step, per_layer, rests_on, rows) = match pace.basis {
        Rests::Known(each) if basis.scenario.chosen(Key::LatencyUsPerLayer).is_some() => {
            (Prediction::Number(low), [each; 2], RestsOn::Chosen, Vec::new())
        }
        Rests::Known(each) => {
            let far = |one: &&crate::measured::SystemLatency| libm::fabs((one.at_smallest_load - each).get());
            let near = table.iter().min_by(|one, other| far(one).total_cmp(&far(other)));
            let row = near.and_then(|system| system.rows.first().copied());
            (Prediction::Number(low), [each; 2], RestsOn::Row, row.into_iter().collect())
        }
        Rests::Range([least, most]) => {
            let known = known_systems(&table, gpu, settings.layout == Layout::DpAttentionEp);
            let own = known.iter().all(|system| system.gpu == gpu);
            let rests_on = if own { RestsOn::OwnRows } else { RestsOn::OtherRows };
            let rows = known.iter().flat_map(|system| system.rows.iter().copied()).collect();
            let high = low + (most - least) * layers;
            (Prediction::Range(low, high), [least, most], rests_on, rows)
        }
        Rests::Roofline => return None,
    };
    Some(Expected { floor, step, per_layer, rests_on, rows, gpu: settings.gpu.label })
}

impl Expected {
    /// The least and the most that a step is expected to take; twice the same where it is a number.
    #[must_use]
    pub const fn ends(&self) -> [Seconds; 2] {
        match self.step {
            Prediction::Number(step) => [step, step],
            Prediction::Range(low, high) => [low, high],
        }
    }

    /// Floor, step and latency of a layer, each by its figure's name.
    #[must_use]
    pub fn facts(&self, look: Look) -> [Fact; 3] {
        let between = |[least, most]: [Seconds; 2], digits: Digits| {
            if least == most {
                digits.show(Some(least.get()), look.base)
            } else {
                digits.between(least.get(), most.get(), look.base)
            }
        };
        let fact = |name, figure, ends: [Seconds; 2], digits| Fact {
            name: look.say(name),
            figure,
            value: ends[0].get(),
            shown: between(ends, digits),
        };
        let step = match self.step {
            Prediction::Number(_) => "decode.step_s",
            Prediction::Range(..) => "decode.step_low_s",
        };
        [
            fact(say::FLOOR_OF_STEP, "decode.floor_s", [self.floor; 2], Digits::Millis(2)),
            fact(say::STEP, step, self.ends(), Digits::Millis(1)),
            fact(say::LAYER_LATENCY, "decode.latency_per_layer_s", self.per_layer, Digits::Micros(0)),
        ]
    }

    /// Of the most that is expected: the floor, and the floor with the least of what lies beyond it.
    #[must_use]
    pub fn shares(&self) -> [f64; 2] {
        let [low, high] = self.ends();
        if high.get() > 0.0 { [self.floor / high, low / high] } else { [0.0, 0.0] }
    }

    /// All of it as a sentence.
    #[must_use]
    pub fn sentence(&self, look: Look) -> String {
        let floor = format::seconds(self.floor);
        let step = match self.step {
            Prediction::Number(step) => Digits::Millis(1).show(Some(step.get()), look.base),
            Prediction::Range(low, high) => Digits::Millis(1).between(low.get(), high.get(), look.base),
        };
        let [least, most] = self.per_layer;
        let each = Digits::Micros(0).between(least.get(), most.get(), look.base);
        let (gpu, rows) = (self.gpu, self.rows.join(look.say(["、", ", "])));
        let [chinese, english] = match self.rests_on {
            RestsOn::Chosen => ["按你选的每层延迟".to_owned(), "With the latency you chose".to_owned()],
            RestsOn::Row => {
                [format!("按 {rows} 得出的每层延迟"), format!("With the latency that {rows} implies")]
            }
            RestsOn::OwnRows => {
                [format!("按 {gpu} 的实测 {rows}，每层延迟"), format!("By the rows of {gpu} ({rows})")]
            }
            RestsOn::OtherRows => [
                format!("{gpu} 这样的方案没有干净的解码实测；借 {rows} 的范围，每层延迟"),
                format!("No clean decode row of such a plan on {gpu} is published; by the range of {rows}"),
            ],
        };
        said(
            look,
            format!("{chinese} {each}，一步 {step}，其中下限 {floor}。"),
            format!("{english}, {each} a layer, a step takes {step}, of which the floor is {floor}."),
        )
    }
}

//! The reader's own measured point against its bound: what it implies, or that it cannot be and which assumption is
//! likely wrong.

use super::assume::{Explanation, explanations, tokens_a_step};
use super::published::clean_rows;
use super::search::{Bench, bound, spread};
use super::take::Take;
use super::{Fact, said, words as say};
use crate::basis::Basis;
use crate::figure::{Ledger, Unit, Value};
use crate::format::{self, Digits};
use crate::ledger::pace::Pace;
use crate::ledger::stage_rooms;
use crate::measured::{ENGINE_CONSTANTS, EngineConstants, Fit, known_range, latency_table, tokens_that_fit};
use crate::scenario::{Key, Layout, Settings};
use crate::scene::{Look, Text};
use crate::spec::ModelSpec;
use crate::units::{Bytes, Seconds};

/// What a reader can give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Time between tokens of a request.
    Tpot,
    /// Time to the first token.
    Ttft,
    /// Tokens of cache that one rank holds.
    KvTokens,
}

impl Quantity {
    /// Every one, in the order in which they are asked for.
    pub const ALL: [Self; 3] = [Self::Tpot, Self::Ttft, Self::KvTokens];

    /// The key that carries it.
    #[must_use]
    pub const fn key(self) -> Key {
        match self {
            Self::Tpot => Key::MeasuredTpotMs,
            Self::Ttft => Key::MeasuredTtftMs,
            Self::KvTokens => Key::MeasuredKvTokens,
        }
    }

    /// The figure that bounds it, if one does alone.
    #[must_use]
    pub const fn figure(self) -> Option<&'static str> {
        match self {
            Self::Tpot => Some("decode.floor_s"),
            Self::Ttft => Some("prefill.floor_s"),
            Self::KvTokens => None,
        }
    }

    /// What it is, where an engine prints it, and what the scenario must say for it to mean the same.
    #[must_use]
    pub const fn about(self, look: Look) -> &'static str {
        look.say(match self {
            Self::Tpot => say::ABOUT_TPOT,
            Self::Ttft => say::ABOUT_TTFT,
            Self::KvTokens => say::ABOUT_KV_TOKENS,
        })
    }

    /// A value in base units as it is shown.
    pub(super) fn show(self, value: f64, look: Look) -> String {
        match self {
            Self::Tpot | Self::Ttft => format::seconds(Seconds(value)).to_string(),
            Self::KvTokens => {
                let count = format::count(value.floor());
                said(look, format!("{count} token"), format!("{count} tokens"))
            }
        }
    }
}

/// How a value stands to its bound and to what others published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Beyond the bound.
    Impossible,
    /// Within the bound; nothing published compares.
    Possible,
    /// Better than anything published of such a plan.
    Better,
    /// Among what is published.
    Usual,
    /// Worse than anything published.
    Worse,
}

impl Verdict {
    /// Its name for test hooks.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Impossible => "impossible",
            Self::Possible => "possible",
            Self::Better => "better",
            Self::Usual => "usual",
            Self::Worse => "worse",
        }
    }
}

/// One measured value, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// What it is.
    pub quantity: Quantity,
    /// The value, in base units.
    pub measured: f64,
    /// The least time or the most tokens that the exact ledger allows.
    pub bound: f64,
    /// Measured over bound; none where the bound is nothing.
    pub ratio: Option<f64>,
    /// How it stands.
    pub verdict: Verdict,
    /// Of times, what lies beyond the floor for each layer.
    pub per_layer: Option<Seconds>,
    /// What others published: latencies per layer in seconds, or tokens that an engine would hold.
    pub published: Option<(f64, f64)>,
    /// Puts what the value implies into the scenario.
    pub take: Option<Take>,
    /// Of an impossible value, the assumptions that would explain it, the likeliest first.
    pub explanations: Vec<Explanation>,
    /// Of tokens, what each engine's constants would leave.
    pub engines: Vec<(&'static EngineConstants, Fit)>,
}

/// Everything that the reader measured, judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// Time between tokens.
    pub tpot: Option<Judged>,
    /// Time to the first token.
    pub ttft: Option<Judged>,
    /// Tokens of cache.
    pub kv_tokens: Option<Judged>,
    /// Whether values were given that nothing can be said of, since the model cannot be cut as the plan says.
    pub cannot_cut: bool,
}

impl Judgement {
    /// What was judged, in the order in which it is asked for.
    pub fn all(&self) -> impl Iterator<Item = &Judged> {
        [&self.tpot, &self.ttft, &self.kv_tokens].into_iter().flatten()
    }

    /// Why nothing is said, if so.
    #[must_use]
    pub fn reason(&self, look: Look) -> Option<&'static str> {
        self.cannot_cut.then(|| look.say(say::CANNOT_CUT))
    }
}

/// Judges what the scenario's keys say was measured.
#[must_use]
pub fn judge(basis: Basis) -> Judgement {
    let settings = basis.scenario.resolve(Ledger::Exact);
    let spec = &*settings.model_in_force(basis.spec);
    let given = settings.measured;
    let values = [
        (Quantity::Tpot, given.tpot.map(Seconds::get)),
        (Quantity::Ttft, given.ttft.map(Seconds::get)),
        (Quantity::KvTokens, given.kv_tokens.map(|tokens| tokens as f64)),
    ];
    let one = |(quantity, measured): (Quantity, Option<f64>)| {
        let measured = measured?;
        let bound = bound(quantity, basis.scenario, basis.spec)?;
        let bench = Bench { basis, quantity, measured, bound };
        let mut judged = Judged {
            quantity,
            measured,
            bound,
            ratio: Some(measured / bound).filter(|ratio| ratio.is_finite()),
            verdict: Verdict::Impossible,
            per_layer: None,
            published: None,
            take: None,
            explanations: Vec::new(),
            engines: Vec::new(),
        };
        if quantity == Quantity::KvTokens {
            engines(&mut judged, &settings, spec);
        }
        if bench.allows(bound) {
            possible(&mut judged, &settings, spec);
        } else {
            judged.explanations = explanations(bench);
        }
        Some(judged)
    };
    let [tpot, ttft, kv_tokens] = values.map(one);
    let some = values.iter().any(|(_, value)| value.is_some());
    let none = tpot.is_none() && ttft.is_none() && kv_tokens.is_none();
    Judgement { tpot, ttft, kv_tokens, cannot_cut: some && none }
}

/// What a possible value implies.
fn possible(judged: &mut Judged, settings: &Settings, spec: &ModelSpec) {
    judged.verdict = Verdict::Possible;
    match judged.quantity {
        Quantity::Tpot => step(judged, settings, spec),
        Quantity::Ttft => first(judged, settings, spec),
        Quantity::KvTokens => tokens(judged, settings, spec),
    }
}

/// A step holds several tokens where drafts are accepted, and a fixed time where the reader chose one.
fn step(judged: &mut Judged, settings: &Settings, spec: &ModelSpec) {
    let layers = spec.main_layers().len() as f64;
    let Some(pace) = Pace::new(Ledger::Exact, settings, spec) else { return };
    let whole = judged.measured * tokens_a_step(settings);
    let floor = pace.step_floor(settings.batch).get() + pace.step(settings.batch).fixed.get();
    let each = Seconds((whole - floor).max(0.0) / layers);
    let table = latency_table(&clean_rows());
    let known = known_range(&table, settings.gpu.name, settings.layout == Layout::DpAttentionEp);
    judged.published = known.map(|(least, most)| (least.get(), most.get()));
    judged.verdict = match judged.published {
        Some((least, _)) if each.get() < least => Verdict::Better,
        Some((_, most)) if each.get() > most => Verdict::Worse,
        Some(_) => Verdict::Usual,
        None => Verdict::Possible,
    };
    judged.per_layer = Some(each);
    judged.take = Take::latency(say::USE_LATENCY, each);
}

/// What lies beyond prefill, exchanges, queue and the step that follows is a fixed time of the prefill, or else a queue.
fn first(judged: &mut Judged, settings: &Settings, spec: &ModelSpec) {
    let layers = spec.main_layers().len() as f64;
    let Some(pace) = Pace::new(Ledger::Exact, settings, spec) else { return };
    judged.per_layer = Some(Seconds((judged.measured - judged.bound) / layers));
    let prefill = pace.chunk_s(settings.prefix, settings.chunk) - settings.overhead.prefill.get();
    let rest = judged.measured - prefill - pace.step_s(settings.batch);
    let beyond_queue = (rest - settings.queue.get()) * 1e3;
    judged.take = if beyond_queue >= 0.0 {
        Take::number(say::USE_FIXED, Key::OverheadPrefillMs, beyond_queue)
            .or_else(|| Take::number(say::USE_QUEUE, Key::QueueMs, rest * 1e3))
    } else {
        None
    };
}

/// How far engines' constants may miss the logs of a deployment that they were not read off.
const LOGS_SCATTER: f64 = 0.25;

/// What an engine keeps for itself is a reserve.
fn tokens(judged: &mut Judged, settings: &Settings, spec: &ModelSpec) {
    judged.verdict = match judged.published {
        Some((_, most)) if judged.measured > most * (1.0 + LOGS_SCATTER) => Verdict::Better,
        Some((least, _)) if judged.measured < least * (1.0 - LOGS_SCATTER) => Verdict::Worse,
        Some(_) => Verdict::Usual,
        None => Verdict::Possible,
    };
    let rooms = stage_rooms(settings, spec).unwrap_or_default();
    let each = judged.measured / spread(settings);
    let kept = rooms
        .into_iter()
        .filter(|room| room.per_token.get() > 0.0)
        .map(|room| (settings.gpu_memory - room.weights - room.per_token * each).get())
        .reduce(f64::min);
    judged.take = kept.and_then(|kept| Take::number(say::USE_RESERVE, Key::ReserveGb, kept / 1e9));
}

fn engines(judged: &mut Judged, settings: &Settings, spec: &ModelSpec) {
    let rooms = stage_rooms(settings, spec).unwrap_or_default();
    let weights = rooms.iter().map(|room| room.weights).fold(Bytes::ZERO, Bytes::max);
    let share = 1.0 / f64::from(settings.pp.max(1));
    let fits = ENGINE_CONSTANTS.iter().filter_map(|constants| {
        let fit = tokens_that_fit(settings.gpu_memory, weights, share, constants)?;
        Some((constants, fit))
    });
    judged.engines = fits.collect();
    let ends = judged.engines.iter().filter_map(|(_, fit)| match fit {
        Fit::Tokens { least, most, .. } => Some((*least, *most)),
        Fit::Short(_) => None,
    });
    judged.published = ends.reduce(|(low, high), (least, most)| (low.min(least), high.max(most)));
}

impl Judged {
    /// The verdict as a sentence.
    #[must_use]
    pub fn sentence(&self, look: Look) -> String {
        let [measured, bound] = [self.measured, self.bound].map(|value| self.quantity.show(value, look));
        let off = self.quantity.show((self.measured - self.bound).abs(), look);
        let share = self.ratio.unwrap_or(0.0);
        let ratio = format::value(&Value::Number(share), Unit::Count, look.base);
        let [zh_side, en_side] = match self.quantity {
            Quantity::KvTokens => [["上限", "超过"], ["bound", "above"]],
            _ => [["下限", "低于"], ["floor", "under"]],
        };
        if self.verdict == Verdict::Impossible {
            return said(
                look,
                format!(
                    "实测 {measured}，{}{} {bound}，差 {off}：照现在的前提不可能，至少有一条前提不对。",
                    zh_side[1], zh_side[0]
                ),
                format!(
                    "{measured} measured lies {off} {} the {} of {bound}: impossible as things are assumed, so that an assumption is wrong.",
                    en_side[1], en_side[0]
                ),
            );
        }
        let compared = self.compared(look);
        let each = self.per_layer.map(|each| Digits::Micros(0).show(Some(each.get()), look.base));
        match each {
            Some(each) => said(
                look,
                format!(
                    "实测 {measured} 是下限 {bound} 的 {ratio} 倍；多出的部分摊到每层是 {each}{compared}。"
                ),
                format!(
                    "{measured} measured is {ratio} times the floor of {bound}; the rest is {each} a layer{compared}."
                ),
            ),
            None => said(
                look,
                format!("实测 {measured}，是上限 {bound} 的 {}{compared}。", format::percent(share)),
                format!(
                    "{measured} measured is {} of the bound of {bound}{compared}.",
                    format::percent(share)
                ),
            ),
        }
    }

    /// Bound, ratio and what is left for each layer, each by its name for test hooks.
    #[must_use]
    pub fn facts(&self, look: Look) -> Vec<Fact> {
        let [bound, ratio, per_layer] = match self.quantity {
            Quantity::Tpot => ["measured.tpot.floor_s", "measured.tpot.ratio", "measured.tpot.per_layer_s"],
            Quantity::Ttft => ["measured.ttft.floor_s", "measured.ttft.ratio", "measured.ttft.per_layer_s"],
            Quantity::KvTokens => ["measured.kv_tokens.bound", "measured.kv_tokens.ratio", ""],
        };
        let tokens = self.quantity == Quantity::KvTokens;
        let side = if tokens { Digits::Fixed(0) } else { Digits::Fit(Unit::Seconds) };
        let kept = if tokens { Digits::Percent(1) } else { Digits::Fixed(2) };
        let [side_name, ratio_name] =
            if tokens { [say::BOUND_OF_TOKENS, say::OF_BOUND] } else { [say::FLOOR.name, say::RATIO.name] };
        let rows = [
            (side_name, bound, Some(self.bound), side),
            (ratio_name, ratio, self.ratio, kept),
            (say::PER_LAYER.name, per_layer, self.per_layer.map(Seconds::get), Digits::Micros(0)),
        ];
        let fact = |(name, figure, value, digits): (Text, _, Option<f64>, Digits)| {
            Some(Fact { name: look.say(name), figure, value: value?, shown: digits.show(value, look.base) })
        };
        rows.into_iter().filter_map(fact).collect()
    }

    /// How it stands to what is published.
    fn compared(&self, look: Look) -> String {
        let Some((least, most)) = self.published else { return String::new() };
        let range = match self.quantity {
            Quantity::KvTokens => {
                format!("{}–{}", format::count(least.floor()), format::count(most.floor()))
            }
            _ => Digits::Micros(0).between(least, most, look.base).to_string(),
        };
        let words = match self.verdict {
            Verdict::Impossible | Verdict::Possible => return String::new(),
            Verdict::Better => say::BETTER,
            Verdict::Usual => say::USUAL,
            Verdict::Worse => say::WORSE,
        };
        let [of_steps, of_tokens] = words.map(|text| look.say(text));
        let words = if self.quantity == Quantity::KvTokens { of_tokens } else { of_steps };
        said(look, format!("，{words}（{range}）"), format!(", {words} ({range})"))
    }

    /// What to make of an impossible value: the likely wrong assumption, or that none explains it alone.
    #[must_use]
    pub fn likely(&self, look: Look) -> Option<String> {
        if self.verdict != Verdict::Impossible {
            return None;
        }
        Some(match self.explanations.first() {
            Some(first) => {
                let sentence = first.sentence(look);
                said(look, format!("最可能的是：{sentence}"), format!("Most likely: {sentence}"))
            }
            None => look.say(say::UNEXPLAINED).to_owned(),
        })
    }
}

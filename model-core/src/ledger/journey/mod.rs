//! The events of one decode step in their order, from the looked-up embedding to the sampled token, by each ledger's own
//! bookkeeping: what each reads, computes and sends, and its share of the step's time. The shares add up to the step.
//!
//! A ledger bounds a stage over all layers together, by its bytes or by its FLOPs; each layer then has the share of that
//! time which its own bytes, or its own FLOPs, are of all.

mod exact;

use super::report::step::{self as report_step, Fixed, Stage};
use crate::collective::Algorithm;
use crate::collective::cost::sent_per_gpu;
use crate::figure::{Ledger, Report};
use crate::plan::Plan;
use crate::scenario::{Layout, Settings};
use crate::simulate::critical_path::Parts;
use crate::spec::ModelSpec;
use crate::units::Bytes;

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The token's row is looked up.
    Lookup,
    /// The split vocabulary's rows are added up, so that every GPU has the token.
    LookupSum,
    /// The residual streams are mixed into one.
    Mix,
    /// Queries, keys and values are projected, later the output.
    Project,
    /// Scores of the indexer's heads are added up.
    ScoreSum,
    /// Attention over the caches.
    Attend,
    /// The output's partial sums are added up.
    OutputSum,
    /// The router scores the experts.
    Route,
    /// Tokens go to their experts' GPUs.
    Dispatch,
    /// Experts compute.
    Experts,
    /// Results go back.
    Combine,
    /// The experts' partial sums are added up.
    RoutedSum,
    /// What else a layer waits for: launches, synchronisation.
    Wait,
    /// One stage of layers hands the streams to the next.
    HandOver,
    /// The streams become one for the last time.
    Collapse,
    /// The output head.
    Head,
    /// The split vocabulary's logits are gathered.
    Gather,
    /// Draft blocks.
    Draft,
    /// Fixed time of a step: scheduling, sampling.
    Finish,
}

/// A part of the step's time, which several events share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The embedding's row, mixing of the streams, norms.
    Streams,
    /// Attention's projections.
    Proj,
    /// Attention over the caches; in the tutorial all of attention.
    Attn,
    /// The sums behind attention.
    HeadSum,
    /// Router and experts.
    Experts,
    /// What goes to the experts.
    Dispatch,
    /// What comes back from them, or is added up.
    ExpertSum,
    /// The rest of the layers' latency.
    Wait,
    /// The output head.
    Head,
    /// Draft blocks.
    Draft,
    /// Fixed time of a step.
    Fixed,
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// What happens.
    pub kind: Kind,
    /// In which main layer, from 0; none before the first and behind the last.
    pub layer: Option<usize>,
    /// Bytes that the fullest GPU reads from its memory.
    pub read_bytes: f64,
    /// FLOPs of the fullest GPU.
    pub flops: f64,
    /// Bytes that a GPU sends.
    pub sent_bytes: f64,
    /// What sending takes by itself, in seconds: start-ups, and bytes on the link.
    pub link_s: [f64; 2],
    /// Its share of the step, in seconds: with the least and the most latency known of a layer; the same twice where
    /// there is one number.
    pub taken_s: [f64; 2],
}

/// A decode step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DecodeStep {
    /// Its events in their order; none where the plan cannot be carried out.
    pub events: Vec<Event>,
    /// What the report says it takes, in seconds, at least and at most; none where it says nothing.
    pub step_s: Option<[f64; 2]>,
    /// Tokens a second of all requests, at least and at most.
    pub tokens_per_s: Option<[f64; 2]>,
    /// The figures of the time, or of its two ends.
    pub step_figures: [&'static str; 2],
    /// The figures of the rate, or of its two ends.
    pub rate_figures: [&'static str; 2],
}

impl Kind {
    /// The part of the step's time it belongs to.
    #[must_use]
    pub const fn part(self) -> Part {
        match self {
            Self::Lookup | Self::Mix | Self::Collapse => Part::Streams,
            Self::Project => Part::Proj,
            Self::Attend => Part::Attn,
            Self::ScoreSum | Self::OutputSum | Self::LookupSum => Part::HeadSum,
            Self::Route | Self::Experts => Part::Experts,
            Self::Dispatch => Part::Dispatch,
            Self::Combine | Self::RoutedSum => Part::ExpertSum,
            Self::Wait | Self::HandOver => Part::Wait,
            Self::Head | Self::Gather => Part::Head,
            Self::Draft => Part::Draft,
            Self::Finish => Part::Fixed,
        }
    }

    /// Whether something crosses the links.
    #[must_use]
    pub const fn sends(self) -> bool {
        matches!(
            self,
            Self::LookupSum
                | Self::ScoreSum
                | Self::OutputSum
                | Self::Dispatch
                | Self::Combine
                | Self::RoutedSum
                | Self::HandOver
                | Self::Gather
        )
    }
}

impl Part {
    /// All of them, in the order in which a token meets them.
    pub const ALL: [Self; 11] = [
        Self::Streams,
        Self::Proj,
        Self::Attn,
        Self::HeadSum,
        Self::Dispatch,
        Self::Experts,
        Self::ExpertSum,
        Self::Wait,
        Self::Head,
        Self::Draft,
        Self::Fixed,
    ];

    /// The figure that says what it takes over a whole step, where a ledger has one.
    #[must_use]
    pub const fn figure(self) -> Option<&'static str> {
        match self {
            Self::Streams => Some("decode.other_s"),
            Self::Proj => Some("decode.proj_s"),
            Self::Attn => Some("decode.attn_s"),
            Self::Experts => Some("decode.moe_s"),
            Self::Head => Some("decode.head_s"),
            Self::Draft => Some("decode.mtp_s"),
            Self::Fixed => Some("decode.overhead_s"),
            Self::HeadSum | Self::Dispatch | Self::ExpertSum | Self::Wait => None,
        }
    }

    /// The figure that says what bounds it.
    #[must_use]
    pub const fn bound_figure(self) -> Option<&'static str> {
        match self {
            Self::Streams => Some("decode.other.bound"),
            Self::Proj => Some("decode.proj.bound"),
            Self::Attn => Some("decode.attn.bound"),
            Self::Experts => Some("decode.moe.bound"),
            Self::Head => Some("decode.head.bound"),
            Self::Draft => Some("decode.mtp.bound"),
            _ => None,
        }
    }
}

impl Event {
    const fn new(kind: Kind, layer: Option<usize>) -> Self {
        let nothing = [0.0; 2];
        Self { kind, layer, read_bytes: 0.0, flops: 0.0, sent_bytes: 0.0, link_s: nothing, taken_s: nothing }
    }

    const fn taking(self, seconds: f64) -> Self {
        Self { taken_s: [seconds; 2], ..self }
    }

    /// Reads and computes; takes its share of a stage's time.
    fn of_stage(self, stage: &Stage, read_bytes: f64, flops: f64) -> Self {
        let share = |part: f64, all: f64, seconds: f64| if all > 0.0 { seconds * (part / all) } else { 0.0 };
        let taken = if stage.compute_s > stage.hbm_s {
            share(flops, stage.flops, stage.compute_s)
        } else {
            share(read_bytes, stage.bytes, stage.hbm_s)
        };
        Self { read_bytes, flops, ..self.taking(taken) }
    }

    const fn sending(self, bytes: f64, startup_s: f64, transfer_s: f64) -> Self {
        Self { sent_bytes: bytes, link_s: [startup_s, transfer_s], ..self }
    }
}

impl DecodeStep {
    /// The step of a scenario by the bookkeeping of the report's ledger.
    #[must_use]
    pub fn of(report: &Report, settings: &Settings, spec: &ModelSpec) -> Self {
        let spec = &*settings.model_in_force(spec);
        let (events, [one, low, high], rates) = match report.ledger {
            Ledger::Tutorial => (tutorial_events(settings, spec), ["critical_path.before_s"; 3], [""; 3]),
            Ledger::Report => {
                (report_events(settings, spec), ["decode.step_s"; 3], ["decode.tokens_per_s"; 3])
            }
            Ledger::Exact => (
                exact::events(report, settings, spec),
                ["decode.step_s", "decode.step_low_s", "decode.step_high_s"],
                ["decode.tokens_per_s", "decode.tokens_per_s_low", "decode.tokens_per_s_high"],
            ),
        };
        let known = report.number(one).is_some();
        let ends = |ids: [&'static str; 3]| if known { [ids[0]; 2] } else { [ids[1], ids[2]] };
        let numbers = |ids: [&'static str; 2]| Some([report.number(ids[0])?, report.number(ids[1])?]);
        let (step_figures, rate_figures) = (ends([one, low, high]), ends(rates));
        Self {
            step_s: numbers(step_figures).filter(|_| !events.is_empty()),
            tokens_per_s: numbers(rate_figures).filter(|_| !events.is_empty()),
            events,
            step_figures,
            rate_figures,
        }
    }

    /// Seconds that some of the events take.
    #[must_use]
    pub fn taken_s(&self, wanted: impl Fn(&Event) -> bool) -> [f64; 2] {
        let events = self.events.iter().filter(|event| wanted(event));
        events.fold([0.0; 2], |[low, high], event| [low + event.taken_s[0], high + event.taken_s[1]])
    }

    /// The event of that kind in a layer.
    #[must_use]
    pub fn event(&self, kind: Kind, layer: Option<usize>) -> Option<&Event> {
        self.events.iter().find(|event| event.kind == kind && event.layer == layer)
    }
}

/// The tutorial measures whole parts; each layer has an even share of them, each exchange an even share of the waiting.
fn tutorial_events(settings: &Settings, spec: &ModelSpec) -> Vec<Event> {
    let plan = Plan::of(settings);
    let layers = spec.main_layers().len();
    let count = layers as f64;
    let Parts { attention_s, experts_s, exposed_s, cpu_s } = settings.parts;
    let waiting = exposed_s / (2.0 * count);
    let vector = settings.batch as f64 * spec.hidden as f64 * settings.comm_dtype.bytes();
    let sum = sent_per_gpu(Algorithm::Ring, Bytes(vector), plan.tp).get();
    let copies = vector * spec.experts_per_token as f64 / f64::from(plan.ep);
    let mut events = vec![Event::new(Kind::Lookup, None)];
    for layer in (0..layers).map(Some) {
        let event = |kind| Event::new(kind, layer);
        let exchange = |kind, bytes| event(kind).sending(bytes, 0.0, 0.0).taking(waiting);
        events.extend([event(Kind::Mix), event(Kind::Attend).taking(attention_s / count)]);
        if settings.layout == Layout::Tp {
            events.extend([exchange(Kind::OutputSum, sum), event(Kind::Route)]);
            events.extend([event(Kind::Experts).taking(experts_s / count), exchange(Kind::RoutedSum, sum)]);
        } else {
            events.extend([event(Kind::Route), exchange(Kind::Dispatch, copies)]);
            events.extend([event(Kind::Experts).taking(experts_s / count), exchange(Kind::Combine, copies)]);
        }
    }
    events.extend([Event::new(Kind::Head, None), Event::new(Kind::Finish, None).taking(cpu_s)]);
    events
}

/// The report adds up four stages and a fixed time; what travels hides behind the experts.
fn report_events(settings: &Settings, spec: &ModelSpec) -> Vec<Event> {
    let step = Fixed::of(settings, spec).step(settings, spec, settings.batch);
    let b = settings.batch as f64;
    let gpus = f64::from(settings.gpus);
    let each = |stage: &Stage, readers: f64| Stage {
        bytes: stage.bytes / readers,
        flops: stage.flops / gpus,
        ..*stage
    };
    let readers = report_step::cache_split(settings);
    let (proj, attn) = (each(&step.proj, gpus), each(&step.attn, readers));
    let (moe, head) = (each(&step.moe, gpus), each(&step.head, gpus));
    let layers = spec.main_layers();
    let count = layers.len() as f64;
    // FP8 out, BF16 back.
    let leg = |kind, layer, third: f64| {
        let (bytes, seconds) = (step.exchange_layer_bytes, step.exchange_layer_s);
        Event::new(kind, layer).sending(bytes * third / 3.0, 0.0, seconds * third / 3.0)
    };
    let mut events = vec![Event::new(Kind::Lookup, None)];
    for (index, layer) in layers.iter().enumerate() {
        let (event, kind) = (|kind| Event::new(kind, Some(index)), layer.attention);
        let params = report_step::proj_params(spec, kind);
        let read = report_step::read_bytes(spec, kind, settings.context);
        let flops = report_step::attn_flops(spec, kind, settings.context);
        events.extend([
            event(Kind::Mix),
            event(Kind::Project).of_stage(&proj, params / gpus, 2.0 * b * params / gpus),
            event(Kind::Attend).of_stage(&attn, b * read / readers, b * flops / gpus),
            event(Kind::Route),
            leg(Kind::Dispatch, Some(index), 1.0),
            event(Kind::Experts).of_stage(&moe, moe.bytes / count, moe.flops / count),
            leg(Kind::Combine, Some(index), 2.0),
        ]);
    }
    events.extend([
        Event::new(Kind::Head, None).of_stage(&head, head.bytes, head.flops),
        Event::new(Kind::Finish, None).taking(step.overhead_s),
    ]);
    events
}

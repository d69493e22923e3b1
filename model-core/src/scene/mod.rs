//! Scenes: what the model computed, told in named steps. A scene's events are derived from the scenario's figures,
//! a simulation or the engine; its frame at a moment is a pure function of them.

#[macro_use]
mod steps;

pub mod accounts;
pub mod allreduce;
pub mod caches;
mod captioned;
#[cfg(test)]
mod changes;
pub mod decode;
pub mod dispatch;
pub mod exercise;
pub mod experts;
#[cfg(test)]
mod inspect;
pub mod journey;
pub mod kernel;
pub mod lines;
mod parts;
mod per_look;
pub mod place;
pub mod prefill;
pub mod request;
pub mod routed;
mod sheet;
pub mod small_model;
pub mod stage;
pub mod timeline;
pub mod waves;
pub mod worked;
pub mod zoom;

use std::sync::Arc;

use crate::draw::Drawing;
use crate::figure::{Ledger, Report};
use crate::format::ByteBase;
use crate::language::Language;
use crate::scenario::{Key, Settings};
use crate::spec::ModelSpec;

use exercise::Exercise;
use timeline::{Moment, StepTime};
use worked::Worked;

/// The scenes: name in links, chapter, names of the steps, what the reader turns, and what derives it.
macro_rules! scenes {
    ($($(#[$doc:meta])* $scene:ident $name:literal $chapter:literal $steps:path, [$($key:ident),+], $derive:path;)+) => {
        /// A scene by its name in links.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum SceneId { $($(#[$doc])* $scene),+ }

        impl SceneId {
            /// Every scene, in the order of the chapters.
            pub const ALL: &[Self] = &[$(Self::$scene),+];
            /// Their names in links.
            pub const NAMES: &[&str] = &[$($name),+];

            /// Its name in links.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$scene => $name),+ }
            }

            /// The chapter it is, counted from 0.
            #[must_use]
            pub const fn chapter(self) -> u32 {
                match self { $(Self::$scene => $chapter),+ }
            }

            /// The names of its steps, in order.
            #[must_use]
            pub fn steps(self) -> &'static [&'static str] {
                match self { $(Self::$scene => &$steps),+ }
            }

            /// What its reader turns beside it.
            #[must_use]
            pub const fn keys(self) -> &'static [Key] {
                match self { $(Self::$scene => &[$(Key::$key),+]),+ }
            }

            /// Derives the scene.
            #[must_use]
            pub fn derive(self, facts: Facts) -> Arc<dyn Scene> {
                match self { $(Self::$scene => Arc::new($derive(facts))),+ }
            }
        }
    };
}

scenes! {
    /// From text to the first token, and on.
    Request "request" 0 request::STEP_NAMES, [ArrivalsPerS, PrefixHits, Chunk, Batch, Context], request::Requests::new;
    /// Where weights and caches lie.
    Place "place" 1 place::STEP_NAMES, [Model, Gpu, Layout, Context, Batch, Tp, Ep, Pp, GpuMemoryGib],
        place::Placing::new;
    /// A prompt through the layers.
    Prefill "prefill" 2 prefill::STEP_NAMES, [Context, Chunk, Layer, Batch], prefill::Prefill::new;
    /// One kernel on one GPU.
    Kernel "kernel" 3 kernel::STEP_NAMES, [Kernel, Batch, Context, Tile, L2Mib], kernel::Opened::new;
    /// Partial sums added up over the GPUs.
    Allreduce "allreduce" 4 allreduce::STEP_NAMES, [Tp, Batch, CommDtype, Algorithm, DropRank],
        allreduce::Reducing::new;
    /// Experts at home: where a token's picks are computed.
    Experts "experts" 5 experts::STEP_NAMES, [Batch, Router, Skew, Seed, Tp], experts::Experts::new;
    /// Tokens on their owners, experts elsewhere: what travels.
    Dispatch "dispatch" 6 dispatch::STEP_NAMES, [Batch, Layout, Ep, Dedupe, CommDtype, Router, Skew, Seed],
        dispatch::Dispatch::new;
    /// One position through ring, entries and keys.
    Caches "caches" 7 caches::STEP_NAMES, [Position, Layer, Context, Fault, Seed], caches::Caches::new;
    /// Token after token: layers, head, sampling, drafts.
    Decode "decode" 8 decode::STEP_NAMES, [Temperature, TopP, DraftDepth, Acceptance, Batch, Seed],
        decode::Decoding::new;
    /// Where the time of a step goes.
    Accounts "accounts" 9 accounts::STEP_NAMES,
        [PartAttentionMs, PartExpertsMs, PartCommMs, PartCpuMs, Speedup, HiddenMs, Batch, Context, Router, Skew],
        accounts::Accounts::new;
    /// Dispatch, computation and combine in waves.
    Waves "waves" 10 waves::STEP_NAMES,
        [Waves, Link, AlphaUs, PeakTflops, HbmTbS, Router, Skew, Seed, Chunk, Batch], waves::Waves::new;
    /// One token from its embedding to the next token, over all GPUs.
    #[default]
    Journey "journey" 11 journey::STEP_NAMES,
        [Layer, Context, Batch, Tp, Layout, Gpu, CommDtype, LatencyUsPerLayer, Seed], journey::Journey::new;
}

impl SceneId {
    /// Reads a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|scene| scene.name() == name)
    }

    /// What its reader turns beside it in a ledger: keys that change its picture there, the ledger's part or what the
    /// scene simulates.
    pub fn keys_in(self, ledger: Ledger) -> impl Iterator<Item = Key> {
        self.keys().iter().copied().filter(move |key| !self.is_idle(*key, ledger))
    }

    /// Whether a key of the scene changes nothing in it: the tutorial cuts weights in one way and knows no stages, only
    /// the exact ledger knows latencies of layers, and the report's exchanges have number formats of their own.
    const fn is_idle(self, key: Key, ledger: Ledger) -> bool {
        matches!(
            (self, ledger, key),
            (Self::Place, Ledger::Tutorial, Key::Ep | Key::Pp)
                | (Self::Journey, Ledger::Tutorial | Ledger::Report, Key::LatencyUsPerLayer)
                | (Self::Journey, Ledger::Report, Key::CommDtype)
        )
    }
}

/// Derives the scene that the page opens with, and nothing else with it: what a first visit needs.
#[must_use]
pub fn first(facts: Facts) -> Arc<dyn Scene> {
    Arc::new(journey::Journey::new(facts))
}

/// Which of two arrangements a stage is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// 1600 × 900 units, for anything wider than a phone.
    Wide,
    /// Taller than wide, with fewer and larger parts, for a phone.
    Narrow,
}

/// What a frame is drawn for, beside its moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Wide or narrow.
    pub layout: Layout,
    /// The language of the words inside the picture.
    pub language: Language,
    /// GiB or GB.
    pub base: ByteBase,
}

/// The same words in Chinese and in English.
pub(crate) type Text = [&'static str; 2];

impl Look {
    /// The words in the look's language.
    pub(crate) const fn say(self, [chinese, english]: Text) -> &'static str {
        match self.language {
            Language::Chinese => chinese,
            Language::English => english,
        }
    }
}

/// What every scene is derived from.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// All figures of the ledger in use.
    pub report: &'a Report,
    /// Every value in force.
    pub settings: &'a Settings,
    /// The model.
    pub spec: &'a ModelSpec,
}

/// A scene, derived once for a scenario and drawn at any moment.
pub trait Scene: Send + Sync {
    /// The picture at a moment; its description says in a sentence what the step shows.
    fn frame(&self, moment: Moment, look: Look) -> Drawing;

    /// A calculation with the scenario's own numbers, line by line to a figure or to something drawn.
    fn worked(&self, look: Look) -> Worked;

    /// A question with numbers of its own, the same for the same draw.
    fn exercise(&self, draw: u64, look: Look) -> Exercise;

    /// How long each step plays and what real time it stands for, in the order of the steps.
    fn durations(&self) -> Vec<StepTime>;
}

/// Where a reader begins who touches nothing: the last step, done, which tells the whole story.
#[must_use]
pub fn end_of(scene: SceneId) -> Moment {
    Moment::done(scene.steps().len().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::report;
    use crate::scenario::{Bound, Scenario};
    use crate::spec;
    use timeline::Moment;

    fn told(scene: SceneId, ledger: Ledger, choices: &[(Key, String)]) -> Vec<Drawing> {
        let mut scenario = Scenario::default();
        for (key, text) in choices {
            scenario.choose_text(*key, text).unwrap();
        }
        let settings = scenario.resolve(ledger);
        let spec = spec::of(settings.model);
        let report = report(ledger, &scenario, &spec);
        let derived = scene.derive(Facts { report: &report, settings: &settings, spec: &spec });
        let look = Look { layout: Layout::Wide, language: Language::English, base: ByteBase::Binary };
        (0..scene.steps().len()).map(|step| derived.frame(Moment::done(step), look)).collect()
    }

    /// A few values of a key, its bounds among them.
    fn some_texts(key: Key) -> Vec<String> {
        match key.bound() {
            Bound::OneOf(words) => words.iter().map(ToString::to_string).collect(),
            Bound::Whole(least, most) => [least, 5, 64, most].map(|n| n.to_string()).to_vec(),
            Bound::Real(least, most) => [least, (least + most) / 2.0, most].map(|n| n.to_string()).to_vec(),
        }
    }

    #[test]
    fn keys_are_offered_where_they_change_the_picture() {
        let bases: [&[(Key, &str)]; 4] = [
            &[],
            &[(Key::Router, "zipf"), (Key::Batch, "64")],
            &[(Key::Tp, "16")],
            &[(Key::Layout, "dp_attention_ep")],
        ];
        for scene in SceneId::ALL.iter().copied() {
            for ledger in Ledger::ALL {
                for key in scene.keys().iter().copied() {
                    let changes = bases.iter().any(|base| {
                        let base = base.iter().map(|(key, text)| (*key, (*text).to_owned()));
                        let plain = told(scene, ledger, &base.clone().collect::<Vec<_>>());
                        some_texts(key).into_iter().any(|text| {
                            let choices: Vec<_> = base.clone().chain([(key, text)]).collect();
                            told(scene, ledger, &choices) != plain
                        })
                    });
                    let offered = scene.keys_in(ledger).any(|known| known == key);
                    assert_eq!(offered, changes, "{} {} {}", scene.name(), ledger.name(), key.name());
                }
            }
        }
    }
}

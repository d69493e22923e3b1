//! The page's state: what the reader chose, what follows from it, and how it is told.

mod cases;
mod choices;
mod derived;

use std::sync::Arc;

use leptos::prelude::*;
use model_core::compare::Names;
use model_core::draw::{Drawing, Theme};
use model_core::figure::{Figure, Ledger, Report};
use model_core::format::{self, ByteBase};
use model_core::hardware;
use model_core::import::Imported;
use model_core::language::Language;
use model_core::ledger::memory::Judges;
use model_core::link::{Compared, Link, Room, Shown, View};
use model_core::scenario::{Key, Refusal, Scenario, Setting, Settings};
use model_core::scene::timeline::{Moment, Pace, Playing};
use model_core::scene::zoom::zoomed;
use model_core::scene::{self, Facts, Layout, Look, Scene, SceneId, stage};
use model_core::spec::ModelSpec;
use model_core::words::{Words, fill};

use self::derived::Derived;
use crate::browser;
use crate::followed::Followed;
use crate::later::Parts;
use crate::text::{Chapter, LaterText, Text};

/// Below this width the stage takes its narrow layout.
const NARROW: &str = "(max-width: 640px)";

/// The reader's wish for stills in place of motion.
const REDUCED_MOTION: &str = "(prefers-reduced-motion: reduce)";

/// Signals of one page; copies share them.
#[derive(Clone, Copy)]
pub(crate) struct Page {
    /// The reader's scenario.
    pub scenario: Followed<RwSignal<Scenario>>,
    /// The scenario that figures are shown of: the reader's, or for a part that nobody sees an earlier one.
    pub seen: Followed<RwSignal<Scenario>>,
    /// The ledger in use.
    pub ledger: Followed<RwSignal<Ledger>>,
    /// The ledger that the reader chose and the address names: the one in use, but where a room speaks of one alone.
    chosen_ledger: Followed<RwSignal<Ledger>>,
    /// A model of the reader's own in place of the scenario's; no address can carry it.
    pub own_model: Followed<RwSignal<Option<Imported>>>,
    /// GiB or GB.
    pub base: Followed<RwSignal<ByteBase>>,
    /// The language, where the address or the reader named one.
    pub named_language: Followed<RwSignal<Option<Language>>>,
    /// The theme, where the address or the reader named one.
    pub named_theme: Followed<RwSignal<Option<Theme>>>,
    /// How much is shown around the stage.
    pub view: Followed<RwSignal<View>>,
    /// The room of the whole page.
    pub room: Followed<RwSignal<Room>>,
    /// Scenarios that stand beside the reader's in the room that compares.
    pub compared: Followed<RwSignal<Vec<Compared>>>,
    /// What of the rooms is shown.
    pub shown: Followed<RwSignal<Shown>>,
    /// Whether the first picture has been painted, and with it the time come for what is not needed to use the page.
    pub painted: Followed<RwSignal<bool>>,
    /// The scene on the stage.
    pub scene: Followed<RwSignal<SceneId>>,
    /// Where the scene stands.
    pub moment: Followed<RwSignal<Moment>>,
    /// The step it stands in, for what does not change within one.
    pub step: Followed<Memo<usize>>,
    /// Whether the step is being played.
    pub playing: Followed<RwSignal<bool>>,
    /// How fast, against the scene's own pace.
    pub speed: Followed<RwSignal<f64>>,
    /// The card that is opened, by its place among the frame's cards.
    pub card: Followed<RwSignal<Option<usize>>>,
    /// What could not be taken, until the reader puts it away.
    pub refusals: Followed<RwSignal<Vec<Refusal>>>,
    /// The figure whose derivation is open.
    pub open_figure: Followed<RwSignal<Option<String>>>,
    /// The language in force.
    pub language: Followed<Memo<Language>>,
    /// The theme in force.
    pub theme: Followed<Memo<Theme>>,
    /// Whether the reader wishes for stills in place of motion.
    pub reduced_motion: Followed<RwSignal<bool>>,
    /// The model.
    pub spec: Followed<Memo<ModelSpec>>,
    /// Every value in force.
    pub settings: Followed<Memo<Settings>>,
    /// All figures.
    pub report: Followed<Memo<Report>>,
    /// What is fetched after the first view.
    pub parts: Parts,
    /// What pictures are drawn for.
    pictured: Followed<Memo<Look>>,
    /// The scene, derived, once all it needs is there.
    pub derived: Followed<Memo<Option<Arc<dyn Scene>>>>,
    /// Whether steps play alike or in proportion to real time.
    pub pace: Followed<RwSignal<Pace>>,
    /// How long each step plays.
    pub times: Followed<Memo<Playing>>,
    /// What the stage shows.
    pub drawing: Followed<Memo<Drawing>>,
    /// What the stage says beside its marks.
    pub told: Followed<Memo<Told>>,
}

/// What a picture says beside its marks. It is read when a step begins and when it has ended, not in every frame.
#[derive(Clone, PartialEq)]
pub(crate) struct Told {
    /// The sentence that says what it shows.
    pub description: String,
    /// The figures in it.
    pub figures: Vec<&'static str>,
    /// The names of its cards.
    pub cards: Vec<String>,
}

impl Told {
    /// Of a drawing, and of the wide frame whose cards can be opened.
    fn by(drawing: &Drawing, wide: &Drawing) -> Self {
        Self {
            description: drawing.description.clone(),
            figures: drawing.figures(),
            cards: wide.cards.iter().map(|card| card.name.clone()).collect(),
        }
    }
}

impl Page {
    /// Reads the address and sets everything up; must be called inside the application's owner.
    pub(crate) fn open() -> Self {
        let (link, refusals) = Link::read(&browser::query());
        let scenario = Followed(RwSignal::new(link.scenario));
        let ledger = Followed(RwSignal::new(link.ledger));
        let named_language = RwSignal::new(link.language);
        let named_theme = RwSignal::new(link.theme);
        let system_theme = RwSignal::new(browser::theme());
        browser::on_media("(prefers-color-scheme: dark)", move |dark| {
            system_theme.set(if dark { Theme::Dark } else { Theme::Light });
        });
        let layout_for = |narrow| if narrow { Layout::Narrow } else { Layout::Wide };
        let layout = RwSignal::new(layout_for(browser::matches(NARROW)));
        browser::on_media(NARROW, move |narrow| layout.set(layout_for(narrow)));
        let reduced_motion = RwSignal::new(browser::matches(REDUCED_MOTION));
        browser::on_media(REDUCED_MOTION, move |wished| reduced_motion.set(wished));
        let own_language = browser::language();
        let own_model = Followed(RwSignal::new(None));
        let Derived { settings, spec, report } = Derived::of(scenario, ledger, own_model);
        let compared = RwSignal::new(link.compared);
        let scene = RwSignal::new(link.scene);
        let moment = RwSignal::new(link.moment);
        let base = RwSignal::new(link.base);
        let card = RwSignal::new(None);
        let language = Memo::new(move |_| named_language.get().unwrap_or(own_language));
        let look =
            Memo::new(move |_| Look { layout: layout.get(), language: language.get(), base: base.get() });
        let parts = Parts::new();
        // A scene has no equality of its own: it is new whenever what it is derived from is.
        let derived = Memo::new_with_compare(
            move |_| {
                settings.with(|settings| {
                    spec.with(|spec| {
                        report.with(|report| {
                            let facts = Facts { report, settings, spec };
                            match (scene.get(), parts.later.get()) {
                                (scene, _) if scene == SceneId::default() => Some(scene::first(facts)),
                                (scene, Some(later)) => Some((later.derive)(scene, facts)),
                                (_, None) => {
                                    parts.fetch();
                                    None
                                }
                            }
                        })
                    })
                })
            },
            |_, _| true,
        );
        let pace = RwSignal::new(Pace::default());
        let times = Memo::new(move |_| {
            let times = derived.with(|scene| scene.as_ref().map(|scene| scene.durations()));
            Playing::new(&times.unwrap_or_default(), pace.get())
        });
        // A card is opened from the wide frame: that of a phone has no room for what stands on it.
        let frame = move |layout: Layout| {
            let look = Look { layout, ..look.get() };
            derived.with(|scene| scene.as_ref().map(|scene| scene.frame(moment.get(), look)))
        };
        let draw = move || {
            let layout = look.with(|look| look.layout);
            let drawn = match card.get() {
                Some(card) => frame(Layout::Wide).map(|wide| zoomed(&wide, card, layout)),
                None => frame(layout),
            };
            drawn.unwrap_or_else(|| stage::blank(layout))
        };
        // Whoever shows it compares mark by mark; nearly always something has changed.
        let drawing = Memo::new_with_compare(move |_| draw(), |_, _| true);
        let playing = RwSignal::new(false);
        let told = Memo::new(move |_| {
            let told = |drawing: &Drawing| {
                let has_cards = !drawing.cards.is_empty() || look.with(|look| look.layout) == Layout::Wide;
                let wide = (!has_cards).then(|| untrack(|| frame(Layout::Wide))).flatten();
                Told::by(drawing, wide.as_ref().unwrap_or(drawing))
            };
            if playing.get() { drawing.with_untracked(told) } else { drawing.with(told) }
        });
        Self {
            scenario,
            seen: scenario,
            ledger,
            chosen_ledger: ledger,
            own_model,
            base: Followed(base),
            named_language: Followed(named_language),
            named_theme: Followed(named_theme),
            view: Followed(RwSignal::new(link.view)),
            room: Followed(RwSignal::new(link.room)),
            compared: Followed(compared),
            shown: Followed(RwSignal::new(link.shown)),
            painted: Followed(RwSignal::new(false)),
            scene: Followed(scene),
            moment: Followed(moment),
            step: Followed(Memo::new(move |_| moment.get().step)),
            playing: Followed(playing),
            speed: Followed(RwSignal::new(1.0)),
            card: Followed(card),
            refusals: Followed(RwSignal::new(refusals)),
            open_figure: Followed(RwSignal::new(None)),
            language: Followed(language),
            theme: Followed(Memo::new(move |_| named_theme.get().unwrap_or_else(|| system_theme.get()))),
            reduced_motion: Followed(reduced_motion),
            spec,
            settings,
            report,
            parts,
            pictured: Followed(look),
            derived: Followed(derived),
            pace: Followed(pace),
            times: Followed(times),
            drawing: Followed(drawing),
            told: Followed(told),
        }
    }

    /// What pictures are drawn for now.
    pub(crate) fn look(self) -> Look {
        self.pictured.get()
    }

    /// What the address should say now.
    pub(crate) fn link(self) -> Link {
        Link {
            scenario: self.scenario.get(),
            ledger: self.chosen_ledger.get(),
            base: self.base.get(),
            language: self.named_language.get(),
            theme: self.named_theme.get(),
            view: self.view.get(),
            room: self.room.get(),
            compared: self.compared.get(),
            shown: self.shown.get(),
            scene: self.scene.get(),
            moment: self.moment.get(),
        }
    }

    /// The same without following later changes.
    pub(crate) fn link_untracked(self) -> Link {
        untrack(|| self.link())
    }

    /// Takes what an address says, as after Back. Language and theme are not undone: they stay as the reader has them.
    pub(crate) fn follow(self, query: &str) {
        let (link, refusals) = Link::read(query);
        self.take(link, refusals);
    }

    /// Shows what a link says, in place of what is shown.
    fn take(self, link: Link, refusals: Vec<Refusal>) {
        self.playing.set(false);
        self.scenario.set(link.scenario);
        self.ledger.set(link.ledger);
        self.base.set(link.base);
        self.view.set(link.view);
        self.room.set(link.room);
        self.compared.set(link.compared);
        self.shown.set(link.shown);
        self.card.set(None);
        self.scene.set(link.scene);
        self.moment.set(link.moment);
        self.refusals.set(refusals);
    }

    /// Takes what a host page asks for; language and theme too, where it names them.
    pub(crate) fn obey(self, query: &str) {
        let (link, refusals) = Link::read(query);
        if link.language.is_some() {
            self.named_language.set(link.language);
        }
        if link.theme.is_some() {
            self.named_theme.set(link.theme);
        }
        self.take(Link { view: View::Embed, ..link }, refusals);
    }

    /// The words of drawings.
    pub(crate) fn words(self) -> &'static Words {
        Words::of(self.language.get())
    }

    /// The page's text.
    pub(crate) fn text(self) -> &'static Text {
        Text::of(self.language.get())
    }

    /// What is said in the part fetched later, and called there alone.
    pub(crate) fn later_text(self) -> &'static LaterText {
        LaterText::of(self.language.get())
    }

    /// The text of the chapter on the stage; of the first one it is always there.
    pub(crate) fn chapter(self) -> &'static Chapter {
        self.chapter_come().unwrap_or(&Chapter::TO_COME)
    }

    /// The same once it has come.
    pub(crate) fn chapter_come(self) -> Option<&'static Chapter> {
        let (scene, language) = (self.scene.get(), self.language.get());
        match (scene, self.parts.later.get()) {
            (scene, _) if scene == SceneId::default() => Some(Chapter::first(language)),
            (_, later) => later.map(|later| (later.chapter)(scene, language)),
        }
    }

    /// What happens in a step of the chapter on the stage.
    pub(crate) fn step_text(self, index: usize) -> String {
        let layers = self.spec.with(|spec| spec.main_layers().len().to_string());
        fill(self.chapter().step_text(index), &[("layers", layers)])
    }

    /// The value in force for a key.
    pub(crate) fn setting(self, key: Key) -> Setting {
        let ledger = self.ledger.get();
        self.seen.with(|scenario| scenario.in_force(key, ledger))
    }

    /// The number in force for a key; 0 where it is a word.
    pub(crate) fn setting_number(self, key: Key) -> f64 {
        match self.setting(key) {
            Setting::Whole(number) => number as f64,
            Setting::Real(number) => number,
            Setting::Word(_) => 0.0,
        }
    }

    /// The value in force for a key as a reader sees it.
    pub(crate) fn setting_shown(self, key: Key) -> String {
        match self.setting(key) {
            Setting::Word(word) => self.word_shown(key, word).to_owned(),
            _ => {
                let number = self.setting_number(key);
                let unit = (self.text().key_unit)(key, number);
                format!("{} {unit}", format::count(number)).trim_end().to_owned()
            }
        }
    }

    /// A key's word as a reader sees it.
    pub(crate) fn word_shown(self, key: Key, word: &'static str) -> &'static str {
        if key == Key::Gpu { hardware::preset(word).label } else { (self.text().key_word)(word) }
    }

    /// Whether the scenario fits, by the ledger in use.
    pub(crate) fn fits(self) -> bool {
        self.report.with(|report| report.flag(Judges::of(report.ledger).fits))
    }

    /// Why something was not taken, as a reader is told.
    pub(crate) fn told_why(self, refusal: &Refusal) -> String {
        let name = Key::from_name(&refusal.key).map(self.text().key_name);
        refusal.told(name.unwrap_or(&refusal.key), self.language.get())
    }

    /// What keys are called in the core's sentences.
    pub(crate) fn names(self) -> Names {
        let text = self.text();
        Names { key: text.key_name, unit: text.key_unit, word: text.key_word }
    }

    /// A figure of the present report.
    pub(crate) fn figure(self, id: &str) -> Option<Figure> {
        self.report.with(|report| report.get(id).cloned())
    }
}

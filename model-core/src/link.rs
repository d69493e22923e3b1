//! The page's address: scenario and view as a query string, and back. Reading never fails; what cannot be taken is
//! reported and the default stays.

use form_urlencoded::{Serializer, parse};

use crate::draw::Theme;
use crate::figure::Ledger;
use crate::format::ByteBase;
use crate::language::Language;
use crate::scenario::{Key, Reason, Refusal, Scenario, Setting};
use crate::scene::timeline::Moment;
use crate::scene::{SceneId, end_of};
use crate::{plan, spec};

const LEDGER: &str = "ledger";
const UNITS: &str = "units";
const LANGUAGE: &str = "lang";
const THEME: &str = "theme";
const SCENE: &str = "scene";
const ROOM: &str = "room";
const EMBED: &str = "embed";
const PRESENT: &str = "present";
const STEP: &str = "step";
const T: &str = "t";

/// Words for the refusals of view keys.
const LEDGERS: &[&str] = &["tutorial", "report", "exact"];
const BASES: &[&str] = &["gib", "gb"];
const LANGUAGES: &[&str] = &["zh", "en"];
const THEMES: &[&str] = &["light", "dark"];

/// A part of the whole page that a reader goes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Room {
    /// The chapters with their stage.
    #[default]
    Walk,
    /// Every value and every table.
    Calculate,
}

impl Room {
    /// Every room, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Walk, Self::Calculate];
    /// Their names, in the same order.
    const NAMES: &[&str] = &["walk", "calculate"];

    /// Its name in links.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.get(self as usize).copied().unwrap_or_default()
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|room| room.name() == name)
    }
}

/// How much of the page is shown around the stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// Everything.
    #[default]
    Page,
    /// The stage and its stepper alone, inside somebody else's page.
    Embed,
    /// The stage in the whole window, for a classroom.
    Present,
}

impl View {
    /// Its name for stylesheets.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Embed => EMBED,
            Self::Present => PRESENT,
        }
    }

    /// The key that names the scene in this view.
    const fn key(self) -> &'static str {
        match self {
            Self::Page => SCENE,
            Self::Embed => EMBED,
            Self::Present => PRESENT,
        }
    }

    fn from_key(key: &str) -> Option<Self> {
        [Self::Page, Self::Embed, Self::Present].into_iter().find(|view| view.key() == key)
    }
}

/// Everything an address says.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The reader's scenario.
    pub scenario: Scenario,
    /// The ledger in use.
    pub ledger: Ledger,
    /// GiB or GB.
    pub base: ByteBase,
    /// The language, where the address names one; otherwise the browser's.
    pub language: Option<Language>,
    /// The theme, where the address names one; otherwise the system's.
    pub theme: Option<Theme>,
    /// How much is shown around the stage.
    pub view: View,
    /// The room of the whole page.
    pub room: Room,
    /// The scene on the stage.
    pub scene: SceneId,
    /// Where in the scene; its end where the address does not say.
    pub moment: Moment,
}

impl Default for Link {
    fn default() -> Self {
        let scene = SceneId::default();
        Self {
            scenario: Scenario::default(),
            ledger: Ledger::default(),
            base: ByteBase::default(),
            language: None,
            theme: None,
            view: View::default(),
            room: Room::default(),
            scene,
            moment: end_of(scene),
        }
    }
}

impl Link {
    /// Reads a query string, with or without its question mark. Keys that are not ours are passed over; of a repeated
    /// key the first value counts.
    #[must_use]
    pub fn read(query: &str) -> (Self, Vec<Refusal>) {
        let mut link = Self::default();
        let mut refusals = Vec::new();
        let mut seen: Vec<String> = Vec::new();
        let (mut step, mut t) = (None, None);
        for (name, value) in parse(query.trim_start_matches('?').as_bytes()) {
            if seen.iter().any(|known| *known == name) {
                refusals.push(Refusal::new(&name, &value, Reason::Repeated));
                continue;
            }
            let known = if let Some(key) = Key::from_name(&name) {
                if let Err(refusal) = link.scenario.choose_text(key, &value) {
                    refusals.push(refusal);
                }
                true
            } else {
                link.read_view(&name, &value, &mut step, &mut t, &mut refusals)
            };
            if known {
                seen.push(name.into_owned());
            }
        }
        link.place_moment(step, t, &mut refusals);
        refusals.extend(link.drop_impossible_plan());
        (link, refusals)
    }

    /// Reads one key of the view; false where the key is not ours.
    fn read_view(
        &mut self,
        name: &str,
        value: &str,
        step: &mut Option<String>,
        t: &mut Option<String>,
        refusals: &mut Vec<Refusal>,
    ) -> bool {
        let mut refuse = |words| refusals.push(Refusal::new(name, value, Reason::NotOneOf(words)));
        match name {
            LEDGER => match Ledger::from_name(value) {
                Some(ledger) => self.ledger = ledger,
                None => refuse(LEDGERS),
            },
            UNITS => match ByteBase::from_name(value) {
                Some(base) => self.base = base,
                None => refuse(BASES),
            },
            LANGUAGE => match Language::from_name(value) {
                Some(language) => self.language = Some(language),
                None => refuse(LANGUAGES),
            },
            THEME => match Theme::from_name(value) {
                Some(theme) => self.theme = Some(theme),
                None => refuse(THEMES),
            },
            ROOM => match Room::from_name(value) {
                Some(room) => self.room = room,
                None => refuse(Room::NAMES),
            },
            STEP => *step = Some(value.to_owned()),
            T => *t = Some(value.to_owned()),
            _ => {
                let Some(view) = View::from_key(name) else { return false };
                // A view with a scene that does not exist is still the view that was asked for.
                if view != View::Page {
                    self.view = view;
                }
                match SceneId::from_name(value) {
                    Some(scene) => {
                        self.scene = scene;
                        self.moment = end_of(scene);
                    }
                    None => refuse(SceneId::NAMES),
                }
            }
        }
        true
    }

    /// Steps are counted from 1 in addresses, as on the keyboard.
    fn place_moment(&mut self, step: Option<String>, t: Option<String>, refusals: &mut Vec<Refusal>) {
        use crate::scenario::Bound;
        if let Some(text) = step {
            match Bound::Whole(1, self.scene.steps().len() as u64).read(&text) {
                Ok(Setting::Whole(number)) => self.moment = Moment::done(number as usize - 1),
                Ok(_) => {}
                Err(reason) => refusals.push(Refusal::new(STEP, &text, reason)),
            }
        }
        if let Some(text) = t {
            match Bound::Real(0.0, 1.0).read(&text) {
                // Thousandths, as addresses write it: reading and writing agree.
                Ok(Setting::Real(number)) => self.moment.t = (number * 1000.0).round() / 1000.0,
                Ok(_) => {}
                Err(reason) => refusals.push(Refusal::new(T, &text, reason)),
            }
        }
    }

    /// Gives up a plan that the model's dimensions do not allow, and says so.
    fn drop_impossible_plan(&mut self) -> Option<Refusal> {
        let spec = spec::of(self.scenario.resolve(self.ledger).model);
        plan::drop_impossible(self.ledger, &mut self.scenario, &spec)
    }

    /// The query string, without a question mark; only what differs from the default.
    #[must_use]
    pub fn write(&self) -> String {
        let default = Self::default();
        let mut query = Serializer::new(String::new());
        if self.ledger != default.ledger {
            query.append_pair(LEDGER, self.ledger.name());
        }
        for (key, setting) in self.scenario.essential(self.ledger).choices() {
            query.append_pair(key.name(), &setting.to_string());
        }
        if self.base != default.base {
            query.append_pair(UNITS, self.base.name());
        }
        if let Some(language) = self.language {
            query.append_pair(LANGUAGE, language.name());
        }
        if let Some(theme) = self.theme {
            query.append_pair(THEME, theme.name());
        }
        if self.room != default.room {
            query.append_pair(ROOM, self.room.name());
        }
        if self.view != default.view || self.scene != default.scene {
            query.append_pair(self.view.key(), self.scene.name());
        }
        if self.moment != end_of(self.scene) {
            query.append_pair(STEP, &(self.moment.step + 1).to_string());
            if self.moment.t < 1.0 {
                query.append_pair(T, &format!("{:.3}", self.moment.t));
            }
        }
        query.finish()
    }

    /// The scenario alone as a query string, for exported files.
    #[must_use]
    pub fn scenario_query(&self) -> String {
        let scenario_only =
            Self { scenario: self.scenario.clone(), ledger: self.ledger, base: self.base, ..Self::default() };
        scenario_only.write()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::refusal::Dimension;
    use crate::spec::v4_pro;
    use proptest::prelude::*;

    fn read(query: &str) -> (Link, Vec<Refusal>) {
        Link::read(query)
    }

    #[test]
    fn the_default_has_an_empty_address() {
        assert_eq!(Link::default().write(), "");
        assert_eq!(read("").0, Link::default());
        assert_eq!(read("?context=32768&tp=8").0.write(), "");
    }

    #[test]
    fn an_address_returns_as_it_was() {
        let query =
            "tp=16&context=131072&batch=32&gpu_memory_gib=141.5&units=gb&lang=en&theme=dark&step=3&t=0.250";
        let (link, refusals) = read(query);
        assert_eq!(refusals, []);
        assert_eq!(link.write(), query);
        assert_eq!(link.moment, Moment { step: 2, t: 0.25 });
    }

    #[test]
    fn rubbish_is_named_and_the_default_stays() {
        let cases = [
            ("context=", Reason::Empty),
            ("context=abc", Reason::NotANumber),
            ("context=NaN", Reason::NotANumber),
            ("context=1e99", Reason::NotANumber),
            ("context=999999999999999999999", Reason::Above(1_048_576.0)),
            ("context=-5", Reason::Below(1.0)),
            ("context=%FF%FE", Reason::NotANumber),
            ("context=%E4%B8%89%E4%B8%87", Reason::NotANumber),
            ("context=１２８", Reason::NotANumber),
            ("tp=3", Reason::CannotCut(Dimension::OutputGroups, 16)),
            ("tp=32", Reason::CannotCut(Dimension::OutputGroups, 16)),
            ("comm_dtype=fp16", Reason::NotOneOf(&["fp32", "bf16"])),
            ("lang=fr", Reason::NotOneOf(LANGUAGES)),
            ("room=attic", Reason::NotOneOf(Room::NAMES)),
            ("scene=nowhere", Reason::NotOneOf(SceneId::NAMES)),
            ("step=9", Reason::Above(8.0)),
            ("t=2", Reason::Above(1.0)),
        ];
        for (query, reason) in cases {
            let (link, refusals) = read(query);
            assert_eq!(
                refusals.iter().map(|refusal| refusal.reason).collect::<Vec<_>>(),
                [reason],
                "{query}"
            );
            assert_eq!(link, Link::default(), "{query}");
        }
    }

    #[test]
    fn a_room_is_named_where_it_is_not_the_first() {
        let (link, refusals) = read("room=calculate&scene=place");
        assert_eq!(
            (link.room, link.write().as_str(), refusals),
            (Room::Calculate, "room=calculate&scene=place", vec![])
        );
        assert_eq!(read("room=walk").0.write(), "");
    }

    #[test]
    fn other_views_name_their_scene() {
        for (query, view) in [("embed=kernel", View::Embed), ("present=place", View::Present)] {
            let (link, refusals) = read(query);
            assert_eq!((link.view, link.write().as_str(), refusals), (view, query, vec![]));
        }
        let (link, refusals) = read("embed=nowhere");
        assert_eq!((link.view, link.scene), (View::Embed, SceneId::default()));
        assert_eq!(refusals.len(), 1);
    }

    #[test]
    fn the_first_of_a_repeated_key_counts() {
        let (link, refusals) = read("batch=16&batch=32&foreign=1&foreign=2");
        assert_eq!(link.scenario.chosen(Key::Batch), Some(Setting::Whole(16)));
        assert_eq!(refusals, [Refusal::new("batch", "32", Reason::Repeated)]);
    }

    #[test]
    fn the_words_of_refusals_are_all_the_words() {
        assert_eq!(Ledger::ALL.map(Ledger::name), LEDGERS);
    }

    proptest! {
        #[test]
        fn any_text_is_read(query in "\\PC*") {
            let (link, _) = read(&query);
            prop_assert_eq!(read(&link.write()).0, link);
        }

        #[test]
        fn any_bytes_after_our_keys_are_read(
            key in prop::sample::select(vec![
                "context", "batch", "tp", "gpu_memory_gib", "comm_dtype", "ledger", "units", "lang", "theme", "scene",
                "step", "t",
            ]),
            value in prop_oneof![
                "[-+0-9eE.,_ KMkm]{0,24}",
                "(%[0-9A-Fa-f]{0,2}){0,8}",
                "[零一二三四五六七八九十百千万０-９]{0,6}",
                "\\PC{0,12}",
                Just("NaN".to_owned()), Just("inf".to_owned()), Just("1e99".to_owned()), Just("-0".to_owned()),
            ],
        ) {
            let (link, refusals) = read(&format!("{key}={value}"));
            prop_assert!(refusals.len() <= 1);
            let spec = v4_pro();
            let report = crate::ledger::report(link.ledger, &link.scenario, &spec);
            for figure in report.figures() {
                prop_assert!(figure.value.number().is_none_or(|n| n.is_finite() && n >= 0.0), "{}", figure.id);
            }
            prop_assert_eq!(read(&link.write()).0, link);
        }
    }
}

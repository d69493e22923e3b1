//! The page's address: scenario and view as a query string, and back. Reading never fails; what cannot be taken is
//! reported and the default stays.

use form_urlencoded::{Serializer, parse};

use crate::draw::Theme;
use crate::figure::Ledger;
use crate::format::ByteBase;
use crate::language::Language;
use crate::reality::Filter;
use crate::scenario::{Bound, Key, Reason, Refusal, Scenario, Setting};
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
const WITH: &str = "with";
const ROWS: &str = "rows";
const VERSION: &str = "v";

/// The form of today's addresses. Those of the first form do not name it.
const FORM: u64 = 1;

/// How many scenarios stand beside the address's own, at most.
pub const MOST_COMPARED: usize = 3;

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
    /// Scenarios side by side.
    Compare,
    /// Published measurements beside the ledgers.
    Reality,
    /// Hardware bent by the reader.
    Workbench,
}

impl Room {
    /// Every room, in the order in which they are offered.
    pub const ALL: [Self; 5] = [Self::Walk, Self::Calculate, Self::Compare, Self::Reality, Self::Workbench];
    /// Their names, in the same order.
    const NAMES: &[&str] = &["walk", "calculate", "compare", "reality", "workbench"];

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

/// A scenario that stands beside the address's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compared {
    /// Its values; none that the ledger would take in their place.
    pub scenario: Scenario,
    /// Its ledger.
    pub ledger: Ledger,
    /// GiB or GB.
    pub base: ByteBase,
}

impl Compared {
    /// One of these values.
    #[must_use]
    pub fn new(scenario: &Scenario, ledger: Ledger, base: ByteBase) -> Self {
        Self { scenario: scenario.essential(ledger), ledger, base }
    }

    /// Reads its query, with or without its question mark. What an address says of the view is passed over.
    ///
    /// # Errors
    /// Names the first key that cannot be taken: half a scenario compares nothing.
    pub fn read(query: &str) -> Result<Self, Refusal> {
        let (mut scenario, mut ledger, mut base) =
            (Scenario::default(), Ledger::default(), ByteBase::default());
        let mut seen: Vec<String> = Vec::new();
        for (name, value) in parse(query.trim_start_matches('?').as_bytes()) {
            let refuse = |reason| Refusal::new(&name, &value, reason);
            if seen.iter().any(|known| *known == name) {
                return Err(refuse(Reason::Repeated));
            }
            match &*name {
                LEDGER => ledger = read_ledger(&value).map_err(refuse)?,
                UNITS => base = read_base(&value).map_err(refuse)?,
                LANGUAGE | THEME | ROOM | ROWS | STEP | T => {}
                name if View::from_key(name).is_some() => {}
                _ => {
                    let key = Key::from_name(&name).ok_or_else(|| refuse(Reason::UnknownKey))?;
                    scenario.choose_text(key, &value)?;
                }
            }
            seen.push(name.into_owned());
        }
        plan::check(ledger, &scenario, &spec::of(scenario.resolve(ledger).model))?;
        Ok(Self::new(&scenario, ledger, base))
    }

    /// Its query string, without a question mark.
    #[must_use]
    pub fn write(&self) -> String {
        let Self { scenario, ledger, base } = self.clone();
        Link { scenario, ledger, base, ..Link::default() }.write()
    }
}

fn read_ledger(value: &str) -> Result<Ledger, Reason> {
    Ledger::from_name(value).ok_or(Reason::NotOneOf(LEDGERS))
}

fn read_base(value: &str) -> Result<ByteBase, Reason> {
    ByteBase::from_name(value).ok_or(Reason::NotOneOf(BASES))
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
    /// What stands beside that scenario, [`MOST_COMPARED`] at most.
    pub compared: Vec<Compared>,
    /// The language, where the address names one; otherwise the browser's.
    pub language: Option<Language>,
    /// The theme, where the address names one; otherwise the system's.
    pub theme: Option<Theme>,
    /// How much is shown around the stage.
    pub view: View,
    /// The room of the whole page.
    pub room: Room,
    /// Which published rows are shown.
    pub rows: Filter,
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
            compared: Vec::new(),
            language: None,
            theme: None,
            view: View::default(),
            room: Room::default(),
            rows: Filter::default(),
            scene,
            moment: end_of(scene),
        }
    }
}

impl Link {
    /// Reads a query string, with or without its question mark. Keys that are not ours are passed over; of a repeated
    /// key the first value counts, but for the compared scenarios, which stand there one by one.
    #[must_use]
    pub fn read(query: &str) -> (Self, Vec<Refusal>) {
        let mut link = Self::default();
        let mut refusals = Vec::new();
        let mut seen: Vec<String> = Vec::new();
        let (mut step, mut t) = (None, None);
        // Refused ones count too: the place in a message is the place in the address.
        let mut place = 0;
        for (name, value) in parse(query.trim_start_matches('?').as_bytes()) {
            if name == WITH {
                place += 1;
                refusals.extend(link.read_compared(place, &value));
                continue;
            }
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

    /// Reads the compared scenario at a place, counted from 1.
    fn read_compared(&mut self, place: usize, query: &str) -> Option<Refusal> {
        if place > MOST_COMPARED {
            return Some(Refusal::new(WITH, query, Reason::TooMany(MOST_COMPARED)));
        }
        match Compared::read(query) {
            Ok(compared) => self.compared.push(compared),
            Err(refusal) => return Some(refusal.within(place)),
        }
        None
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
        let mut because = |reason| refusals.push(Refusal::new(name, value, reason));
        match name {
            LEDGER => match read_ledger(value) {
                Ok(ledger) => self.ledger = ledger,
                Err(reason) => because(reason),
            },
            UNITS => match read_base(value) {
                Ok(base) => self.base = base,
                Err(reason) => because(reason),
            },
            VERSION => match Bound::Whole(1, u64::MAX).read(value) {
                Ok(form) if form.whole() > FORM => because(Reason::NewerForm(FORM)),
                Ok(_) => {}
                Err(reason) => because(reason),
            },
            LANGUAGE => match Language::from_name(value) {
                Some(language) => self.language = Some(language),
                None => because(Reason::NotOneOf(LANGUAGES)),
            },
            THEME => match Theme::from_name(value) {
                Some(theme) => self.theme = Some(theme),
                None => because(Reason::NotOneOf(THEMES)),
            },
            ROOM => match Room::from_name(value) {
                Some(room) => self.room = room,
                None => because(Reason::NotOneOf(Room::NAMES)),
            },
            ROWS => match Filter::read(value) {
                Ok(rows) => self.rows = rows,
                Err(error) => {
                    refusals.push(Refusal::new(name, &error.given, Reason::NoSuchRows(error.facet)));
                }
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
                    None => because(Reason::NotOneOf(SceneId::NAMES)),
                }
            }
        }
        true
    }

    /// Steps are counted from 1 in addresses, as on the keyboard.
    fn place_moment(&mut self, step: Option<String>, t: Option<String>, refusals: &mut Vec<Refusal>) {
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
        for compared in &self.compared {
            query.append_pair(WITH, &compared.write());
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
        if self.rows != default.rows {
            query.append_pair(ROWS, &self.rows.write());
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
    use crate::reality::Facet;
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
            ("v=", Reason::Empty),
            ("v=0", Reason::Below(1.0)),
            ("v=2", Reason::NewerForm(1)),
            ("rows=hardware-H900", Reason::NoSuchRows(Some(Facet::Hardware))),
            ("rows=colour-red", Reason::NoSuchRows(None)),
            ("rows=plan-tp.engine-", Reason::NoSuchRows(None)),
            ("with=context%3Dabc", Reason::NotANumber),
            ("with=ledger%3Dother", Reason::NotOneOf(LEDGERS)),
            ("with=contxt%3D8", Reason::UnknownKey),
            ("with=batch%3D8%26batch%3D9", Reason::Repeated),
            ("with=tp%3D3", Reason::CannotCut(Dimension::OutputGroups, 16)),
            ("with=with%3Dbatch%253D16", Reason::UnknownKey),
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
    fn rows_are_filtered_by_the_address() {
        let query = "room=reality&rows=hardware-H200.plan-tp";
        let (link, refusals) = read(query);
        assert_eq!((link.write().as_str(), refusals), (query, vec![]));
        assert_eq!((link.rows.hardware, link.rows.plan, link.rows.engine), (Some("H200"), Some("tp"), None));
        assert_eq!(read("rows=").0, Link::default());
        let refusals = read("rows=plan-tp.speculation-luck").1;
        assert_eq!(refusals[0].given, "luck");
        for language in [Language::Chinese, Language::English] {
            assert!(refusals[0].say(language).contains("EAGLE"), "what there is instead is named");
        }
    }

    #[test]
    fn compared_scenarios_stand_one_by_one() {
        let query = "with=ledger%3Dexact%26gpu%3Db300%26context%3D1048576%26batch%3D16&with=&room=compare";
        let (link, refusals) = read(query);
        assert_eq!((link.write().as_str(), refusals), (query, vec![]));
        let [first, second] = &link.compared[..] else { panic!("{link:?}") };
        assert_eq!(first.write(), "ledger=exact&gpu=b300&context=1048576&batch=16");
        assert_eq!((first.ledger, *second == Compared::default()), (Ledger::Exact, true));
        // What an address says of its view compares nothing.
        let whole =
            Compared::read("?ledger=report&units=gb&lang=en&scene=place&step=2&context=32768").unwrap();
        assert_eq!(whole.write(), "ledger=report&context=32768&units=gb");
    }

    #[test]
    fn a_compared_scenario_that_cannot_be_taken_leaves_the_others() {
        let (link, refusals) = read("with=batch%3D16&with=batch%3D0&with=batch%3D32&with=batch%3D64");
        let batches: Vec<_> = link.compared.iter().map(|one| one.scenario.chosen(Key::Batch)).collect();
        assert_eq!(batches, [16, 32].map(|batch| Some(Setting::Whole(batch))));
        assert_eq!(
            refusals,
            [
                Refusal::new("batch", "0", Reason::Below(1.0)).within(2),
                Refusal::new("with", "batch=64", Reason::TooMany(3)),
            ]
        );
        assert_eq!(refusals[0].to_string(), "with 2, batch: “0” is below 1");
        assert_eq!(
            refusals[1].to_string(),
            "with: at most 3 stand beside the first, “batch=64” was left out"
        );
    }

    #[test]
    fn an_address_of_a_newer_form_is_read_as_far_as_it_is_known() {
        let (link, refusals) = read("v=7&batch=16&something=new");
        assert_eq!(link.scenario.chosen(Key::Batch), Some(Setting::Whole(16)));
        assert_eq!(refusals, [Refusal::new("v", "7", Reason::NewerForm(1))]);
        assert_eq!(read("v=1&batch=16").1, []);
        assert_eq!(link.write(), "batch=16");
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
                "step", "t", "with", "v", "room", "rows",
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
            // An ampersand in the value begins another key.
            prop_assert!(refusals.len() <= value.split('&').count());
            let spec = v4_pro();
            let report = crate::ledger::report(link.ledger, &link.scenario, &spec);
            for figure in report.figures() {
                prop_assert!(figure.value.number().is_none_or(|n| n.is_finite() && n >= 0.0), "{}", figure.id);
            }
            prop_assert_eq!(read(&link.write()).0, link);
        }

        #[test]
        fn filters_return_as_they_were(picked in prop::collection::vec(0..12_usize, Facet::ALL.len())) {
            let (language, base) = (Language::English, ByteBase::Binary);
            let look = crate::scene::Look { layout: crate::scene::Layout::Wide, language, base };
            let mut rows = Filter::default();
            for (facet, index) in Facet::ALL.into_iter().zip(picked) {
                let choices = facet.choices(look);
                let code = choices[index % choices.len()].code;
                prop_assert!(rows.set(facet, code.unwrap_or("")).is_ok());
            }
            let (link, refusals) = read(&Link { rows, ..Link::default() }.write());
            prop_assert_eq!((link.rows, refusals), (rows, vec![]));
        }

        #[test]
        fn compared_scenarios_return_as_they_were(
            given in prop::collection::vec(
                (
                    prop::collection::vec((prop::sample::select(Key::ALL.to_vec()), "\\PC{0,6}|[0-9]{1,7}|[0-9.]{1,6}"), 0..6),
                    prop::sample::select(Ledger::ALL.to_vec()),
                    prop::sample::select(vec![ByteBase::Binary, ByteBase::Decimal]),
                    prop::collection::vec((prop::sample::select(Key::ALL.to_vec()), 0..8_usize), 0..4),
                ),
                0..5,
            ),
        ) {
            let mut query = Serializer::new(String::new());
            let mut asked = Vec::new();
            for (texts, ledger, base, words) in given {
                let mut scenario = Scenario::default();
                for (key, text) in texts {
                    let _ = scenario.choose_text(key, &text);
                }
                for (key, index) in words {
                    if let Bound::OneOf(words) = key.bound() {
                        let _ = scenario.choose_text(key, words.get(index).copied().unwrap_or(""));
                    }
                }
                let compared = Compared::new(&scenario, ledger, base);
                query.append_pair(WITH, &compared.write());
                asked.push(compared);
            }
            let (link, refusals) = read(&query.finish());
            prop_assert_eq!(link.compared.len() + refusals.len(), asked.len());
            prop_assert!(link.compared.iter().all(|one| asked.contains(one)));
            let (again, refusals) = read(&link.write());
            prop_assert_eq!((again, refusals), (link, vec![]));
        }
    }
}

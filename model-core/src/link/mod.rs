//! The page's address: scenario and view as a query string, and back. Reading never fails; what cannot be taken is
//! reported and the default stays.

mod shown;

pub use shown::Shown;

use form_urlencoded::{Serializer, parse};

use crate::draw::Theme;
use crate::figure::Ledger;
use crate::format::ByteBase;
use crate::language::Language;
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
                LANGUAGE | THEME | ROOM | STEP | T => {}
                name if View::from_key(name).is_some() || Shown::has(name) => {}
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
    /// What of the rooms is shown.
    pub shown: Shown,
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
            shown: Shown::default(),
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
            name if Shown::has(name) => refusals.extend(self.shown.take(name, value).err()),
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
        // The room of measurements reads the scenario under the exact ledger, whichever is chosen.
        let ledgers = [self.ledger, Ledger::Exact];
        let read = if self.room == Room::Reality { &ledgers[..] } else { &ledgers[..1] };
        for (key, setting) in self.scenario.essential_under(read).choices() {
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
        for (name, value) in self.shown.pairs() {
            query.append_pair(name, &value);
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
mod tests;

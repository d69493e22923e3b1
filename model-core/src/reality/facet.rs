//! By what rows are told apart: hardware, engine, plan, speculation; and the filter that a link carries.

use super::unclean::{decoding_plan, words};
use super::words as say;
use crate::hardware;
use crate::language::Language;
use crate::measured::{ROWS, Row};
use crate::scene::{Look, Text};

/// One side by which rows are filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facet {
    /// Which GPU.
    Hardware,
    /// Which serving software.
    Engine,
    /// How an instance that decodes was cut.
    Plan,
    /// Which speculative decoding.
    Speculation,
}

/// What stands where a row does not say.
pub(super) const UNSTATED: &str = "unstated";

/// How an instance was cut, by its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanKind {
    /// Every tensor over the GPUs.
    Tp,
    /// Attention over the GPUs, experts whole.
    TpEp,
    /// Stages one after the other.
    Pp,
    /// Requests divided for attention, experts over the GPUs.
    DpEp,
    /// Experts over the GPUs; of attention nothing is said.
    Ep,
    /// Nothing is said.
    Unstated,
}

impl PlanKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [Self::Tp, Self::TpEp, Self::Pp, Self::DpEp, Self::Ep, Self::Unstated];

    /// Its name in links.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Tp => "tp",
            Self::TpEp => "tp-ep",
            Self::Pp => "pp",
            Self::DpEp => "dp-ep",
            Self::Ep => "ep",
            Self::Unstated => UNSTATED,
        }
    }

    /// Of the instance that decodes, as a row states it.
    #[must_use]
    pub fn of(row: &Row) -> Self {
        let plan = decoding_plan(row);
        let has = |part: &str| plan.contains(part);
        // Experts over one GPU are not spread.
        let spread = has("EP") && !has("EP1") || has("EP16");
        match () {
            () if has("PP") => Self::Pp,
            () if has("DP") || has("DEP") => Self::DpEp,
            () if has("TP") && spread => Self::TpEp,
            () if spread => Self::Ep,
            () if has("TP") => Self::Tp,
            () => Self::Unstated,
        }
    }
}

impl Facet {
    /// Every side, in the order in which links write them.
    pub const ALL: [Self; 4] = [Self::Hardware, Self::Engine, Self::Plan, Self::Speculation];

    /// Its name in links and of its control.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hardware => "hardware",
            Self::Engine => "engine",
            Self::Plan => "plan",
            Self::Speculation => "speculation",
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn title(self, look: Look) -> &'static str {
        look.say(match self {
            Self::Hardware => say::HARDWARE.name,
            Self::Engine => say::ENGINE.name,
            Self::Plan => say::PLAN.name,
            Self::Speculation => say::SPECULATION.name,
        })
    }

    /// On which side of it a row stands.
    #[must_use]
    pub fn of(self, row: &'static Row) -> &'static str {
        match self {
            Self::Hardware => gpu(row),
            Self::Engine => words(row.engine).next().unwrap_or(UNSTATED),
            Self::Plan => PlanKind::of(row).code(),
            Self::Speculation => match words(row.speculation).next() {
                None | Some("not") => UNSTATED,
                Some(word) => word,
            },
        }
    }

    /// What can be chosen: all, then each that has rows, in the order of the collection.
    #[must_use]
    pub fn choices(self, look: Look) -> Vec<Choice> {
        let all = Choice { code: None, name: look.say(say::ALL).to_owned(), rows: ROWS.len() };
        let mut choices = vec![all];
        for row in ROWS {
            let code = self.of(row);
            match choices.iter_mut().find(|choice| choice.code == Some(code)) {
                Some(choice) => choice.rows += 1,
                None => choices.push(Choice { code: Some(code), name: self.label(code, look), rows: 1 }),
            }
        }
        choices
    }

    /// The codes that some row has, in the order of the collection.
    fn codes(self) -> Vec<&'static str> {
        let mut codes = Vec::new();
        for code in ROWS.iter().map(|row| self.of(row)) {
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        codes
    }

    fn label(self, code: &'static str, look: Look) -> String {
        let own: Option<Text> = match (self, code) {
            (Self::Speculation, "none") => Some(say::NO_DRAFTS),
            (Self::Plan, _) => PlanKind::ALL.into_iter().find(|kind| kind.code() == code).map(say::plan_kind),
            (_, UNSTATED) => Some(say::NOT_STATED),
            _ => None,
        };
        own.map_or_else(|| code.to_owned(), |text| look.say(text).to_owned())
    }

    /// The code that a text names on this side.
    fn code(self, text: &str) -> Option<&'static str> {
        ROWS.iter().map(|row| self.of(row)).find(|code| code.eq_ignore_ascii_case(text))
    }
}

/// Which GPU a row ran on, as the row names it: a preset's where it is one, else the architecture.
fn gpu(row: &'static Row) -> &'static str {
    let bare = |word: &'static str| word.split_once('x').map_or(word, |(_, gpu)| gpu);
    let known = |word: &&str| hardware::NAMES.iter().any(|name| name.eq_ignore_ascii_case(word));
    let named = words(row.hardware).map(bare).find(known);
    named.or_else(|| words(row.hardware).last()).unwrap_or(UNSTATED)
}

/// One thing that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its name in links and of its option; none for all rows.
    pub code: Option<&'static str>,
    /// What it is called.
    pub name: String,
    /// How many rows it has.
    pub rows: usize,
}

/// Which rows are shown; none chosen on a side lets all pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// One GPU alone.
    pub hardware: Option<&'static str>,
    /// One serving software alone.
    pub engine: Option<&'static str>,
    /// One kind of plan alone.
    pub plan: Option<&'static str>,
    /// One kind of speculation alone.
    pub speculation: Option<&'static str>,
}

/// Why a filter's text was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// The part that was not understood.
    pub given: String,
    /// The side that it names, if it names one.
    pub facet: Option<Facet>,
}

impl FilterError {
    /// What was wrong, with what could stand there.
    #[must_use]
    pub fn sentence(&self, language: Language) -> String {
        let known = match self.facet {
            Some(facet) => facet.codes(),
            None => Facet::ALL.into_iter().map(Facet::name).collect(),
        };
        let (given, known) = (&self.given, known.join(", "));
        match language {
            Language::Chinese => format!("筛选条件“{given}”不认识；可用的是 {known}"),
            Language::English => {
                format!("The filter \u{201c}{given}\u{201d} is not known; there are {known}")
            }
        }
    }
}

impl Filter {
    /// What is chosen on a side.
    #[must_use]
    pub const fn get(&self, facet: Facet) -> Option<&'static str> {
        match facet {
            Facet::Hardware => self.hardware,
            Facet::Engine => self.engine,
            Facet::Plan => self.plan,
            Facet::Speculation => self.speculation,
        }
    }

    /// Chooses on a side by an option's value; an empty one lets all pass again.
    ///
    /// # Errors
    /// No row has that value; the filter then stays as it was.
    pub fn set(&mut self, facet: Facet, value: &str) -> Result<(), FilterError> {
        let chosen = match value {
            "" => None,
            _ => {
                let given = value.chars().take(40).collect();
                let code = facet.code(value);
                Some(code.ok_or(FilterError { given, facet: Some(facet) })?)
            }
        };
        match facet {
            Facet::Hardware => self.hardware = chosen,
            Facet::Engine => self.engine = chosen,
            Facet::Plan => self.plan = chosen,
            Facet::Speculation => self.speculation = chosen,
        }
        Ok(())
    }

    /// Whether a row passes.
    #[must_use]
    pub fn keeps(&self, row: &'static Row) -> bool {
        Facet::ALL.into_iter().all(|facet| self.get(facet).is_none_or(|code| facet.of(row) == code))
    }

    /// For a link, as `hardware-H200.plan-tp`: nothing in it needs to be escaped.
    #[must_use]
    pub fn write(&self) -> String {
        let part = |facet: Facet| Some(format!("{}-{}", facet.name(), self.get(facet)?));
        Facet::ALL.into_iter().filter_map(part).collect::<Vec<_>>().join(".")
    }

    /// Reads what [`Self::write`] wrote.
    ///
    /// # Errors
    /// Names the first part that is not understood.
    pub fn read(text: &str) -> Result<Self, FilterError> {
        let mut filter = Self::default();
        for part in text.split('.').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('-').unwrap_or((part, ""));
            let facet = Facet::ALL.into_iter().find(|facet| facet.name() == name && !value.is_empty());
            let unknown = || FilterError { given: part.chars().take(40).collect(), facet: None };
            filter.set(facet.ok_or_else(unknown)?, value)?;
        }
        Ok(filter)
    }
}

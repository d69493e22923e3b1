//! A figure: one number of one ledger with its unit, its scope, the formula that gives it, and where that stands.

use crate::formula::Formula;
use crate::units::{Bytes, Seconds};

/// Which bookkeeping a figure belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ledger {
    /// The walkthrough's: binary units, a cache copy on each GPU.
    #[default]
    Tutorial,
    /// The hardware report's: decimal units, everything split evenly, a roofline with assumed efficiencies.
    Report,
    /// From the checkpoint's tensors, the reference's cache rules and the engines' row formats.
    Exact,
}

impl Ledger {
    /// Every ledger, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Tutorial, Self::Report, Self::Exact];

    /// Its name in links and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tutorial => "tutorial",
            Self::Report => "report",
            Self::Exact => "exact",
        }
    }

    /// Reads such a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ledger| ledger.name() == name)
    }
}

/// What a figure counts in; values are always in the base unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Seconds.
    Seconds,
    /// Floating-point operations.
    Flop,
    /// Floating-point operations per byte.
    FlopPerByte,
    /// Tokens per second.
    TokensPerSecond,
    /// Bytes per second.
    BytesPerSecond,
    /// Floating-point operations per second.
    FlopsPerSecond,
    /// A plain number.
    Count,
    /// Yes or no.
    Flag,
    /// A list of whole numbers.
    List,
    /// One word of a fixed set.
    Word,
}

impl Unit {
    /// Its name in the golden files and in machine-readable output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Seconds => "s",
            Self::Flop => "flop",
            Self::FlopPerByte => "flop/byte",
            Self::TokensPerSecond => "token/s",
            Self::BytesPerSecond => "bytes/s",
            Self::FlopsPerSecond => "flop/s",
            Self::Count => "count",
            Self::Flag => "bool",
            Self::List => "list",
            Self::Word => "enum",
        }
    }
}

/// A figure's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number in base units.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// Whole numbers.
    List(Vec<u32>),
    /// One word of a fixed set.
    Word(&'static str),
    /// None: the figure depends on something that does not hold.
    Absent,
}

impl Value {
    /// The number, where it is one.
    #[must_use]
    pub const fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}

/// What a figure speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The whole deployment, or the model itself.
    Total,
    /// One GPU.
    PerGpu,
    /// One request.
    PerRequest,
    /// One layer.
    PerLayer,
    /// One token.
    PerToken,
}

impl Scope {
    /// Its name in machine-readable output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::PerGpu => "gpu",
            Self::PerRequest => "request",
            Self::PerLayer => "layer",
            Self::PerToken => "token",
        }
    }
}

/// How sure a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Follows from published shapes and rules.
    Exact,
    /// Rests on a model or a teaching assumption.
    Assumed,
    /// Was measured and published.
    Measured,
}

impl Kind {
    /// Its name in machine-readable output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Assumed => "assumed",
            Self::Measured => "measured",
        }
    }
}

/// Where a figure or its inputs are published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The walkthrough, by chapter or exercise.
    Tutorial(&'static str),
    /// The model's published configuration.
    Config,
    /// The published reference implementation.
    Reference,
    /// The reader's own choice in the scenario.
    Scenario,
    /// The hardware report, by section.
    Report(&'static str),
    /// The sizes and dtypes in the checkpoint's own headers.
    Checkpoint,
    /// The model's technical report, by section.
    TechnicalReport(&'static str),
    /// An inference engine's published cache layout or log.
    Engine(&'static str),
    /// The GPU vendor's data sheet.
    Vendor,
    /// A public comparison table of GPU figures.
    HardwareTable,
    /// What the GPU's driver lists.
    Driver,
    /// A published measurement.
    Measured(&'static str),
}

impl Source {
    /// What it is and where in it, in machine-readable output; the place is empty where the whole is meant.
    #[must_use]
    pub const fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Tutorial(place) => ("tutorial", place),
            Self::Config => ("config", ""),
            Self::Reference => ("reference", ""),
            Self::Scenario => ("scenario", ""),
            Self::Report(place) => ("report", place),
            Self::Checkpoint => ("checkpoint", ""),
            Self::TechnicalReport(place) => ("technical_report", place),
            Self::Engine(place) => ("engine", place),
            Self::Vendor => ("vendor", ""),
            Self::HardwareTable => ("hardware_table", ""),
            Self::Driver => ("driver", ""),
            Self::Measured(place) => ("measured", place),
        }
    }
}

/// One number with everything needed to check it.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The name that pages, tests and scripts know it by, such as `cache.request.bytes`.
    pub id: &'static str,
    /// The bookkeeping it belongs to.
    pub ledger: Ledger,
    /// Its value in base units.
    pub value: Value,
    /// The base unit.
    pub unit: Unit,
    /// What it speaks of.
    pub scope: Scope,
    /// How sure it is.
    pub kind: Kind,
    /// How it comes about.
    pub formula: Formula,
    /// Where that stands.
    pub sources: &'static [Source],
}

/// All figures of one ledger for one scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The ledger they belong to.
    pub ledger: Ledger,
    figures: Vec<Figure>,
}

impl Report {
    /// Gathers figures; their order is kept.
    #[must_use]
    pub fn new(ledger: Ledger, figures: Vec<Figure>) -> Self {
        Self { ledger, figures }
    }

    /// All figures in their order.
    #[must_use]
    pub fn figures(&self) -> &[Figure] {
        &self.figures
    }

    /// The figure of that name.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.id == id)
    }

    /// The number of that name in base units; `None` where there is none.
    #[must_use]
    pub fn number(&self, id: &str) -> Option<f64> {
        self.get(id).and_then(|figure| figure.value.number())
    }

    /// A size by its name; nothing where there is no such number.
    #[must_use]
    pub fn bytes(&self, id: &str) -> Bytes {
        Bytes(self.number(id).unwrap_or(0.0))
    }

    /// A duration by its name, where there is one.
    #[must_use]
    pub fn seconds(&self, id: &str) -> Option<Seconds> {
        self.number(id).map(Seconds)
    }

    /// A size by its name as a share of the GPU's memory.
    #[must_use]
    pub fn share_of_memory(&self, id: &str) -> f64 {
        let memory = self.bytes("gpu.memory.bytes").get();
        if memory > 0.0 { self.bytes(id).get() / memory } else { 0.0 }
    }

    /// A yes-or-no figure by its name; `false` where there is none.
    #[must_use]
    pub fn flag(&self, id: &str) -> bool {
        matches!(self.get(id).map(|figure| &figure.value), Some(Value::Flag(true)))
    }
}

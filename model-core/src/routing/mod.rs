//! Which experts a batch of tokens takes: closed forms, a seeded sampler, and what its draws mean for each GPU.
//!
//! A token takes k different experts. [`Popularity`] says how likely each is, [`Sampler`] draws, and an [`Assignment`]
//! counts tokens for each expert and work for each GPU. Layers that route by token id use a [`HashTable`] instead. The
//! same seed gives the same picks everywhere.

pub mod assignment;
pub mod closed_form;
pub mod hash_table;
pub mod popularity;
pub mod sampler;
pub mod survey;

pub use assignment::{Assignment, RankLoad, SlowBy, slowest};
pub use closed_form::{distinct_top_k, distinct_with_replacement};
pub use hash_table::HashTable;
pub use popularity::Popularity;
pub use sampler::Sampler;
pub use survey::{Estimate, Survey, survey};

use crate::spec::ModelSpec;

/// Most experts a layer may have here; far above any published model.
pub const MAX_EXPERTS: u32 = 16_384;
/// Most pairs of a token and an expert one draw may have: 16 Mi, or 64 MiB of picks.
pub const MAX_PAIRS: u64 = 1 << 24;

/// How many experts there are and how many of them a token takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoutingShape {
    experts: u32,
    per_token: u32,
}

impl RoutingShape {
    /// The smallest layer there can be: one expert, which every token takes.
    pub const ONE: Self = Self { experts: 1, per_token: 1 };

    /// A layer of that many experts, of which a token takes that many different ones.
    ///
    /// # Errors
    /// Where a token takes none, more than there are, or there are more than [`MAX_EXPERTS`].
    pub const fn new(experts: u32, per_token: u32) -> Result<Self, RoutingError> {
        if experts == 0 || experts > MAX_EXPERTS {
            Err(RoutingError::Experts(experts))
        } else if per_token == 0 || per_token > experts {
            Err(RoutingError::PerToken(per_token))
        } else {
            Ok(Self { experts, per_token })
        }
    }

    /// The routed experts of a layer of that model.
    ///
    /// # Errors
    /// As [`RoutingShape::new`].
    pub fn of(spec: &ModelSpec) -> Result<Self, RoutingError> {
        let narrow = |wide: u64| u32::try_from(wide).unwrap_or(u32::MAX);
        Self::new(narrow(spec.experts), narrow(spec.experts_per_token))
    }

    /// Routed experts of the layer, E.
    #[must_use]
    pub const fn experts(self) -> u32 {
        self.experts
    }

    /// Different experts a token takes, k.
    #[must_use]
    pub const fn per_token(self) -> u32 {
        self.per_token
    }
}

/// Why there is nothing to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RoutingError {
    /// No experts, or more than [`MAX_EXPERTS`].
    Experts(u32),
    /// A token that takes none, or more than there are.
    PerToken(u32),
    /// An exponent that is negative or no number.
    Exponent(f64),
    /// A share outside 0 to 1 or no number.
    Share(f64),
    /// An expert that does not exist, or a hot one that is named twice.
    HotExpert(u32),
    /// A hot share without hot experts.
    NoHotExperts,
    /// More than [`MAX_PAIRS`] pairs of tokens and experts.
    TooManyTokens(u64),
    /// GPUs that do not share the experts evenly.
    Ranks(u32),
}

impl core::fmt::Display for RoutingError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Experts(count) => write!(f, "{count} experts: 1 to {MAX_EXPERTS} are possible"),
            Self::PerToken(count) => write!(f, "a token cannot take {count} different experts"),
            Self::Exponent(exponent) => write!(f, "{exponent} is no exponent: 0 or more"),
            Self::Share(share) => write!(f, "{share} is no share: 0 to 1"),
            Self::HotExpert(expert) => write!(f, "expert {expert} does not exist or is named twice"),
            Self::NoHotExperts => f.write_str("a hot share needs hot experts"),
            Self::TooManyTokens(tokens) => write!(f, "{tokens} tokens are too many to draw"),
            Self::Ranks(ranks) => write!(f, "{ranks} GPUs do not share the experts evenly"),
        }
    }
}

impl core::error::Error for RoutingError {}

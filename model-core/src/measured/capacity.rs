//! How many tokens of cache an engine really holds: constants read off published logs.
//!
//! A model's own need is a lower bound; engines keep more for each token (pages, states, draft caches, copies) and hold
//! much beside the weights. Two constants and the engine's static fraction explain the logs they come from within a
//! few percent. Elsewhere they are a guess with a source, never a law.

use crate::units::Bytes;

/// What an engine takes beyond stored weights and bare cache rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineConstants {
    /// Its name in scenarios.
    pub name: &'static str,
    /// What it is, in print.
    pub label: &'static str,
    /// Share of a GPU's memory that the engine takes for weights and cache.
    pub static_fraction: f64,
    /// Cache of one token over all layers, the least and the most that the logs allow.
    pub bytes_per_token: (Bytes, Bytes),
    /// What a GPU holds beside stored weights, the least and the most that the logs allow.
    pub fixed_per_gpu: (Bytes, Bytes),
    /// Keys of where the logs stand.
    pub sources: &'static [&'static str],
}

const SGLANG_PER_TOKEN: (Bytes, Bytes) = (Bytes(21_600.0), Bytes(24_000.0));
/// How much less a token takes once HCA entries are compressed on the fly, by the same logs.
const ONLINE_HCA_SAVING: f64 = 2.27;

/// Every known set of constants.
pub const ENGINE_CONSTANTS: &[EngineConstants] = &[
    EngineConstants {
        name: "sglang_h20",
        label: "SGLang on H20, PP2-TP8 and DP32-EP32 (MXFP4 experts)",
        static_fraction: 0.91,
        bytes_per_token: SGLANG_PER_TOKEN,
        fixed_per_gpu: (Bytes::from_gib(25.0), Bytes::from_gib(26.0)),
        sources: &["S8"],
    },
    EngineConstants {
        name: "sglang_h20_online_hca",
        label: "SGLang on H20 with HCA compressed on the fly",
        static_fraction: 0.91,
        bytes_per_token: (
            Bytes(SGLANG_PER_TOKEN.0.get() / ONLINE_HCA_SAVING),
            Bytes(SGLANG_PER_TOKEN.1.get() / ONLINE_HCA_SAVING),
        ),
        fixed_per_gpu: (Bytes::from_gib(25.0), Bytes::from_gib(26.0)),
        sources: &["S8"],
    },
    EngineConstants {
        // Logged weights 125.65 GiB and a draft of 3.07 GiB, against 104.9 GiB stored; smallest fraction that starts.
        name: "sglang_h200_tp8",
        label: "SGLang on 8 × H200, TP8 with the draft block",
        static_fraction: 0.9335,
        bytes_per_token: SGLANG_PER_TOKEN,
        fixed_per_gpu: (Bytes::from_gib(23.8), Bytes::from_gib(23.9)),
        sources: &["S17", "S8"],
    },
];

/// Tokens that fit on one GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fit {
    /// So many, at the middle of the constants, and between the least and the most they allow.
    Tokens {
        /// At the middle of each range.
        middle: f64,
        /// At the unfavourable ends.
        least: f64,
        /// At the favourable ends.
        most: f64,
    },
    /// Weights and fixed parts alone exceed what the engine may take, by so much at the middle.
    Short(Bytes),
}

/// Tokens whose cache a GPU holds beside its stored weights. A GPU of a pipeline holds only its stage's share of each
/// token (one half with two stages); `share` is that part, from 0 to 1.
///
/// `None` where a size is no number or the share is not within 0 to 1.
#[must_use]
pub fn tokens_that_fit(
    memory: Bytes,
    stored_weights: Bytes,
    share: f64,
    constants: &EngineConstants,
) -> Option<Fit> {
    let sound = memory.get().is_finite() && stored_weights.get().is_finite() && share > 0.0 && share <= 1.0;
    if !sound {
        return None;
    }
    let left = |fixed: Bytes| memory * constants.static_fraction - stored_weights - fixed;
    let tokens = |fixed, per_token: Bytes| (left(fixed) / (per_token * share)).max(0.0);
    let (least_fixed, most_fixed) = constants.fixed_per_gpu;
    let (least_each, most_each) = constants.bytes_per_token;
    let fixed = (least_fixed + most_fixed) / 2.0;
    let room = left(fixed);
    Some(if room <= Bytes::ZERO {
        Fit::Short(Bytes::ZERO - room)
    } else {
        Fit::Tokens {
            middle: tokens(fixed, (least_each + most_each) / 2.0),
            least: tokens(most_fixed, most_each),
            most: tokens(least_fixed, least_each),
        }
    })
}

//! What a run of requests comes to: counts, times, percentiles, and its state over time.

use super::pages::Pool;

/// Half, nineteen of twenty, ninety-nine of a hundred stay below these.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Percentiles {
    /// The median, in seconds.
    pub p50_s: f64,
    /// The 95th percentile, in seconds.
    pub p95_s: f64,
    /// The 99th percentile, in seconds.
    pub p99_s: f64,
}

/// The state at the end of a part of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Requests that have arrived and wait: for their prefix, a place or pages.
    pub waiting: u64,
    /// Requests let in.
    pub running: u64,
    /// Pages held.
    pub pages: u64,
}

/// Tokens, counted at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Of the prompts and answers of all who arrived.
    pub asked: u64,
    /// Of prompts, found on disk by requests that were let in.
    pub restored: u64,
    /// Of prompts, computed; those computed again are not counted a second time.
    pub computed: u64,
    /// Computed a second time: behind a restored prefix, or after a request went back to the queue.
    pub recomputed: u64,
    /// Of answers, given.
    pub given: u64,
    /// Not done yet, or refused.
    pub left: u64,
}

/// Where the mean time to the first token goes, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FirstToken {
    /// Until the prefix is restored.
    pub restore_s: f64,
    /// In the queue after that.
    pub queue_s: f64,
    /// From being let in until the prompt is done.
    pub prefill_s: f64,
    /// The decode step that gives the token.
    pub step_s: f64,
}

impl FirstToken {
    /// All of it.
    #[must_use]
    pub fn total_s(&self) -> f64 {
        self.restore_s + self.queue_s + self.prefill_s + self.step_s
    }
}

/// What a run came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// How long it ran.
    pub seconds: f64,
    /// Turns of the engine.
    pub turns: u64,
    /// Requests that arrived.
    pub arrived: u64,
    /// Answered to the end.
    pub finished: u64,
    /// Being computed at the end.
    pub running: u64,
    /// Waiting at the end.
    pub waiting: u64,
    /// Too long for all pages together.
    pub refused: u64,
    /// Times that a request went back to the queue for want of pages.
    pub sent_back: u64,
    /// Requests that had their first token.
    pub started: u64,
    /// Mean time from being ready until being let in.
    pub mean_wait_s: f64,
    /// Where the mean time to the first token goes.
    pub first: FirstToken,
    /// Time to the first token, of those that had it.
    pub ttft: Percentiles,
    /// Time for each further token, of those that finished with more than one.
    pub tpot: Percentiles,
    /// Tokens of answers a second.
    pub tokens_per_s: f64,
    /// Mean requests in a decode step.
    pub mean_batch: f64,
    /// Share of the slots in held pages that held no token, over the run.
    pub empty_slots: f64,
    /// The pages.
    pub pool: Pool,
    /// The tokens.
    pub tokens: Tokens,
    /// The state over time.
    pub samples: Vec<Sample>,
}

/// By nearest rank.
pub(super) fn percentiles(values_s: &mut [f64]) -> Percentiles {
    values_s.sort_unstable_by(f64::total_cmp);
    let at = |hundredths: usize| {
        let rank = (values_s.len() * hundredths).div_ceil(100).saturating_sub(1);
        values_s.get(rank).copied().unwrap_or(f64::NAN)
    };
    Percentiles { p50_s: at(50), p95_s: at(95), p99_s: at(99) }
}

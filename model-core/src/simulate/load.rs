//! Who asks when, for how much: requests drawn by a seed.

use crate::random::SplitMix64;

/// One request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// When it arrives.
    pub arrival_s: f64,
    /// Tokens of its prompt.
    pub prompt: u64,
    /// Tokens of the prompt that the prefix cache holds.
    pub found: u64,
    /// Tokens of its answer.
    pub output: u64,
}

/// Lengths in tokens, all between both ends equally likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// The shortest.
    pub least: u64,
    /// The longest.
    pub most: u64,
}

impl Lengths {
    /// From half of a length to one and a half of it.
    #[must_use]
    pub const fn around(mean: u64) -> Self {
        let half = mean / 2;
        let least = if mean - half == 0 { 1 } else { mean - half };
        Self { least, most: mean + half }
    }

    const fn draw(self, random: &mut SplitMix64) -> u64 {
        self.least + random.below(self.most.saturating_sub(self.least) + 1)
    }

    /// The mean of all lengths.
    #[must_use]
    pub fn mean(self) -> f64 {
        f64::midpoint(self.least as f64, self.most as f64)
    }
}

/// What arrives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Requests a second, at random times that know nothing of each other.
    pub arrivals_per_s: f64,
    /// How long requests arrive.
    pub seconds: f64,
    /// Prompts.
    pub prompt: Lengths,
    /// Answers.
    pub output: Lengths,
    /// Chance that a request finds a prefix, which is then a half to all of its prompt in whole pages.
    pub hits: f64,
    /// Tokens of a page.
    pub page_tokens: u64,
    /// Seed of all draws.
    pub seed: u64,
}

impl Load {
    /// The requests in the order of their arrival.
    #[must_use]
    pub fn draw(&self) -> Vec<Request> {
        let mut random = SplitMix64::new(self.seed);
        let mut requests = Vec::new();
        let mut now_s = 0.0;
        loop {
            now_s -= libm::log(1.0 - random.unit_f64()) / self.arrivals_per_s;
            // Also ends where nothing arrives at all.
            if now_s >= self.seconds || !now_s.is_finite() {
                return requests;
            }
            let prompt = self.prompt.draw(&mut random);
            let output = self.output.draw(&mut random);
            // Drawn whether or not it counts, so that a higher rate of hits changes nothing but hits.
            let (luck, cut) = (random.unit_f64(), random.unit_f64());
            let found = if luck < self.hits { found(prompt, cut, self.page_tokens) } else { 0 };
            requests.push(Request { arrival_s: now_s, prompt, found, output });
        }
    }
}

/// Whole pages of a prompt up to a cut in its second half. Its last token is always computed: it gives the first logits.
fn found(prompt: u64, cut: f64, page_tokens: u64) -> u64 {
    let reach = prompt as f64 * (0.5 + cut / 2.0);
    let whole = |tokens: u64| tokens - tokens % page_tokens.max(1);
    whole((reach as u64).min(prompt.saturating_sub(1)))
}

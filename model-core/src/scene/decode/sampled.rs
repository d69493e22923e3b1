//! Tokens drawn from logits that the small model computes: its first six layers, in the published order, run a seeded
//! prompt and then one token after the other.

use crate::engine::sampling::{Candidate, Sampler};
use crate::engine::{Engine, ModelConfig, Weights};
use crate::random::SplitMix64;

/// Tokens of the prompt.
pub(super) const PROMPT: usize = 12;
/// Tokens drawn after it.
pub(super) const DRAWN: usize = 8;
/// Likeliest tokens that are drawn in the picture at most.
pub(super) const SHOWN: usize = 12;
/// Keeps the streams of prompt and draws apart from that of the weights.
const SALT: u64 = 0x6465_636f_6465_0000;

/// One token of the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    /// Its id.
    pub token: u32,
    /// Its probability among the candidates.
    pub probability: f64,
    /// Tokens that could have been drawn.
    pub candidates: usize,
}

/// What one run shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// Entries of the small model's vocabulary.
    pub vocab: usize,
    /// All tokens after the prompt as the logits have them, likeliest first.
    pub plain: Vec<Candidate>,
    /// What temperature and top-p leave, likeliest first.
    pub kept: Vec<Candidate>,
    /// The answer.
    pub drawn: Vec<Drawn>,
}

impl Sampled {
    /// Runs it with weights, a prompt and draws of that seed.
    #[must_use]
    pub fn run(seed: u64, temperature: f64, top_p: f64) -> Option<Self> {
        let config = ModelConfig::page6();
        let vocab = config.vocab_size;
        let weights = Weights::seeded(&config, seed).ok()?;
        let engine = Engine::new(config, &weights).ok()?;
        let mut random = SplitMix64::new(seed ^ SALT);
        let prompt: Vec<u32> = (0..PROMPT).map(|_| random.below(vocab as u64) as u32).collect();
        let mut sampler = Sampler::new(temperature, top_p, random.next_u64()).ok()?;
        let mut request = engine.start();
        let mut logits = engine.prefill(&mut request, &prompt).ok()?;
        let plain = Sampler::new(1.0, 1.0, 0).ok()?.candidates(&logits);
        let kept = sampler.candidates(&logits);
        let mut drawn = Vec::with_capacity(DRAWN);
        for index in 0..DRAWN {
            let candidates = sampler.candidates(&logits);
            let token = sampler.draw(&logits)?;
            let own = candidates.iter().find(|candidate| candidate.token == token);
            let probability = own.map_or(0.0, |candidate| candidate.probability);
            drawn.push(Drawn { token, probability, candidates: candidates.len() });
            if index + 1 < DRAWN {
                logits = engine.step(&mut request, token).ok()?;
            }
        }
        Some(Self { vocab, plain, kept, drawn })
    }
}

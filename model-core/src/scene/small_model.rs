//! The small model that really runs beside the published ones: a seeded prompt goes through the tiny engine as far as
//! its first learned router, whose picks are kept for the chapters on experts.

use crate::engine::trace::{Detail, ExpertPicks, Trace};
use crate::engine::{self, Engine, Logits, ModelConfig, RouterKind, Watch, Weights};
use crate::random::SplitMix64;
use crate::routing::{Assignment, RoutingShape};
use crate::spec::AttentionKind;

/// Tokens of the prompt. More of a batch are not run, so that the scene stays quick to derive.
pub const TOKENS: u64 = 64;
/// Keeps the prompt's stream apart from that of the weights.
const SALT: u64 = 0x7072_6f6d_7074_0000;

/// What one run shows.
#[derive(Clone, Debug, PartialEq)]
pub struct SmallModel {
    /// Experts of a layer and picks of a token.
    pub shape: RoutingShape,
    /// How each of its layers attends.
    pub layers: Vec<AttentionKind>,
    /// The layer whose router is shown, from 0.
    pub layer: usize,
    /// The experts of each token of the prompt, best first.
    pub picks: Vec<Vec<u32>>,
    /// Gate scores of the first token's experts, best first.
    pub scores: Vec<f64>,
}

impl SmallModel {
    /// Runs it with weights and a prompt of that seed; none where the engine refuses, which it never should.
    #[must_use]
    pub fn run(seed: u64) -> Option<Self> {
        let mut config = ModelConfig::page6();
        let kind = |kind| match kind {
            engine::AttentionKind::Window => AttentionKind::Window,
            engine::AttentionKind::Csa => AttentionKind::Csa,
            engine::AttentionKind::Hca => AttentionKind::Hca,
        };
        let layers: Vec<_> = config.layers.iter().map(|layer| kind(layer.attention)).collect();
        let layer = config.layers.iter().position(|layer| layer.router == RouterKind::Learned)?;
        // What comes after the router changes nothing before it, and its weights are drawn later.
        config.layers.truncate(layer + 1);
        let shape = RoutingShape::new(config.experts as u32, config.experts_per_token as u32).ok()?;
        let mut random = SplitMix64::new(seed ^ SALT);
        let prompt: Vec<u32> = (0..TOKENS).map(|_| random.below(config.vocab_size as u64) as u32).collect();
        let weights = Weights::seeded(&config, seed).ok()?;
        let engine = Engine::new(config, &weights).ok()?;
        let mut trace = Trace::default();
        let mut watch = Watch { trace: Some(&mut trace), ..Watch::default() };
        engine.run(&mut engine.start(), &prompt, Logits::Last, &mut watch).ok()?;
        let routed = trace.events().iter().find_map(|event| match &event.detail {
            Detail::Experts(picks) if event.layer == Some(layer) => Some(picks),
            _ => None,
        })?;
        let ranked: Vec<Vec<(u32, f32)>> = routed.iter().map(best_first).collect();
        let scores = ranked.first()?.iter().map(|(_, score)| f64::from(*score)).collect();
        let picks = ranked.iter().map(|own| own.iter().map(|(expert, _)| *expert).collect()).collect();
        Some(Self { shape, layers, layer, picks, scores })
    }

    /// The experts of the prompt's first tokens; none where it has fewer.
    #[must_use]
    pub fn first(&self, tokens: u64) -> Option<Assignment> {
        let first = self.picks.get(..usize::try_from(tokens).ok()?)?;
        Assignment::of_tokens(self.shape, first).ok()
    }
}

/// A token's experts with their gate scores, the best first; of equals the first.
fn best_first(picks: &ExpertPicks) -> Vec<(u32, f32)> {
    let mut ranked: Vec<_> = picks.experts.iter().copied().zip(picks.scores.iter().copied()).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_router_picks_six_of_its_experts_for_each_token() {
        let run = SmallModel::run(1).unwrap();
        assert_eq!((run.picks.len() as u64, run.layers.len(), run.layer), (TOKENS, 6, 3));
        assert_eq!((run.shape.experts(), run.shape.per_token()), (48, 6));
        assert!(run.scores.windows(2).all(|pair| pair[0] >= pair[1]) && run.scores.len() == 6);
        assert_eq!(run.first(8).unwrap().of_token(7), run.picks[7]);
        assert_eq!(run.first(TOKENS + 1), None);
        assert_eq!(SmallModel::run(1).unwrap(), run);
        assert_ne!(SmallModel::run(2).unwrap().picks, run.picks);
    }

    /// Running on through the later layers gives the same picks.
    #[test]
    fn it_stops_at_the_router_and_nothing_else_is_changed() {
        let (seed, config) = (7, ModelConfig::page6());
        let run = SmallModel::run(seed).unwrap();
        let mut random = SplitMix64::new(seed ^ SALT);
        let prompt: Vec<u32> = (0..TOKENS).map(|_| random.below(128) as u32).collect();
        let weights = Weights::seeded(&config, seed).unwrap();
        let engine = Engine::new(config, &weights).unwrap();
        let mut trace = Trace::default();
        let mut watch = Watch { trace: Some(&mut trace), ..Watch::default() };
        engine.run(&mut engine.start(), &prompt, Logits::Last, &mut watch).unwrap();
        let picks = trace.events().iter().find_map(|event| match &event.detail {
            Detail::Experts(picks) if event.layer == Some(run.layer) => Some(picks),
            _ => None,
        });
        let sorted = |own: &Vec<u32>| {
            let mut own = own.clone();
            own.sort_unstable();
            own
        };
        let whole: Vec<_> = picks.unwrap().iter().map(|own| own.experts.clone()).collect();
        assert_eq!(run.picks.iter().map(sorted).collect::<Vec<_>>(), whole);
    }
}

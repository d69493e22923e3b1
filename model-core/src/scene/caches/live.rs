//! The small model at work: what its indexer picks for a query, where a run of single steps first parts from the whole
//! run, and two requests that share the model but no cache. Few tokens and small sizes keep each run to a blink.

use crate::engine::collective::Place;
use crate::engine::compare::{Deviation, Probe, StepCheck, whole_against_step};
use crate::engine::faults::{CompressorKind, Fault, Faults};
use crate::engine::{AttentionKind as Attention, Engine, EngineError, LayerSpec, Logits, ModelConfig};
use crate::engine::{RouterKind, ShardedEngine, Watch, Weights};
use crate::random::SplitMix64;
use crate::scenario::FaultKind;
use crate::spec::AttentionKind;

/// Positions whose picks the small model is asked for; a query further on is told by the rule alone.
pub const REACH: u64 = 132;
/// Entries the small model's indexer picks.
pub const SMALL_TOP_K: usize = 8;
/// Tokens of the comparison.
pub const TOKENS: usize = 24;
/// Tokens of them that the step run takes at once before it goes on one by one; no group ends there.
pub const FIRST_CHUNK: usize = 6;
/// Window and ratios of the compared model: small enough that rings turn and groups fill within those tokens.
pub const WINDOW: usize = 12;
/// Tokens of its CSA and its HCA entries.
pub const RATIOS: [usize; 2] = [4, 8];
/// Its layers, one of each kind.
pub const LAYERS: [AttentionKind; 3] = [AttentionKind::Window, AttentionKind::Csa, AttentionKind::Hca];
/// Tokens of the two requests that take turns: unlike, so that nobody takes one for the other.
pub const REQUESTS: [usize; 2] = [11, 5];
/// GPUs the compared model is cut over: one of them can be left out.
const RANKS: usize = 2;
/// Keeps the prompt's stream apart from that of the weights.
const SALT: u64 = 0x6361_6368_6573_0000;

/// What the runs showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Live {
    /// The entries picked for the query, rising; none where the query lies beyond the reach.
    pub picks: Option<Vec<u32>>,
    /// Where the step run first parts from the whole run, if it does.
    pub first: Option<Deviation>,
    /// Largest difference of any logit.
    pub logits: f32,
    /// Whether each of two requests that take turns ends with the very logits it has alone.
    pub apart: bool,
}

impl Live {
    /// Runs it. The fault strikes the layer of the opened kind.
    pub(super) fn run(seed: u64, position: u64, fault: FaultKind, kind: AttentionKind) -> Option<Self> {
        let picks = if position < REACH { picks(seed, position as usize).ok() } else { None };
        let (check, apart) = compared(seed, fault, kind).ok()?;
        Some(Self { picks, first: check.first, logits: check.max_abs_logit_diff, apart })
    }
}

/// A model of those layers; everything else is as small as it goes without losing a part.
fn config(layers: &[Attention]) -> ModelConfig {
    let layer = |attention: &Attention| LayerSpec { attention: *attention, router: RouterKind::Learned };
    ModelConfig {
        vocab_size: 64,
        streams: 2,
        sinkhorn_iters: 4,
        heads: 4,
        o_groups: 4,
        index_heads: 4,
        experts: 8,
        experts_per_token: 2,
        index_top_k: SMALL_TOP_K,
        layers: layers.iter().map(layer).collect(),
        ..ModelConfig::page6()
    }
}

fn prompt(seed: u64, config: &ModelConfig, tokens: usize) -> Vec<u32> {
    let mut random = SplitMix64::new(seed ^ SALT);
    (0..tokens).map(|_| random.below(config.vocab_size as u64) as u32).collect()
}

/// The picks of the query at a position, window and ratios being the published ones.
fn picks(seed: u64, position: usize) -> Result<Vec<u32>, EngineError> {
    let config = config(&[Attention::Hca, Attention::Csa]);
    let last = config.layers.len() - 1;
    let tokens = prompt(seed, &config, position + 1);
    let weights = Weights::seeded(&config, seed)?;
    let engine = Engine::new(config, &weights)?;
    let mut request = engine.start();
    let (before, own) = tokens.split_at(position);
    if !before.is_empty() {
        engine.prefill(&mut request, before)?;
    }
    // Only the query's own token is watched: what all others did need not be kept.
    let mut probe = Probe::on_rank(0);
    let mut watch = Watch { probe: Some(&mut probe), ..Watch::default() };
    engine.run(&mut request, own, Logits::Last, &mut watch)?;
    Ok(probe.picks(last, position).to_vec())
}

fn compared(seed: u64, fault: FaultKind, kind: AttentionKind) -> Result<(StepCheck, bool), EngineError> {
    let own = |kind: &AttentionKind| match kind {
        AttentionKind::Window => Attention::Window,
        AttentionKind::Csa => Attention::Csa,
        AttentionKind::Hca => Attention::Hca,
    };
    let [csa_ratio, hca_ratio] = RATIOS;
    let config = ModelConfig { window: WINDOW, csa_ratio, hca_ratio, ..config(&LAYERS.each_ref().map(own)) };
    let tokens = prompt(seed, &config, TOKENS);
    let weights = Weights::seeded(&config, seed)?;
    let engine = ShardedEngine::new(config.clone(), &weights, RANKS)?;
    let layer = LAYERS.iter().position(|known| *known == kind);
    let check = whole_against_step(&engine, &tokens, &[FIRST_CHUNK, 1], &faults(fault, layer), 0.0)?;
    Ok((check, apart(&Engine::new(config, &weights)?, &tokens)?))
}

fn faults(fault: FaultKind, layer: Option<usize>) -> Faults {
    let place = Place::AttentionOutput;
    match fault {
        FaultKind::None => Faults::none(),
        FaultKind::SkipRank => Faults::new([Fault::SkipRank { rank: RANKS - 1, layer, place }]),
        FaultKind::ResetTail => Faults::new([Fault::ResetTail { layer, compressor: CompressorKind::Main }]),
        FaultKind::LateEntry => Faults::new([Fault::LateEntry { layer }]),
        FaultKind::EarlyOverwrite => Faults::new([Fault::EarlyOverwrite { layer }]),
    }
}

/// Two requests take turns, token by token; each must end as it does alone.
fn apart(engine: &Engine, tokens: &[u32]) -> Result<bool, EngineError> {
    let own = |request: usize| {
        let (from, to) =
            (request * REQUESTS[0], request * REQUESTS[0] + REQUESTS.get(request).copied().unwrap_or(0));
        tokens.get(from..to).unwrap_or_default()
    };
    let mut requests = [engine.start(), engine.start()];
    let mut ends = [Vec::new(), Vec::new()];
    for turn in 0..REQUESTS[0] {
        for (index, (request, end)) in requests.iter_mut().zip(&mut ends).enumerate() {
            if let Some(token) = own(index).get(turn) {
                *end = engine.step(request, *token)?;
            }
        }
    }
    for (index, end) in ends.iter().enumerate() {
        if engine.prefill(&mut engine.start(), own(index))? != *end {
            return Ok(false);
        }
    }
    Ok(true)
}

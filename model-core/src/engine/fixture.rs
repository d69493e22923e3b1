//! A recorded model and what a reference implementation made of it: reading the four files, and checking an engine
//! against them.

use std::collections::BTreeMap;

use safetensors::SafeTensors;
use serde::Deserialize;

use super::collective::InProcess;
use super::compare::{self, PickComparison, Probe};
use super::config::AttentionKind;
use super::weights::read_floats;
use super::{Engine, EngineError, Logits, ModelConfig, ShardedEngine, Watch, Weights, sampling};

/// The bytes of a fixture's files.
#[derive(Debug, Clone, Copy)]
pub struct FixtureFiles<'a> {
    /// `config.json`.
    pub config: &'a [u8],
    /// `weights.safetensors`.
    pub weights: &'a [u8],
    /// `logits.safetensors`.
    pub logits: &'a [u8],
    /// `expected.json`.
    pub expected: &'a [u8],
}

/// A recorded model with its expectations.
#[derive(Debug, Clone)]
pub struct Fixture {
    /// The specification.
    pub config: ModelConfig,
    /// The weights.
    pub weights: Weights,
    /// The prompt.
    pub tokens: Vec<u32>,
    /// `[T, vocab]`.
    pub logits: Vec<f32>,
    /// `[layer][token]`, ascending.
    pub router_experts: BTreeMap<usize, Vec<Vec<u32>>>,
    /// `[CSA layer][token]`, ascending.
    pub indexer_entries: BTreeMap<usize, Vec<Vec<u32>>>,
    /// Tokens chosen greedily after the prompt.
    pub greedy_continuation: Vec<u32>,
}

#[derive(Deserialize)]
struct Expected {
    tokens: Vec<u32>,
    router_experts: BTreeMap<usize, Vec<Vec<u32>>>,
    indexer_entries: BTreeMap<usize, Vec<Vec<u32>>>,
    greedy_continuation: Vec<u32>,
}

/// How an engine did on a fixture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixtureReport {
    /// Whole prompt against the file: largest absolute logit difference.
    pub max_abs_logit_diff: f32,
    /// Layer-token pairs whose experts differ from the file's.
    pub router_mismatches: usize,
    /// Layer-token pairs whose indexer picks differ from the file's.
    pub indexer_mismatches: usize,
    /// Whether the greedy continuation equals the file's.
    pub greedy_match: bool,
    /// Token by token against the whole prompt: largest absolute logit difference.
    pub max_abs_step_diff: f32,
    /// Sharded against whole: largest absolute logit difference.
    pub max_abs_rank_diff: f32,
    /// Sharded against whole: choices, near ties and differences.
    pub rank_picks: PickComparison,
}

impl Fixture {
    /// Reads a fixture.
    ///
    /// # Errors
    /// Names the file, key, tensor or value that is wrong.
    pub fn parse(files: &FixtureFiles<'_>) -> Result<Self, EngineError> {
        let text = std::str::from_utf8(files.config)
            .map_err(|error| EngineError::File { what: "config.json", problem: error.to_string() })?;
        let config = ModelConfig::from_json(text)?;
        let expected: Expected = serde_json::from_slice(files.expected)
            .map_err(|error| EngineError::File { what: "expected.json", problem: error.to_string() })?;
        if expected.tokens.is_empty() {
            return Err(EngineError::NoTokens);
        }
        let vocab_size = config.vocab_size;
        for tokens in [&expected.tokens, &expected.greedy_continuation] {
            if let Some(index) = tokens.iter().position(|&token| token as usize >= vocab_size) {
                return Err(EngineError::Token { index, token: tokens[index], vocab_size });
            }
        }
        let csa = |layer: usize| config.layers[layer].attention == AttentionKind::Csa;
        let recorded = [
            ("router_experts", &expected.router_experts, true),
            ("indexer_entries", &expected.indexer_entries, false),
        ];
        for (key, picks, every_layer) in recorded {
            for layer in (0..config.layers.len()).filter(|&layer| every_layer || csa(layer)) {
                let count = picks.get(&layer).map_or(0, Vec::len);
                if count != expected.tokens.len() {
                    return Err(EngineError::File {
                        what: "expected.json",
                        problem: format!(
                            "{key} of layer {layer} has {count} rows for {} tokens",
                            expected.tokens.len()
                        ),
                    });
                }
            }
        }
        let logits_file = SafeTensors::deserialize(files.logits)
            .map_err(|error| EngineError::File { what: "logits.safetensors", problem: error.to_string() })?;
        let logits = read_floats(&logits_file, "logits", &[expected.tokens.len(), vocab_size])?;
        let weights = Weights::from_safetensors(&config, files.weights)?;
        Ok(Self {
            config,
            weights,
            tokens: expected.tokens,
            logits,
            router_experts: expected.router_experts,
            indexer_entries: expected.indexer_entries,
            greedy_continuation: expected.greedy_continuation,
        })
    }

    /// Runs the model: whole, token by token, sharded over `ranks`, and on for the greedy continuation.
    ///
    /// # Errors
    /// [`EngineError::Ranks`] if the model cannot be cut so; [`EngineError::Logits`] if it overflows.
    pub fn check(&self, ranks: usize) -> Result<FixtureReport, EngineError> {
        let sharded = ShardedEngine::new(self.config.clone(), &self.weights, ranks)?;
        let engine = Engine::new(self.config.clone(), &self.weights)?;

        let mut probe = Probe::on_rank(0);
        let mut request = engine.start();
        let mut watch = Watch { probe: Some(&mut probe), ..Watch::default() };
        let whole = engine.run(&mut request, &self.tokens, Logits::All, &mut watch)?;

        let mut greedy_match = true;
        let mut last = whole[whole.len() - self.config.vocab_size..].to_vec();
        for &expected in &self.greedy_continuation {
            greedy_match &= sampling::greedy(&last) == Some(expected);
            last = engine.step(&mut request, expected)?;
        }

        let mut request = engine.start();
        let mut stepped = Vec::with_capacity(whole.len());
        for &token in &self.tokens {
            stepped.extend(engine.step(&mut request, token)?);
        }

        let mut sharded_probe = Probe::on_rank(0);
        let mut request = sharded.start();
        let mut watch = Watch { probe: Some(&mut sharded_probe), ..Watch::default() };
        let collective = &mut InProcess::new();
        let cut = sharded.run(&mut request, &self.tokens, Logits::All, collective, &mut watch)?;

        let count = |recorded: &BTreeMap<usize, Vec<Vec<u32>>>,
                     computed: &dyn Fn(usize, usize) -> Vec<u32>| {
            let rows = recorded.iter().flat_map(|(&layer, rows)| {
                rows.iter().enumerate().map(move |(token, row)| (layer, token, row))
            });
            rows.filter(|&(layer, token, row)| computed(layer, token) != *row).count()
        };
        Ok(FixtureReport {
            max_abs_logit_diff: compare::max_abs_difference(&whole, &self.logits),
            router_mismatches: count(&self.router_experts, &|layer, token| {
                probe.experts(layer, token).to_vec()
            }),
            indexer_mismatches: count(&self.indexer_entries, &|layer, token| {
                probe.picks(layer, token).to_vec()
            }),
            greedy_match,
            max_abs_step_diff: compare::max_abs_difference(&whole, &stepped),
            max_abs_rank_diff: compare::max_abs_difference(&whole, &cut),
            rank_picks: compare::compare_picks(&probe, &sharded_probe),
        })
    }
}

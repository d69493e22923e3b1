//! The forward pass over G ranks: each rank computes with its own share of the weights and its own caches, and
//! only a [`Collective`] carries data between them. One rank with [`Alone`] is the whole model, so there is a
//! single forward pass.

use std::ops::Range;
use std::sync::Arc;

use super::cache::LayerCache;
use super::collective::{Alone, Call, Collective, CollectiveKind, Place, Shape, WireType};
use super::lane::{Lane, Run, Scratch, Watch};
use super::rope::RopeTable;
use super::shard::{self, RankWeights};
use super::trace::{Detail, Event, Exchange, Operation, f32_bytes};
use super::{EngineError, ModelConfig, Weights};
use super::{attention, experts, math, streams};

/// Which positions' logits a run returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Logits {
    /// The last token's, `[vocab]`, as in serving.
    Last,
    /// Every token's, `[S, vocab]`, to compare runs.
    All,
}

/// A model cut over ranks. It holds weights only; what a conversation has cached lives in its [`Request`].
#[derive(Debug, Clone)]
pub struct ShardedEngine {
    config: Arc<ModelConfig>,
    ranks: Vec<RankWeights>,
}

/// One conversation: every rank's caches, and how many tokens are in. Requests never share anything that changes.
#[derive(Debug, Clone)]
pub struct Request {
    config: Arc<ModelConfig>,
    position: usize,
    plain_rope: RopeTable,
    compress_rope: RopeTable,
    /// `[rank][layer]`.
    caches: Vec<Vec<LayerCache>>,
    /// `[rank]`.
    scratch: Vec<Scratch>,
    /// `[rank]`: into and out of the collectives.
    exchange: Vec<Vec<f32>>,
}

impl Request {
    /// Tokens taken in, which is the next token's position.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// Ranks the caches are held on.
    #[must_use]
    pub const fn ranks(&self) -> usize {
        self.caches.len()
    }

    /// What `rank` caches of `layer`; `None` if there is no such rank or layer.
    #[must_use]
    pub fn cache(&self, rank: usize, layer: usize) -> Option<&LayerCache> {
        self.caches.get(rank)?.get(layer)
    }

    /// The whole model's specification.
    #[must_use]
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }
}

impl ShardedEngine {
    /// Cuts `weights` over `ranks` ranks (1, 2, 4 or 8).
    ///
    /// # Errors
    /// [`EngineError::Ranks`] if the model cannot be cut so, [`EngineError::Config`] if `config` is not valid.
    pub fn new(config: ModelConfig, weights: &Weights, ranks: usize) -> Result<Self, EngineError> {
        config.validate()?;
        config.check_ranks(ranks)?;
        weights.check(&config)?;
        let ranks = shard::cut(&config, weights, ranks);
        Ok(Self { config: Arc::new(config), ranks })
    }

    /// The specification.
    #[must_use]
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// What each rank holds, in order.
    #[must_use]
    pub fn ranks(&self) -> &[RankWeights] {
        &self.ranks
    }

    /// A new conversation with empty caches on every rank.
    #[must_use]
    pub fn start(&self) -> Request {
        let config = &*self.config;
        let ranks = self.ranks.len();
        let caches = config.layers.iter().map(|layer| LayerCache::new(config, layer.attention)).collect();
        Request {
            config: Arc::clone(&self.config),
            position: 0,
            plain_rope: RopeTable::new(config.rope_dims, config.rope_theta, None),
            compress_rope: RopeTable::new(config.rope_dims, config.compress_rope_theta, config.yarn.as_ref()),
            caches: vec![caches; ranks],
            scratch: vec![Scratch::default(); ranks],
            exchange: vec![Vec::new(); ranks],
        }
    }

    /// Takes `tokens` in (a prompt, or the next chunk of one) and returns the last one's logits, `[vocab]`.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn prefill(
        &self,
        request: &mut Request,
        tokens: &[u32],
        collective: &mut dyn Collective,
    ) -> Result<Vec<f32>, EngineError> {
        self.run(request, tokens, Logits::Last, collective, &mut Watch::default())
    }

    /// Takes one token in and returns its logits, `[vocab]`.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn step(
        &self,
        request: &mut Request,
        token: u32,
        collective: &mut dyn Collective,
    ) -> Result<Vec<f32>, EngineError> {
        self.prefill(request, &[token], collective)
    }

    /// Takes `tokens` in under the eyes of `watch` and returns logits.
    ///
    /// # Errors
    /// [`EngineError::NoTokens`], [`EngineError::Token`] and [`EngineError::Request`] before anything is
    /// changed; [`EngineError::Logits`] if the weights overflow, after which the request is spoilt.
    pub fn run(
        &self,
        request: &mut Request,
        tokens: &[u32],
        logits: Logits,
        collective: &mut dyn Collective,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<f32>, EngineError> {
        let config = &*self.config;
        if tokens.is_empty() {
            return Err(EngineError::NoTokens);
        }
        let vocab_size = config.vocab_size;
        if let Some(index) = tokens.iter().position(|&token| token as usize >= vocab_size) {
            return Err(EngineError::Token { index, token: tokens[index], vocab_size });
        }
        let same_model = Arc::ptr_eq(&request.config, &self.config) || *request.config == *self.config;
        if !same_model || request.ranks() != self.ranks.len() {
            return Err(EngineError::Request);
        }

        let start = request.position;
        request.plain_rope.extend_to(start + tokens.len());
        request.compress_rope.extend_to(start + tokens.len());
        let faults = watch.faults.clone();
        let run = Run {
            config,
            plain_rope: &request.plain_rope,
            compress_rope: &request.compress_rope,
            start,
            tokens,
            faults: &faults,
        };
        let mut team = Team {
            ranks: &self.ranks,
            caches: &mut request.caches,
            scratch: &mut request.scratch,
            exchange: &mut request.exchange,
            collective,
        };
        team.embed(&run, watch);
        for layer in 0..config.layers.len() {
            team.layer(&run, layer, watch);
        }
        let logits = team.head(&run, logits, watch);
        request.position = start + tokens.len();
        match logits.iter().position(|value| !value.is_finite()) {
            Some(index) => Err(EngineError::Logits { index: index % vocab_size }),
            None => Ok(logits),
        }
    }
}

/// All ranks of one run.
struct Team<'a> {
    ranks: &'a [RankWeights],
    caches: &'a mut [Vec<LayerCache>],
    scratch: &'a mut [Scratch],
    exchange: &'a mut [Vec<f32>],
    collective: &'a mut dyn Collective,
}

impl Team<'_> {
    /// Every rank looks up the rows it owns; the sum starts all streams.
    fn embed(&mut self, run: &Run<'_>, watch: &mut Watch<'_>) {
        let config = run.config;
        let (d, count) = (config.hidden_size, run.tokens.len());
        for ((weights, scratch), part) in
            self.ranks.iter().zip(self.scratch.iter_mut()).zip(self.exchange.iter_mut())
        {
            scratch.prepare(config, self.ranks.len(), count);
            part.clear();
            part.resize(count * d, 0.0);
            let mut found = 0;
            for (&token, row) in run.tokens.iter().zip(part.chunks_exact_mut(d)) {
                if weights.vocab.contains(&(token as usize)) {
                    let first = (token as usize - weights.vocab.start) * d;
                    row.copy_from_slice(&weights.embed[first..first + d]);
                    found += 1;
                }
            }
            note(run, watch, weights.rank, Operation::Embed, (f32_bytes(found * d), f32_bytes(count * d)));
        }
        let shape = Shape::three(1, count, d);
        self.all_reduce(run, Call::all_reduce(WireType::Bf16, shape, None, Place::Embedding), watch);
        for (scratch, rows) in self.scratch.iter_mut().zip(self.exchange.iter()) {
            let streams = scratch.streams.chunks_exact_mut(d);
            let rows = rows.chunks_exact(d).flat_map(|row| std::iter::repeat_n(row, config.streams));
            for (stream, row) in streams.zip(rows) {
                stream.copy_from_slice(row);
            }
        }
    }

    fn layer(&mut self, run: &Run<'_>, layer: usize, watch: &mut Watch<'_>) {
        let config = run.config;
        let (d, count) = (config.hidden_size, run.tokens.len());
        let kind = config.layers[layer].attention;
        let sum = |dtype, shape, place| Call::all_reduce(dtype, shape, Some(layer), place);

        self.on_each_rank(layer, |lane| attention::prepare(run, lane, watch));
        if kind == super::AttentionKind::Csa {
            let shape = Shape::three(1, count, config.entries_after(kind, run.end()));
            self.all_reduce(run, sum(WireType::Bf16, shape, Place::IndexScores), watch);
        }
        self.on_each_rank(layer, |lane| attention::attend(run, lane, watch));
        self.all_reduce(run, sum(WireType::F32, Shape::three(1, count, d), Place::AttentionOutput), watch);
        self.on_each_rank(layer, |lane| {
            attention::finish(run, lane, watch);
            experts::routed(run, lane, watch);
        });
        self.all_reduce(run, sum(WireType::F32, Shape::two(count, d), Place::RoutedSum), watch);
        self.on_each_rank(layer, |lane| experts::finish(run, lane, watch));
    }

    /// Every rank collapses the streams and computes its vocabulary share; the shares are put side by side.
    fn head(&mut self, run: &Run<'_>, logits: Logits, watch: &mut Watch<'_>) -> Vec<f32> {
        let config = run.config;
        let d = config.hidden_size;
        let count = run.tokens.len();
        let places: Range<usize> = match logits {
            Logits::Last => count - 1..count,
            Logits::All => 0..count,
        };
        for ((weights, scratch), part) in
            self.ranks.iter().zip(self.scratch.iter_mut()).zip(self.exchange.iter_mut())
        {
            part.clear();
            part.resize(places.len() * weights.vocab.len(), 0.0);
            for (place, logits) in places.clone().zip(part.chunks_exact_mut(weights.vocab.len())) {
                let stream_values = config.streams * d;
                let streams = &scratch.streams[place * stream_values..(place + 1) * stream_values];
                streams::collapse(config, &weights.shared.streams, streams, &mut scratch.output);
                math::rms_norm(&mut scratch.output, &weights.shared.norm, config.norm_eps);
                weights.lm_head.apply(&scratch.output, logits);
            }
            let read = weights.lm_head.bytes() + weights.shared.streams.bytes();
            let read = read + f32_bytes(places.len() * config.streams * d);
            let written = f32_bytes(places.len() * weights.vocab.len());
            note(run, watch, weights.rank, Operation::Head, (read, written));
        }
        let call = Call {
            kind: CollectiveKind::AllGather,
            dtype: WireType::F32,
            shape: Shape::two(places.len(), config.vocab_size),
            layer: None,
            place: Place::Logits,
        };
        let mut whole = Vec::with_capacity(call.shape.elements());
        self.collective.all_gather(&call, self.exchange, &mut whole);
        if let Some(trace) = &mut watch.trace {
            let coordinate = trace.coordinate() % config.vocab_size;
            let result = whole[whole.len() - config.vocab_size + coordinate];
            push_exchange(
                run,
                trace,
                Exchange { call, coordinate, partials: vec![result], result },
                self.ranks.len(),
            );
        }
        whole
    }

    fn on_each_rank(&mut self, layer: usize, mut work: impl FnMut(&mut Lane<'_>)) {
        let buffers = self.caches.iter_mut().zip(self.scratch.iter_mut()).zip(self.exchange.iter_mut());
        for (weights, ((caches, scratch), exchange)) in self.ranks.iter().zip(buffers) {
            work(&mut Lane {
                rank: weights.rank,
                layer,
                weights: &weights.layers[layer],
                first_expert: weights.experts.start,
                cache: &mut caches[layer],
                scratch,
                exchange,
            });
        }
    }

    fn all_reduce(&mut self, run: &Run<'_>, call: Call, watch: &mut Watch<'_>) {
        let absent = run.faults.absent(call.place, call.layer);
        let Some(trace) = &mut watch.trace else {
            self.collective.all_reduce(&call, self.exchange, absent);
            return;
        };
        // The watched coordinate of the last token; an empty tensor has none.
        let columns = call.shape.dims().last().copied().unwrap_or(0);
        let coordinate = trace.coordinate().checked_rem(columns).unwrap_or(0);
        let at = |part: &Vec<f32>| {
            part.len().checked_sub(columns).and_then(|row| part.get(row + coordinate)).copied()
        };
        let partials = self.exchange.iter().filter_map(at).collect();
        self.collective.all_reduce(&call, self.exchange, absent);
        let result = self.exchange.first().and_then(at).unwrap_or(0.0);
        push_exchange(run, trace, Exchange { call, coordinate, partials, result }, self.ranks.len());
    }
}

/// Records a rank's operation outside the layers.
fn note(run: &Run<'_>, watch: &mut Watch<'_>, rank: usize, operation: Operation, bytes: (u64, u64)) {
    if let Some(trace) = &mut watch.trace {
        trace.push(Event {
            rank: Some(rank),
            layer: None,
            positions: run.start..run.end(),
            operation,
            output: Shape::two(run.tokens.len(), run.config.hidden_size),
            bytes_read: bytes.0,
            bytes_written: bytes.1,
            detail: Detail::None,
        });
    }
}

fn push_exchange(run: &Run<'_>, trace: &mut super::trace::Trace, exchange: Exchange, ranks: usize) {
    let call = exchange.call;
    // Alone there is nothing to exchange, hence nothing to show.
    if ranks > 1 {
        trace.push(Event {
            rank: None,
            layer: call.layer,
            positions: run.start..run.end(),
            operation: Operation::Exchange,
            output: call.shape,
            bytes_read: call.bytes(),
            bytes_written: call.bytes(),
            detail: Detail::Exchange(exchange),
        });
    }
}

/// The whole model on one rank.
#[derive(Debug, Clone)]
pub struct Engine(ShardedEngine);

impl Engine {
    /// A model with these weights.
    ///
    /// # Errors
    /// [`EngineError::Config`] if `config` is not valid or the weights are another model's.
    pub fn new(config: ModelConfig, weights: &Weights) -> Result<Self, EngineError> {
        ShardedEngine::new(config, weights, 1).map(Self)
    }

    /// The specification.
    #[must_use]
    pub fn config(&self) -> &ModelConfig {
        self.0.config()
    }

    /// The same as an engine of one rank, for what both can do.
    #[must_use]
    pub const fn as_sharded(&self) -> &ShardedEngine {
        &self.0
    }

    /// A new conversation with empty caches.
    #[must_use]
    pub fn start(&self) -> Request {
        self.0.start()
    }

    /// Takes `tokens` in (a prompt, or the next chunk of one) and returns the last one's logits, `[vocab]`.
    ///
    /// # Errors
    /// As [`ShardedEngine::run`].
    pub fn prefill(&self, request: &mut Request, tokens: &[u32]) -> Result<Vec<f32>, EngineError> {
        self.run(request, tokens, Logits::Last, &mut Watch::default())
    }

    /// Takes one token in and returns its logits, `[vocab]`.
    ///
    /// # Errors
    /// As [`ShardedEngine::run`].
    pub fn step(&self, request: &mut Request, token: u32) -> Result<Vec<f32>, EngineError> {
        self.prefill(request, &[token])
    }

    /// Takes `tokens` in under the eyes of `watch` and returns logits.
    ///
    /// # Errors
    /// As [`ShardedEngine::run`].
    pub fn run(
        &self,
        request: &mut Request,
        tokens: &[u32],
        logits: Logits,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<f32>, EngineError> {
        self.0.run(request, tokens, logits, &mut Alone, watch)
    }
}

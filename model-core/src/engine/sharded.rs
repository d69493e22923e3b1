//! The forward pass over G ranks: each rank computes with its own share of the weights, and only a [`Collective`]
//! carries data between them. (What all ranks compute alike is computed once while their replicas are equal.) One rank with [`Alone`] is the whole model, so there is a
//! single forward pass.

use std::ops::Range;
use std::sync::Arc;

use super::cache::LayerCache;
use super::collective::{Alone, Call, Collective, CollectiveKind, Place, Shape, WireType};
use super::group::{Group, RankScratch, ReplicaScratch, Run, Watch};
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
    /// One for all ranks while they are equal, else one per rank.
    replicas: Vec<Replica>,
    /// `[rank]`.
    ranks: Vec<RankScratch>,
    /// `[rank]`: into and out of the collectives.
    exchange: Vec<Vec<f32>>,
}

/// What every rank holds alike.
#[derive(Debug, Clone)]
struct Replica {
    /// By layer.
    caches: Vec<LayerCache>,
    scratch: ReplicaScratch,
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
        self.ranks.len()
    }

    /// What `rank` caches of `layer`; `None` if there is no such rank or layer.
    #[must_use]
    pub fn cache(&self, rank: usize, layer: usize) -> Option<&LayerCache> {
        let replica = if self.replicas.len() == 1 && rank < self.ranks() { 0 } else { rank };
        self.replicas.get(replica)?.caches.get(layer)
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
            replicas: vec![Replica { caches, scratch: ReplicaScratch::default() }],
            ranks: vec![RankScratch::default(); ranks],
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
            replicas: &mut request.replicas,
            scratch: &mut request.ranks,
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
    replicas: &'a mut Vec<Replica>,
    scratch: &'a mut [RankScratch],
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
        // While there is one replica, all ranks' rows are equal.
        for (replica, rows) in self.replicas.iter_mut().zip(self.exchange.iter()) {
            replica.scratch.prepare(config, count);
            let streams = replica.scratch.streams.chunks_exact_mut(d);
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

        self.on_each_replica(layer, |group| attention::prepare(run, group, watch));
        if kind == super::AttentionKind::Csa {
            let shape = Shape::three(1, count, config.entries_after(kind, run.end()));
            self.all_reduce(run, sum(WireType::Bf16, shape, Place::IndexScores), watch);
        }
        self.on_each_replica(layer, |group| attention::attend(run, group, watch));
        self.all_reduce(run, sum(WireType::F32, Shape::three(1, count, d), Place::AttentionOutput), watch);
        self.on_each_replica(layer, |group| {
            attention::finish(run, group, watch);
            experts::routed(run, group, watch);
        });
        self.all_reduce(run, sum(WireType::F32, Shape::two(count, d), Place::RoutedSum), watch);
        self.on_each_replica(layer, |group| experts::finish(run, group, watch));
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
        for (rank, (weights, part)) in self.ranks.iter().zip(self.exchange.iter_mut()).enumerate() {
            let alone = self.replicas.len() > 1;
            let replica = &mut self.replicas[if alone { rank } else { 0 }].scratch;
            part.clear();
            part.resize(places.len() * weights.vocab.len(), 0.0);
            for (place, logits) in places.clone().zip(part.chunks_exact_mut(weights.vocab.len())) {
                // The input buffer is free by now: it keeps the normed hidden vectors for the next rank.
                let hidden = &mut replica.input[place * d..(place + 1) * d];
                if alone || rank == 0 {
                    let stream_values = config.streams * d;
                    let streams = &replica.streams[place * stream_values..(place + 1) * stream_values];
                    streams::collapse(config, &weights.shared.streams, streams, hidden);
                    math::rms_norm(hidden, &weights.shared.norm, config.norm_eps);
                }
                weights.lm_head.apply(hidden, logits);
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

    fn on_each_replica(&mut self, layer: usize, mut work: impl FnMut(&mut Group<'_>)) {
        let ranks_each = self.ranks.len() / self.replicas.len();
        let buffers = self.scratch.chunks_mut(ranks_each).zip(self.exchange.chunks_mut(ranks_each));
        let ranks = self.ranks.chunks(ranks_each).zip(buffers);
        for (replica, (weights, (ranks, exchange))) in self.replicas.iter_mut().zip(ranks) {
            work(&mut Group {
                layer,
                weights,
                cache: &mut replica.caches[layer],
                replica: &mut replica.scratch,
                ranks,
                exchange,
            });
        }
    }

    /// Gives every rank its own replica if the ranks came out of an all-reduce with different tensors.
    fn part_if_unequal(&mut self) {
        let equal = |one: &[f32], other: &[f32]| {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| one.to_bits() == other.to_bits())
        };
        if let ([replica], [first, others @ ..]) = (self.replicas.as_slice(), &*self.exchange)
            && !others.iter().all(|other| equal(first, other))
        {
            *self.replicas = vec![replica.clone(); self.ranks.len()];
        }
    }

    fn all_reduce(&mut self, run: &Run<'_>, call: Call, watch: &mut Watch<'_>) {
        let absent = run.faults.absent(call.place, call.layer);
        let Some(trace) = &mut watch.trace else {
            self.collective.all_reduce(&call, self.exchange, absent);
            self.part_if_unequal();
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
        self.part_if_unequal();
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

#[cfg(test)]
mod tests {
    use super::super::collective::InProcess;
    use super::*;

    /// One replica for all ranks gives the numbers of one replica each, bit for bit.
    #[test]
    fn standing_in_for_all_ranks_changes_nothing() {
        let config = ModelConfig::page6();
        let weights = Weights::seeded(&config, 3).unwrap();
        let engine = ShardedEngine::new(config, &weights, 8).unwrap();
        let mut together = engine.start();
        let mut apart = engine.start();
        apart.replicas = vec![apart.replicas[0].clone(); 8];
        let collective = &mut InProcess::new();
        let tokens: Vec<u32> = (0..150).map(|index| index * 29 % 128).collect();
        for chunk in tokens.chunks(37).chain([&[5][..], &[6]]) {
            let run = |request: &mut Request, collective: &mut InProcess| {
                engine.run(request, chunk, Logits::All, collective, &mut Watch::default()).unwrap()
            };
            assert_eq!(run(&mut together, collective), run(&mut apart, collective));
        }
        assert_eq!((together.replicas.len(), apart.replicas.len()), (1, 8));
        for rank in 0..8 {
            for layer in 0..6 {
                assert!(together.cache(rank, layer) == apart.cache(rank, layer));
            }
        }
        assert!(together.cache(8, 0).is_none() && together.cache(0, 6).is_none());
    }

    /// A collective that hands the ranks different sums parts their replicas, and each goes on with its own.
    #[test]
    fn ranks_part_at_the_first_difference() {
        struct Erring(InProcess);
        impl Collective for Erring {
            fn all_reduce(&mut self, call: &Call, parts: &mut [Vec<f32>], absent: Option<usize>) {
                self.0.all_reduce(call, parts, absent);
                if (call.layer, call.place) == (Some(1), Place::RoutedSum) {
                    parts[1][0] += 1.0;
                }
            }

            fn all_gather(&mut self, call: &Call, parts: &[Vec<f32>], whole: &mut Vec<f32>) {
                self.0.all_gather(call, parts, whole);
            }
        }
        let config = ModelConfig::page6();
        let weights = Weights::seeded(&config, 3).unwrap();
        let engine = ShardedEngine::new(config, &weights, 2).unwrap();
        let mut request = engine.start();
        engine.prefill(&mut request, &[1, 2, 3, 4, 5], &mut Erring(InProcess::new())).unwrap();
        assert_eq!(request.replicas.len(), 2);
        assert!(request.cache(0, 1) == request.cache(1, 1));
        assert!(request.cache(0, 2) != request.cache(1, 2));
    }
}

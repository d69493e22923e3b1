//! The expert sub-layer: routing (alike on every rank), each rank's own experts, the shared expert.

use super::collective::Shape;
use super::config::ModelConfig;
use super::group::{Group, Run, Watch};
use super::math;
use super::shard::{Expert, Replicated};
use super::streams;
use super::trace::{Detail, Event, ExpertPicks, Operation, SubLayer, Trace, f32_bytes};

/// Streams to normed input, routing, and each rank's part of the routed sum (`exchange`: `[S, d]`).
pub(super) fn routed(run: &Run<'_>, group: &mut Group<'_>, watch: &mut Watch<'_>) {
    let config = run.config;
    let shared = group.shared();
    let spots = group.spots(run);
    let d = config.hidden_size;
    let stream_values = config.streams * d;
    let kept = streams::kept(config.streams);
    let tracing = watch.trace.is_some();
    let mut picks = Vec::new();
    for (part, scratch) in group.exchange.iter_mut().zip(group.ranks.iter_mut()) {
        part.clear();
        part.resize(run.tokens.len() * d, 0.0);
        scratch.pairs = 0;
    }
    for (place, &token) in run.tokens.iter().enumerate() {
        let replica = &mut *group.replica;
        let input = &mut replica.input[place * d..(place + 1) * d];
        streams::mix_in(
            config,
            &shared.experts_streams,
            &shared.experts_norm,
            &replica.streams[place * stream_values..(place + 1) * stream_values],
            &mut replica.keep[place * kept..(place + 1) * kept],
            input,
        );
        shared.gate.apply(input, &mut replica.scores);
        let margin =
            choose(config, shared, token, &mut replica.scores, &mut replica.biased, &mut replica.chosen);
        let sum: f32 = replica.chosen.iter().map(|&expert| replica.scores[expert as usize]).sum();
        let factor = config.routed_scaling_factor / (sum + 1e-20);

        for &expert in &replica.chosen {
            let weight = replica.scores[expert as usize] * factor;
            // All ranks hold the same number of experts; a replica that stands for one rank sees only its own.
            for ((weights, scratch), part) in
                group.weights.iter().zip(group.ranks.iter_mut()).zip(group.exchange.iter_mut())
            {
                if !weights.experts.contains(&(expert as usize)) {
                    continue;
                }
                let own = &weights.layers[group.layer].experts[expert as usize - weights.experts.start];
                run_expert(config, own, input, &mut scratch.inner, &mut scratch.output);
                for (sum, &value) in part[place * d..(place + 1) * d].iter_mut().zip(&scratch.output) {
                    *sum += weight * value;
                }
                scratch.pairs += 1;
            }
        }

        if let Some(probe) = &mut watch.probe {
            for spot in spots.clone() {
                probe.routed(spot.later(place), &replica.chosen, margin);
            }
        }
        if tracing {
            let scores: Vec<f32> =
                replica.chosen.iter().map(|&expert| replica.scores[expert as usize]).collect();
            picks.push(ExpertPicks {
                position: run.start + place,
                experts: replica.chosen.clone(),
                weights: scores.iter().map(|score| score * factor).collect(),
                scores,
            });
        }
    }
    if let Some(trace) = &mut watch.trace {
        note_routed(run, group, trace, picks);
    }
}

fn note_routed(run: &Run<'_>, group: &Group<'_>, trace: &mut Trace, picks: Vec<ExpertPicks>) {
    let config = run.config;
    let shared = group.shared();
    let (d, count) = (config.hidden_size, run.tokens.len());
    let inputs = f32_bytes(count * d);
    group.note(
        run,
        trace,
        Operation::MixIn(SubLayer::Experts),
        Shape::two(count, d),
        (shared.experts_streams.bytes() + f32_bytes(count * config.streams * d), inputs),
        &Detail::None,
    );
    let mut touched: Vec<u32> = picks.iter().flat_map(|pick| pick.experts.iter().copied()).collect();
    touched.sort_unstable();
    touched.dedup();
    group.note(
        run,
        trace,
        Operation::Route,
        Shape::two(count, config.experts_per_token),
        (shared.gate.bytes() + inputs, f32_bytes(2 * count * config.experts_per_token)),
        &Detail::Experts(picks),
    );
    for (weights, scratch) in group.weights.iter().zip(group.ranks.iter()) {
        let own = touched.iter().filter(|&&expert| weights.experts.contains(&(expert as usize))).count();
        let expert_bytes = group.first().experts.first().map_or(0, Expert::bytes);
        trace.push(Event {
            rank: Some(weights.rank),
            layer: Some(group.layer),
            positions: run.start..run.end(),
            operation: Operation::RoutedExperts,
            output: Shape::two(count, d),
            bytes_read: expert_bytes * own as u64 + f32_bytes(scratch.pairs * d),
            bytes_written: inputs,
            detail: Detail::Pairs(scratch.pairs),
        });
    }
}

/// Adds the shared expert to the routed sum (`exchange`) and spreads the result over the streams.
pub(super) fn finish(run: &Run<'_>, group: &mut Group<'_>, watch: &mut Watch<'_>) {
    let config = run.config;
    let shared = group.shared();
    let spots = group.spots(run);
    let d = config.hidden_size;
    let stream_values = config.streams * d;
    let kept = streams::kept(config.streams);
    let replica = &mut *group.replica;
    for place in 0..run.tokens.len() {
        let input = &replica.input[place * d..(place + 1) * d];
        run_expert(config, &shared.shared_expert, input, &mut replica.inner, &mut replica.output);
        for (value, routed) in replica.output.iter_mut().zip(&group.exchange[0][place * d..(place + 1) * d]) {
            *value += routed;
        }
        streams::mix_out(
            config,
            &replica.keep[place * kept..(place + 1) * kept],
            &replica.output,
            &mut replica.streams[place * stream_values..(place + 1) * stream_values],
        );
        if let Some(probe) = &mut watch.probe {
            for spot in spots.clone() {
                probe.expert_output(spot.later(place), &replica.output);
            }
        }
    }
    if let Some(trace) = &mut watch.trace {
        let count = run.tokens.len();
        let (inputs, streams) = (f32_bytes(count * d), f32_bytes(count * stream_values));
        group.note(
            run,
            trace,
            Operation::SharedExpert,
            Shape::two(count, d),
            (shared.shared_expert.bytes() + 2 * inputs, inputs),
            &Detail::None,
        );
        group.note(
            run,
            trace,
            Operation::MixOut(SubLayer::Experts),
            Shape::three(count, config.streams, d),
            (streams + inputs + f32_bytes(count * kept), streams),
            &Detail::None,
        );
    }
}

/// Turns gate outputs into scores and chooses the token's experts, ascending. Returns the margin of the choice.
fn choose(
    config: &ModelConfig,
    layer: &Replicated,
    token: u32,
    scores: &mut [f32],
    biased: &mut Vec<f32>,
    chosen: &mut Vec<u32>,
) -> f32 {
    for score in scores.iter_mut() {
        *score = math::sqrt_softplus(*score);
    }
    if let Some(table) = &layer.experts_of_token {
        let k = config.experts_per_token;
        let first = token as usize * k;
        chosen.clear();
        chosen.extend_from_slice(&table[first..first + k]);
        chosen.sort_unstable();
        return f32::INFINITY;
    }
    biased.clear();
    match &layer.gate_bias {
        Some(bias) => biased.extend(scores.iter().zip(bias).map(|(score, bias)| score + bias)),
        None => biased.extend_from_slice(scores),
    }
    math::top_k(biased, config.experts_per_token, chosen)
}

/// `output = down(silu(min(g, limit)) · clamp(u, ±limit))`.
fn run_expert(config: &ModelConfig, expert: &Expert, input: &[f32], inner: &mut [f32], output: &mut [f32]) {
    let limit = config.swiglu_limit;
    expert.gate_up.apply(input, inner);
    let (gates, ups) = inner.split_at_mut(config.expert_hidden_size);
    for (gate, up) in gates.iter_mut().zip(ups) {
        *gate = math::silu(gate.min(limit)) * up.clamp(-limit, limit);
    }
    expert.down.apply(gates, output);
}

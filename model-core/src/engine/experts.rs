//! The expert sub-layer of one rank: routing (computed on every rank alike), its own experts, the shared expert.

use super::collective::Shape;
use super::config::ModelConfig;
use super::lane::{Lane, Run, Watch};
use super::math;
use super::shard::{Expert, Replicated};
use super::streams;
use super::trace::{Detail, ExpertPicks, Operation, SubLayer, f32_bytes};

/// Streams to normed input, routing, and this rank's part of the routed sum (`exchange`: `[S, d]`).
pub(super) fn routed(run: &Run<'_>, lane: &mut Lane<'_>, watch: &mut Watch<'_>) {
    let config = run.config;
    let weights = lane.weights;
    let shared = &weights.replicated;
    let spot = lane.spot(run);
    let d = config.hidden_size;
    let stream_values = config.streams * d;
    let kept = streams::kept(config.streams);
    let local = lane.first_expert..lane.first_expert + weights.experts.len();
    let tracing = watch.trace.is_some();
    let mut picks = Vec::new();
    let mut pairs = 0;
    lane.exchange.clear();
    lane.exchange.resize(run.tokens.len() * d, 0.0);
    for (place, &token) in run.tokens.iter().enumerate() {
        let scratch = &mut *lane.scratch;
        let input = &mut scratch.input[place * d..(place + 1) * d];
        streams::mix_in(
            config,
            &shared.experts_streams,
            &shared.experts_norm,
            &scratch.streams[place * stream_values..(place + 1) * stream_values],
            &mut scratch.keep[place * kept..(place + 1) * kept],
            input,
        );
        shared.gate.apply(input, &mut scratch.scores);
        let margin =
            choose(config, shared, token, &mut scratch.scores, &mut scratch.biased, &mut scratch.chosen);
        let sum: f32 = scratch.chosen.iter().map(|&expert| scratch.scores[expert as usize]).sum();
        let factor = config.routed_scaling_factor / (sum + 1e-20);

        let output = &mut lane.exchange[place * d..(place + 1) * d];
        for &expert in &scratch.chosen {
            let Some(own) =
                (expert as usize).checked_sub(local.start).and_then(|own| weights.experts.get(own))
            else {
                continue;
            };
            pairs += 1;
            let weight = scratch.scores[expert as usize] * factor;
            run_expert(config, own, input, &mut scratch.inner, &mut scratch.output);
            for (sum, &value) in output.iter_mut().zip(&scratch.output) {
                *sum += weight * value;
            }
        }

        if let Some(probe) = watch.probe.as_deref_mut().filter(|probe| probe.watches(spot.rank)) {
            probe.routed(spot.later(place), &scratch.chosen, margin);
        }
        if tracing {
            let scores: Vec<f32> =
                scratch.chosen.iter().map(|&expert| scratch.scores[expert as usize]).collect();
            picks.push(ExpertPicks {
                position: run.start + place,
                experts: scratch.chosen.clone(),
                weights: scores.iter().map(|score| score * factor).collect(),
                scores,
            });
        }
    }

    if let Some(trace) = &mut watch.trace {
        let count = run.tokens.len();
        let inputs = f32_bytes(count * d);
        lane.note(
            run,
            trace,
            Operation::MixIn(SubLayer::Experts),
            Shape::two(count, d),
            (shared.experts_streams.bytes() + f32_bytes(count * stream_values), inputs),
            Detail::None,
        );
        let mut touched: Vec<u32> = picks.iter().flat_map(|pick| pick.experts.iter().copied()).collect();
        touched.retain(|&expert| local.contains(&(expert as usize)));
        touched.sort_unstable();
        touched.dedup();
        let expert_bytes = weights.experts.first().map_or(0, Expert::bytes);
        lane.note(
            run,
            trace,
            Operation::Route,
            Shape::two(count, config.experts_per_token),
            (shared.gate.bytes() + inputs, f32_bytes(2 * count * config.experts_per_token)),
            Detail::Experts(picks),
        );
        lane.note(
            run,
            trace,
            Operation::RoutedExperts,
            Shape::two(count, d),
            (expert_bytes * touched.len() as u64 + f32_bytes(pairs * d), inputs),
            Detail::Pairs(pairs),
        );
    }
}

/// Adds the shared expert to the routed sum (`exchange`) and spreads the result over the streams.
pub(super) fn finish(run: &Run<'_>, lane: &mut Lane<'_>, watch: &mut Watch<'_>) {
    let config = run.config;
    let shared = &lane.weights.replicated;
    let spot = lane.spot(run);
    let d = config.hidden_size;
    let stream_values = config.streams * d;
    let kept = streams::kept(config.streams);
    let scratch = &mut *lane.scratch;
    for place in 0..run.tokens.len() {
        let input = &scratch.input[place * d..(place + 1) * d];
        run_expert(config, &shared.shared_expert, input, &mut scratch.inner, &mut scratch.output);
        for (value, routed) in scratch.output.iter_mut().zip(&lane.exchange[place * d..(place + 1) * d]) {
            *value += routed;
        }
        streams::mix_out(
            config,
            &scratch.keep[place * kept..(place + 1) * kept],
            &scratch.output,
            &mut scratch.streams[place * stream_values..(place + 1) * stream_values],
        );
        if let Some(probe) = watch.probe.as_deref_mut().filter(|probe| probe.watches(spot.rank)) {
            probe.expert_output(spot.later(place), &scratch.output);
        }
    }
    if let Some(trace) = &mut watch.trace {
        let count = run.tokens.len();
        let (inputs, streams) = (f32_bytes(count * d), f32_bytes(count * stream_values));
        lane.note(
            run,
            trace,
            Operation::SharedExpert,
            Shape::two(count, d),
            (shared.shared_expert.bytes() + 2 * inputs, inputs),
            Detail::None,
        );
        lane.note(
            run,
            trace,
            Operation::MixOut(SubLayer::Experts),
            Shape::three(count, config.streams, d),
            (streams + inputs + f32_bytes(count * kept), streams),
            Detail::None,
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

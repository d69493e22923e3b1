//! The attention sub-layer of one rank, in the two phases its collectives leave: up to the index scores, and from
//! the picks to the partial output.
//!
//! Tokens are taken in order, and each is computed exactly as if it had come alone: the ring is written just
//! before its query reads it, entries are made just before they become visible. That is why a chunk of any size
//! leaves the same caches and outputs, bit for bit.

use super::cache::{self, Entries, Visible};
use super::collective::Shape;
use super::compressor;
use super::config::AttentionKind;
use super::faults::CompressorKind;
use super::indexer;
use super::lane::{Lane, Run, Watch};
use super::math;
use super::streams;
use super::trace::{Detail, EntryMade, IndexPicks, Operation, RingWrite, SubLayer, f32_bytes};

/// Streams to normed input, queries, window rows, compressors and this rank's index scores
/// (`exchange`: `[S, entries]`, empty rows where nothing is visible).
pub(super) fn prepare(run: &Run<'_>, lane: &mut Lane<'_>, watch: &mut Watch<'_>) {
    let config = run.config;
    let (weights, layer) = (lane.weights, lane.layer);
    let shared = &weights.replicated;
    let kind = weights.attention;
    let rope = run.rope(kind);
    let (d, c) = (config.hidden_size, config.head_dim);
    let stream_values = config.streams * d;
    let kept = streams::kept(config.streams);
    let query_values = lane.scratch.heads.len();
    let width = config.entries_after(kind, run.end());
    let tracing = watch.trace.is_some();
    let mut made = [Vec::new(), Vec::new()];

    if run.start > 0 {
        let resets =
            [(&mut lane.cache.main, CompressorKind::Main), (&mut lane.cache.index, CompressorKind::Indexer)];
        for (state, which) in resets {
            if let Some(state) = state.as_mut().filter(|_| run.faults.reset_tail(layer, which)) {
                state.tail.reset();
            }
        }
    }
    if kind == AttentionKind::Csa {
        lane.exchange.clear();
        lane.exchange.resize(run.tokens.len() * width, 0.0);
    }
    for place in 0..run.tokens.len() {
        let position = run.start + place;
        let scratch = &mut *lane.scratch;
        let input = &mut scratch.input[place * d..(place + 1) * d];
        streams::mix_in(
            config,
            &shared.attention_streams,
            &shared.attention_norm,
            &scratch.streams[place * stream_values..(place + 1) * stream_values],
            &mut scratch.keep[place * kept..(place + 1) * kept],
            input,
        );

        shared.q_a.apply(input, &mut scratch.latent);
        math::rms_norm(&mut scratch.latent, &shared.q_a_norm, config.norm_eps);
        let queries = &mut scratch.queries[place * query_values..(place + 1) * query_values];
        weights.q_b.apply(&scratch.latent, queries);
        for query in queries.chunks_exact_mut(c) {
            math::rms_norm_plain(query, config.norm_eps);
            rope.rotate(query, position);
        }
        let row = &mut scratch.rows[place * c..(place + 1) * c];
        shared.kv.apply(input, row);
        math::rms_norm(row, &shared.kv_norm, config.norm_eps);
        rope.rotate(row, position);

        let mut feed = |compressor: &Option<_>, state: &mut Option<_>, which: usize| {
            if let (Some(compressor), Some(state)) = (compressor, state.as_mut()) {
                let entry = compressor::push(compressor, state, rope, config.norm_eps, position, input);
                if let Some(entry) = entry.filter(|_| tracing) {
                    made[which].push(EntryMade { position, entry, pooled: state.entries.pooled(entry) });
                }
            }
        };
        feed(&shared.compressor, &mut lane.cache.main, 0);
        feed(&shared.index_compressor, &mut lane.cache.index, 1);

        if let (Some(index), Some(state)) = (&weights.index, &lane.cache.index) {
            // The state holds exactly the entries this query sees.
            indexer::score(
                run,
                index,
                position,
                &state.entries,
                [&scratch.latent, input],
                [&mut scratch.index_queries, &mut scratch.head_weights],
                &mut lane.exchange[place * width..(place + 1) * width],
            );
        }
    }

    let [main_made, index_made] = made;
    if let Some(trace) = &mut watch.trace {
        let count = run.tokens.len();
        let inputs = f32_bytes(count * d);
        let streams = f32_bytes(count * stream_values);
        lane.note(
            run,
            trace,
            Operation::MixIn(SubLayer::Attention),
            Shape::two(count, d),
            (shared.attention_streams.bytes() + streams, inputs),
            Detail::None,
        );
        lane.note(
            run,
            trace,
            Operation::QueryKeyValue,
            Shape::three(count, query_values / c, c),
            (
                shared.q_a.bytes() + weights.q_b.bytes() + shared.kv.bytes() + inputs,
                f32_bytes(count * (query_values + c)),
            ),
            Detail::None,
        );
        let compressors = [
            (Operation::Compress, &shared.compressor, main_made),
            (Operation::CompressIndex, &shared.index_compressor, index_made),
        ];
        for (operation, compressor, made) in compressors {
            if let Some(compressor) = compressor {
                let width = compressor.entry_dim * if compressor.overlap { 2 } else { 1 };
                let entries = f32_bytes(made.len() * compressor.entry_dim);
                lane.note(
                    run,
                    trace,
                    operation,
                    Shape::two(made.len(), compressor.entry_dim),
                    (compressor.bytes() + inputs, f32_bytes(count * 2 * width) + entries),
                    Detail::Entries(made),
                );
            }
        }
        if let Some(index) = &weights.index {
            let seen: usize = (run.start..run.end()).map(|p| config.entries_after(kind, p + 1)).sum();
            lane.note(
                run,
                trace,
                Operation::IndexScores,
                Shape::three(1, count, width),
                (
                    index.q_b.bytes() + index.head_weights.bytes() + f32_bytes(seen * config.index_head_dim),
                    f32_bytes(count * width),
                ),
                Detail::None,
            );
        }
    }
}

/// From the summed index scores (`exchange`) to this rank's partial output (`exchange`: `[S, d]`).
pub(super) fn attend(run: &Run<'_>, lane: &mut Lane<'_>, watch: &mut Watch<'_>) {
    let config = run.config;
    let weights = lane.weights;
    let spot = lane.spot(run);
    let kind = weights.attention;
    let rope = run.rope(kind);
    let (d, c) = (config.hidden_size, config.head_dim);
    let query_values = lane.scratch.heads.len();
    let group_values = query_values / weights.o_a.len();
    let early = run.faults.early_overwrite(lane.layer);
    let scale = 1.0 / (c as f32).sqrt();
    let tracing = watch.trace.is_some();
    let (mut writes, mut seen, mut picked) = (Vec::new(), Vec::new(), Vec::new());
    let mut rows_read = 0;
    // The scores are read until the last token; the partial outputs wait here, in the normed inputs' place.
    for place in 0..run.tokens.len() {
        let position = run.start + place;
        let row = &lane.scratch.rows[place * c..(place + 1) * c];
        if tracing {
            let slot = lane.cache.ring.slot_of(position);
            writes.push(RingWrite { position, slot, replaced: lane.cache.ring.positions()[slot] });
        }
        lane.cache.ring.write(position, position, row);
        if early {
            lane.cache.ring.write(position + 1, position, row);
        }
        let margin = indexer::pick(run, lane, position);
        let scratch = &mut *lane.scratch;
        let window = cache::visible(config, kind, position).window;

        let [before_wrap, after_wrap] = lane.cache.ring.in_order(&window);
        let entries = match &lane.cache.main {
            None => &[],
            Some(state) => attended_entries(&state.entries, &scratch.picks, &mut scratch.keys),
        };
        let keys = [before_wrap, after_wrap, entries];
        let queries = &scratch.queries[place * query_values..(place + 1) * query_values];
        let heads = queries.chunks_exact(c).zip(scratch.heads.chunks_exact_mut(c)).zip(&weights.sinks);
        for ((query, output), &sink) in heads {
            attend_head(query, keys, sink, scale, &mut scratch.weights, output);
            rope.rotate_back(output, position);
        }
        let groups = scratch.heads.chunks_exact(group_values).zip(&weights.o_a);
        for ((heads, o_a), output) in groups.zip(scratch.groups.chunks_exact_mut(config.o_lora_rank)) {
            o_a.apply(heads, output);
        }
        weights.o_b.apply(&scratch.groups, &mut scratch.input[place * d..(place + 1) * d]);

        if let Some(probe) = watch.probe.as_deref_mut().filter(|probe| probe.watches(spot.rank)) {
            probe.attended(spot.later(place), lane.cache, &window, &scratch.picks, margin);
        }
        if tracing {
            rows_read += window.len() * c + scratch.picks.len() * c;
            seen.push(Visible { window, entries: config.entries_after(kind, position + 1) });
            if weights.index.is_some() {
                let width = config.entries_after(kind, run.end());
                let scores = &lane.exchange[place * width..(place + 1) * width];
                picked.push(IndexPicks {
                    position,
                    entries: scratch.picks.clone(),
                    scores: scratch.picks.iter().map(|&entry| scores[entry as usize]).collect(),
                });
            }
        }
    }
    let count = run.tokens.len();
    lane.exchange.clear();
    lane.exchange.extend_from_slice(&lane.scratch.input[..count * d]);

    if let Some(trace) = &mut watch.trace {
        if weights.index.is_some() {
            let entries = config.entries_after(kind, run.end());
            let picks = picked.iter().map(|pick| pick.entries.len()).sum();
            let bytes = (f32_bytes(count * entries), f32_bytes(picks));
            lane.note(
                run,
                trace,
                Operation::IndexPick,
                Shape::two(count, entries),
                bytes,
                Detail::Picks(picked),
            );
        }
        lane.note(
            run,
            trace,
            Operation::Attend,
            Shape::three(count, query_values / c, c),
            (f32_bytes(rows_read + count * query_values), f32_bytes(count * (query_values + c))),
            Detail::Attended { writes, seen },
        );
        let o_a: u64 = weights.o_a.iter().map(math::Linear::bytes).sum();
        lane.note(
            run,
            trace,
            Operation::OutputProjection,
            Shape::three(1, count, d),
            (o_a + weights.o_b.bytes() + f32_bytes(count * query_values), f32_bytes(count * d)),
            Detail::None,
        );
    }
}

/// Spreads the summed output (`exchange`) over the streams.
pub(super) fn finish(run: &Run<'_>, lane: &mut Lane<'_>, watch: &mut Watch<'_>) {
    let config = run.config;
    let d = config.hidden_size;
    let kept = streams::kept(config.streams);
    let spot = lane.spot(run);
    let per_token = lane.scratch.keep.chunks_exact(kept).zip(lane.exchange.chunks_exact(d));
    let streams = lane.scratch.streams.chunks_exact_mut(config.streams * d);
    for (place, ((keep, output), streams)) in per_token.zip(streams).take(run.tokens.len()).enumerate() {
        streams::mix_out(config, keep, output, streams);
        if let Some(probe) = watch.probe.as_deref_mut().filter(|probe| probe.watches(spot.rank)) {
            probe.attention_output(spot.later(place), output);
        }
    }
    if let Some(trace) = &mut watch.trace {
        let count = run.tokens.len();
        let streams = f32_bytes(count * config.streams * d);
        lane.note(
            run,
            trace,
            Operation::MixOut(SubLayer::Attention),
            Shape::three(count, config.streams, d),
            (streams + f32_bytes(count * (d + kept)), streams),
            Detail::None,
        );
    }
}

/// The rows of the entries picked (ascending), `[picks, c]`: where they lie if that is in one piece, else copied to
/// `gathered`.
fn attended_entries<'a>(entries: &'a Entries, picks: &[u32], gathered: &'a mut Vec<f32>) -> &'a [f32] {
    let rows = picks.iter().filter_map(|&entry| entries.row(entry as usize));
    if picks.last().is_none_or(|&last| last as usize + 1 == picks.len()) {
        return entries.first_rows(picks.len());
    }
    gathered.clear();
    for row in rows {
        gathered.extend_from_slice(row);
    }
    gathered
}

/// One head's attention over `keys` (each `[n, c]`, keys and values at once): softmax of the scaled scores with the
/// head's sink in the denominator only.
fn attend_head(
    query: &[f32],
    keys: [&[f32]; 3],
    sink: f32,
    scale: f32,
    weights: &mut Vec<f32>,
    output: &mut [f32],
) {
    // The usual sizes as constants: the compiler unrolls what follows for each.
    match query.len() {
        8 => attend_head_of::<8>(query, keys, sink, scale, weights, output),
        16 => attend_head_of::<16>(query, keys, sink, scale, weights, output),
        _ => attend_head_of::<0>(query, keys, sink, scale, weights, output),
    }
}

/// [`attend_head`] for heads of `C` values, or of any size for 0; the sums are the same.
#[inline]
fn attend_head_of<const C: usize>(
    query: &[f32],
    keys: [&[f32]; 3],
    sink: f32,
    scale: f32,
    weights: &mut Vec<f32>,
    output: &mut [f32],
) {
    let c = if C == 0 { query.len() } else { C };
    let query = &query[..c];
    let output = &mut output[..c];
    let count = keys.iter().map(|part| part.len() / c).sum();
    weights.clear();
    weights.resize(count, 0.0);
    let mut largest = sink;
    let mut rest = weights.as_mut_slice();
    for part in keys {
        let (here, after) = rest.split_at_mut(part.len() / c);
        for (score, key) in here.iter_mut().zip(part.chunks_exact(c)) {
            *score = math::dot(query, key) * scale;
            if *score > largest {
                largest = *score;
            }
        }
        rest = after;
    }
    for weight in weights.iter_mut() {
        *weight = math::exp(*weight - largest);
    }
    let inverse = 1.0 / (math::sum(weights) + math::exp(sink - largest));
    // Eight channels at a time, so that their sums stay in registers over all keys.
    for (block, output) in output.chunks_mut(8).enumerate() {
        let mut sums = [0.0_f32; 8];
        let mut rest = weights.as_slice();
        for part in keys {
            let (here, after) = rest.split_at(part.len() / c);
            for (&weight, key) in here.iter().zip(part.chunks_exact(c)) {
                if let Some(key) = key.as_chunks::<8>().0.get(block) {
                    for (sum, &value) in sums.iter_mut().zip(key) {
                        *sum += weight * value;
                    }
                } else {
                    for (sum, &value) in sums.iter_mut().zip(&key[block * 8..]) {
                        *sum += weight * value;
                    }
                }
            }
            rest = after;
        }
        for (value, sum) in output.iter_mut().zip(sums) {
            *value = sum * inverse;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    #[test]
    fn a_constant_head_size_changes_no_bit_and_cutting_the_keys_neither() {
        let mut random = SplitMix64::new(2);
        let mut draw = |count| (0..count).map(|_| random.unit_f32() * 4.0 - 2.0).collect::<Vec<f32>>();
        let (query, keys) = (draw(16), draw(16 * 21));
        let (mut one, mut other) = ([0.0; 16], [0.0; 16]);
        let weights = &mut Vec::new();
        attend_head_of::<16>(&query, [&keys, &[], &[]], 0.3, 0.25, weights, &mut one);
        let (head, tail) = keys.split_at(16 * 8);
        attend_head_of::<0>(&query, [head, &[], tail], 0.3, 0.25, weights, &mut other);
        assert_eq!(one, other);
        let scores: Vec<f64> = keys
            .chunks(16)
            .map(|key| query.iter().zip(key).map(|(q, k)| f64::from(q * k)).sum::<f64>() / 4.0)
            .collect();
        let total: f64 = scores.iter().map(|score| score.exp()).sum::<f64>() + 0.3_f64.exp();
        for channel in 0..16 {
            let exact: f64 = scores
                .iter()
                .zip(keys.chunks(16))
                .map(|(score, key)| score.exp() / total * f64::from(key[channel]))
                .sum();
            assert!((f64::from(one[channel]) - exact).abs() < 1e-6);
        }
    }
}

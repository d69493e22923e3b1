//! The attention sub-layer, in the phases its collectives leave: up to the index scores, from the picks to the
//! partial outputs, and back to the streams.
//!
//! Tokens are taken in order, and each is computed exactly as if it had come alone: the ring is written just
//! before its query reads it, entries are made just before they become visible. That is why a chunk of any size
//! leaves the same caches and outputs, bit for bit.

use super::cache::{self, Entries, Visible};
use super::collective::Shape;
use super::compressor;
use super::faults::CompressorKind;
use super::group::{Group, RankScratch, Run, Watch};
use super::indexer;
use super::math;
use super::shard::RankLayer;
use super::streams;
use super::trace::{Detail, EntryMade, IndexPicks, Operation, RingWrite, SubLayer, Trace, f32_bytes};

/// Streams to normed input, queries, window rows, compressors and each rank's index scores
/// (`exchange`: `[S, entries]`, zero where an entry is not visible yet).
pub(super) fn prepare(run: &Run<'_>, group: &mut Group<'_>, watch: &mut Watch<'_>) {
    let made = replicated_inputs(run, group, watch.trace.is_some());
    for rank in 0..group.ranks.len() {
        rank_queries(run, group, rank);
    }
    if let Some(trace) = &mut watch.trace {
        note_prepared(run, group, trace, made);
    }
}

/// The part every rank computes alike; returns the entries made, main and indexer, if `tracing`.
fn replicated_inputs(run: &Run<'_>, group: &mut Group<'_>, tracing: bool) -> [Vec<EntryMade>; 2] {
    let config = run.config;
    let (shared, layer) = (group.shared(), group.layer);
    let rope = run.rope(group.first().attention);
    let (d, c, latent_values) = (config.hidden_size, config.head_dim, config.q_lora_rank);
    let stream_values = config.streams * d;
    let kept = streams::kept(config.streams);
    let mut made = [Vec::new(), Vec::new()];
    if run.start > 0 {
        let states = [
            (&mut group.cache.main, CompressorKind::Main),
            (&mut group.cache.index, CompressorKind::Indexer),
        ];
        for (state, which) in states {
            if let Some(state) = state.as_mut().filter(|_| run.faults.reset_tail(layer, which)) {
                state.tail.reset();
            }
        }
    }
    let scratch = &mut *group.replica;
    for place in 0..run.tokens.len() {
        let position = run.start + place;
        let input = &mut scratch.input[place * d..(place + 1) * d];
        streams::mix_in(
            config,
            &shared.attention_streams,
            &shared.attention_norm,
            &scratch.streams[place * stream_values..(place + 1) * stream_values],
            &mut scratch.keep[place * kept..(place + 1) * kept],
            input,
        );
        let latent = &mut scratch.latents[place * latent_values..(place + 1) * latent_values];
        shared.q_a.apply(input, latent);
        math::rms_norm(latent, &shared.q_a_norm, config.norm_eps);
        let row = &mut scratch.rows[place * c..(place + 1) * c];
        shared.kv.apply(input, row);
        math::rms_norm(row, &shared.kv_norm, config.norm_eps);
        rope.rotate(row, position);

        let compressors =
            [(&shared.compressor, &mut group.cache.main), (&shared.index_compressor, &mut group.cache.index)];
        for ((compressor, state), made) in compressors.into_iter().zip(&mut made) {
            if let (Some(compressor), Some(state)) = (compressor, state) {
                let entry = compressor::push(compressor, state, rope, config.norm_eps, position, input);
                if let Some(entry) = entry.filter(|_| tracing) {
                    made.push(EntryMade { position, entry, pooled: state.entries.pooled(entry) });
                }
            }
        }
    }
    made
}

/// One rank's queries, and its heads' index scores.
fn rank_queries(run: &Run<'_>, group: &mut Group<'_>, rank: usize) {
    let config = run.config;
    let weights = &group.weights[rank].layers[group.layer];
    let kind = weights.attention;
    let rope = run.rope(kind);
    let (d, c, latent_values) = (config.hidden_size, config.head_dim, config.q_lora_rank);
    let scratch = &mut group.ranks[rank];
    let query_values = scratch.heads.len();
    let latents = group.replica.latents.chunks_exact(latent_values).take(run.tokens.len());
    for (place, (latent, queries)) in
        latents.clone().zip(scratch.queries.chunks_exact_mut(query_values)).enumerate()
    {
        weights.q_b.apply(latent, queries);
        for query in queries.chunks_exact_mut(c) {
            math::rms_norm_plain(query, config.norm_eps);
            rope.rotate(query, run.start + place);
        }
    }
    let (Some(index), Some(state)) = (&weights.index, &group.cache.index) else { return };
    let width = config.entries_after(kind, run.end());
    let scores = &mut group.exchange[rank];
    scores.clear();
    scores.resize(run.tokens.len() * width, 0.0);
    for (place, latent) in latents.enumerate() {
        let position = run.start + place;
        let visible = config.entries_after(kind, position + 1);
        indexer::score(
            run,
            index,
            position,
            state.entries.first_rows(visible),
            [latent, &group.replica.input[place * d..(place + 1) * d]],
            [&mut scratch.index_queries, &mut scratch.head_weights],
            &mut scores[place * width..(place + 1) * width],
        );
    }
}

fn note_prepared(
    run: &Run<'_>,
    group: &Group<'_>,
    trace: &mut Trace,
    [main_made, index_made]: [Vec<EntryMade>; 2],
) {
    let config = run.config;
    let (shared, layer) = (group.shared(), group.first());
    let (d, c, count) = (config.hidden_size, config.head_dim, run.tokens.len());
    let query_values = group.ranks[0].heads.len();
    let inputs = f32_bytes(count * d);
    let streams = f32_bytes(count * config.streams * d);
    group.note(
        run,
        trace,
        Operation::MixIn(SubLayer::Attention),
        Shape::two(count, d),
        (shared.attention_streams.bytes() + streams, inputs),
        &Detail::None,
    );
    group.note(
        run,
        trace,
        Operation::QueryKeyValue,
        Shape::three(count, query_values / c, c),
        (
            shared.q_a.bytes() + layer.q_b.bytes() + shared.kv.bytes() + inputs,
            f32_bytes(count * (query_values + c)),
        ),
        &Detail::None,
    );
    let compressors = [
        (Operation::Compress, &shared.compressor, main_made),
        (Operation::CompressIndex, &shared.index_compressor, index_made),
    ];
    for (operation, compressor, made) in compressors {
        if let Some(compressor) = compressor {
            let width = compressor.entry_dim * if compressor.overlap { 2 } else { 1 };
            let entries = f32_bytes(made.len() * compressor.entry_dim);
            group.note(
                run,
                trace,
                operation,
                Shape::two(made.len(), compressor.entry_dim),
                (compressor.bytes() + inputs, f32_bytes(count * 2 * width) + entries),
                &Detail::Entries(made),
            );
        }
    }
    if let Some(index) = &layer.index {
        let width = config.entries_after(layer.attention, run.end());
        let seen: usize = (run.start..run.end()).map(|p| config.entries_after(layer.attention, p + 1)).sum();
        let weights = index.q_b.bytes() + index.head_weights.bytes();
        group.note(
            run,
            trace,
            Operation::IndexScores,
            Shape::three(1, count, width),
            (weights + f32_bytes(seen * config.index_head_dim), f32_bytes(count * width)),
            &Detail::None,
        );
    }
}

/// From the summed index scores (`exchange`) to each rank's partial output (`exchange`: `[S, d]`).
pub(super) fn attend(run: &Run<'_>, group: &mut Group<'_>, watch: &mut Watch<'_>) {
    let config = run.config;
    let layer = group.first();
    let kind = layer.attention;
    let spots = group.spots(run);
    let (c, count) = (config.head_dim, run.tokens.len());
    let width = config.entries_after(kind, run.end());
    let early = run.faults.early_overwrite(group.layer);
    let tracing = watch.trace.is_some();
    let (mut writes, mut seen, mut picked) = (Vec::new(), Vec::new(), Vec::new());
    let mut rows_read = 0;
    for place in 0..count {
        let position = run.start + place;
        let row = &group.replica.rows[place * c..(place + 1) * c];
        if tracing {
            let slot = group.cache.ring.slot_of(position);
            writes.push(RingWrite { position, slot, replaced: group.cache.ring.positions()[slot] });
        }
        group.cache.ring.write(position, position, row);
        if early {
            group.cache.ring.write(position + 1, position, row);
        }
        let margin = indexer::pick(run, group, position);
        let window = cache::visible(config, kind, position).window;
        let [before_wrap, after_wrap] = group.cache.ring.in_order(&window);
        let entries = match &group.cache.main {
            None => &[],
            Some(state) => attended_entries(&state.entries, &group.replica.picks, &mut group.replica.keys),
        };
        let keys = [before_wrap, after_wrap, entries];
        for (weights, scratch) in group.weights.iter().zip(group.ranks.iter_mut()) {
            rank_output(run, &weights.layers[group.layer], scratch, place, keys);
        }

        if let Some(probe) = &mut watch.probe {
            for spot in spots.clone() {
                probe.attended(spot.later(place), group.cache, &window, &group.replica.picks, margin);
            }
        }
        if tracing {
            rows_read += (window.len() + group.replica.picks.len()) * c;
            seen.push(Visible { window, entries: config.entries_after(kind, position + 1) });
            if layer.index.is_some() {
                let scores = &group.exchange[0][place * width..(place + 1) * width];
                let entries = group.replica.picks.clone();
                let scores = entries.iter().map(|&entry| scores[entry as usize]).collect();
                picked.push(IndexPicks { position, entries, scores });
            }
        }
    }
    for (exchange, scratch) in group.exchange.iter_mut().zip(group.ranks.iter_mut()) {
        std::mem::swap(exchange, &mut scratch.partial);
        scratch.partial.resize(count * config.hidden_size, 0.0);
    }

    if let Some(trace) = &mut watch.trace {
        let (d, query_values) = (config.hidden_size, group.ranks[0].heads.len());
        if layer.index.is_some() {
            let picks = picked.iter().map(|pick| pick.entries.len()).sum();
            let bytes = (f32_bytes(count * width), f32_bytes(picks));
            group.note(
                run,
                trace,
                Operation::IndexPick,
                Shape::two(count, width),
                bytes,
                &Detail::Picks(picked),
            );
        }
        group.note(
            run,
            trace,
            Operation::Attend,
            Shape::three(count, query_values / c, c),
            (f32_bytes(rows_read + count * query_values), f32_bytes(count * (query_values + c))),
            &Detail::Attended { writes, seen },
        );
        let o_a: u64 = layer.o_a.iter().map(math::Linear::bytes).sum();
        group.note(
            run,
            trace,
            Operation::OutputProjection,
            Shape::three(1, count, d),
            (o_a + layer.o_b.bytes() + f32_bytes(count * query_values), f32_bytes(count * d)),
            &Detail::None,
        );
    }
}

/// One rank's heads over `keys` and its part of the output of the token at `place`.
#[inline]
fn rank_output(
    run: &Run<'_>,
    weights: &RankLayer,
    scratch: &mut RankScratch,
    place: usize,
    keys: [&[f32]; 3],
) {
    let config = run.config;
    let rope = run.rope(weights.attention);
    let (d, c) = (config.hidden_size, config.head_dim);
    let scale = 1.0 / (c as f32).sqrt();
    let query_values = scratch.heads.len();
    let queries = &scratch.queries[place * query_values..(place + 1) * query_values];
    let heads = queries.chunks_exact(c).zip(scratch.heads.chunks_exact_mut(c)).zip(&weights.sinks);
    for ((query, output), &sink) in heads {
        attend_head(query, keys, sink, scale, &mut scratch.weights, output);
        rope.rotate_back(output, run.start + place);
    }
    let groups = scratch.heads.chunks_exact(query_values / weights.o_a.len()).zip(&weights.o_a);
    for ((heads, o_a), output) in groups.zip(scratch.groups.chunks_exact_mut(config.o_lora_rank)) {
        o_a.apply(heads, output);
    }
    weights.o_b.apply(&scratch.groups, &mut scratch.partial[place * d..(place + 1) * d]);
}

/// Spreads the summed output (`exchange`) over the streams.
pub(super) fn finish(run: &Run<'_>, group: &mut Group<'_>, watch: &mut Watch<'_>) {
    let config = run.config;
    let (d, count) = (config.hidden_size, run.tokens.len());
    let kept = streams::kept(config.streams);
    let spots = group.spots(run);
    let per_token = group.replica.keep.chunks_exact(kept).zip(group.exchange[0].chunks_exact(d));
    let streams = group.replica.streams.chunks_exact_mut(config.streams * d);
    for (place, ((keep, output), streams)) in per_token.zip(streams).take(count).enumerate() {
        streams::mix_out(config, keep, output, streams);
        if let Some(probe) = &mut watch.probe {
            for spot in spots.clone() {
                probe.attention_output(spot.later(place), output);
            }
        }
    }
    if let Some(trace) = &mut watch.trace {
        let streams = f32_bytes(count * config.streams * d);
        group.note(
            run,
            trace,
            Operation::MixOut(SubLayer::Attention),
            Shape::three(count, config.streams, d),
            (streams + f32_bytes(count * (d + kept)), streams),
            &Detail::None,
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

//! Compressors: how a group of tokens becomes one cache entry.
//!
//! Each token is projected to a value and a gate. When its group is complete, every channel takes a softmax of the
//! gates over the pooled rows and sums the values with it. Without overlap an entry pools its own group (HCA); with
//! overlap (CSA, indexer) projections are twice as wide: second halves serve the token's own group, first halves
//! the next one, so an entry pools two groups.

use super::cache::CompressorCache;
use super::math;
use super::rope::RopeTable;
use super::shard::Compressor;

/// Takes the token at `position` in; returns the index of the entry it completes, if it does.
pub(super) fn push(
    compressor: &Compressor,
    cache: &mut CompressorCache,
    rope: &RopeTable,
    norm_eps: f32,
    position: usize,
    input: &[f32],
) -> Option<usize> {
    let CompressorCache { tail, entries } = cache;
    let ratio = compressor.ratio;
    let place = position % ratio;
    let row = place * tail.width..(place + 1) * tail.width;
    compressor.kv.apply(input, &mut tail.values[row.clone()]);
    let gates = &mut tail.gates[row.clone()];
    compressor.gate.apply(input, gates);
    for (gate, bias) in gates.iter_mut().zip(&compressor.position_bias[row]) {
        *gate += bias;
    }
    tail.group = position - place..position + 1;
    if place + 1 < ratio {
        return None;
    }

    let own = if compressor.overlap { compressor.entry_dim } else { 0 };
    let (index, entry) = entries.append();
    for (block, pooled) in entry.chunks_mut(LANES).enumerate() {
        // Rows of the group before come first; for group 0 their gates are minus infinity and weigh nothing.
        let first = block * LANES;
        let before =
            tail.previous_gates.chunks_exact(tail.width).zip(tail.previous_values.chunks_exact(tail.width));
        let current = tail.gates.chunks_exact(tail.width).zip(tail.values.chunks_exact(tail.width));
        pool([(before, first), (current, own + first)], pooled);
    }
    math::rms_norm(entry, &compressor.norm, norm_eps);
    rope.rotate(entry, index * ratio);

    if compressor.overlap {
        std::mem::swap(&mut tail.previous_values, &mut tail.values);
        std::mem::swap(&mut tail.previous_gates, &mut tail.gates);
    }
    tail.values.fill(0.0);
    tail.gates.fill(f32::NEG_INFINITY);
    tail.group = position + 1..position + 1;
    Some(index)
}

/// Channels pooled together.
const LANES: usize = 8;

/// Pools up to eight channels over all rows (gates and values) of two groups, each with its first channel.
fn pool<'a>(groups: [(impl Iterator<Item = (&'a [f32], &'a [f32])> + Clone, usize); 2], pooled: &mut [f32]) {
    let [(before, before_first), (current, current_first)] = groups;
    let lanes = pooled.len();
    let rows = before
        .map(|row| (row, before_first))
        .chain(current.map(|row| (row, current_first)))
        .map(|((gates, values), first)| (&gates[first..first + lanes], &values[first..first + lanes]));
    let mut largest = [f32::NEG_INFINITY; LANES];
    for (gates, _) in rows.clone() {
        for (largest, &gate) in largest.iter_mut().zip(gates) {
            if gate > *largest {
                *largest = gate;
            }
        }
    }
    let (mut weights, mut sums) = ([0.0_f32; LANES], [0.0_f32; LANES]);
    for (gates, values) in rows {
        for lane in 0..lanes {
            let weight = math::exp(gates[lane] - largest[lane]);
            weights[lane] += weight;
            sums[lane] += weight * values[lane];
        }
    }
    for ((pooled, sum), weight) in pooled.iter_mut().zip(sums).zip(weights) {
        *pooled = sum / weight;
    }
}

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
    for (channel, pooled) in entry.iter_mut().enumerate() {
        // Rows of the group before come first; for group 0 their gates are minus infinity and weigh nothing.
        let rows = || {
            let before = tail.previous_gates.iter().zip(&tail.previous_values);
            let before = before.skip(channel).step_by(tail.width);
            let current = tail.gates.iter().zip(&tail.values).skip(own + channel).step_by(tail.width);
            before.chain(current)
        };
        let mut largest = f32::NEG_INFINITY;
        for (&gate, _) in rows() {
            if gate > largest {
                largest = gate;
            }
        }
        let (mut weights, mut sum) = (0.0, 0.0);
        for (&gate, &value) in rows() {
            let weight = math::exp(gate - largest);
            weights += weight;
            sum += weight * value;
        }
        *pooled = sum / weights;
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

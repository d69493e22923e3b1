//! Manifold-constrained hyper-connections: how n residual streams collapse into a sub-layer's input and take its
//! output back. The mixing matrix is made nearly doubly stochastic by alternating row and column normalisation.

use super::config::ModelConfig;
use super::math;
use super::shard::Mixer;

/// Values kept from a sub-layer's way in to its way out: n `post` weights, then the n·n mixing matrix.
pub(super) const fn kept(streams: usize) -> usize {
    streams * (streams + 1)
}

/// Collapses one token's `streams` (`[n, d]`) into `input` (`[d]`), normed with `norm`; keeps the way back in
/// `keep`.
pub(super) fn mix_in(
    config: &ModelConfig,
    mixer: &Mixer,
    norm: &[f32],
    streams: &[f32],
    keep: &mut [f32],
    input: &mut [f32],
) {
    match config.streams {
        1 => mix_in_n::<1>(config, mixer, streams, keep, input),
        2 => mix_in_n::<2>(config, mixer, streams, keep, input),
        8 => mix_in_n::<8>(config, mixer, streams, keep, input),
        _ => mix_in_n::<4>(config, mixer, streams, keep, input),
    }
    math::rms_norm(input, norm, config.norm_eps);
}

/// Spreads the sub-layer's `output` (`[d]`) over one token's `streams`.
pub(super) fn mix_out(config: &ModelConfig, keep: &[f32], output: &[f32], streams: &mut [f32]) {
    match config.streams {
        1 => mix_out_n::<1>(keep, output, streams),
        2 => mix_out_n::<2>(keep, output, streams),
        8 => mix_out_n::<8>(keep, output, streams),
        _ => mix_out_n::<4>(keep, output, streams),
    }
}

/// Collapses one token's streams after the last layer into `hidden` (`[d]`), not normed.
pub(super) fn collapse(config: &ModelConfig, mixer: &Mixer, streams: &[f32], hidden: &mut [f32]) {
    let mut weights = [0.0_f32; 8];
    let weights = &mut weights[..config.streams];
    mixer.mix.apply(streams, weights);
    let inverse = math::inverse_rms(streams, config.norm_eps);
    for (weight, base) in weights.iter_mut().zip(&mixer.base) {
        *weight = math::sigmoid(*weight * inverse * mixer.scale[0] + base) + config.hc_eps;
    }
    weighted_sum(weights, streams, hidden);
}

/// `input = Σ_j weights[j] · streams[j]`.
fn weighted_sum(weights: &[f32], streams: &[f32], input: &mut [f32]) {
    input.fill(0.0);
    for (&weight, stream) in weights.iter().zip(streams.chunks_exact(input.len())) {
        for (value, &part) in input.iter_mut().zip(stream) {
            *value += weight * part;
        }
    }
}

fn mix_in_n<const N: usize>(
    config: &ModelConfig,
    mixer: &Mixer,
    streams: &[f32],
    keep: &mut [f32],
    input: &mut [f32],
) {
    // At most 8 + 8 + 64 mixes.
    let mut mixes = [0.0_f32; 80];
    let mixes = &mut mixes[..N * (N + 2)];
    mixer.mix.apply(streams, mixes);
    // Scaling the products instead of the streams spares a pass over them.
    let inverse = math::inverse_rms(streams, config.norm_eps);
    for (part, scale) in [(0..N, 0), (N..2 * N, 1), (2 * N..N * (N + 2), 2)] {
        let scale = inverse * mixer.scale[scale];
        for (mix, base) in mixes[part.clone()].iter_mut().zip(&mixer.base[part]) {
            *mix = *mix * scale + base;
        }
    }
    let (pre, rest) = mixes.split_at_mut(N);
    let (post, comb) = rest.split_at(N);
    for weight in pre.iter_mut() {
        *weight = math::sigmoid(*weight) + config.hc_eps;
    }
    let (keep_post, keep_comb) = keep.split_at_mut(N);
    for (kept, &weight) in keep_post.iter_mut().zip(post) {
        *kept = 2.0 * math::sigmoid(weight);
    }
    let (rows, _) = comb.as_chunks::<N>();
    let mut matrix = [[0.0_f32; N]; N];
    for (row, logits) in matrix.iter_mut().zip(rows) {
        *row = *logits;
    }
    balance(&mut matrix, config.sinkhorn_iters, config.hc_eps);
    keep_comb.copy_from_slice(matrix.as_flattened());
    weighted_sum(pre, streams, input);
}

/// Softmax over each row, then columns and rows in turn divided by their sums, `iterations` times for the columns.
fn balance<const N: usize>(matrix: &mut [[f32; N]; N], iterations: usize, eps: f32) {
    for row in matrix.iter_mut() {
        let mut largest = row[0];
        for &value in row.iter() {
            if value > largest {
                largest = value;
            }
        }
        let mut sum = 0.0;
        for value in row.iter_mut() {
            *value = math::exp(*value - largest);
            sum += *value;
        }
        let inverse = 1.0 / sum;
        for value in row.iter_mut() {
            *value = *value * inverse + eps;
        }
    }
    divide_columns(matrix, eps);
    for _ in 1..iterations {
        for row in matrix.iter_mut() {
            let inverse = 1.0 / (pairwise_sum(row) + eps);
            for value in row.iter_mut() {
                *value *= inverse;
            }
        }
        divide_columns(matrix, eps);
    }
}

#[inline]
fn divide_columns<const N: usize>(matrix: &mut [[f32; N]; N], eps: f32) {
    let mut inverses = [0.0; N];
    for (column, inverse) in inverses.iter_mut().enumerate() {
        let mut values = [0.0; N];
        for (value, row) in values.iter_mut().zip(matrix.iter()) {
            *value = row[column];
        }
        *inverse = 1.0 / (pairwise_sum(&values) + eps);
    }
    for row in matrix.iter_mut() {
        for (value, inverse) in row.iter_mut().zip(&inverses) {
            *value *= inverse;
        }
    }
}

/// The sum of a power of two of values, halves first: short chains of dependent additions.
#[inline]
fn pairwise_sum<const N: usize>(values: &[f32; N]) -> f32 {
    let mut sums = *values;
    let mut count = N;
    while count > 1 {
        count /= 2;
        for index in 0..count {
            sums[index] += sums[index + count];
        }
    }
    sums[0]
}

fn mix_out_n<const N: usize>(keep: &[f32], output: &[f32], streams: &mut [f32]) {
    let d = output.len();
    let (post, comb) = keep.split_at(N);
    let (rows, _) = comb.as_chunks::<N>();
    // Eight channels of all streams at a time: read before any of them is overwritten.
    for (block, output) in output.chunks(8).enumerate() {
        let channels = |stream: usize| stream * d + block * 8..stream * d + block * 8 + output.len();
        let mut mixed = [[0.0_f32; 8]; N];
        for (sums, &weight) in mixed.iter_mut().zip(post) {
            for (sum, &value) in sums.iter_mut().zip(output) {
                *sum = weight * value;
            }
        }
        for (stream, row) in rows.iter().enumerate() {
            let mut parts = [0.0_f32; 8];
            parts[..output.len()].copy_from_slice(&streams[channels(stream)]);
            for (sums, &weight) in mixed.iter_mut().zip(row) {
                for (sum, &part) in sums.iter_mut().zip(&parts) {
                    *sum += weight * part;
                }
            }
        }
        for (stream, sums) in mixed.iter().enumerate() {
            streams[channels(stream)].copy_from_slice(&sums[..output.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_rounds_balance_rows_and_columns() {
        let mut matrix =
            [[0.3, -1.0, 2.0, 0.1], [1.5, 0.2, 0.0, -0.7], [-2.0, 0.9, 0.4, 0.4], [0.0, 1.1, -0.3, 2.2]];
        balance(&mut matrix, 20, 1e-6);
        for index in 0..4 {
            let row: f32 = matrix[index].iter().sum();
            let column: f32 = matrix.iter().map(|row| row[index]).sum();
            assert!((row - 1.0).abs() < 1e-3 && (column - 1.0).abs() < 1e-5, "{row} {column}");
        }
    }

    #[test]
    fn an_identity_mix_leaves_the_streams_and_adds_the_output() {
        let keep = [1.0, 0.0, 1.0, 0.0, 0.0, 1.0];
        let mut streams = [1.0, 2.0, 3.0, 4.0];
        mix_out_n::<2>(&keep, &[10.0, 20.0], &mut streams);
        assert_eq!(streams, [11.0, 22.0, 3.0, 4.0]);
    }
}

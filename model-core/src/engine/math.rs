//! Kernels: matrix times vector, dot product, norms and the few transcendental functions.
//!
//! Two promises everything above relies on. Every sum has one fixed order that depends on the vectors' length only,
//! so a token computed alone and the same token computed inside a chunk agree bit for bit. And no function comes
//! from the platform's C library (`exp`, `ln`, `sin` and `cos` may differ between a native build and wasm): they
//! come from the `libm` crate or are written here out of plain additions and products.

/// Outputs computed together: eight independent sums keep the adder busy, in wasm without SIMD too.
const LANES: usize = 8;

/// A weight matrix `[outputs, inputs]`, stored in panels of eight output rows so that one pass over the input
/// feeds eight sums.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Linear {
    outputs: usize,
    inputs: usize,
    /// `[ceil(outputs / 8)][inputs][8]`, the last panel padded with zeros.
    panels: Vec<[f32; LANES]>,
}

impl Linear {
    /// Packs rows `[outputs, inputs]` given in row-major order; missing values count as zero.
    pub(super) fn from_rows(outputs: usize, inputs: usize, rows: &[f32]) -> Self {
        let mut panels = vec![[0.0; LANES]; outputs.div_ceil(LANES) * inputs];
        for (row, values) in rows.chunks_exact(inputs.max(1)).take(outputs).enumerate() {
            let first = (row / LANES) * inputs;
            for (panel, &value) in panels[first..first + inputs].iter_mut().zip(values) {
                panel[row % LANES] = value;
            }
        }
        Self { outputs, inputs, panels }
    }

    /// `out = W x`, `x` of `inputs`, `out` of `outputs` values.
    #[inline]
    pub(super) fn apply(&self, x: &[f32], out: &mut [f32]) {
        for (panel, out) in self.panels.chunks_exact(self.inputs).zip(out.chunks_mut(LANES)) {
            let mut sums = [0.0_f32; LANES];
            let mut add = |weights: &[f32; LANES], value: f32| {
                for (sum, &weight) in sums.iter_mut().zip(weights) {
                    *sum += weight * value;
                }
            };
            // Four inputs a turn: less time goes into counting.
            let (panel4, panel_rest) = panel.as_chunks::<4>();
            let (x4, x_rest) = x.as_chunks::<4>();
            for (weights, values) in panel4.iter().zip(x4) {
                add(&weights[0], values[0]);
                add(&weights[1], values[1]);
                add(&weights[2], values[2]);
                add(&weights[3], values[3]);
            }
            for (weights, &value) in panel_rest.iter().zip(x_rest) {
                add(weights, value);
            }
            if let Ok(out) = <&mut [f32; LANES]>::try_from(&mut *out) {
                *out = sums;
            } else {
                out.copy_from_slice(&sums[..out.len()]);
            }
        }
    }

    /// Bytes one application reads of the weights, padding not counted.
    pub(super) const fn bytes(&self) -> u64 {
        (self.outputs * self.inputs * size_of::<f32>()) as u64
    }
}

/// `Σ a·b` in four interleaved partial sums.
#[inline(always)]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    let mut sums = [0.0_f32; 4];
    for (x, y) in a4.iter().zip(b4) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let mut sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (x, y) in a_rest.iter().zip(b_rest) {
        sum += x * y;
    }
    sum
}

/// `Σ a` in four interleaved partial sums.
#[inline]
pub(super) fn sum(a: &[f32]) -> f32 {
    let (a4, a_rest) = a.as_chunks::<4>();
    let mut sums = [0.0_f32; 4];
    for x in a4 {
        for lane in 0..4 {
            sums[lane] += x[lane];
        }
    }
    let mut sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for x in a_rest {
        sum += x;
    }
    sum
}

/// `1 / sqrt(mean(x²) + eps)`. (IEEE 754 rounds square roots correctly, so they agree everywhere.)
#[inline]
pub(super) fn inverse_rms(x: &[f32], eps: f32) -> f32 {
    1.0 / (dot(x, x) / x.len() as f32 + eps).sqrt()
}

/// RMS norm in place, weighted.
#[inline]
pub(super) fn rms_norm(x: &mut [f32], weight: &[f32], eps: f32) {
    let inverse = inverse_rms(x, eps);
    for (value, &weight) in x.iter_mut().zip(weight) {
        *value *= inverse * weight;
    }
}

/// RMS norm in place, unweighted.
#[inline]
pub(super) fn rms_norm_plain(x: &mut [f32], eps: f32) {
    let inverse = inverse_rms(x, eps);
    for value in x {
        *value *= inverse;
    }
}

/// e^x within about two units in the last place, for any x: 0 far below, infinity far above, NaN for NaN.
///
/// Written out (rather than taken from `libm`) because attention calls it for every key: no table, no branch on
/// the data, the same operations on every platform.
#[inline]
pub(super) fn exp(x: f32) -> f32 {
    // x = k·ln 2 + r, |r| <= ln 2 / 2.
    let bounded = x.clamp(-104.0, 89.0);
    let shifted = bounded * std::f32::consts::LOG2_E + ROUND;
    let k = shifted - ROUND;
    let r = (bounded - k * LN_2_HIGH) - k * LN_2_LOW;
    let tail = ((((1.987_569_1e-4 * r + 1.398_2e-3) * r + 8.333_452e-3) * r + 4.166_579_6e-2) * r
        + 1.666_666_5e-1)
        * r
        + 0.5;
    let mantissa = tail * (r * r) + r + 1.0;
    // The shifted number's last bits are k. 2^k in two factors: k reaches -150 and 128, outside what one exponent
    // field holds.
    let k = shifted.to_bits().wrapping_sub(ROUND.to_bits()) as i32;
    let half = k >> 1;
    mantissa * power_of_two(half) * power_of_two(k.wrapping_sub(half))
}

/// ln 2 in two pieces: products of the first with a small whole number are exact.
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;
/// Adding and taking away 1.5·2^23 rounds to a whole number.
const ROUND: f32 = 12_582_912.0;

/// ln(1 + y) for y >= 0, within about three units in the last place.
#[inline]
fn ln_1p(y: f32) -> f32 {
    let u = 1.0 + y;
    // ln u where u = m · 2^e, m around 1; then a factor makes up for what 1 + y lost in rounding.
    let bits = u.to_bits().wrapping_sub(std::f32::consts::FRAC_1_SQRT_2.to_bits());
    let e = ((bits as i32) >> 23) as f32;
    let m =
        f32::from_bits((bits & 0x007f_ffff).wrapping_add(std::f32::consts::FRAC_1_SQRT_2.to_bits())) - 1.0;
    let square = m * m;
    let series = ((((((((7.037_683_6e-2 * m - 1.151_461e-1) * m + 1.167_699_9e-1) * m - 1.242_014_1e-1)
        * m
        + 1.424_932_3e-1)
        * m
        - 1.666_805_8e-1)
        * m
        + 2.000_071_5e-1)
        * m
        - 2.499_999_4e-1)
        * m
        + 3.333_333e-1)
        * m
        * square;
    let ln = ((series + e * LN_2_LOW) - 0.5 * square + m) + e * LN_2_HIGH;
    // Where nothing of y is left in 1 + y, ln(1 + y) is y. Both are computed: a branch would cost more.
    let lost = u - 1.0;
    let corrected = ln * (y / lost);
    if lost == 0.0 { y } else { corrected }
}

/// 2^k for k in -126 ..= 127.
#[inline]
const fn power_of_two(k: i32) -> f32 {
    f32::from_bits((k.wrapping_add(127) as u32) << 23)
}

/// 1 / (1 + e^-x).
#[inline]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// x · sigmoid(x).
#[inline]
pub(super) fn silu(x: f32) -> f32 {
    x * sigmoid(x)
}

/// sqrt(ln(1 + e^x)), the router's score; above 20 the logarithm equals x in f32.
#[inline]
pub(super) fn sqrt_softplus(x: f32) -> f32 {
    let softplus = ln_1p(exp(x));
    (if x > 20.0 { x } else { softplus }).sqrt()
}

/// The indices of the `k` largest values, in ascending order of index; among equals the lower index wins. Returns
/// by how much the last one taken beats the best one left out (infinity when none is left out).
///
/// `chosen` is overwritten. Selection by insertion: k is small here.
pub(super) fn top_k(values: &[f32], k: usize, chosen: &mut Vec<u32>) -> f32 {
    chosen.clear();
    if values.len() <= k {
        chosen.extend(0..values.len() as u32);
        return f32::INFINITY;
    }
    // `chosen` holds up to k + 1 indices, best first; the last of k + 1 is the best one left out.
    let mut bar = f32::NEG_INFINITY;
    for (index, &value) in values.iter().enumerate() {
        if index <= k {
            chosen.push(index as u32);
        } else if value > bar {
            chosen[k] = index as u32;
        } else {
            continue;
        }
        let mut place = chosen.len() - 1;
        while place > 0 && value > values[chosen[place - 1] as usize] {
            chosen.swap(place - 1, place);
            place -= 1;
        }
        if index >= k {
            bar = values[chosen[k] as usize];
        }
    }
    let margin = match (chosen.get(k.wrapping_sub(1)), chosen.get(k)) {
        (Some(&last), Some(&left)) => values[last as usize] - values[left as usize],
        _ => f32::INFINITY,
    };
    chosen.truncate(k);
    chosen.sort_unstable();
    margin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_close_and_total() {
        let mut worst = 0.0_f64;
        for step in -8700..8870 {
            let x = step as f32 * 0.01;
            let exact = f64::from(x).exp();
            worst = worst.max((f64::from(exp(x)) - exact).abs() / exact.max(1.2e-38));
        }
        assert!(worst < 2.5e-7, "{worst}");
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(f32::NEG_INFINITY), 0.0);
        assert_eq!(exp(-200.0), 0.0);
        assert_eq!(exp(f32::INFINITY), f32::INFINITY);
        assert!(exp(f32::NAN).is_nan());
    }

    #[test]
    fn ln_1p_is_close() {
        let mut worst = 0.0_f64;
        for step in -3000..2100 {
            let y = (f64::from(step) * 0.01).exp() as f32;
            let exact = f64::from(y).ln_1p();
            worst = worst.max((f64::from(ln_1p(y)) - exact).abs() / exact);
        }
        assert!(worst < 3e-7, "{worst}");
        assert_eq!(ln_1p(0.0), 0.0);
    }

    #[test]
    fn panels_compute_the_product() {
        let rows: Vec<f32> = (0..11 * 5).map(|index| index as f32 - 20.0).collect();
        let linear = Linear::from_rows(11, 5, &rows);
        let x = [1.0, -2.0, 0.5, 3.0, -1.0];
        let mut out = vec![0.0; 11];
        linear.apply(&x, &mut out);
        for (row, value) in rows.chunks(5).zip(out) {
            assert_eq!(value, row.iter().zip(x).map(|(w, x)| w * x).sum::<f32>());
        }
    }

    #[test]
    fn top_k_takes_the_largest_and_prefers_the_lower_index() {
        let mut chosen = Vec::new();
        let margin = top_k(&[0.5, 2.0, 2.0, -1.0, 1.5, 2.0], 2, &mut chosen);
        assert_eq!((chosen.as_slice(), margin), ([1, 2].as_slice(), 0.0));
        let margin = top_k(&[0.5, 2.0, 2.0, -1.0, 1.5, 2.0], 4, &mut chosen);
        assert_eq!((chosen.as_slice(), margin), ([1, 2, 4, 5].as_slice(), 1.0));
        assert_eq!(top_k(&[0.5], 3, &mut chosen), f32::INFINITY);
        assert_eq!(chosen, [0]);
    }

    #[test]
    fn softplus_and_sigmoid_at_the_ends() {
        assert!((sqrt_softplus(0.0) - std::f32::consts::LN_2.sqrt()).abs() < 1e-7);
        assert_eq!(sqrt_softplus(25.0), 5.0);
        assert_eq!(sqrt_softplus(-200.0), 0.0);
        assert_eq!(sigmoid(-300.0), 0.0);
        assert_eq!(sigmoid(300.0), 1.0);
    }
}

//! Who sends what to whom in an all-reduce, step by step, and the same steps run on real numbers.
//!
//! A message is cut into as many chunks as there are GPUs. [`transfers`] lists every chunk's moves without allocating;
//! pictures draw them, [`run`] carries them out, and the cost model is tested against them.

use super::Algorithm;

/// An end of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A GPU, counted from 0.
    Gpu(u32),
    /// The switch between them, which can add and copy.
    Switch,
}

/// One chunk on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The step it belongs to, from 0; transfers of one step happen together.
    pub step: u32,
    /// Who sends.
    pub from: Node,
    /// Who receives.
    pub to: Node,
    /// Which chunk, from 0 to the number of GPUs less one.
    pub chunk: u32,
    /// Whether the receiver adds it to what it has; otherwise it takes its place.
    pub adds: bool,
}

/// How many rounds double a group from one GPU to that many: the logarithm to base 2, rounded up.
#[must_use]
pub const fn doublings(gpus: u32) -> u32 {
    if gpus <= 1 { 0 } else { u32::BITS - (gpus - 1).leading_zeros() }
}

/// Steps of an all-reduce.
///
/// Ring: reduce-scatter and all-gather of G − 1 steps each. Tree: up and down again, one level a step. In-switch: the
/// sum comes down to each chunk's owner, then goes up once and down to all.
#[must_use]
pub const fn steps(algorithm: Algorithm, gpus: u32) -> u32 {
    if gpus <= 1 {
        return 0;
    }
    match algorithm {
        Algorithm::Ring => (gpus - 1).saturating_mul(2),
        Algorithm::Tree => 2 * doublings(gpus),
        Algorithm::InSwitch => 2,
    }
}

/// Every transfer of an all-reduce, in order of steps; none for a single GPU.
pub fn transfers(algorithm: Algorithm, gpus: u32) -> impl Iterator<Item = Transfer> {
    (0..steps(algorithm, gpus)).flat_map(move |step| transfers_of_step(algorithm, gpus, step))
}

/// The transfers of one step, by GPU and chunk.
pub fn transfers_of_step(algorithm: Algorithm, gpus: u32, step: u32) -> impl Iterator<Item = Transfer> {
    let gpus_in_use = if step < steps(algorithm, gpus) { gpus } else { 0 };
    (0..gpus_in_use).flat_map(move |gpu| {
        (0..gpus).flat_map(move |chunk| {
            let found = match algorithm {
                Algorithm::Ring => [ring(step, gpu, chunk, gpus), None],
                Algorithm::Tree => [tree(step, gpu, chunk, gpus), None],
                Algorithm::InSwitch => in_switch(step, gpu, chunk),
            };
            found.into_iter().flatten()
        })
    })
}

/// In step s GPU r passes chunk r − s on to its neighbour, which adds it to its own. After G − 1 steps GPU r holds the
/// sum of chunk r + 1; the same rule then carries the sums round.
fn ring(step: u32, gpu: u32, chunk: u32, gpus: u32) -> Option<Transfer> {
    let (g, c, n) = (u64::from(gpu), u64::from(chunk), u64::from(gpus));
    let due = (g + n - c) % n == u64::from(step) % n;
    due.then_some(Transfer {
        step,
        from: Node::Gpu(gpu),
        to: Node::Gpu(((g + 1) % n) as u32),
        chunk,
        adds: step + 1 < gpus,
    })
}

/// A binomial tree with GPU 0 at its root; every chunk moves at once.
fn tree(step: u32, gpu: u32, chunk: u32, gpus: u32) -> Option<Transfer> {
    let levels = doublings(gpus);
    let (up, level) = if step < levels { (true, step) } else { (false, 2 * levels - 1 - step) };
    let (stride, span) = (1_u64 << level, 2_u64 << level);
    let (gpu, gpus) = (u64::from(gpu), u64::from(gpus));
    let partner = if up {
        (gpu % span == stride).then(|| gpu - stride)
    } else {
        (gpu % span == 0 && gpu + stride < gpus).then_some(gpu + stride)
    };
    partner.map(|to| Transfer {
        step,
        from: Node::Gpu(gpu as u32),
        to: Node::Gpu(to as u32),
        chunk,
        adds: up,
    })
}

/// First every GPU's every chunk goes up, and the sum of chunk r comes down to GPU r, its owner. Then the owner sends
/// its sum up once and the switch copies it to all.
fn in_switch(step: u32, gpu: u32, chunk: u32) -> [Option<Transfer>; 2] {
    let up = |adds| Transfer { step, from: Node::Gpu(gpu), to: Node::Switch, chunk, adds };
    let down = Transfer { step, from: Node::Switch, to: Node::Gpu(gpu), chunk, adds: false };
    let owns = gpu == chunk;
    if step == 0 { [Some(up(true)), owns.then_some(down)] } else { [owns.then_some(up(false)), Some(down)] }
}

/// Runs an all-reduce on real numbers: `parts[gpu][chunk]` becomes what each GPU holds afterwards.
///
/// A missing chunk counts as zero. Within a step all sends happen before any arrival, as on real links; what the
/// switch receives it passes on within the step.
#[must_use]
pub fn run(algorithm: Algorithm, parts: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let gpus = u32::try_from(parts.len()).unwrap_or(0);
    (0..steps(algorithm, gpus)).fold(parts.to_vec(), |held, step| after_step(algorithm, &held, step))
}

/// What each GPU holds after one more step.
#[must_use]
pub fn after_step(algorithm: Algorithm, held: &[Vec<f64>], step: u32) -> Vec<Vec<f64>> {
    let gpus = u32::try_from(held.len()).unwrap_or(0);
    let mut next = held.to_vec();
    next.iter_mut().for_each(|chunks| chunks.resize(held.len(), 0.0));
    let mut switch = vec![0.0; held.len()];
    let of_step = || transfers_of_step(algorithm, gpus, step);
    for transfer in of_step().filter(|transfer| transfer.to == Node::Switch) {
        let value = value_at(held, transfer.from, transfer.chunk);
        if let Some(sum) = switch.get_mut(transfer.chunk as usize) {
            *sum = if transfer.adds { *sum + value } else { value };
        }
    }
    for transfer in of_step() {
        let Node::Gpu(to) = transfer.to else { continue };
        let value = match transfer.from {
            Node::Switch => switch.get(transfer.chunk as usize).copied().unwrap_or(0.0),
            gpu @ Node::Gpu(_) => value_at(held, gpu, transfer.chunk),
        };
        let slot = next.get_mut(to as usize).and_then(|chunks| chunks.get_mut(transfer.chunk as usize));
        if let Some(slot) = slot {
            *slot = if transfer.adds { *slot + value } else { value };
        }
    }
    next
}

fn value_at(held: &[Vec<f64>], node: Node, chunk: u32) -> f64 {
    let Node::Gpu(gpu) = node else { return 0.0 };
    held.get(gpu as usize).and_then(|chunks| chunks.get(chunk as usize)).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Different whole numbers, so that a sum that misses or repeats a part is seen.
    fn parts(gpus: usize) -> Vec<Vec<f64>> {
        (0..gpus).map(|gpu| (0..gpus).map(|chunk| (1 + gpu * gpu + 31 * chunk) as f64).collect()).collect()
    }

    #[test]
    fn every_gpu_ends_with_every_sum() {
        for algorithm in Algorithm::ALL {
            for gpus in 1..=17 {
                let parts = parts(gpus);
                let sums: Vec<f64> =
                    (0..gpus).map(|chunk| parts.iter().map(|own| own[chunk]).sum()).collect();
                for held in run(algorithm, &parts) {
                    assert_eq!(held, sums, "{algorithm:?} over {gpus}");
                }
            }
        }
    }

    #[test]
    fn the_ring_leaves_each_gpu_the_next_chunk_after_the_first_half() {
        let parts = parts(8);
        let half = (0..7).fold(parts.clone(), |held, step| after_step(Algorithm::Ring, &held, step));
        for (gpu, held) in half.iter().enumerate() {
            let chunk = (gpu + 1) % 8;
            assert_eq!(held[chunk], parts.iter().map(|own| own[chunk]).sum::<f64>());
        }
    }

    #[test]
    fn a_ring_gpu_sends_one_chunk_a_step_to_its_neighbour() {
        for step in 0..14 {
            let sends: Vec<_> = transfers_of_step(Algorithm::Ring, 8, step).collect();
            assert_eq!(sends.len(), 8);
            for (gpu, send) in sends.iter().enumerate() {
                assert_eq!(send.from, Node::Gpu(gpu as u32));
                assert_eq!(send.to, Node::Gpu((gpu as u32 + 1) % 8));
                assert_eq!(send.adds, step < 7);
            }
        }
    }

    #[test]
    fn rounds_double_the_group() {
        assert_eq!([1, 2, 3, 4, 5, 8, 9, 16].map(doublings), [0, 1, 2, 2, 3, 3, 4, 4]);
        assert_eq!(transfers(Algorithm::Ring, 1).count() + transfers(Algorithm::InSwitch, 0).count(), 0);
    }

    #[test]
    fn ragged_input_is_filled_with_zeros() {
        assert_eq!(run(Algorithm::Ring, &[vec![1.0], vec![]]), [[1.0, 0.0], [1.0, 0.0]]);
        assert!(run(Algorithm::Tree, &[]).is_empty());
    }
}

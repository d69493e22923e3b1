//! The indexer of a CSA layer: scores every compressed entry with a few small heads and picks the best.
//!
//! A rank scores with its own heads only; the scores are summed over the ranks before anything is picked.

use super::cache::Entries;
use super::lane::{Lane, Run};
use super::math;
use super::shard::RankIndexer;

/// Adds up this rank's heads' scores of all `keys` into `scores` (one per key). `latent` is the query latent of
/// the token at `position`, `input` its normed hidden vector.
pub(super) fn score(
    run: &Run<'_>,
    indexer: &RankIndexer,
    position: usize,
    keys: &Entries,
    [latent, input]: [&[f32]; 2],
    [queries, head_weights]: [&mut [f32]; 2],
    scores: &mut [f32],
) {
    let dim = run.config.index_head_dim;
    indexer.q_b.apply(latent, queries);
    indexer.head_weights.apply(input, head_weights);
    let scale = 1.0 / ((run.config.index_heads as f32).sqrt() * (dim as f32).sqrt());
    for (query, weight) in queries.chunks_exact_mut(dim).zip(head_weights) {
        run.compress_rope.rotate(query, position);
        let weight = *weight * scale;
        for (score, key) in scores.iter_mut().zip(keys.values().chunks_exact(dim)) {
            let product = math::dot(query, key);
            if product > 0.0 {
                *score += weight * product;
            }
        }
    }
}

/// Chooses the entries the query at `position` attends, ascending, into the lane's `picks`: the best by the summed
/// scores in the lane's `exchange`, or all of them in a layer without indexer. Returns the margin between the last
/// one taken and the best one left out.
pub(super) fn pick(run: &Run<'_>, lane: &mut Lane<'_>, position: usize) -> f32 {
    let kind = lane.weights.attention;
    let tokens_in = if run.faults.late_entry(lane.layer) { position } else { position + 1 };
    let visible = run.config.entries_after(kind, tokens_in);
    if lane.weights.index.is_none() {
        lane.scratch.picks.clear();
        lane.scratch.picks.extend(0..visible as u32);
        return f32::INFINITY;
    }
    let width = run.config.entries_after(kind, run.end());
    let row = (position - run.start) * width;
    math::top_k(&lane.exchange[row..row + visible], run.config.index_top_k, &mut lane.scratch.picks)
}

//! The indexer of a CSA layer: scores every compressed entry with a few small heads and picks the best.
//!
//! A rank scores with its own heads only; the scores are summed over the ranks before anything is picked.

use super::group::{Group, Run};
use super::math;
use super::shard::RankIndexer;

/// Adds up this rank's heads' scores of `keys` (`[entries, index dim]`) into `scores` (one per key). `latent` is the query latent of
/// the token at `position`, `input` its normed hidden vector.
pub(super) fn score(
    run: &Run<'_>,
    indexer: &RankIndexer,
    position: usize,
    keys: &[f32],
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
        for (score, key) in scores.iter_mut().zip(keys.chunks_exact(dim)) {
            let product = math::dot(query, key);
            if product > 0.0 {
                *score += weight * product;
            }
        }
    }
}

/// Chooses the entries the query at `position` attends, ascending, into the replica's `picks`: the best by the
/// summed scores in `exchange`, or all of them in a layer without indexer. Returns the margin between the last one
/// taken and the best one left out.
pub(super) fn pick(run: &Run<'_>, group: &mut Group<'_>, position: usize) -> f32 {
    let layer = group.first();
    let kind = layer.attention;
    let tokens_in = if run.faults.late_entry(group.layer) { position } else { position + 1 };
    let visible = run.config.entries_after(kind, tokens_in);
    let picks = &mut group.replica.picks;
    if layer.index.is_none() {
        picks.clear();
        picks.extend(0..visible as u32);
        return f32::INFINITY;
    }
    let width = run.config.entries_after(kind, run.end());
    let row = (position - run.start) * width;
    math::top_k(&group.exchange[0][row..row + visible], run.config.index_top_k, picks)
}

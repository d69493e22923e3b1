//! `lab engine`: runs a recorded toy model and prints how far it is from the record, from its own steps and from
//! its sharded self.

use std::path::PathBuf;

use clap::Args;
use model_core::engine::fixture::{Fixture, FixtureFiles};
use serde_json::json;

/// What `lab engine` is asked for.
#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// Folder with config.json, weights.safetensors, logits.safetensors and expected.json
    #[arg(long, value_name = "DIR")]
    fixture: PathBuf,
    /// Ranks to shard over: 1, 2, 4 or 8
    #[arg(long, default_value_t = 8)]
    ranks: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the check; the text to print, or one line saying what is wrong.
pub(crate) fn run(args: &EngineArgs) -> Result<String, String> {
    let read = |name: &str| {
        let path = args.fixture.join(name);
        std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let (config, weights) = (read("config.json")?, read("weights.safetensors")?);
    let (logits, expected) = (read("logits.safetensors")?, read("expected.json")?);
    let files = FixtureFiles { config: &config, weights: &weights, logits: &logits, expected: &expected };
    let report = Fixture::parse(&files)
        .and_then(|fixture| fixture.check(args.ranks))
        .map_err(|error| format!("{}: {error}", args.fixture.display()))?;
    if args.json {
        return Ok(json!({
            "max_abs_logit_diff": report.max_abs_logit_diff,
            "router_mismatches": report.router_mismatches,
            "indexer_mismatches": report.indexer_mismatches,
            "greedy_match": report.greedy_match,
            "max_abs_step_diff": report.max_abs_step_diff,
            "max_abs_rank_diff": report.max_abs_rank_diff,
        })
        .to_string());
    }
    let picks = report.rank_picks;
    Ok(format!(
        "logits against the record: {:e}\nrouter mismatches: {}\nindexer mismatches: {}\n\
         greedy continuation: {}\nsteps against the whole prompt: {:e}\n\
         {} ranks against one: {:e}; of {} choices {} near ties, {} of them turned, {} others differ",
        report.max_abs_logit_diff,
        report.router_mismatches,
        report.indexer_mismatches,
        if report.greedy_match { "equal" } else { "different" },
        report.max_abs_step_diff,
        args.ranks,
        report.max_abs_rank_diff,
        picks.choices,
        picks.near_ties,
        picks.turned_ties,
        picks.mismatches,
    ))
}

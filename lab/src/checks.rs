//! `lab` alone: the walkthrough's lines for a context and a batch, then every check.

use clap::Args;
use model_core::checks;
use model_core::scenario::{Key, Scenario};

/// What `lab` alone is asked for.
#[derive(Debug, Args)]
pub(crate) struct ChecksArgs {
    /// Tokens of context of each request
    #[arg(long, value_name = "TOKENS", default_value = "32768")]
    context: String,
    /// Requests decoded together
    #[arg(long, value_name = "REQUESTS", default_value = "8")]
    batch: String,
}

/// The text to print, or one line saying what is wrong.
pub(crate) fn run(args: &ChecksArgs) -> Result<String, String> {
    let mut scenario = Scenario::default();
    for (key, text) in [(Key::Context, &args.context), (Key::Batch, &args.batch)] {
        scenario.choose_text(key, text).map_err(|refusal| refusal.to_string())?;
    }
    let whole = |key| scenario.chosen(key).map_or(1, model_core::scenario::Setting::whole);
    let mut lines =
        checks::lines(whole(Key::Context), whole(Key::Batch)).map_err(|refusal| refusal.to_string())?;
    let checks = checks::run(&scenario);
    let failed: Vec<String> = checks
        .iter()
        .filter(|check| !check.passed)
        .map(|check| format!("{}: {}", check.name, check.found))
        .collect();
    if !failed.is_empty() {
        return Err(format!("failed: {}", failed.join("; ")));
    }
    lines.extend(checks.iter().map(|check| format!("ok: {}: {}", check.name, check.found)));
    lines.push("all checks passed".to_owned());
    Ok(lines.join("\n"))
}

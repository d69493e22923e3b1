//! `lab figures`: every figure of a ledger for a scenario, as a table or as one JSON object.

use std::path::PathBuf;

use clap::Args;
use model_core::figure::{Figure, Ledger, Report, Value};
use model_core::format::{self, ByteBase};
use model_core::ledger::report;
use model_core::scenario::{Bound, Key, Reason, Refusal, Scenario};
use model_core::{plan, spec};
use serde_json::{Map, Value as Json, json};

/// What `lab figures` is asked for.
#[derive(Debug, Args)]
#[command(after_long_help = keys_help())]
pub(crate) struct FiguresArgs {
    /// Bookkeeping: tutorial, report or exact
    #[arg(long, value_parser = parse_ledger, default_value = "tutorial")]
    ledger: Ledger,
    /// Print one JSON object: {"<id>": {"value": number, true, "word", [list] or null, "unit": "…"}, …}
    #[arg(long)]
    json: bool,
    /// A published config.json to take the model from, instead of the scenario's
    #[arg(long, value_name = "CONFIG.json")]
    config: Option<PathBuf>,
    /// Scenario, as key=value; what is not given takes the ledger's default
    #[arg(value_name = "KEY=VALUE")]
    choices: Vec<String>,
}

fn parse_ledger(name: &str) -> Result<Ledger, String> {
    Ledger::from_name(name).ok_or_else(|| format!("none of {}", Ledger::ALL.map(Ledger::name).join(", ")))
}

/// Every key with its bound, for `--help`.
fn keys_help() -> String {
    let lines = Key::ALL.map(|key| {
        let bound = match key.bound() {
            Bound::Whole(min, max) => format!("{min} to {max}"),
            Bound::Real(min, max) => format!("{min} to {max}, fractions too"),
            Bound::OneOf(words) => words.join(" | "),
        };
        format!("  {:24}{bound}", key.name())
    });
    format!("Keys:\n{}", lines.join("\n"))
}

/// The text to print, or one line saying what is wrong.
pub(crate) fn run(args: &FiguresArgs) -> Result<String, String> {
    let scenario = read_choices(&args.choices)?;
    let spec = match &args.config {
        Some(config) => crate::import::read(config)?.spec,
        None => spec::of(scenario.resolve(args.ledger).model),
    };
    plan::check(args.ledger, &scenario, &spec).map_err(|refusal| refusal.to_string())?;
    let report = report(args.ledger, &scenario, &spec);
    Ok(if args.json { as_json(&report) } else { as_table(&report) })
}

fn read_choices(choices: &[String]) -> Result<Scenario, String> {
    let mut scenario = Scenario::default();
    for choice in choices {
        let Some((name, text)) = choice.split_once('=') else {
            return Err(format!("'{choice}' is not of the form key=value"));
        };
        let refuse = |reason| Refusal::new(name, text, reason).to_string();
        let key = Key::from_name(name).ok_or_else(|| refuse(Reason::UnknownKey))?;
        if scenario.chosen(key).is_some() {
            return Err(refuse(Reason::Repeated));
        }
        scenario.choose_text(key, text).map_err(|refusal| refusal.to_string())?;
    }
    Ok(scenario)
}

fn as_json(report: &Report) -> String {
    let value = |figure: &Figure| match &figure.value {
        Value::Number(number) => json!(number),
        Value::Flag(flag) => json!(flag),
        Value::List(list) => json!(list),
        Value::Word(word) => json!(word),
        Value::Absent => Json::Null,
    };
    let entry = |figure: &Figure| {
        (figure.id.to_owned(), json!({ "value": value(figure), "unit": figure.unit.name() }))
    };
    Json::Object(report.figures().iter().map(entry).collect::<Map<_, _>>()).to_string()
}

fn as_table(report: &Report) -> String {
    let base = if report.ledger == Ledger::Report { ByteBase::Decimal } else { ByteBase::Binary };
    let line = |figure: &Figure| {
        let shown = format::value(&figure.value, figure.unit, base).to_string();
        let derivation = figure.formula.substituted(base);
        let equals = if derivation.is_empty() { "" } else { "= " };
        format!("{:42} {shown:>20}  {equals}{derivation}", figure.id).trim_end().to_owned()
    };
    report.figures().iter().map(line).collect::<Vec<_>>().join("\n")
}

//! The command-line twin: prints the same figures as the page.

mod checks;
mod engine;
mod figures;
mod import;
mod tensors;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Checks and prints the figures of "One Token, Eight GPUs".
///
/// Without a command: runs every check and prints the walkthrough's lines. Bad input ends with status 2 and one line
/// on standard error.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    checks: checks::ChecksArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Print every figure of a ledger for a scenario
    Figures(figures::FiguresArgs),
    /// Read a published config.json and print the model's specification, or why it is refused
    Import(import::ImportArgs),
    /// Run a recorded toy model: whole, step by step and sharded
    Engine(engine::EngineArgs),
    /// List every tensor of a checkpoint: place, name, shape, formats, scales, cut, bytes
    Tensors(tensors::TensorsArgs),
}

fn main() -> ExitCode {
    let result = match Cli::try_parse() {
        Ok(Cli { checks, command: None }) => checks::run(&checks),
        Ok(Cli { command: Some(Command::Figures(args)), .. }) => figures::run(&args),
        Ok(Cli { command: Some(Command::Import(args)), .. }) => import::run(&args),
        Ok(Cli { command: Some(Command::Engine(args)), .. }) => engine::run(&args),
        Ok(Cli { command: Some(Command::Tensors(args)), .. }) => tensors::run(&args),
        Err(refusal) if refusal.use_stderr() => Err(one_line(&refusal.to_string())),
        Err(help) => Ok(help.to_string().trim_end().to_owned()),
    };
    match result {
        // A closed pipe on either stream is not this program's failure.
        Ok(text) => {
            let _ = writeln!(std::io::stdout(), "{text}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            let _ = writeln!(std::io::stderr(), "lab: {problem}");
            ExitCode::from(2)
        }
    }
}

/// The first paragraph of clap's message, on one line.
fn one_line(message: &str) -> String {
    let paragraph = message.trim_start_matches("error: ").lines().take_while(|line| !line.is_empty());
    paragraph.map(str::trim).collect::<Vec<_>>().join(" ")
}

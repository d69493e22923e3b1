//! The project's own commands: set-up, serve, test, measure and screenshots. Run as `cargo xtask COMMAND`.

mod browser_scripts;
mod cache;
mod cut;
mod failure;
mod page;
mod process;
mod project;
mod serve;
mod server;
mod setup;
mod site;
mod test;
mod versions;

use std::process::ExitCode;

use failure::Result;

/// One parsed command line.
enum Command {
    Help,
    Setup,
    Serve { dev: bool, port: u16 },
    Test(test::Request),
    Measure { build: bool, queries: Vec<String> },
    Shots { build: bool, arguments: Vec<String> },
}

fn help() -> String {
    format!(
        "cargo xtask COMMAND

  serve [--dev] [--port N]     build the page and serve it on 127.0.0.1:{} or the next free port;
                               --dev rebuilds on every change, unoptimised
  test [GROUP…] [-- ARG…]      run all checks, or the groups named; ARGs go to the one group's runner
{}
  measure [QUERY…]             bytes, script time per frame and slider-to-paint of the built page
  shots [QUERY…] [--full]      screenshots in both languages and themes, 390 and 1440 pixels wide
  setup                        only set up what the other commands need (they do it themselves)
  help                         this text

test, measure and shots take --no-build: use the page in dist/ as it is.",
        serve::PORT,
        test::groups_help()
    )
}

/// Reads the command line; `Err` says what is wrong with it.
fn parse(mut arguments: impl Iterator<Item = String>) -> std::result::Result<Command, String> {
    let command = arguments.next().unwrap_or_else(|| "help".to_owned());
    let mut rest: Vec<String> = arguments.collect();
    let handed_on = match rest.iter().position(|argument| argument == "--") {
        Some(at) => rest.split_off(at).split_off(1),
        None => Vec::new(),
    };
    if !handed_on.is_empty() && command != "test" {
        return Err(format!("{command} hands no arguments on"));
    }
    let mut switch = |name: &str| {
        let before = rest.len();
        rest.retain(|argument| argument != name);
        rest.len() < before
    };
    let parsed = match command.as_str() {
        "help" | "--help" | "-h" => return Ok(Command::Help),
        "setup" => Command::Setup,
        "serve" => {
            let dev = switch("--dev");
            Command::Serve { dev, port: port(&mut rest)? }
        }
        "test" => {
            let build = !switch("--no-build");
            let groups = words(&mut rest);
            Command::Test(test::Request { groups, arguments: handed_on, build })
        }
        "measure" => {
            let build = !switch("--no-build");
            Command::Measure { build, queries: words(&mut rest) }
        }
        "shots" => {
            let build = !switch("--no-build");
            let full = switch("--full");
            let mut arguments = words(&mut rest);
            arguments.extend(full.then(|| "--full".to_owned()));
            Command::Shots { build, arguments }
        }
        unknown => return Err(format!("there is no command {unknown}")),
    };
    match rest.first() {
        Some(unknown) => Err(format!("{command} does not know {unknown}")),
        None => Ok(parsed),
    }
}

/// Takes the arguments that are no switches.
fn words(rest: &mut Vec<String>) -> Vec<String> {
    let (switches, words) = std::mem::take(rest).into_iter().partition(|argument| argument.starts_with('-'));
    *rest = switches;
    words
}

/// Takes `--port N` or `--port=N`.
fn port(rest: &mut Vec<String>) -> std::result::Result<u16, String> {
    let Some(at) = rest.iter().position(|argument| argument == "--port" || argument.starts_with("--port="))
    else {
        return Ok(serve::PORT);
    };
    let value = match rest.remove(at).strip_prefix("--port=") {
        Some(value) => value.to_owned(),
        None if at < rest.len() => rest.remove(at),
        None => return Err("--port needs a number".to_owned()),
    };
    match value.parse() {
        Ok(port) if port > 0 => Ok(port),
        _ => Err(format!("--port {value}: a port is a number from 1 to 65535")),
    }
}

fn execute(command: Command) -> Result<()> {
    match command {
        Command::Help => println!("{}", help()),
        Command::Setup => drop(setup::run(setup::ALL)?),
        Command::Serve { dev, port } => serve::run(dev, port)?,
        Command::Test(request) => test::run(&request)?,
        Command::Measure { build, queries } => {
            browser_scripts::run_prepared("measure.mjs", &queries, &project::output("measure.json"), build)?;
        }
        Command::Shots { build, arguments } => {
            browser_scripts::run_prepared("shots.mjs", &arguments, &project::output("shots"), build)?;
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    let command = match parse(std::env::args().skip(1)) {
        Ok(command) => command,
        Err(wrong) => {
            eprintln!("error: {wrong}\n\n{}", help());
            return ExitCode::from(2);
        }
    };
    match execute(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> std::result::Result<Command, String> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn serve_takes_its_port_in_either_form() {
        for line in ["serve --dev --port 9000", "serve --port=9000 --dev"] {
            assert!(matches!(parsed(line), Ok(Command::Serve { dev: true, port: 9000 })), "{line}");
        }
        assert!(matches!(parsed("serve"), Ok(Command::Serve { dev: false, port: 8080 })));
    }

    #[test]
    fn test_tells_groups_from_the_runners_arguments() {
        let Ok(Command::Test(request)) = parsed("test browser --no-build -- --grep slider") else {
            panic!("not understood");
        };
        assert_eq!(request.groups, ["browser"]);
        assert_eq!(request.arguments, ["--grep", "slider"]);
        assert!(!request.build);
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (line, word) in [
            ("serv", "serv"),
            ("serve --fast", "--fast"),
            ("serve --port", "number"),
            ("serve --port 0", "1 to 65535"),
            ("serve --port 99999", "99999"),
            ("setup now", "now"),
            ("measure -- x", "hands no arguments"),
        ] {
            let wrong = parsed(line).err().unwrap();
            assert!(wrong.contains(word), "{line}: {wrong}");
        }
    }
}

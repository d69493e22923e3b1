//! Running other programs: with their output shown, with it captured, or against a time limit.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::failure::{Failure, Result, While};

/// The command as a person would type it, for messages.
pub(crate) fn shown(command: &Command) -> String {
    let name = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    std::iter::once(name)
        .chain(command.get_args())
        .map(|part| part.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Runs to the end with the output shown; a non-zero status is a failure.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status =
        command.stdin(Stdio::null()).status().when(|| format!("`{}` did not start", shown(command)))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("`{}` ended with {status}", shown(command))))
}

/// Lets the other program take this one's place, so that ending the command ends the program; returns only on failure.
#[cfg(unix)]
pub(crate) fn hand_over(command: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    let error = command.stdin(Stdio::null()).exec();
    Err(Failure::new(format!("`{}` did not start: {error}", shown(command))))
}

/// Runs to the end with the output shown, where a program cannot take another's place.
#[cfg(not(unix))]
pub(crate) fn hand_over(command: &mut Command) -> Result<()> {
    run(command)
}

/// Runs to the end and returns what it wrote to standard output; a failure carries its standard error.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let output =
        command.stdin(Stdio::null()).output().when(|| format!("`{}` did not start", shown(command)))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Failure::new(format!("`{}` ended with {}\n{}", shown(command), output.status, said.trim_end())))
}

/// Runs quietly; the output is shown only when it fails.
pub(crate) fn quietly(command: &mut Command) -> Result<()> {
    capture(command).map(drop)
}

/// Ends the child when it is dropped before it has ended by itself.
struct Reaped(Child);

impl Drop for Reaped {
    fn drop(&mut self) {
        // Both fail only for a child that has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs while `progress` keeps returning something new; ends it once that has stood still for `patience`.
pub(crate) fn run_while_moving<P: PartialEq>(
    command: &mut Command,
    patience: Duration,
    mut progress: impl FnMut() -> P,
) -> Result<()> {
    let child =
        command.stdin(Stdio::null()).spawn().when(|| format!("`{}` did not start", shown(command)))?;
    let mut child = Reaped(child);
    let mut seen = progress();
    let mut moved = Instant::now();
    loop {
        if let Some(status) = child.0.try_wait().when(|| format!("`{}`", shown(command)))? {
            if status.success() {
                return Ok(());
            }
            return Err(Failure::new(format!("`{}` ended with {status}", shown(command))));
        }
        let now = progress();
        if now != seen {
            seen = now;
            moved = Instant::now();
        }
        if moved.elapsed() > patience {
            return Err(Failure::new(format!(
                "`{}` made no progress for {} s and was ended",
                shown(command),
                patience.as_secs()
            )));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The first program of this name on `PATH`.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// `PATH` with these folders put in front.
pub(crate) fn path_with(folders: &[PathBuf]) -> Result<OsString> {
    let old = std::env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().cloned().chain(std::env::split_paths(&old));
    std::env::join_paths(all).when(|| "a tool's folder cannot be put on PATH".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_program_is_named_with_its_arguments() {
        let message = run(Command::new("sh").args(["-c", "exit 3"])).unwrap_err().to_string();
        assert!(message.contains("sh -c exit 3") && message.contains('3'), "{message}");
    }

    #[test]
    fn a_program_that_stands_still_is_ended() {
        let begun = Instant::now();
        let patience = Duration::from_millis(200);
        let message =
            run_while_moving(Command::new("sleep").arg("30"), patience, || 0).unwrap_err().to_string();
        assert!(message.contains("no progress"), "{message}");
        assert!(begun.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_program_that_moves_on_may_take_longer_than_the_patience() {
        let mut ticks = 0;
        let moving = || {
            ticks += 1;
            ticks
        };
        run_while_moving(Command::new("sleep").arg("0.6"), Duration::from_millis(250), moving).unwrap();
    }
}

//! The command-line twin: prints the same figures as the page.

fn main() {}

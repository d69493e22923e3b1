//! Set-up, serve, test and measure: the project's own commands.

fn main() {}

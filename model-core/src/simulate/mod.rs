//! Simulations by events: pure, seeded, the same native and in wasm; and what follows what in a step.

pub mod critical_path;
pub mod load;
pub mod outcome;
pub mod pages;
pub mod prefix;
pub mod requests;
pub mod waves;

#[cfg(test)]
mod tests;

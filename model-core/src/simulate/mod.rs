//! Simulations by events: pure, seeded, the same native and in wasm.

pub mod load;
pub mod outcome;
pub mod pages;
pub mod prefix;
pub mod requests;

#[cfg(test)]
mod tests;

//! A small DeepSeek-V4 that really runs: the pictures' router picks, indexer picks, cache contents and logits come
//! from here.
//!
//! | file | holds |
//! |---|---|
//! | `config` | sizes and layer order; reading `config.json`; the page's models |
//! | `weights`, `shard` | every tensor by name, from a file or a seed; one rank's share of them |
//! | `math`, `rope` | kernels with one fixed order of summation; rotary tables |
//! | `streams` | the n residual streams around each sub-layer (mHC) |
//! | `attention`, `compressor`, `indexer` | window, CSA and HCA attention |
//! | `experts` | hash and learned routing, routed and shared experts |
//! | `cache` | cache state as data, and the rule for what a query sees |
//! | `collective` | how ranks exchange data, and the record of it |
//! | `group`, `sharded` | the working set of a layer; the forward pass over 1, 2, 4 or 8 ranks |
//! | `sampling` | greedy, temperature, top-p |
//! | `trace` | typed events for the scenes |
//! | `faults`, `compare` | deliberate mistakes, and finding where two runs part |
//! | `fixture` | recorded models and the check against them |
//!
//! ```
//! use model_core::engine::{Engine, ModelConfig, Weights, sampling};
//!
//! # fn main() -> Result<(), model_core::engine::EngineError> {
//! let config = ModelConfig::page6();
//! let weights = Weights::seeded(&config, 1)?;
//! let engine = Engine::new(config, &weights)?;
//! let mut request = engine.start();
//! let mut logits = engine.prefill(&mut request, &[5, 7, 11])?;
//! for _ in 0..4 {
//!     let token = sampling::greedy(&logits).unwrap_or(0);
//!     logits = engine.step(&mut request, token)?;
//! }
//! assert_eq!(request.position(), 7);
//! # Ok(())
//! # }
//! ```

mod attention;
pub mod cache;
pub mod collective;
pub mod compare;
mod compressor;
mod config;
mod error;
mod experts;
pub mod faults;
pub mod fixture;
mod group;
mod indexer;
mod math;
mod rope;
pub mod sampling;
mod shard;
mod sharded;
mod streams;
pub mod trace;
mod weights;

pub use config::{AttentionKind, LayerSpec, ModelConfig, RouterKind, Yarn};
pub use error::EngineError;
pub use group::Watch;
pub use shard::RankWeights;
pub use sharded::{Engine, Logits, Request, ShardedEngine};
pub use weights::Weights;

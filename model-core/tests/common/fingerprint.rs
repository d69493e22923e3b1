//! One number for a run of a seeded model, down to the last bit: native and wasm builds must agree on it.

use model_core::engine::collective::InProcess;
use model_core::engine::{Logits, ModelConfig, ShardedEngine, Watch, Weights};

/// What every build must find.
pub(crate) const EXPECTED: u64 = 4_297_640_526_427_092_675;

/// FNV-1a over the bits of all logits of 140 tokens and ten steps of the 61-layer page model on eight ranks.
pub(crate) fn fingerprint() -> u64 {
    let config = ModelConfig::page61();
    let weights = Weights::seeded(&config, 61).unwrap();
    let engine = ShardedEngine::new(config, &weights, 8).unwrap();
    let mut request = engine.start();
    let tokens: Vec<u32> = (0..140).map(|index| index * 37 % 128).collect();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for chunk in [&tokens[..130]].into_iter().chain(tokens[130..].chunks(1)) {
        let logits = engine
            .run(&mut request, chunk, Logits::All, &mut InProcess::new(), &mut Watch::default())
            .unwrap();
        for byte in logits.iter().flat_map(|logit| logit.to_bits().to_le_bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}

//! Both simulations at the loads their budgets name, for tests natively and in wasm.

use model_core::figure::Ledger;
use model_core::ledger::pace;
use model_core::routing::{Popularity, RoutingShape, Sampler};
use model_core::scenario::Scenario;
use model_core::simulate::load::{self, Lengths};
use model_core::simulate::outcome::Run;
use model_core::simulate::requests::{Engine, Times, run};
use model_core::simulate::waves::{Finish, Pace, Tally};
use model_core::spec::v4_pro;

/// What the simulations come to, bit for bit, wherever they run. A change of their rules changes it.
pub(crate) const EXPECTED: u64 = 12_933_277_810_881_325_895;

/// Sixty seconds of requests at fifty a second, under the report's ledger.
pub(crate) fn requests() -> Run {
    let spec = v4_pro();
    let settings = Scenario::default().resolve(Ledger::Report);
    let pace = pace::Pace::new(Ledger::Report, &settings, &spec).unwrap();
    let load = load::Load {
        arrivals_per_s: 50.0,
        seconds: 60.0,
        prompt: Lengths::around(200),
        output: Lengths::around(256),
        hits: 0.5,
        page_tokens: 128,
        seed: 1,
    };
    let engine = Engine {
        batch: 1024,
        chunk: 8192,
        pages: 100_000,
        page_tokens: 128,
        state_pages: 32,
        most_work: u64::MAX,
    };
    let times = Times {
        chunk_s: &|prefix, tokens| pace.chunk_s(prefix, tokens),
        step_s: &|batch| pace.step_s(batch),
        restore_s: &|tokens| tokens as f64 * 1e-6,
        recomputed: &|tokens| tokens % 8192,
    };
    run(&load.draw(), engine, times, load.seconds)
}

/// A layer in 32 waves over 16 GPUs with skewed routing, 512 experts in all so that each GPU has one a wave.
pub(crate) fn waves() -> impl Fn() -> Finish {
    let shape = RoutingShape::new(512, 6).unwrap();
    let sampler = Sampler::new(shape, &Popularity::Zipf { exponent: 1.0 }, 1).unwrap();
    let load = Tally::new(&sampler.draw(4096, 0).unwrap(), 16).unwrap().load(32);
    let pace = Pace {
        alpha_s: 2e-6,
        dispatch_s: 1.6e-8,
        combine_s: 3.2e-8,
        pair_s: 1e-7,
        expert_s: 7e-6,
        slow: Some((3, 2.0)),
    };
    move || load.run(&pace, None)
}

/// Mixes what both came to into one number (FNV-1a).
pub(crate) fn fingerprint() -> u64 {
    let run = requests();
    let end = waves()();
    let numbers = [
        run.finished as f64,
        run.turns as f64,
        run.mean_wait_s,
        run.ttft.p50_s,
        run.ttft.p99_s,
        run.tpot.p95_s,
        run.tokens_per_s,
        run.mean_batch,
        end.end_s,
    ];
    let numbers = numbers.into_iter().chain(end.busy_s);
    numbers
        .flat_map(|number| number.to_bits().to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

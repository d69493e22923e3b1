//! What goes in comes out; the same seed tells the same; and the queue waits as theory says.

use proptest::prelude::*;

use super::load::{Lengths, Load, Request};
use super::outcome::Run;
use super::pages::{Pool, page_tokens};
use super::prefix::{Policy, Shapes};
use super::requests::{Engine, SAMPLES, Times, run};

const LOAD: Load = Load {
    arrivals_per_s: 3.0,
    seconds: 60.0,
    prompt: Lengths::around(4000),
    output: Lengths::around(60),
    hits: 0.5,
    page_tokens: 128,
    seed: 7,
};

const ENGINE: Engine =
    Engine { batch: 16, chunk: 1024, pages: 400, page_tokens: 128, state_pages: 2, most_work: 10_000_000 };

fn times<'a>() -> Times<'a> {
    Times {
        chunk_s: &|prefix, tokens| 0.004 + tokens as f64 * 2e-5 + prefix as f64 * 1e-7,
        step_s: &|batch| 0.01 + batch as f64 * 2e-4,
        restore_s: &|tokens| tokens as f64 * 1e-6,
        recomputed: &|tokens| tokens % 1024,
    }
}

fn conserved(run: &Run, engine: Engine) {
    let Run { tokens, pool, .. } = run;
    assert_eq!(run.arrived, run.finished + run.running + run.waiting + run.refused);
    assert_eq!(tokens.asked, tokens.restored + tokens.computed + tokens.given + tokens.left, "{tokens:?}");
    assert_eq!(pool.allotted, pool.returned + pool.held);
    assert!(pool.peak <= pool.total && pool.total == engine.pages);
    assert!(run.running <= engine.batch && run.started >= run.finished);
    if run.running == 0 {
        assert_eq!(pool.held, 0);
    }
    for sample in &run.samples {
        assert!(sample.running <= engine.batch && sample.pages <= engine.pages);
    }
    let first = run.first;
    for part in [first.restore_s, first.queue_s, first.prefill_s, first.step_s, run.mean_wait_s] {
        assert!(part >= -1e-9, "nothing happens before its cause: {first:?}");
    }
    assert!((0.0..=1.0).contains(&run.empty_slots));
    for percentiles in [run.ttft, run.tpot] {
        if percentiles.p50_s.is_finite() {
            assert!(percentiles.p50_s > 0.0);
            assert!(percentiles.p50_s <= percentiles.p95_s && percentiles.p95_s <= percentiles.p99_s);
        }
    }
}

#[test]
fn what_comes_in_goes_out() {
    let requests = LOAD.draw();
    let all = run(&requests, ENGINE, times(), 1e6);
    conserved(&all, ENGINE);
    assert_eq!((all.finished, all.running, all.waiting), (requests.len() as u64, 0, 0));
    assert_eq!(all.tokens.left, 0);
    let outputs: u64 = requests.iter().map(|request| request.output).sum();
    assert_eq!(all.tokens.given, outputs);
    assert_eq!(all.tokens.restored, requests.iter().map(|request| request.found).sum::<u64>());
    // Cut off in the midst of it, the books still balance.
    for seconds in [0.0, 0.5, 7.3, 30.0, 59.9] {
        let cut = run(&requests, ENGINE, times(), seconds);
        conserved(&cut, ENGINE);
        assert_eq!((cut.seconds, cut.samples.len()), (seconds, SAMPLES));
    }
}

#[test]
fn a_small_pool_sends_requests_back_and_loses_none() {
    let engine = Engine { pages: 90, ..ENGINE };
    let load = Load { output: Lengths { least: 400, most: 900 }, arrivals_per_s: 1.0, ..LOAD };
    let requests = load.draw();
    let tight = run(&requests, engine, times(), 1e6);
    conserved(&tight, engine);
    assert!(tight.sent_back > 0, "{tight:?}");
    assert_eq!(tight.finished, requests.len() as u64);
    let wide = run(&requests, Engine { pages: 4000, ..ENGINE }, times(), 1e6);
    assert_eq!(wide.sent_back, 0);
    assert!(wide.tokens.recomputed < tight.tokens.recomputed && wide.ttft.p99_s < tight.ttft.p99_s);
}

#[test]
fn what_can_never_fit_is_refused() {
    let engine = Engine { pages: 20, ..ENGINE };
    let requests = LOAD.draw();
    let run = run(&requests, engine, times(), 60.0);
    conserved(&run, engine);
    let too_long = |request: &&Request| (request.prompt + request.output).div_ceil(128) + 2 > 20;
    assert_eq!(run.refused, requests.iter().filter(too_long).count() as u64);
    assert!(run.refused > 0 && run.finished > 0);
}

#[test]
fn the_same_seed_tells_the_same() {
    let of = |seed| run(&Load { seed, ..LOAD }.draw(), ENGINE, times(), 60.0);
    assert_eq!(of(3), of(3));
    assert_ne!(of(3), of(4));
    // More hits change nothing but hits.
    let (few, many) = (Load { hits: 0.2, ..LOAD }.draw(), Load { hits: 0.9, ..LOAD }.draw());
    assert_eq!(few.len(), many.len());
    for (few, many) in few.iter().zip(&many) {
        assert_eq!((few.arrival_s, few.prompt, few.output), (many.arrival_s, many.prompt, many.output));
        assert!(few.found <= many.found && many.found < many.prompt && many.found % 128 == 0);
    }
}

#[test]
fn arrivals_are_poisson() {
    for seed in 8..12 {
        let requests = Load { seconds: 20_000.0, arrivals_per_s: 5.0, seed, ..LOAD }.draw();
        let mean = requests.len() as f64 / 20_000.0;
        assert!((mean / 5.0 - 1.0).abs() < 0.01, "{mean}");
        // As many have a gap above the mean as an exponential has: one in e.
        let gaps = requests.windows(2).filter(|pair| pair[1].arrival_s - pair[0].arrival_s > 0.2).count();
        let share = gaps as f64 / requests.len() as f64;
        assert!((share - libm::exp(-1.0)).abs() < 0.006, "{share}");
    }
}

/// Constant service: the mean wait is ρ · S / (2 (1 − ρ)).
#[test]
fn a_single_server_waits_as_theory_says() {
    const SERVICE_S: f64 = 0.05;
    for (seed, busy) in [(1, 0.3), (2, 0.5), (3, 0.7), (4, 0.8)] {
        let rate = busy / SERVICE_S;
        let load = Load {
            arrivals_per_s: rate,
            seconds: 200_000.0 / rate,
            prompt: Lengths { least: 100, most: 100 },
            output: Lengths { least: 1, most: 1 },
            hits: 0.0,
            page_tokens: 128,
            seed,
        };
        let times = Times { chunk_s: &|_, _| 0.04, step_s: &|_| 0.01, ..times() };
        let engine = Engine { batch: 1, ..ENGINE };
        let run = run(&load.draw(), engine, times, f64::MAX);
        let theory = busy * SERVICE_S / (2.0 * (1.0 - busy));
        let wait = run.mean_wait_s;
        assert!((wait / theory - 1.0).abs() < 0.03, "{wait} for {theory} at {busy}");
        assert!((run.first.total_s() - wait - SERVICE_S).abs() < 1e-6);
        assert!(run.finished > 198_000);
    }
}

#[test]
fn time_to_the_first_token_is_the_sum_of_its_parts() {
    let request = Request { arrival_s: 1.0, prompt: 3000, found: 1024, output: 11 };
    let engine = Engine { chunk: 1000, ..ENGINE };
    let run = run(&[request], engine, times(), 100.0);
    let Times { chunk_s, step_s, restore_s, .. } = times();
    let prefill = chunk_s(1024, 1000) + chunk_s(2024, 976);
    let wanted = restore_s(1024) + prefill + step_s(1);
    assert!((run.ttft.p50_s - wanted).abs() < 1e-9 && (run.first.total_s() - wanted).abs() < 1e-9);
    assert!((run.tpot.p99_s - step_s(1)).abs() < 1e-9);
    assert_eq!(run.tokens.restored, 1024);
    assert_eq!(run.pool.peak, 24 + 2);
}

#[test]
fn chunks_hold_decoding_up_for_one_chunk_at_most() {
    let first = Request { arrival_s: 0.0, prompt: 100, found: 0, output: 200 };
    let second = Request { arrival_s: 0.5, prompt: 20_000, found: 0, output: 2 };
    let at = |chunk| run(&[first, second], Engine { chunk, ..ENGINE }, times(), 100.0);
    let (small, large) = (at(512), at(20_000));
    assert!(small.tpot.p99_s > 0.0 && small.ttft.p99_s > large.ttft.p99_s);
}

#[test]
fn work_has_an_end() {
    let engine = Engine { most_work: 500, ..ENGINE };
    let run = run(&LOAD.draw(), engine, times(), 60.0);
    conserved(&run, engine);
    assert!(run.seconds < 60.0 && run.samples.len() < SAMPLES && run.turns <= 500);
}

#[test]
fn pages_hold_whole_groups() {
    assert_eq!(
        [(4, 128), (4, 6), (0, 128), (0, 0), (8, 4)].map(|(a, b)| page_tokens(a, b)),
        [128, 12, 128, 1, 8]
    );
    let mut pool = Pool::new(5);
    assert!(pool.take(3) && !pool.take(3) && pool.take(2) && !pool.take(1));
    pool.give_back(4);
    assert_eq!((pool.held, pool.allotted, pool.returned, pool.peak), (1, 5, 4, 5));
}

/// Windows of 61 layers take about eight times what the compressed entries take; nothing kept costs 128 × 61 tokens.
#[test]
fn window_policies_cost_what_the_technical_report_says() {
    let compressed = 30.0 * 584.0 / 4.0 + 31.0 * 584.0 / 128.0;
    let shapes = Shapes { layers: 61, window: 128, window_row: 61.0 * 584.0, compressed, period: 8192 };
    let [all, periodic, nothing] = Policy::ALL.map(|policy| shapes.cost(policy, 100_000));
    let ratio = (all.stored - nothing.stored) / nothing.stored;
    assert!((ratio - 7.88).abs() < 0.005, "{ratio}");
    assert_eq!([all, periodic, nothing].map(|cost| cost.recomputed), [0, 100_000 % 8192, 7808]);
    assert_eq!(periodic.stored - nothing.stored, crate::units::Bytes(12.0 * 128.0 * 61.0 * 584.0));
    assert_eq!(all.read, periodic.read);
    assert_eq!(shapes.cost(Policy::Nothing, 500).recomputed, 500);
    assert_eq!(shapes.cost(Policy::Periodic, 500).recomputed, 500);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_run_balances(
        seed in any::<u32>(),
        rate in 0.1..60.0_f64,
        hits in 0.0..=1.0_f64,
        mean in 1..9000_u64,
        output in 1..400_u64,
        batch in 1..64_u64,
        chunk in 1..9000_u64,
        pages in 1..600_u64,
        state_pages in 0..4_u64,
        seconds in 0.0..20.0_f64,
    ) {
        let load = Load {
            arrivals_per_s: rate,
            seconds: 20.0,
            prompt: Lengths::around(mean),
            output: Lengths::around(output),
            hits,
            page_tokens: 128,
            seed: u64::from(seed),
        };
        let engine = Engine { batch, chunk, pages, page_tokens: 128, state_pages, most_work: 300_000 };
        conserved(&run(&load.draw(), engine, times(), seconds), engine);
    }
}

//! What goes in comes out, nothing happens twice at once or before its cause, and the limits that are known come out.

use proptest::prelude::*;

use super::*;
use crate::routing::{Popularity, RoutingShape, Sampler};

const PACE: Pace =
    Pace { alpha_s: 2e-6, dispatch_s: 16e-9, combine_s: 32e-9, pair_s: 67e-9, expert_s: 7e-6, slow: None };

fn drawn(tokens: u64, skew: f64, seed: u64) -> Assignment {
    let shape = RoutingShape::new(384, 6).unwrap();
    Sampler::new(shape, &Popularity::Zipf { exponent: skew }, seed).unwrap().draw(tokens, 0).unwrap()
}

/// Every one of so many tokens for each GPU takes every expert.
fn even(ranks: usize, experts: u32, tokens: usize) -> Tally {
    let shape = RoutingShape::new(experts, experts).unwrap();
    let picks = Assignment::of_tokens(shape, &vec![(0..experts).collect(); ranks * tokens]).unwrap();
    Tally::new(&picks, ranks as u32).unwrap()
}

fn run(load: &Load, pace: &Pace) -> (Finish, Log) {
    let mut log = Log::default();
    let finish = load.run(pace, Some(&mut log));
    assert_eq!(finish, load.run(pace, None), "a log changes nothing");
    (finish, log)
}

/// No two of these overlap.
fn one_at_a_time(mut spans: Vec<(f64, f64)>, told: &str) {
    spans.sort_by(|a, b| a.partial_cmp(b).unwrap());
    for pair in spans.windows(2) {
        assert!(pair[0].1 <= pair[1].0, "{pair:?} overlap: {told}");
    }
}

fn check(picks: &Assignment, ranks: u32, waves: u32, pace: &Pace) {
    let told = format!("{ranks} GPUs, {waves} waves, {pace:?}");
    let tally = Tally::new(picks, ranks).unwrap();
    let load = tally.load(waves);
    let (finish, log) = run(&load, pace);
    let (ranks, waves) = (ranks as usize, load.waves());
    // Tokens in are tokens out: each message is sent once in each leg, and all of them are all picks.
    let mut seen = vec![[0_u32; 2]; waves * ranks * ranks];
    let mut moved = [0_u64; 2];
    for message in &log.messages {
        let (from, to, wave) = (message.from as usize, message.to as usize, message.wave as usize);
        let (owner, home) = if message.leg == Leg::Dispatch { (from, to) } else { (to, from) };
        assert_ne!(from, to, "{told}");
        seen[(wave * ranks + owner) * ranks + home][message.leg as usize] += 1;
        moved[message.leg as usize] += u64::from(load.pairs(wave, owner, home));
    }
    let traffic = picks.traffic(ranks as u32, false).unwrap();
    let (mut local, mut all) = (0, 0);
    for owner in 0..ranks {
        for home in 0..ranks {
            let pairs: u32 = (0..waves).map(|wave| load.pairs(wave, owner, home)).sum();
            assert_eq!(pairs, traffic[owner][home], "{told}");
            all += u64::from(pairs);
            local += if owner == home { u64::from(pairs) } else { 0 };
            for wave in 0..waves {
                let wanted = u32::from(owner != home && load.pairs(wave, owner, home) > 0);
                assert_eq!(seen[(wave * ranks + owner) * ranks + home], [wanted; 2], "{told}");
            }
        }
    }
    assert_eq!(moved, [all - local; 2], "what is sent comes back: {told}");
    assert_eq!(all, picks.tokens() as u64 * u64::from(picks.shape().per_token()));
    for rank in 0..ranks {
        let span = |message: &Message| (message.start_s, message.end_s);
        let of = |end: fn(&Message) -> u8| {
            log.messages.iter().filter(|message| end(message) as usize == rank).map(span).collect::<Vec<_>>()
        };
        one_at_a_time(of(|message| message.from), &told);
        one_at_a_time(of(|message| message.to), &told);
        let works: Vec<_> = log.works.iter().filter(|work| work.rank as usize == rank).collect();
        assert!(works.windows(2).all(|pair| pair[0].wave < pair[1].wave), "{told}");
        one_at_a_time(works.iter().map(|work| (work.start_s, work.end_s)).collect(), &told);
        let busy: f64 = works.iter().map(|work| work.end_s - work.start_s).sum();
        assert!((busy - finish.busy_s[rank]).abs() <= 1e-9 * finish.end_s, "{told}");
        for work in works {
            let own = |leg: Leg, end: u8, message: &&Message| {
                message.leg == leg && message.wave == work.wave && end == work.rank
            };
            let arrived = log.messages.iter().filter(|m| own(Leg::Dispatch, m.to, m));
            assert!(arrived.into_iter().all(|message| message.end_s <= work.start_s), "{told}");
            let left = log.messages.iter().filter(|m| own(Leg::Combine, m.from, m));
            assert!(left.into_iter().all(|message| message.start_s >= work.end_s), "{told}");
        }
    }
    let last = log.messages.iter().map(|message| message.end_s);
    let last = last.chain(log.works.iter().map(|work| work.end_s)).fold(0.0, f64::max);
    assert_eq!(last, finish.end_s, "{told}");
    assert!(finish.end_s >= load.least_s(pace) * (1.0 - 1e-12), "{told}");
}

#[test]
fn what_goes_in_comes_out_and_nothing_is_in_two_places() {
    for (tokens, skew, ranks) in [(1, 0.0, 8), (8, 1.0, 8), (512, 0.0, 8), (512, 2.0, 16), (64, 4.0, 2)] {
        let picks = drawn(tokens, skew, 1);
        for waves in [1, 2, 3, 5, 32] {
            check(&picks, ranks, waves, &PACE);
            check(&picks, ranks, waves, &Pace { slow: Some((1, 2.0)), ..PACE });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_load_is_carried_out(
        tokens in 1..300_u64, skew in 0.0..4.0_f64, seed in any::<u64>(), ranks in 0..7_usize, waves in 1..40_u32,
        alpha in 0.0..1e-5_f64, link in 0.0..1e-7_f64, pair in 0.0..1e-6_f64, expert in 0.0..1e-5_f64,
    ) {
        let pace = Pace {
            alpha_s: alpha, dispatch_s: link, combine_s: 2.0 * link, pair_s: pair, expert_s: expert, slow: None,
        };
        check(&drawn(tokens, skew, seed), [1, 2, 3, 4, 8, 12, 16][ranks], waves, &pace);
    }
}

#[test]
fn one_even_wave_takes_its_three_parts_one_after_the_other() {
    for ranks in [2, 4, 8, 16] {
        let (finish, log) = run(&even(ranks, 48, 5).load(1), &PACE);
        let pairs = 5.0 * 48.0 / ranks as f64;
        let others = (ranks - 1) as f64;
        let work_s = (5.0 * 48.0 * PACE.pair_s).max(48.0 / ranks as f64 * PACE.expert_s);
        let wanted = others * (2.0 * PACE.alpha_s + pairs * (PACE.dispatch_s + PACE.combine_s)) + work_s;
        assert!((finish.end_s / wanted - 1.0).abs() < 1e-9, "{} {wanted}", finish.end_s);
        assert_eq!(log.messages.len(), 2 * ranks * (ranks - 1));
        // In a round every GPU sends to the one so many further on.
        for (index, message) in log.messages.iter().enumerate() {
            let step = index / ranks % (ranks - 1) + 1;
            assert_eq!((message.from as usize + step) % ranks, message.to as usize);
        }
    }
}

#[test]
fn an_even_load_is_symmetric() {
    for waves in [1, 2, 6, 12] {
        let (finish, log) = run(&even(4, 48, 3).load(waves), &PACE);
        assert!(finish.busy_s[..4].iter().all(|busy| *busy == finish.busy_s[0]));
        let starts = |rank: u8| {
            let own = log.works.iter().filter(move |work| work.rank == rank);
            own.map(|work| (work.wave, work.start_s, work.end_s)).collect::<Vec<_>>()
        };
        assert!((1..4).all(|rank| starts(rank) == starts(0)), "{waves} waves");
    }
}

#[test]
fn links_without_limits_leave_computation_alone() {
    let free = Pace { alpha_s: 0.0, dispatch_s: 0.0, combine_s: 0.0, ..PACE };
    let tally = Tally::new(&drawn(256, 1.5, 3), 8).unwrap();
    for waves in [1, 4, 32] {
        let load = tally.load(waves);
        let finish = load.run(&free, None);
        assert_eq!(finish.end_s, finish.busy_s.iter().copied().fold(0.0, f64::max));
        assert!((finish.end_s / load.least_s(&free) - 1.0).abs() < 1e-12);
    }
    let idle = Pace { pair_s: 0.0, expert_s: 0.0, ..PACE };
    assert_eq!(tally.load(1).run(&idle, None).busy_s, [0.0; RANKS]);
}

#[test]
fn even_waves_overlap_as_the_pipeline_says() {
    // Computation longer than both transfers: all of it, the first wave's tokens and the last wave's results.
    let pace = Pace { alpha_s: 1e-6, dispatch_s: 1e-9, combine_s: 2e-9, pair_s: 1e-6, ..PACE };
    let (ranks, waves) = (4.0, 6.0);
    let finish = even(4, 48, 10).load(6).run(&pace, None);
    let pairs = 10.0 * 48.0 / ranks / waves;
    let ends = (ranks - 1.0) * (2.0 * pace.alpha_s + pairs * (pace.dispatch_s + pace.combine_s));
    let wanted = 480.0 * pace.pair_s + ends;
    assert!((finish.end_s / wanted - 1.0).abs() < 1e-9, "{} {wanted}", finish.end_s);
}

#[test]
fn a_slow_gpu_holds_up_the_end() {
    let load = Tally::new(&drawn(512, 0.0, 1), 8).unwrap().load(4);
    let plain = load.run(&PACE, None);
    let slow = load.run(&Pace { slow: Some((3, 2.0)), ..PACE }, None);
    assert!((slow.busy_s[3] / plain.busy_s[3] - 2.0).abs() < 1e-12);
    assert_eq!(slow.busy_s[2], plain.busy_s[2]);
    assert!(slow.end_s > slow.busy_s[3] && slow.end_s > 1.3 * plain.end_s);
}

#[test]
fn too_many_waves_pay_for_their_starts() {
    let tally = Tally::new(&drawn(512, 0.0, 1), 8).unwrap();
    let dear = Pace { alpha_s: 2e-5, ..PACE };
    let end_s = |waves| tally.load(waves).run(&dear, None).end_s;
    assert!(end_s(32) > end_s(1), "{} {}", end_s(32), end_s(1));
    assert!(
        tally.load(32).run(&Pace { alpha_s: 0.0, ..PACE }, None).end_s < tally.load(1).run(&PACE, None).end_s
    );
}

#[test]
fn what_cannot_be_dealt_is_refused() {
    let picks = drawn(4, 0.0, 1);
    for ranks in [0, 5, 24] {
        assert_eq!(Tally::new(&picks, ranks), Err(RoutingError::Ranks(ranks)));
    }
    let tally = Tally::new(&picks, 16).unwrap();
    assert_eq!((tally.each(), tally.load(32).waves(), tally.load(0).waves()), (24, 24, 1));
    let alone = Tally::new(&picks, 1).unwrap().load(2);
    let (finish, log) = run(&alone, &PACE);
    assert!(log.messages.is_empty() && finish.end_s == finish.busy_s[0]);
}

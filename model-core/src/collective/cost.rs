//! How long an all-reduce or an all-gather takes, and what it sends.
//!
//! For a message of M bytes over G GPUs the busiest GPU sends, in an all-reduce:
//! - ring: 2(G − 1)/G · M, in 2(G − 1) steps;
//! - tree: ⌈log₂ G⌉ · M (the root, on the way down), in 2⌈log₂ G⌉ steps of the whole message each. Libraries cut the
//!   message and run two trees at once, which nears the ring's bytes at the tree's steps; that is not modelled;
//! - in-switch: (1 + 1/G) · M in 2 steps: every part goes up once, its owner sends the sum up once. The ring's factor
//!   does not hold here, so a "bus bandwidth" figured with it can lie above the link's rate (NVIDIA/nccl-tests
//!   discussions 212, 238 and 239 are about just that).

use super::structure;
use crate::units::{Bytes, BytesPerSecond, Seconds};

/// How an all-reduce is carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Chunk by chunk to the neighbour: all links busy all the time, many steps.
    #[default]
    Ring,
    /// Up a binomial tree and down again: few steps, the whole message in each.
    Tree,
    /// The switch adds and copies: two steps, about half the bytes.
    InSwitch,
}

impl Algorithm {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Ring, Self::Tree, Self::InSwitch];

    /// Its name in links and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ring => "ring",
            Self::Tree => "tree",
            Self::InSwitch => "in_switch",
        }
    }

    /// Reads such a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }
}

/// A GPU's connection to its group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    alpha: Seconds,
    rate: BytesPerSecond,
}

impl Link {
    /// A link with a start-up time for each step and a rate in one direction.
    ///
    /// `None` unless the rate is a positive number and the start-up time zero or a positive number.
    #[must_use]
    pub fn new(alpha: Seconds, rate: BytesPerSecond) -> Option<Self> {
        let sound = alpha.get().is_finite()
            && alpha >= Seconds::ZERO
            && rate.get().is_finite()
            && rate > BytesPerSecond::ZERO;
        sound.then_some(Self { alpha, rate })
    }

    /// Start-up time of each step, α.
    #[must_use]
    pub const fn alpha(&self) -> Seconds {
        self.alpha
    }

    /// Bytes a second in one direction, 1/β.
    #[must_use]
    pub const fn rate(&self) -> BytesPerSecond {
        self.rate
    }
}

/// What a collective costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Steps that wait for each other.
    pub steps: u32,
    /// What the busiest GPU sends.
    pub sent_per_gpu: Bytes,
    /// Steps times α.
    pub startup: Seconds,
    /// Time the bytes need on the link.
    pub transfer: Seconds,
}

impl Cost {
    /// Start-up and transfer together.
    #[must_use]
    pub fn total(&self) -> Seconds {
        self.startup + self.transfer
    }

    fn new(steps: u32, sent: Bytes, on_the_link: Bytes, link: Link) -> Self {
        Self {
            steps,
            sent_per_gpu: sent,
            startup: link.alpha * f64::from(steps),
            transfer: on_the_link / link.rate,
        }
    }
}

/// An all-reduce: every GPU holds a message of that size and ends with the sum of all. One GPU sends nothing.
#[must_use]
pub fn all_reduce(algorithm: Algorithm, message: Bytes, gpus: u32, link: Link) -> Cost {
    let sent = sent_per_gpu(algorithm, message, gpus);
    let steps = structure::steps(algorithm, gpus);
    let on_the_link = match algorithm {
        Algorithm::Ring | Algorithm::InSwitch => sent,
        // Whole messages wait for each other, up and down.
        Algorithm::Tree => message * f64::from(steps),
    };
    Cost::new(steps, sent, on_the_link, link)
}

/// What the busiest GPU sends in an all-reduce.
#[must_use]
pub fn sent_per_gpu(algorithm: Algorithm, message: Bytes, gpus: u32) -> Bytes {
    if gpus <= 1 {
        return Bytes::ZERO;
    }
    let g = f64::from(gpus);
    message
        * match algorithm {
            Algorithm::Ring => 2.0 * (g - 1.0) / g,
            Algorithm::Tree => f64::from(structure::doublings(gpus)),
            Algorithm::InSwitch => 1.0 + 1.0 / g,
        }
}

/// An all-gather round a ring: every GPU holds a G-th of the message and ends with all of it.
#[must_use]
pub fn all_gather(message: Bytes, gpus: u32, link: Link) -> Cost {
    if gpus <= 1 {
        return Cost::default();
    }
    let g = f64::from(gpus);
    let sent = message * ((g - 1.0) / g);
    Cost::new(gpus - 1, sent, sent, link)
}

/// Message over time: the rate a program sees. `None` where no time passes.
#[must_use]
pub fn algorithm_bandwidth(message: Bytes, time: Seconds) -> Option<BytesPerSecond> {
    (time > Seconds::ZERO).then(|| BytesPerSecond(message.get() / time.get()))
}

/// Algorithm bandwidth of an all-reduce times 2(G − 1)/G: the link rate that a ring would have needed.
///
/// It is the links' own rate only if a ring was used.
#[must_use]
pub fn bus_bandwidth(message: Bytes, time: Seconds, gpus: u32) -> Option<BytesPerSecond> {
    let g = f64::from(gpus.max(1));
    algorithm_bandwidth(message, time).map(|rate| rate * (2.0 * (g - 1.0) / g))
}

#[cfg(test)]
mod tests {
    use super::super::structure::{Node, transfers};
    use super::*;
    use crate::units::KIB;

    fn link() -> Link {
        Link::new(Seconds(2e-6), BytesPerSecond(450e9)).unwrap()
    }

    #[test]
    fn thirty_two_requests_send_what_the_walkthrough_says() {
        let sent = |width: f64, gpus| {
            all_reduce(Algorithm::Ring, Bytes(32.0 * 7168.0 * width), gpus, link()).sent_per_gpu.get() / KIB
        };
        assert_eq!([sent(4.0, 8), sent(2.0, 8), sent(4.0, 1)], [1568.0, 784.0, 0.0]);
        let in_switch = sent_per_gpu(Algorithm::InSwitch, Bytes(896.0 * KIB), 8);
        assert_eq!(in_switch.get() / KIB, 1008.0, "not the ring's 1568");
    }

    #[test]
    fn bytes_and_steps_are_those_of_the_structure() {
        for algorithm in Algorithm::ALL {
            for gpus in 1..=16_u32 {
                let mut sent = vec![0.0; gpus as usize];
                let mut steps = 0;
                for transfer in transfers(algorithm, gpus) {
                    if let Node::Gpu(gpu) = transfer.from {
                        sent[gpu as usize] += 1.0 / f64::from(gpus);
                    }
                    steps = transfer.step + 1;
                }
                let cost = all_reduce(algorithm, Bytes(1.0), gpus, link());
                let busiest = sent.into_iter().fold(0.0, f64::max);
                assert!((busiest - cost.sent_per_gpu.get()).abs() < 1e-12, "{algorithm:?} over {gpus}");
                assert_eq!(steps, cost.steps, "{algorithm:?} over {gpus}");
            }
        }
    }

    #[test]
    fn one_gpu_costs_nothing() {
        for algorithm in Algorithm::ALL {
            assert_eq!(all_reduce(algorithm, Bytes(1e9), 1, link()), Cost::default());
        }
        assert_eq!(all_gather(Bytes(1e9), 1, link()), Cost::default());
    }

    #[test]
    fn start_up_and_transfer_add_up() {
        let cost = all_reduce(Algorithm::Ring, Bytes(917_504.0), 8, link());
        assert_eq!(cost.steps, 14);
        assert!((cost.startup.get() - 28e-6).abs() < 1e-18);
        assert!((cost.transfer.get() - 1_605_632.0 / 450e9).abs() < 1e-18);
        assert_eq!(cost.total(), cost.startup + cost.transfer);
        assert_eq!(all_gather(Bytes(8.0), 8, link()).sent_per_gpu, Bytes(7.0));
    }

    #[test]
    fn bus_bandwidth_of_a_ring_is_its_links_rate_and_of_a_switch_is_not() {
        let free = Link::new(Seconds::ZERO, BytesPerSecond(450e9)).unwrap();
        let message = Bytes(1e9);
        let bus = |algorithm| {
            bus_bandwidth(message, all_reduce(algorithm, message, 8, free).total(), 8).unwrap().get()
        };
        assert!((bus(Algorithm::Ring) - 450e9).abs() < 1.0);
        assert!((bus(Algorithm::InSwitch) - 700e9).abs() < 1.0, "450 · (7/4) / (9/8)");
        assert_eq!(bus_bandwidth(message, Seconds::ZERO, 8), None);
    }

    #[test]
    fn links_without_a_rate_are_refused() {
        for (alpha, rate) in [(0.0, 0.0), (0.0, -1.0), (-1.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert_eq!(Link::new(Seconds(alpha), BytesPerSecond(rate)), None);
        }
    }
}

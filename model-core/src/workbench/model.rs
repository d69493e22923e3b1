//! One step on bent hardware: how long each resource takes for a stage, and which one binds.
//!
//! Assumed throughout. Resources of a stage work at the same time, so that the slowest binds; stages follow one another,
//! as in the ledgers. What reaches the multiprocessors passes the NoC wherever it comes from; keys on a path of their own
//! pass neither memory nor NoC, and that path takes as many of them as it can while the rest of the stage runs. A GPU draws power in
//! proportion to how busy its engines are; under a cap all of them slow down alike until the draw keeps within it.

use super::skew::Slow;
use crate::ledger::StepPart;
use crate::ledger::demands::{Sent, StageDemand, StepDemands};
use crate::scenario::{Overlap, Settings};
use crate::units::{Bytes, Flops, Seconds};

/// What may bind a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resource {
    /// The memory's rate.
    #[default]
    Hbm,
    /// The way from L2 to the multiprocessors.
    Noc,
    /// Arithmetic.
    Compute,
    /// Links between GPUs.
    Link,
    /// Power.
    Power,
    /// Nothing that is bent: fixed time and latency.
    Fixed,
}

impl Resource {
    /// Every one of them, in the order in which they are told.
    pub const ALL: [Self; 6] = [Self::Hbm, Self::Noc, Self::Compute, Self::Link, Self::Power, Self::Fixed];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hbm => "hbm",
            Self::Noc => "noc",
            Self::Compute => "compute",
            Self::Link => "link",
            Self::Power => "power",
            Self::Fixed => "fixed",
        }
    }
}

/// Shares of tensor cores, memory and links in the power that all of them draw together at their peaks. Assumed: nobody
/// publishes them.
pub const POWER_SHARES: [f64; 3] = [0.5, 0.3, 0.2];

/// A stage's time by resource.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageTime {
    /// Which stage.
    pub part: StepPart,
    /// Bytes from the memory.
    pub hbm_bytes: Bytes,
    /// Bytes over the NoC.
    pub noc_bytes: Bytes,
    /// FLOPs.
    pub flops: Flops,
    /// Bytes that a GPU sends.
    pub sent: Bytes,
    /// Time of the memory.
    pub hbm: Seconds,
    /// Time of the NoC.
    pub noc: Seconds,
    /// Time of arithmetic.
    pub compute: Seconds,
    /// Time of all its exchanges, wherever they stand.
    pub link: Seconds,
    /// Of that, what stands after everything else.
    pub waits: Seconds,
    /// The stage.
    pub taken: Seconds,
    /// What binds it.
    pub bound: Resource,
}

/// A step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// Its stages; those without work take no time.
    pub stages: Vec<StageTime>,
    /// Latency of the layers.
    pub latency: Seconds,
    /// Whether it is known; the least of those measured elsewhere if not.
    pub latency_known: bool,
    /// Fixed time.
    pub fixed: Seconds,
    /// The step.
    pub total: Seconds,
    /// Requests in it.
    pub batch: u64,
    /// Tokens that all requests gain in a second.
    pub tokens_per_s: f64,
}

impl Step {
    pub(super) fn of(demands: &StepDemands, settings: &Settings, slow: Slow, contained: Seconds) -> Self {
        let bends = &settings.bends;
        let stages: Vec<StageTime> =
            demands.stages.iter().map(|demand| stage(demand, settings, slow)).collect();
        // A latency contains the exchanges it was measured with; told apart, they are taken out of it.
        let apart = bends.overlap != Overlap::Ledger;
        let latency = demands.latency.get();
        let latency = if apart { (latency - contained.get()).max(0.0) } else { latency };
        let (latency, fixed) = (latency * bends.fixed_times, demands.fixed.get() * bends.fixed_times);
        let taken: f64 = stages.iter().map(|stage| stage.taken.get()).sum();
        let total = taken + latency + fixed;
        let gained = settings.batch as f64 * demands.gained_tokens;
        Self {
            stages,
            latency: Seconds(latency),
            latency_known: demands.latency_known,
            fixed: Seconds(fixed),
            total: Seconds(total),
            batch: settings.batch,
            tokens_per_s: if total > 0.0 { gained / total } else { 0.0 },
        }
    }

    /// The figure that the whole step is in its ledger.
    #[must_use]
    pub const fn figure(&self) -> &'static str {
        if self.latency_known { "decode.step_s" } else { "decode.step_low_s" }
    }

    /// Latency and fixed time.
    #[must_use]
    pub fn rest(&self) -> Seconds {
        self.latency + self.fixed
    }

    /// A stage by its name.
    #[must_use]
    pub fn stage(&self, part: StepPart) -> Option<&StageTime> {
        self.stages.iter().find(|stage| stage.part == part)
    }
}

fn stage(demand: &StageDemand, settings: &Settings, slow: Slow) -> StageTime {
    let bends = &settings.bends;
    let experts = demand.part == StepPart::Moe;
    let [routed_bytes, routed_flops] = demand.routed;
    // Each factor is exactly one where nothing is bent: such a stage is the ledger's to the last bit.
    let grown = 1.0 + routed_bytes * (slow.experts - 1.0);
    let missed = if experts { 1.0 - bends.expert_hits } else { 1.0 };
    let compute = demand.compute.get() * rates(demand, settings) * (1.0 + routed_flops * (slow.pairs - 1.0));
    let legs = scaled(demand.legs, slow.pairs);
    let [beside, waits] = match bends.overlap {
        Overlap::Ledger => [0.0, 0.0],
        Overlap::Waves => [legs.time().get(), demand.sums.time().get()],
        Overlap::Serial => [0.0, (legs.time() + demand.sums.time()).get()],
    };
    let read = demand.bytes.get() * grown;
    let main = MainPath {
        hbm: demand.hbm.get() * grown * missed,
        noc: read / bends.noc.get(),
        drawn: POWER_SHARES[0] * compute + POWER_SHARES[2] * beside,
        compute,
    };
    let kept =
        main.kept(demand.keys, read / (bends.indexer.get() * settings.efficiency.hbm), bends.power_cap);
    let (hbm, noc) = (main.hbm * kept, main.noc * kept);
    let hbm_bytes = read * missed * kept;
    let noc_bytes = read * kept;
    let mut taken = 0.0;
    let mut bound = Resource::Hbm;
    for (resource, time) in
        [(Resource::Hbm, hbm), (Resource::Noc, noc), (Resource::Compute, compute), (Resource::Link, beside)]
    {
        if time > taken {
            (taken, bound) = (time, resource);
        }
    }
    let [tensor, memory, links] = POWER_SHARES;
    let (mut waiting, cap) = (waits, bends.power_cap);
    if cap < 1.0 {
        let drawn = (tensor * compute + memory * hbm + links * beside) / cap;
        if drawn > taken {
            (taken, bound) = (drawn, Resource::Power);
        }
        waiting *= (links / cap).max(1.0);
    }
    if waiting > taken {
        bound = Resource::Link;
    }
    StageTime {
        part: demand.part,
        hbm_bytes: Bytes(hbm_bytes),
        noc_bytes: Bytes(noc_bytes),
        flops: demand.flops * (1.0 + routed_flops * (slow.pairs - 1.0)),
        sent: legs.bytes + demand.sums.bytes,
        hbm: Seconds(hbm),
        noc: Seconds(noc),
        compute: Seconds(compute),
        link: legs.time() + demand.sums.time(),
        waits: Seconds(waiting),
        taken: Seconds(taken + waiting),
        bound,
    }
}

/// What a stage takes where all its bytes go the main way, in seconds.
struct MainPath {
    hbm: f64,
    noc: f64,
    compute: f64,
    /// Of the power, what tensor cores and links draw, times their time.
    drawn: f64,
}

impl MainPath {
    /// The share of bytes that goes the main way while a path of its own, on which all bytes would take so long, takes
    /// as many keys as it can before the rest is done.
    fn kept(&self, keys: f64, channel_s: f64, cap: f64) -> f64 {
        if keys <= 0.0 || !channel_s.is_finite() {
            return 1.0;
        }
        let [_, memory, _] = POWER_SHARES;
        // Where the path's own time, falling with the share, meets each of the others, none of which falls.
        let meets = |fixed: f64, growing: f64| (channel_s - fixed) / (channel_s + growing);
        let power = if cap < 1.0 { meets(self.drawn / cap, memory * self.hbm / cap) } else { 1.0 };
        let share = meets(0.0, self.hbm).min(meets(0.0, self.noc)).min(meets(self.compute, 0.0)).min(power);
        share.clamp(1.0 - keys, 1.0)
    }
}

/// How many times as long a stage's FLOPs take at the rates of their own formats as at the ledger's peak.
fn rates(demand: &StageDemand, settings: &Settings) -> f64 {
    let bends = &settings.bends;
    let fp4 = settings.peak / bends.fp4 - 1.0;
    let bf16 = settings.peak / bends.bf16 - 1.0;
    match demand.part {
        StepPart::Attn => 1.0 + (1.0 - demand.scores) * bf16 + demand.scores * fp4,
        StepPart::Moe => {
            let [_, routed] = demand.routed;
            1.0 + routed * fp4
        }
        StepPart::Head => 1.0 + bf16,
        _ => 1.0,
    }
}

/// What the busiest GPU sends: more in proportion, start-ups alike.
fn scaled(sent: Sent, times: f64) -> Sent {
    Sent { bytes: sent.bytes * times, transfer: sent.transfer * times, ..sent }
}

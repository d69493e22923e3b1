//! Plans: how a model is cut over GPUs, whether its dimensions allow that, and which link each exchange crosses.
//!
//! GPUs are numbered stage by stage and, within a stage, group by group, so that a group lies on as few nodes as it
//! can. A stage is a run of layers (PP); within it attention is cut over `tp` GPUs and experts are dealt over all `ep`.

use core::ops::Range;

use crate::figure::Ledger;
use crate::scenario::{Dimension, Key, Layout, Reason, Refusal, Scenario, Settings};
use crate::spec::{AttentionKind, ModelSpec};

/// How a model is spread over GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How the work of a stage is spread.
    pub layout: Layout,
    /// GPUs that attention is cut over.
    pub tp: u32,
    /// GPUs of a stage, which the routed experts are dealt over.
    pub ep: u32,
    /// Stages.
    pub pp: u32,
    /// GPUs in all, as the scenario has them.
    pub gpus: u32,
    /// GPUs that the fast link joins.
    pub gpus_per_node: u32,
}

/// Which link an exchange crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// None: one GPU alone.
    Nothing,
    /// The fast link within a node.
    Node,
    /// The network between nodes.
    Network,
}

impl Crossing {
    /// Its name in machine-readable output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "none",
            Self::Node => "node",
            Self::Network => "network",
        }
    }
}

impl Plan {
    /// The plan that a scenario describes, legal or not.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        Self {
            layout: settings.layout,
            tp: settings.tp.max(1),
            ep: settings.ep.max(1),
            pp: settings.pp.max(1),
            gpus: settings.gpus,
            gpus_per_node: settings.gpus_per_node.max(1),
        }
    }

    /// Groups of a stage that take requests of their own.
    #[must_use]
    pub const fn attention_groups(&self) -> u32 {
        match self.ep / self.tp {
            0 => 1,
            groups => groups,
        }
    }

    /// Requests of the fullest GPU: all of the batch under TP, its group's share under DP attention.
    #[must_use]
    pub fn requests_on_gpu(&self, batch: u64) -> u64 {
        batch.div_ceil(u64::from(self.attention_groups()))
    }

    /// The main layers of a stage; the first stages have one more where they do not come out even.
    #[must_use]
    pub fn stage_layers(&self, layers: usize, stage: usize) -> Range<usize> {
        let stages = self.pp.max(1) as usize;
        let (each, more) = (layers / stages, layers % stages);
        let start = stage * each + stage.min(more);
        start..start + each + usize::from(stage < more)
    }

    /// Whether the model can be spread that way.
    ///
    /// # Errors
    /// Names the key to change and the dimension that does not divide.
    pub fn check(&self, spec: &ModelSpec) -> Result<(), Refusal> {
        let refuse = |key: Key, given: u32, reason| Err(Refusal::new(key.name(), &given.to_string(), reason));
        if let Some((dimension, size)) = tp_obstacle(spec, self.tp) {
            return refuse(Key::Tp, self.tp, Reason::CannotCut(dimension, size));
        }
        if self.layout == Layout::Tp && self.ep != self.tp {
            return refuse(Key::Ep, self.ep, Reason::MustEqual(u64::from(self.tp)));
        }
        if !spec.experts.is_multiple_of(u64::from(self.ep)) {
            return refuse(Key::Ep, self.ep, Reason::CannotCut(Dimension::Experts, spec.experts));
        }
        if !self.ep.is_multiple_of(self.tp) {
            return refuse(Key::Tp, self.tp, Reason::MustDivide(u64::from(self.ep)));
        }
        let layers = spec.main_layers().len() as u64;
        if u64::from(self.pp) > layers {
            return refuse(Key::Pp, self.pp, Reason::TooManyStages(layers));
        }
        let needed = u64::from(self.ep) * u64::from(self.pp);
        if u64::from(self.gpus) != needed {
            return refuse(Key::Gpus, self.gpus, Reason::MustEqual(needed));
        }
        Ok(())
    }

    /// What the sums of cut attention cross.
    #[must_use]
    pub const fn tp_crossing(&self) -> Crossing {
        self.crossing(self.tp)
    }

    /// What dispatch and combine cross.
    #[must_use]
    pub const fn ep_crossing(&self) -> Crossing {
        self.crossing(self.ep)
    }

    /// What the slowest hand-over between stages crosses.
    #[must_use]
    pub const fn pp_crossing(&self) -> Crossing {
        if self.pp <= 1 {
            Crossing::Nothing
        } else if self.ep * self.pp <= self.gpus_per_node {
            Crossing::Node
        } else {
            Crossing::Network
        }
    }

    /// What a group of that many neighbours crosses: a node, where every such group lies within one.
    const fn crossing(&self, group: u32) -> Crossing {
        let all = self.ep.saturating_mul(self.pp);
        if group <= 1 {
            Crossing::Nothing
        } else if all <= self.gpus_per_node
            || group <= self.gpus_per_node && self.gpus_per_node.is_multiple_of(group)
        {
            Crossing::Node
        } else {
            Crossing::Network
        }
    }
}

impl core::fmt::Display for Plan {
    /// For example `TP8`, `PP2 × TP8`, `DP4 × TP2 + EP8`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.pp > 1 {
            write!(f, "PP{} × ", self.pp)?;
        }
        match self.layout {
            Layout::Tp => write!(f, "TP{}", self.tp),
            Layout::DpAttentionEp if self.tp > 1 => {
                write!(f, "DP{} × TP{} + EP{}", self.attention_groups(), self.tp, self.ep)
            }
            Layout::DpAttentionEp => write!(f, "DP{} + EP{}", self.ep, self.ep),
        }
    }
}

/// The first of the model's dimensions that so many GPUs do not divide.
fn tp_obstacle(spec: &ModelSpec, tp: u32) -> Option<(Dimension, u64)> {
    let indexer_heads = if spec.layers_of(AttentionKind::Csa) > 0 { spec.indexer_heads } else { 0 };
    let dimensions = [
        (Dimension::OutputGroups, spec.output_groups),
        (Dimension::QueryHeads, spec.heads),
        (Dimension::IndexerHeads, indexer_heads),
        (Dimension::Vocabulary, spec.vocab),
    ];
    dimensions.into_iter().find(|(_, size)| !size.is_multiple_of(u64::from(tp)))
}

/// Whether a scenario's plan can be carried out under a ledger's bookkeeping.
///
/// The report splits everything evenly, whatever the heads allow; only the experts must come out even there, and a cut
/// that the reader chose must be one the model allows. The tutorial knows TP alone.
///
/// # Errors
/// Names the key to change and why.
///
/// ```
/// use model_core::figure::Ledger;
/// use model_core::scenario::{Key, Scenario};
/// let mut scenario = Scenario::default();
/// scenario.choose_number(Key::Tp, 3.0)?;
/// let refusal = model_core::plan::check(Ledger::Exact, &scenario, &model_core::spec::v4_pro());
/// assert_eq!(
///     refusal.map_err(|refusal| refusal.to_string()),
///     Err("tp: cannot be cut into 3, which does not divide 16 output groups".to_owned())
/// );
/// # Ok::<(), model_core::scenario::Refusal>(())
/// ```
pub fn check(ledger: Ledger, scenario: &Scenario, spec: &ModelSpec) -> Result<(), Refusal> {
    let settings = scenario.resolve(ledger);
    let spec = &*settings.model_in_force(spec);
    let plan = Plan::of(&settings);
    let even = |key: Key, gpus: u32| {
        let divides = spec.experts.is_multiple_of(u64::from(gpus.max(1)));
        let reason = Reason::CannotCut(Dimension::Experts, spec.experts);
        if divides { Ok(()) } else { Err(Refusal::new(key.name(), &gpus.to_string(), reason)) }
    };
    let cut = |tp: u32| match tp_obstacle(spec, tp) {
        None => Ok(()),
        Some((dimension, size)) => {
            Err(Refusal::new(Key::Tp.name(), &tp.to_string(), Reason::CannotCut(dimension, size)))
        }
    };
    match ledger {
        Ledger::Exact => plan.check(spec),
        Ledger::Tutorial => cut(plan.tp).and(even(Key::Tp, plan.tp)),
        Ledger::Report => {
            if scenario.chosen(Key::Tp).is_some() {
                cut(plan.tp)?;
            }
            even(Key::Gpus, settings.gpus)
        }
    }
}

/// Gives up the choices of a plan that the model's dimensions do not allow, and says which and why.
pub fn drop_impossible(ledger: Ledger, scenario: &mut Scenario, spec: &ModelSpec) -> Option<Refusal> {
    let refusal = check(ledger, scenario, spec).err()?;
    for key in [Key::Tp, Key::Ep, Key::Pp, Key::Gpus, Key::GpusPerNode, Key::Layout] {
        scenario.forget(key);
    }
    Some(refusal)
}

/// The stops a slider offers for a key: of those that cut the model, only what can be carried out beside the reader's
/// other choices.
#[must_use]
pub fn stops(key: Key, ledger: Ledger, scenario: &Scenario, spec: &ModelSpec) -> Vec<f64> {
    let candidates: Vec<f64> = match key {
        Key::Tp => spec.legal_tp().into_iter().map(f64::from).collect(),
        Key::Ep => spec.legal_ep().into_iter().map(f64::from).collect(),
        Key::Pp | Key::Gpus => key.stops(),
        _ => return key.stops(),
    };
    let can = |stop: &f64| {
        let mut next = scenario.clone();
        next.choose_number(key, *stop).is_ok() && check(ledger, &next, spec).is_ok()
    };
    candidates.into_iter().filter(can).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{v4_flash, v4_pro};

    fn plan(choices: &[(Key, &str)]) -> Plan {
        let mut scenario = Scenario::default();
        for (key, text) in choices {
            scenario.choose_text(*key, text).unwrap();
        }
        Plan::of(&scenario.resolve(Ledger::Exact))
    }

    #[test]
    fn refusals_name_the_dimension() {
        let dp = (Key::Layout, "dp_attention_ep");
        let reason = |choices: &[(Key, &str)]| plan(choices).check(&v4_pro()).map_err(|r| (r.key, r.reason));
        assert_eq!(reason(&[]), Ok(()));
        assert_eq!(reason(&[(Key::Tp, "16")]), Ok(()));
        let groups = Reason::CannotCut(Dimension::OutputGroups, 16);
        assert_eq!(reason(&[(Key::Tp, "32")]), Err(("tp".to_owned(), groups)));
        let experts = Reason::CannotCut(Dimension::Experts, 384);
        assert_eq!(reason(&[dp, (Key::Ep, "5")]), Err(("ep".to_owned(), experts)));
        assert_eq!(
            reason(&[(Key::Gpus, "12"), (Key::Tp, "8")]),
            Err(("gpus".to_owned(), Reason::MustEqual(8)))
        );
        assert_eq!(reason(&[(Key::Pp, "62")]), Err(("pp".to_owned(), Reason::TooManyStages(61))));
        assert_eq!(reason(&[(Key::Ep, "4")]), Err(("ep".to_owned(), Reason::MustEqual(8))));
        assert_eq!(
            reason(&[dp, (Key::Tp, "16"), (Key::Ep, "8")]),
            Err(("tp".to_owned(), Reason::MustDivide(8)))
        );
        assert!(plan(&[(Key::Tp, "16")]).check(&v4_flash()).is_err());
    }

    #[test]
    fn sliders_stop_only_at_plans_that_can_be_carried_out() {
        let spec = v4_pro();
        let stops = |scenario: &Scenario, key| stops(key, Ledger::Exact, scenario, &spec);
        let mut scenario = Scenario::default();
        assert_eq!(stops(&scenario, Key::Ep), [8.0]);
        assert_eq!(stops(&scenario, Key::Tp), [1.0, 2.0, 4.0, 8.0, 16.0]);
        scenario.choose_text(Key::Layout, "dp_attention_ep").unwrap();
        assert!(stops(&scenario, Key::Ep).contains(&384.0));
        for key in Key::ALL {
            for stop in stops(&scenario, key) {
                let mut next = scenario.clone();
                next.choose_number(key, stop).unwrap();
                assert!(
                    !matches!(key, Key::Tp | Key::Ep | Key::Pp) || check(Ledger::Exact, &next, &spec).is_ok()
                );
            }
        }
    }

    #[test]
    fn a_group_over_two_nodes_crosses_the_network() {
        assert_eq!(plan(&[]).tp_crossing(), Crossing::Node);
        assert_eq!(plan(&[(Key::Tp, "16")]).tp_crossing(), Crossing::Network);
        assert_eq!(plan(&[(Key::Tp, "16"), (Key::Gpu, "gb200")]).tp_crossing(), Crossing::Node);
        assert_eq!(plan(&[(Key::Tp, "1")]).tp_crossing(), Crossing::Nothing);
        let stages = plan(&[(Key::Tp, "8"), (Key::Pp, "2")]);
        assert_eq!((stages.tp_crossing(), stages.pp_crossing()), (Crossing::Node, Crossing::Network));
        assert_eq!(stages.to_string(), "PP2 × TP8");
    }

    #[test]
    fn stages_hold_every_layer_once() {
        for stages in 1..=61 {
            let plan = Plan { pp: stages, ..plan(&[]) };
            let mut next = 0;
            for stage in 0..stages as usize {
                let layers = plan.stage_layers(61, stage);
                assert_eq!(layers.start, next);
                next = layers.end;
            }
            assert_eq!(next, 61);
        }
    }
}

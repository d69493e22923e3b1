//! Whether computation hides the experts' exchange: a GPU's FLOPs for each byte of a link against twice the experts'
//! inner width; and, beside that condition, what a decode step's own times say.

use super::model::Step;
use super::words;
use crate::figure::Ledger;
use crate::ledger::StepPart;
use crate::plan::{Crossing, Plan};
use crate::scenario::Settings;
use crate::scene::Text;
use crate::spec::ModelSpec;
use crate::units::{BytesPerSecond, Seconds};

/// A link and what it asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DomainLink {
    /// Its name in files.
    pub code: &'static str,
    /// What it is called.
    pub name: Text,
    /// Its rate.
    pub rate: BytesPerSecond,
    /// The GPU's FLOPs for each of its bytes, C/B.
    pub flops_per_byte: f64,
    /// Whether that keeps within the threshold.
    pub hidden: bool,
    /// The figure that says the same, if one does.
    pub figure: Option<&'static str>,
    /// Whether the plan's dispatch crosses it.
    pub crossed: bool,
}

/// The links of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    /// GPUs that the fast link joins.
    pub joined: u32,
    /// GPUs that share the experts.
    pub experts_over: u32,
    /// FLOPs for each byte up to which computation hides the exchange.
    pub threshold: f64,
    /// The links.
    pub links: Vec<DomainLink>,
    /// Time of dispatch and combine, and the time of the experts beside which they stand.
    pub times: [Seconds; 2],
}

impl Domain {
    pub(super) fn of(ledger: Ledger, settings: &Settings, spec: &ModelSpec, step: &Step) -> Self {
        let threshold = 2.0 * spec.expert_hidden as f64;
        let experts_over = if ledger == Ledger::Report { settings.gpus } else { settings.ep };
        let inside = match ledger {
            Ledger::Report => settings.gpus <= settings.gpus_per_node,
            _ => Plan::of(settings).ep_crossing() != Crossing::Network,
        };
        let one_way = settings.link_one_way();
        let link = |code, name, rate: BytesPerSecond, figure, crossed| {
            let flops_per_byte = settings.peak.get() / rate.get();
            let hidden = flops_per_byte <= threshold;
            DomainLink { code, name, rate, flops_per_byte, hidden, figure, crossed }
        };
        let reached = one_way * settings.efficiency.link;
        let moe = step.stage(StepPart::Moe);
        let times = moe.map_or([Seconds::ZERO; 2], |moe| {
            [moe.link, Seconds(moe.hbm.get().max(moe.noc.get()).max(moe.compute.get()))]
        });
        Self {
            joined: settings.gpus_per_node,
            experts_over,
            threshold,
            links: vec![
                link("as_counted", words::LINK_COUNTED, settings.link, Some("network.flops_per_byte"), false),
                link("one_way", words::LINK_ONE_WAY, one_way, Some("network.flops_per_byte_one_way"), inside),
                link("reached", words::LINK_REACHED, reached, Some("network.flops_per_byte_reached"), false),
                link("network", words::LINK_NETWORK, settings.network, None, !inside),
            ],
            times,
        }
    }
}

//! The roofline of one GPU: what its memory and its arithmetic allow, and where a step's stages lie under it.

use super::scan::StepPart;
use crate::figure::Report;
use crate::scenario::Settings;
use crate::units::{Bytes, BytesPerSecond, Flops, FlopsPerSecond, Seconds};

/// What a GPU can reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roof {
    /// Rate of its memory, as far as it is reached.
    pub hbm: BytesPerSecond,
    /// Its dense peak.
    pub peak: FlopsPerSecond,
}

impl Roof {
    /// The roof of a scenario's GPU.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        Self { hbm: settings.hbm * settings.efficiency.hbm, peak: settings.peak }
    }

    /// FLOPs a byte from which on arithmetic bounds.
    #[must_use]
    pub fn ridge(&self) -> f64 {
        self.peak.get() / self.hbm.get()
    }

    /// The most that work of so many FLOPs a byte reaches.
    #[must_use]
    pub fn at(&self, intensity: f64) -> FlopsPerSecond {
        FlopsPerSecond((self.hbm.get() * intensity).min(self.peak.get()))
    }
}

/// A stage of a decode step on one GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoofPoint {
    /// Which stage.
    pub part: StepPart,
    /// What it reads.
    pub bytes: Bytes,
    /// What it computes.
    pub flops: Flops,
    /// How long it takes.
    pub time: Seconds,
}

impl RoofPoint {
    /// FLOPs a byte.
    #[must_use]
    pub fn intensity(&self) -> f64 {
        self.flops.get() / self.bytes.get()
    }

    /// FLOPs a second that it comes to.
    #[must_use]
    pub fn reached(&self) -> FlopsPerSecond {
        FlopsPerSecond(self.flops.get() / self.time.get())
    }
}

/// The stages that a report gives figures for; those without work are left out.
#[must_use]
pub fn roof_points(report: &Report) -> Vec<RoofPoint> {
    let point = |part: StepPart| {
        let [bytes, flops, time] = part.figures()?.map(|id| report.number(id).filter(|number| *number > 0.0));
        Some(RoofPoint { part, bytes: Bytes(bytes?), flops: Flops(flops?), time: Seconds(time?) })
    };
    StepPart::ALL.into_iter().filter_map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Ledger;
    use crate::ledger::report;
    use crate::scenario::Scenario;
    use crate::spec::v4_pro;

    #[test]
    fn no_stage_lies_above_the_roof() {
        for ledger in Ledger::ALL {
            let scenario = Scenario::default();
            let roof = Roof::of(&scenario.resolve(ledger));
            let points = roof_points(&report(ledger, &scenario, &v4_pro()));
            assert_eq!(points.is_empty(), ledger == Ledger::Tutorial, "the tutorial times no stage");
            for point in points {
                let most = roof.at(point.intensity()).get();
                assert!(point.reached().get() <= most * (1.0 + 1e-12), "{point:?}");
            }
        }
    }
}

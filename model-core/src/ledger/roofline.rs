//! The roofline of one GPU: what its memory and its arithmetic allow, and where a step's stages lie under it.

use super::exact::holding::Tensors;
use super::exact::step::Work;
use super::report::prefill::Chunk;
use super::report::step::{Fixed, Stage};
use super::scan::StepPart;
use crate::figure::{Ledger, Report};
use crate::plan::Plan;
use crate::scenario::Settings;
use crate::spec::ModelSpec;
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

/// What a step and a chunk of a prompt do on one GPU.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StageAccounts {
    /// The stages of a decode step that have any work.
    pub decode: Vec<RoofPoint>,
    /// The same of a prefill chunk.
    pub prefill: Vec<RoofPoint>,
    /// Exchanges of a decode step that nothing hides.
    pub exchange: Seconds,
    /// Its fixed time, with the latency of the layers where one is known.
    pub fixed: Seconds,
}

/// Accounts by a ledger's bookkeeping; the tutorial times no stage, so the exact one stands in. Empty where the plan
/// cannot be carried out.
#[must_use]
pub fn stage_accounts(ledger: Ledger, settings: &Settings, spec: &ModelSpec) -> StageAccounts {
    let spec = &*settings.model_in_force(spec);
    // A stage's bytes are those its time stands for: what each GPU reads, be it its share or a copy.
    let hbm = Roof::of(settings).hbm.get();
    let points = |stages: &[(StepPart, Stage)], gpus: f64| {
        let point = |(part, stage): &(StepPart, Stage)| RoofPoint {
            part: *part,
            bytes: Bytes(stage.hbm_s * hbm),
            flops: Flops(stage.flops / gpus),
            time: Seconds(stage.taken_s()),
        };
        let works = |(_, stage): &&(StepPart, Stage)| stage.hbm_s > 0.0 && stage.flops > 0.0;
        stages.iter().filter(works).map(point).collect()
    };
    let overhead_s = super::report::step::overhead(settings, settings.batch);
    if ledger == Ledger::Report {
        let gpus = f64::from(settings.gpus);
        let step = Fixed::of(settings, spec).step(settings, spec, settings.batch);
        let chunk = Chunk::of(settings, spec);
        let (proj, attn, moe) = (StepPart::Proj, StepPart::Attn, StepPart::Moe);
        let head = (StepPart::Head, step.head);
        return StageAccounts {
            decode: points(&[(proj, step.proj), (attn, step.attn), (moe, step.moe), head], gpus),
            prefill: points(&[(proj, chunk.proj), (attn, chunk.attn), (moe, chunk.moe)], gpus),
            // The report hides the exchange behind the experts.
            exchange: Seconds::ZERO,
            fixed: Seconds(overhead_s),
        };
    }
    if Plan::of(settings).check(spec).is_err() {
        return StageAccounts::default();
    }
    let work = Work::of(settings, spec, &Tensors::of(spec));
    let named = |step: &super::exact::step::Step| {
        let mut stages = StepPart::ALL.into_iter().zip(step.stages());
        core::array::from_fn::<_, 6, _>(|_| stages.next().unwrap_or((StepPart::Fixed, Stage::default())))
    };
    let (step, chunk) = (work.decode(settings.batch), work.prefill());
    let latency_s = settings.latency_per_layer.map_or(0.0, |each| work.layers * each.get());
    StageAccounts {
        decode: points(&named(&step), 1.0),
        prefill: points(&named(&chunk), 1.0),
        // A calibrated latency contains the exchanges.
        exchange: Seconds(if latency_s > 0.0 { 0.0 } else { step.exchange.total_s() }),
        fixed: Seconds(overhead_s + latency_s),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Ledger;
    use crate::ledger::report;
    use crate::scenario::Scenario;
    use crate::spec::v4_pro;

    #[test]
    fn accounts_are_the_ledgers_figures() {
        for (ledger, parts) in [(Ledger::Report, 4), (Ledger::Exact, 5)] {
            let scenario = Scenario::default();
            let (settings, spec) = (scenario.resolve(ledger), v4_pro());
            let figures = report(ledger, &scenario, &spec);
            let accounts = stage_accounts(ledger, &settings, &spec);
            let known = roof_points(&figures);
            assert_eq!(accounts.decode.len(), parts);
            for point in &accounts.decode {
                let known = known.iter().find(|known| known.part == point.part).unwrap();
                for (own, wanted) in [
                    (point.bytes.get(), known.bytes.get()),
                    (point.flops.get(), known.flops.get()),
                    (point.time.get(), known.time.get()),
                ] {
                    assert!((own / wanted - 1.0).abs() < 1e-9, "{ledger:?} {point:?} {known:?}");
                }
            }
            let prefill: f64 = accounts.prefill.iter().map(|point| point.time.get()).sum();
            let whole = match ledger {
                Ledger::Report => {
                    let beside = ["prefill.kv_write_s", "prefill.overhead_s"];
                    figures.number("prefill.step_s").unwrap()
                        - beside.iter().map(|id| figures.number(id).unwrap()).sum::<f64>()
                }
                _ => figures.number("prefill.floor_s").unwrap(),
            };
            assert!((prefill / whole - 1.0).abs() < 1e-9, "{ledger:?} {prefill} {whole}");
        }
        let (scenario, spec) = (Scenario::default(), v4_pro());
        let tutorial = stage_accounts(Ledger::Tutorial, &scenario.resolve(Ledger::Tutorial), &spec);
        assert!(!tutorial.decode.is_empty() && !tutorial.prefill.is_empty());
    }

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

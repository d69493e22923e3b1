//! What goes with a model of the reader's own: the scenario beside it, and what is to be told of it.

use super::Imported;
use crate::figure::Ledger;
use crate::plan;
use crate::scenario::{Dtypes, Key, Refusal, Scenario};
use crate::scene::{Look, Text};
use crate::spec::{ModelSpec, tensors};
use crate::units::GB;
use crate::words::fill;

/// GPUs that a model is cut over at most where the reader's plan does not suit it: one machine's.
const ONE_MACHINE: u32 = 8;

const ASSUMED: Text = [
    "文件里没写 {keys}，按公开模型的值算。",
    "The file does not say {keys}; the published models' values are taken.",
];
const FORMATS: Text = [
    "各张量的数值格式，配置文件只写一部分；没写的（压缩器、索引、路由表、归一化等）与公开检查点相同，精确账的字节数以此为准。",
    "A configuration names the formats of some tensors only; the others (compressors, indexer, routers, norms and so on) are taken to be those of the published checkpoint, on which the exact ledger's bytes rest.",
];
const NOT_IN_LINK: Text = [
    "链接里放不下自己导入的模型，对方打开看到的是内置模型的数。请改发 JSON 文件，里面带着这个模型。",
    "A link cannot carry a model of your own: whoever opens it sees a built-in model's numbers. Send the JSON file instead, which holds the model.",
];

impl Imported {
    /// The scenario for this model, which takes the place of the one named there: the report's checkpoint size is that of its tensors, the vocabulary its own, and a
    /// plan that it cannot be cut into gives way to one that it can. What had to go is told.
    #[must_use]
    pub fn fit(&self, ledger: Ledger, scenario: &Scenario) -> (Scenario, Vec<Refusal>) {
        let mut scenario = scenario.clone();
        scenario.forget(Key::Model);
        scenario.forget(Key::Vocab);
        let spec = &self.spec;
        let bytes: f64 = tensors::all(spec).map(|(_, tensor)| tensor.bytes(Dtypes::Stored)).sum();
        let mut refusals: Vec<Refusal> = Vec::new();
        refusals.extend(scenario.choose_number(Key::WeightsGb, bytes / GB).err());
        refusals.extend(plan::drop_impossible(ledger, &mut scenario, spec));
        if plan::check(ledger, &scenario, spec).is_err() {
            // The ledger's own plan is one for the built-in models.
            let most = spec.legal_tp().into_iter().take_while(|tp| *tp <= ONE_MACHINE).last();
            refusals.extend(scenario.choose_number(Key::Tp, f64::from(most.unwrap_or(1))).err());
        }
        (scenario, refusals)
    }

    /// What a reader is to know of the model: what the file left open, and that a link does not hold it.
    #[must_use]
    pub fn notes(&self, look: Look) -> Vec<String> {
        let joint = look.say(["、", ", "]);
        let mut notes = Vec::new();
        if !self.assumed.is_empty() {
            notes.push(fill(look.say(ASSUMED), &[("keys", self.assumed.join(joint))]));
        }
        notes.push(look.say(FORMATS).to_owned());
        notes.extend(not_in_link(&self.spec, look).map(ToOwned::to_owned));
        notes
    }
}

/// What is to be said beside a link, where the model is one that it cannot carry.
#[must_use]
pub fn not_in_link(spec: &ModelSpec, look: Look) -> Option<&'static str> {
    spec.built_in().is_none().then(|| look.say(NOT_IN_LINK))
}

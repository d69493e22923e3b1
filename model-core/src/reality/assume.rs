//! Which assumption, were it another, would make an impossible value possible: each is tried, the likeliest first.

use super::search::Bench;
use super::take::Take;
use super::{Quantity, said, words as say};
use crate::figure::{Ledger, Unit, Value};
use crate::format::{self, Digits};
use crate::hardware;
use crate::plan::Plan;
use crate::scenario::{
    Dtypes, Key, KvPlacement, KvRows, Layout, MemoryReading, Scenario, Setting, Settings, Switch,
};
use crate::scene::Look;
use crate::units::{Bytes, GIB};

/// What may have been otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// Steps yielded several tokens.
    Speculation,
    /// The batch counted the requests of all GPUs, and one had a share.
    BatchOfAll,
    /// Fewer requests were decoded together.
    Batch,
    /// Requests were shorter.
    Context,
    /// Part of the prompt was in the prefix cache.
    PrefixCached,
    /// The prompt was shorter.
    Prompt,
    /// The caches' rows had another format.
    Rows,
    /// The caches were placed otherwise.
    Placement,
    /// Weights lay in another format.
    Formats,
    /// The engine cut the shared expert too, which the reference copies.
    SharedCut,
    /// No draft block was loaded.
    NoDrafts,
    /// The number was a sum over the ranks.
    AllRanks,
    /// The memory's size was read otherwise.
    MemoryReading,
    /// The GPU had more memory.
    Memory,
    /// The peaks were reached.
    Efficiency,
    /// The GPU's memory was quicker.
    MemoryRate,
    /// The GPU computed quicker.
    ComputeRate,
    /// It was another GPU.
    OtherGpu,
    /// There were more GPUs.
    MoreGpus,
    /// The work was spread otherwise.
    OtherLayout,
    /// The value was in seconds.
    Unit,
}

impl Assumption {
    /// How late it is to be doubted: first how something was counted and what the load was, then which GPUs it ran on,
    /// last what is published of them.
    #[must_use]
    pub const fn rank(self) -> u32 {
        match self {
            Self::Memory | Self::MemoryRate | Self::ComputeRate => 2,
            Self::OtherGpu | Self::MoreGpus | Self::OtherLayout => 1,
            _ => 0,
        }
    }
}

/// One assumption that would explain a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Which one.
    pub assumption: Assumption,
    /// The bound that then holds, in base units.
    pub bound: f64,
    /// By which factor something would have to differ: the number itself where it is one, else the bound.
    pub asked: f64,
    /// What it would have to be: requests, tokens, TB/s, TFLOP/s, bytes; ranks for a sum.
    pub value: Option<f64>,
    /// The scenario in which it is so, where there is one.
    pub take: Option<Take>,
    quantity: Quantity,
    subject: String,
}

struct Found<'a> {
    bench: Bench<'a>,
    settings: &'a Settings,
    all: Vec<Explanation>,
}

impl Found<'_> {
    fn one(&self, assumption: Assumption, bound: f64, asked: f64) -> Explanation {
        Explanation {
            assumption,
            bound,
            asked,
            value: None,
            take: None,
            quantity: self.bench.quantity,
            subject: String::new(),
        }
    }

    /// An assumption whose number had to be another.
    fn number(&mut self, assumption: Assumption, found: Option<(f64, Take, f64)>, given: f64) {
        if let Some((value, take, bound)) = found {
            let asked = (given / value).max(value / given);
            let one = self.one(assumption, bound, asked);
            self.all.push(Explanation { value: Some(value), take: Some(take), ..one });
        }
    }

    /// Of several ways in which something can be otherwise, the one with the least effect that suffices.
    fn pick(
        &mut self,
        assumption: Assumption,
        ways: impl IntoIterator<Item = (Vec<(Key, Setting)>, Vec<Key>, String)>,
    ) {
        let bench = self.bench;
        let tried = ways.into_iter().filter_map(|(choices, forgets, subject)| {
            let (take, bound) = bench.tried(&choices, &forgets)?;
            Some((take, bound, subject))
        });
        let least = |one: &(Take, f64, String)| bench.effect(one.1);
        let nearest = tried.min_by(|one, other| least(one).total_cmp(&least(other)));
        if let Some((take, bound, subject)) = nearest {
            let one = self.one(assumption, bound, bench.effect(bound));
            self.all.push(Explanation { take: Some(take), subject, ..one });
        }
    }

    fn words(&mut self, assumption: Assumption, key: Key, others: impl Iterator<Item = &'static str>) {
        let ways: Vec<_> =
            others.map(|word| (vec![(key, Setting::Word(word))], Vec::new(), word.to_owned())).collect();
        self.pick(assumption, ways);
    }
}

/// Every assumption that would explain a value beyond its bound, by rank, within one the least change first.
pub(super) fn explanations(bench: Bench) -> Vec<Explanation> {
    let settings = bench.basis.scenario.resolve(Ledger::Exact);
    let mut found = Found { bench, settings: &settings, all: Vec::new() };
    match bench.quantity {
        Quantity::Tpot => step(&mut found),
        Quantity::Ttft => prompt(&mut found),
        Quantity::KvTokens => tokens(&mut found),
    }
    plan(&mut found);
    hardware_of(&mut found);
    if bench.quantity != Quantity::KvTokens && bench.measured * 1e3 >= bench.bound {
        found.all.push(found.one(Assumption::Unit, bench.bound, 1e3));
    }
    found.all.sort_by(|one, other| {
        let rank = |one: &Explanation| one.assumption.rank();
        rank(one).cmp(&rank(other)).then(one.asked.total_cmp(&other.asked))
    });
    found.all
}

fn whole(key: Key, number: u64) -> (Key, Setting) {
    (key, Setting::Whole(number))
}

fn step(found: &mut Found) {
    let (bench, settings) = (found.bench, found.settings);
    // The best that drafts can do: every one holds.
    let drafted = (1..=8_u64).find_map(|depth| {
        let choices = [
            (Key::Mtp, Setting::Word(Switch::On.word())),
            whole(Key::DraftDepth, depth),
            (Key::Acceptance, Setting::Real(1.0)),
        ];
        let (take, bound) = bench.tried(&choices, &[])?;
        let all = (depth + 1) as f64;
        Some((bound * all / bench.measured, take, bound))
    });
    if let Some((needed, take, bound)) = drafted {
        let one = found.one(Assumption::Speculation, bound, needed.max(1.0));
        found.all.push(Explanation { value: Some(needed), take: Some(take), ..one });
    }
    let (batch, gpus) = (settings.batch, u64::from(settings.gpus.max(1)));
    let share = batch.div_ceil(gpus);
    if share < batch
        && let Some((take, bound)) = bench.tried(&[whole(Key::Batch, share)], &[])
    {
        found.number(Assumption::BatchOfAll, Some((share as f64, take, bound)), batch as f64);
    }
    let fewer = bench.largest(batch, |batch| vec![whole(Key::Batch, batch)]);
    found.number(Assumption::Batch, fewer.map(counted), batch as f64);
    let shorter = bench.largest(settings.context, |context| vec![whole(Key::Context, context)]);
    found.number(Assumption::Context, shorter.map(counted), settings.context as f64);
    caches(found);
    shared(found);
}

fn counted((number, take, bound): (u64, Take, f64)) -> (f64, Take, f64) {
    (number as f64, take, bound)
}

fn prompt(found: &mut Found) {
    let (bench, settings) = (found.bench, found.settings);
    let (prefix, chunk) = (settings.prefix, settings.chunk);
    let cached = bench.largest(chunk, |left| {
        vec![whole(Key::Prefix, prefix.saturating_add(chunk - left)), whole(Key::Chunk, left)]
    });
    if let Some((left, take, bound)) = cached {
        let one = found.one(Assumption::PrefixCached, bound, chunk as f64 / left as f64);
        found.all.push(Explanation { value: Some((chunk - left) as f64), take: Some(take), ..one });
    }
    let shorter = bench.largest(chunk, |chunk| vec![whole(Key::Chunk, chunk)]);
    found.number(Assumption::Prompt, shorter.map(counted), chunk as f64);
    let more = bench.least(Key::PeakTflops, settings.peak.get() / 1e12);
    found.number(Assumption::ComputeRate, more, settings.peak.get() / 1e12);
    caches(found);
}

/// Formats and placement, which time and memory depend on alike.
fn caches(found: &mut Found) {
    let settings = found.settings;
    let known = |rows: &&KvRows| **rows != KvRows::Fp8Fp4Idx || settings.gpu.fp4.is_some();
    let rows = KvRows::ALL.iter().filter(|rows| **rows != settings.kv_rows).filter(known);
    found.words(Assumption::Rows, Key::KvRows, rows.map(|rows| rows.word()));
    let others = KvPlacement::ALL.iter().filter(|other| **other != settings.kv_placement);
    found.words(Assumption::Placement, Key::KvPlacement, others.map(|other| other.word()));
    let others = Dtypes::ALL.iter().filter(|other| **other != settings.dtypes);
    found.words(Assumption::Formats, Key::Dtypes, others.map(|other| other.word()));
}

/// The shared expert cut like the routed ones: so much less is read where the experts wait for memory.
fn shared(found: &mut Found) {
    let (bench, settings) = (found.bench, found.settings);
    let report = crate::ledger::report(Ledger::Exact, bench.basis.scenario, bench.basis.spec);
    let bound_by_memory =
        report.get("decode.moe.bound").is_some_and(|figure| figure.value == Value::Word("memory"));
    let kept = 1.0 / f64::from(settings.tp.max(1));
    let rate = settings.hbm * settings.efficiency.hbm;
    let saved = report.bytes("weights.shared.bytes_per_gpu") * (1.0 - kept) / rate;
    let bound = bench.bound - saved.get() / tokens_a_step(settings);
    if bound_by_memory && settings.pp == 1 && saved.get() > 0.0 && bound > 0.0 && bench.allows(bound) {
        found.all.push(found.one(Assumption::SharedCut, bound, bench.effect(bound)));
    }
}

/// Tokens that a request gains from a step.
pub(super) fn tokens_a_step(settings: &Settings) -> f64 {
    let depth = if settings.mtp { settings.draft_depth } else { 0 };
    crate::ledger::pace::gained(depth, settings.acceptance)
}

fn tokens(found: &mut Found) {
    let (bench, settings) = (found.bench, found.settings);
    if settings.mtp
        && let Some((take, bound)) = bench.tried(&[(Key::Mtp, Setting::Word(Switch::Off.word()))], &[])
    {
        let one = found.one(Assumption::NoDrafts, bound, bench.effect(bound));
        found.all.push(Explanation { take: Some(take), ..one });
    }
    let ranks = f64::from(Plan::of(settings).attention_groups());
    if ranks > 1.0 && bench.allows(bench.bound * ranks) {
        let one = found.one(Assumption::AllRanks, bench.bound * ranks, ranks);
        found.all.push(Explanation { value: Some(ranks), ..one });
    }
    caches(found);
    let readings = MemoryReading::ALL.iter().filter(|other| **other != settings.memory_reading);
    let ways: Vec<_> = readings
        .map(|reading| {
            let shown = format::bytes(settings.gpu.memory(*reading), format::ByteBase::Binary);
            (
                vec![(Key::MemoryReading, Setting::Word(reading.word()))],
                vec![Key::GpuMemoryGib],
                shown.to_string(),
            )
        })
        .collect();
    found.pick(Assumption::MemoryReading, ways);
    let gib = settings.gpu_memory.get() / GIB;
    let more = bench.least(Key::GpuMemoryGib, gib);
    found.number(Assumption::Memory, more, gib);
}

/// More GPUs, or the same ones used otherwise.
fn plan(found: &mut Found) {
    let (bench, settings) = (found.bench, found.settings);
    let spec = bench.basis.spec;
    let (key, own, sizes) = match settings.layout {
        Layout::Tp => (Key::Tp, settings.tp, spec.legal_tp()),
        Layout::DpAttentionEp => (Key::Ep, settings.ep, spec.legal_ep()),
    };
    let named = |choices: &[(Key, Setting)], forgets: &[Key]| {
        let mut scenario: Scenario = bench.basis.scenario.clone();
        forgets.iter().for_each(|key| scenario.forget(*key));
        for (key, setting) in choices {
            let _ = scenario.choose(*key, *setting);
        }
        Plan::of(&scenario.resolve(Ledger::Exact)).to_string()
    };
    let way = |choices: Vec<(Key, Setting)>, forgets: Vec<Key>| {
        let name = named(&choices, &forgets);
        (choices, forgets, name)
    };
    let forgets = match settings.layout {
        Layout::Tp => vec![Key::Gpus, Key::Ep],
        Layout::DpAttentionEp => vec![Key::Gpus],
    };
    let larger = sizes.into_iter().filter(|size| *size > own);
    let ways: Vec<_> = larger.map(|size| way(vec![whole(key, u64::from(size))], forgets.clone())).collect();
    found.pick(Assumption::MoreGpus, ways);
    let others = Layout::ALL.iter().filter(|layout| **layout != settings.layout);
    let gpus = whole(Key::Gpus, u64::from(settings.gpus));
    let ways: Vec<_> = others
        .map(|layout| way(vec![(Key::Layout, Setting::Word(layout.word())), gpus], vec![Key::Tp, Key::Ep]))
        .collect();
    found.pick(Assumption::OtherLayout, ways);
}

fn hardware_of(found: &mut Found) {
    const SHARES: [Key; 6] = [
        Key::HbmEfficiency,
        Key::LinkEfficiency,
        Key::ProjEfficiency,
        Key::AttnEfficiency,
        Key::MoeDecodeEfficiency,
        Key::MoePrefillEfficiency,
    ];
    let (bench, settings) = (found.bench, found.settings);
    let own = bench.basis.scenario;
    let below = SHARES.into_iter().filter(|key| own.in_force(*key, Ledger::Exact).real() < 1.0);
    let choices: Vec<_> = below.map(|key| (key, Setting::Real(1.0))).collect();
    if !choices.is_empty() {
        found.pick(Assumption::Efficiency, [(choices, Vec::new(), String::new())]);
    }
    if bench.quantity != Quantity::KvTokens {
        let rate = settings.hbm.get() / 1e12;
        let more = bench.least(Key::HbmTbS, rate);
        found.number(Assumption::MemoryRate, more, rate);
    }
    let others = hardware::presets().filter(|gpu| gpu.name != settings.gpu.name && gpu.name != "custom");
    let ways: Vec<_> = others
        .map(|gpu| {
            let forgets = vec![Key::HbmTbS, Key::PeakTflops, Key::GpuMemoryGib];
            (vec![(Key::Gpu, Setting::Word(gpu.name))], forgets, gpu.label.to_owned())
        })
        .collect();
    found.pick(Assumption::OtherGpu, ways);
}

impl Explanation {
    /// What would have to be so, and the bound that then holds.
    #[must_use]
    pub fn sentence(&self, look: Look) -> String {
        let bound = self.quantity.show(self.bound, look);
        let [chinese, english] = self.words(look);
        let [floor, most] = [["下限", "floor"], ["上限", "bound"]].map(|text| look.say(text));
        let side = if self.quantity == Quantity::KvTokens { most } else { floor };
        match self.assumption {
            Assumption::Unit => said(look, format!("{chinese}。"), format!("{english}.")),
            _ => said(
                look,
                format!("{chinese}，{side}就是 {bound}。"),
                format!("{english}; the {side} then is {bound}."),
            ),
        }
    }

    fn words(&self, look: Look) -> [String; 2] {
        let value = self.value.unwrap_or(0.0);
        let count = format::count(value.floor());
        let plain = |kept| Digits::Fixed(kept).show(self.value, look.base).number;
        let subject = &self.subject;
        let word = || say::setting(subject).map(ToOwned::to_owned);
        match self.assumption {
            Assumption::Speculation => {
                let gained = format::value(&Value::Number(value), Unit::Count, look.base);
                [
                    format!("开着投机解码，一步平均至少得到 {gained} 个 token"),
                    format!("Speculation was on: a step yielded at least {gained} tokens on average"),
                ]
            }
            Assumption::BatchOfAll => [
                format!("批量数的是所有卡的请求，一个实例只有 {count} 个"),
                format!("The batch counted the requests of all GPUs, and one instance had {count}"),
            ],
            Assumption::Batch => [format!("批量不超过 {count}"), format!("The batch was at most {count}")],
            Assumption::Context => {
                [format!("上下文不超过 {count} token"), format!("The context was at most {count} tokens")]
            }
            Assumption::PrefixCached => [
                format!("前缀缓存命中了至少 {count} token"),
                format!("The prefix cache held at least {count} tokens of the prompt"),
            ],
            Assumption::Prompt => [
                format!("要算的提示词不超过 {count} token"),
                format!("At most {count} tokens of prompt were processed"),
            ],
            Assumption::Rows | Assumption::Placement | Assumption::Formats => {
                let [zh, en] = word();
                let [zh_what, en_what] = match self.assumption {
                    Assumption::Rows => ["KV 行的格式", "The rows of the caches"],
                    Assumption::Placement => ["缓存的放法", "The caches"],
                    _ => ["权重的格式", "The weights"],
                };
                [format!("{zh_what}是{zh}"), format!("{en_what} were {en}")]
            }
            Assumption::SharedCut => [
                "引擎把共享专家也切到各卡".to_owned(),
                "The engine cut the shared expert over the GPUs".to_owned(),
            ],
            Assumption::NoDrafts => ["没有装草稿块".to_owned(), "No draft block was loaded".to_owned()],
            Assumption::AllRanks => [
                format!("这个数是 {count} 个 rank 加在一起的"),
                format!("The number was the sum over {count} ranks"),
            ],
            Assumption::MemoryReading => {
                [format!("单卡显存读作 {subject}"), format!("The GPU's memory was read as {subject}")]
            }
            Assumption::Memory => {
                let memory = format::bytes(Bytes::from_gib(value), look.base);
                [format!("单卡显存至少 {memory}"), format!("The GPU had at least {memory} of memory")]
            }
            Assumption::Efficiency => {
                ["各项都达到峰值".to_owned(), "The peaks were reached in full".to_owned()]
            }
            Assumption::MemoryRate => [
                format!("显存带宽至少 {} TB/s", plain(2)),
                format!("The memory's rate was at least {} TB/s", plain(2)),
            ],
            Assumption::ComputeRate => [
                format!("算力至少 {} TFLOP/s", plain(0)),
                format!("The GPU computed at least {} TFLOP/s", plain(0)),
            ],
            Assumption::OtherGpu => [format!("测的是 {subject}"), format!("It ran on {subject}")],
            Assumption::MoreGpus => {
                [format!("用了更多的卡：{subject}"), format!("There were more GPUs: {subject}")]
            }
            Assumption::OtherLayout => [format!("划分方式是 {subject}"), format!("The plan was {subject}")],
            Assumption::Unit => [
                "填的数是秒，不是毫秒".to_owned(),
                "The value was in seconds, not in milliseconds".to_owned(),
            ],
        }
    }
}

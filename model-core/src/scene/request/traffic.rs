//! The traffic of "request": what arrives, what the engine has, what a prefix on disk costs, and the run.

use core::cell::RefCell;

use crate::figure::Report;
use crate::hardware::host;
use crate::ledger::layer_cache::LayerCache;
use crate::ledger::memory::Judges;
use crate::ledger::pace::Pace;
use crate::scenario::Settings;
use crate::scene::Facts;
use crate::simulate::load::{Lengths, Load, Request};
use crate::simulate::outcome::Run;
use crate::simulate::pages::page_tokens;
use crate::simulate::prefix::{Cost, Policy, Shapes};
use crate::simulate::requests::{self, Engine, Times};
use crate::spec::{AttentionKind, ModelSpec};
use crate::units::Bytes;

/// How long requests arrive, in seconds.
const SECONDS: f64 = 120.0;
/// Tokens of an answer, on average: the scene's own assumption.
const OUTPUT_TOKENS: u64 = 256;
/// Work after which a run ends early, so that sliders stay live.
const MOST_WORK: u64 = 1_000_000;
/// What of the window rows the run keeps on disk: a window at the end of each chunk.
const KEPT: Policy = Policy::Periodic;

/// Everything about the traffic.
#[derive(Clone, Debug, PartialEq)]
pub struct Traffic {
    /// What arrives.
    pub load: Load,
    /// What the engine has.
    pub engine: Engine,
    /// A request of mean length, with the prefix it finds on average where it finds one.
    pub typical: Request,
    /// The shapes behind what a prefix costs.
    pub shapes: Shapes,
    /// Mean cost of a prefix for each policy, over the requests that found one, or over all prompts if none did.
    pub policies: [Cost; Policy::ALL.len()],
    /// Bytes of a page and of a request's fixed state on one GPU.
    pub page: (Bytes, Bytes),
    /// What of a request's caches lies on one GPU.
    pub share: f64,
    /// What a GPU has left for caches; less than nothing where weights alone do not fit.
    pub room: Bytes,
    /// Whether the pool is what memory leaves; otherwise it is just large enough for the batch.
    pub fits: bool,
    /// What the run came to; nothing happens where the model cannot be cut as the plan says.
    pub run: Run,
}

impl Traffic {
    pub(super) fn new(facts: Facts, spec: &ModelSpec, pace: Option<&Pace>) -> Self {
        let Facts { report, settings, .. } = facts;
        let tokens = page_tokens(spec.csa_ratio, spec.hca_ratio);
        let context = settings.context.max(1);
        let load = Load {
            arrivals_per_s: settings.arrivals_per_s,
            seconds: SECONDS,
            // No prompt is longer than the context that the ledger's figures speak of.
            prompt: Lengths { least: context.div_ceil(2), most: context },
            output: Lengths::around(OUTPUT_TOKENS),
            hits: settings.prefix_hits,
            page_tokens: tokens,
            seed: settings.seed,
        };
        let requests = load.draw();
        let (shapes, state) = shapes(report, settings, spec);
        let share = share(report, settings);
        let page = (Bytes((shapes.compressed * tokens as f64 * share).max(1.0)), Bytes(state * share));
        let room = room(report, settings);
        let (engine, fits) = engine(settings, &load, page, room);
        let run = pace.map_or_else(Run::default, |pace| simulate(&requests, engine, &shapes, pace));
        Self {
            policies: policies(&requests, &shapes, tokens),
            typical: typical(&load),
            load,
            engine,
            shapes,
            page,
            share,
            room,
            fits,
            run,
        }
    }

    /// What of a found prefix is computed again.
    #[must_use]
    pub fn recomputed(&self) -> u64 {
        self.shapes.cost(KEPT, self.typical.found).recomputed
    }

    /// What a found prefix reads from disk.
    #[must_use]
    pub fn read(&self) -> Bytes {
        self.shapes.cost(KEPT, self.typical.found).read
    }

    /// The chunks of the typical request: tokens before each and its own.
    pub(super) fn chunks(&self) -> Vec<(u64, u64)> {
        let mut chunks = Vec::new();
        let mut at = self.typical.found - self.recomputed();
        while at < self.typical.prompt {
            let tokens = (self.typical.prompt - at).min(self.engine.chunk.max(1));
            chunks.push((at, tokens));
            at += tokens;
            // A prompt of very many chunks goes on in one: nothing draws or times them one by one.
            if chunks.len() == MOST_TIMED {
                if let Some(last) = chunks.last_mut().filter(|_| at < self.typical.prompt) {
                    last.1 += self.typical.prompt - at;
                }
                break;
            }
        }
        chunks
    }
}

/// Chunks that are timed one by one.
pub(super) const MOST_TIMED: usize = 4096;

/// How long a prefix takes from disk: a drive's lanes are the narrowest place.
pub(super) fn restore_s(read: Bytes) -> f64 {
    (read / host::DRIVE).get()
}

fn typical(load: &Load) -> Request {
    let prompt = load.prompt.mean() as u64;
    // Cuts lie between a half and all of the prompt.
    let found = if load.hits > 0.0 { prompt * 3 / 4 } else { 0 };
    let found = found.min(prompt.saturating_sub(1));
    Request {
        arrival_s: 0.0,
        prompt,
        found: found - found % load.page_tokens,
        output: load.output.mean() as u64,
    }
}

/// What a token's rows take over all layers, and what a request holds whatever its length.
fn shapes(report: &Report, settings: &Settings, spec: &ModelSpec) -> (Shapes, f64) {
    // Long enough that every cache has rows to measure.
    let long = Settings { context: 1 << 20, ..settings.clone() };
    let (mut window_row, mut compressed, mut state) = (0.0, 0.0, 0.0);
    for kind in AttentionKind::ALL {
        let cache = LayerCache::of(report.ledger, &long, spec, kind);
        let layers = spec.layers_of(kind) as f64;
        let each = |rows: crate::ledger::layer_cache::Rows| rows.bytes.get() / (rows.count as f64).max(1.0);
        let ratio = match kind {
            AttentionKind::Csa => spec.csa_ratio,
            AttentionKind::Hca => spec.hca_ratio,
            AttentionKind::Window => 0,
        };
        window_row += layers * each(cache.window);
        state += layers * (cache.window.bytes + cache.state).get();
        if ratio > 0 {
            compressed += layers * (each(cache.entries) + each(cache.keys)) / ratio as f64;
        }
    }
    let layers = spec.main_layers().len() as u64;
    (Shapes { layers, window: spec.window, window_row, compressed, period: settings.chunk.max(1) }, state)
}

/// What of a request's caches lies on one GPU.
fn share(report: &Report, settings: &Settings) -> f64 {
    let all = report.bytes("cache.request.bytes").get() * settings.batch as f64;
    let on_gpu = report.bytes("cache.batch.bytes_per_gpu").get();
    if all > 0.0 && on_gpu > 0.0 { on_gpu / all } else { 1.0 }
}

/// Memory of a GPU without weights and reserve.
fn room(report: &Report, settings: &Settings) -> Bytes {
    let beside = report.bytes(Judges::of(report.ledger).need) - report.bytes("cache.batch.bytes_per_gpu");
    report.bytes("gpu.memory.bytes") - settings.reserve - beside
}

/// The engine, and whether its pool is what memory leaves.
fn engine(settings: &Settings, load: &Load, (page, state): (Bytes, Bytes), room: Bytes) -> (Engine, bool) {
    let state_pages = (state.get() / page.get()).ceil() as u64;
    let each = (load.prompt.most + load.output.most).div_ceil(load.page_tokens) + state_pages;
    let pages = (room.get() / page.get()).max(0.0) as u64;
    let fits = pages >= each;
    let engine = Engine {
        batch: settings.batch,
        chunk: settings.chunk,
        pages: if fits { pages } else { settings.batch * each },
        page_tokens: load.page_tokens,
        state_pages,
        most_work: MOST_WORK,
    };
    (engine, fits)
}

/// Mean costs over the requests that found a prefix, or over all prompts in whole pages.
fn policies(requests: &[Request], shapes: &Shapes, page_tokens: u64) -> [Cost; Policy::ALL.len()] {
    let hits = requests.iter().any(|request| request.found > 0);
    let prefixes = requests.iter().filter(|request| !hits || request.found > 0);
    let prefixes = prefixes.map(|r| if hits { r.found } else { r.prompt - r.prompt % page_tokens.max(1) });
    Policy::ALL.map(|policy| {
        let (mut stored, mut read, mut again, mut count) = (0.0, 0.0, 0, 0);
        for tokens in prefixes.clone() {
            let cost = shapes.cost(policy, tokens);
            stored += cost.stored.get();
            read += cost.read.get();
            again += cost.recomputed;
            count += 1;
        }
        let count = f64::max(f64::from(count), 1.0);
        let recomputed = (again as f64 / count).round() as u64;
        Cost { stored: Bytes(stored / count), read: Bytes(read / count), recomputed }
    })
}

/// Tokens a time is remembered for: whole chunks, by their number.
const REMEMBERED: usize = 1024;

/// Runs the requests with the ledger's times. Steps and whole chunks come back often and are asked for once.
fn simulate(requests: &[Request], engine: Engine, shapes: &Shapes, pace: &Pace) -> Run {
    let steps = RefCell::new(vec![0.0; engine.batch as usize + 1]);
    let chunks = RefCell::new(vec![0.0; REMEMBERED]);
    let known = |list: &RefCell<Vec<f64>>, index: usize, ask: &dyn Fn() -> f64| {
        let mut list = list.borrow_mut();
        match list.get_mut(index) {
            Some(place) if *place > 0.0 => *place,
            Some(place) => {
                *place = ask();
                *place
            }
            None => ask(),
        }
    };
    let gained = pace.gained_tokens();
    let times = Times {
        step_s: &|batch| known(&steps, batch as usize, &|| pace.step_s(batch) / gained),
        chunk_s: &|prefix, tokens| {
            // Chunks smaller than a page are timed at its start.
            let pitch = engine.chunk.max(engine.page_tokens);
            let from = if engine.chunk < engine.page_tokens { prefix - prefix % pitch } else { prefix };
            let whole = tokens == engine.chunk && from % pitch == 0;
            let index = if whole { (from / pitch) as usize } else { REMEMBERED };
            known(&chunks, index, &|| pace.chunk_s(from, tokens))
        },
        restore_s: &|tokens| restore_s(shapes.cost(KEPT, tokens).read),
        recomputed: &|tokens| shapes.cost(KEPT, tokens).recomputed,
    };
    requests::run(requests, engine, times, SECONDS)
}

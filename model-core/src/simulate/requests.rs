//! Requests through an engine, event by event: restored prefixes, a queue, pages of cache, prompts in chunks, decode in
//! batches, and answers.
//!
//! One turn of the engine runs a chunk of the oldest unfinished prompt, if any, and then a decode step of all requests
//! that have their prompt. A request is let in when the batch has a place and the pool has pages for its prompt; it
//! takes a further page whenever its answer fills one. Where none is left, the youngest request goes back to the queue
//! and is computed again. With batches of one, one chunk a prompt and one token an answer, the engine is the plain
//! single-server queue with constant service, and tests hold it to that queue's closed form.

use super::load::Request;
use super::outcome::{FirstToken, Run, Sample, percentiles};
use super::pages::Pool;

/// Parts of the run for which its state is kept.
pub const SAMPLES: usize = 60;

/// How long things take, in seconds.
#[derive(Clone, Copy)]
pub struct Times<'a> {
    /// So many tokens of a prompt after a prefix.
    pub chunk_s: &'a dyn Fn(u64, u64) -> f64,
    /// A decode step of so many requests.
    pub step_s: &'a dyn Fn(u64) -> f64,
    /// Reading a prefix of so many tokens from disk, one after the other.
    pub restore_s: &'a dyn Fn(u64) -> f64,
    /// Tokens of a restored prefix that are computed again all the same.
    pub recomputed: &'a dyn Fn(u64) -> u64,
}

/// What the engine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Requests at once.
    pub batch: u64,
    /// Tokens of a chunk.
    pub chunk: u64,
    /// Pages of cache.
    pub pages: u64,
    /// Tokens of a page.
    pub page_tokens: u64,
    /// Pages' worth of state that each request holds beside its tokens.
    pub state_pages: u64,
    /// Work after which a run ends early: a turn counts one and one for each request in it.
    pub most_work: u64,
}

/// A request in the engine or on its way to it.
#[derive(Clone, Copy, Debug)]
struct Job {
    request: Request,
    ready_s: f64,
    admitted_s: f64,
    prefilled_s: f64,
    first_s: f64,
    /// Tokens in its cache, and those that must be there before it decodes.
    done: u64,
    wanted: u64,
    /// Of these, computed before or restored: they do not count as new.
    known: u64,
    pages: u64,
    given: u64,
    /// Let in at least once.
    seen: bool,
}

impl Job {
    fn decodes(&self) -> bool {
        self.done >= self.wanted
    }
}

/// Jobs in the order in which they are ready: the disk restores one prefix after the other.
fn ready(requests: &[Request], times: &Times) -> Vec<Job> {
    let mut disk_free_s = 0.0_f64;
    let mut jobs: Vec<Job> = requests
        .iter()
        .map(|request| {
            let mut ready_s = request.arrival_s;
            if request.found > 0 {
                disk_free_s = disk_free_s.max(ready_s) + (times.restore_s)(request.found);
                ready_s = disk_free_s;
            }
            Job {
                request: *request,
                ready_s,
                admitted_s: 0.0,
                prefilled_s: 0.0,
                first_s: 0.0,
                done: 0,
                wanted: request.prompt,
                known: 0,
                pages: 0,
                given: 0,
                seen: false,
            }
        })
        .collect();
    jobs.sort_by(|a, b| a.ready_s.total_cmp(&b.ready_s));
    jobs
}

/// A run in progress.
struct State<'a> {
    engine: Engine,
    times: Times<'a>,
    now_s: f64,
    /// Jobs that were sent back, the next one last.
    back: Vec<Job>,
    /// Jobs let in, the oldest first.
    active: Vec<Job>,
    run: Run,
    ttft_s: Vec<f64>,
    tpot_s: Vec<f64>,
    waits_s: f64,
    let_in: u64,
    decoded: u64,
    steps: u64,
    /// Slot-seconds held, and those without a token.
    slots_s: f64,
    empty_s: f64,
}

/// Runs requests, which come in the order of their arrival, for so many seconds.
#[must_use]
pub fn run(requests: &[Request], engine: Engine, times: Times, seconds: f64) -> Run {
    let jobs = ready(requests, &times);
    let mut state = State {
        engine: Engine { chunk: engine.chunk.max(1), page_tokens: engine.page_tokens.max(1), ..engine },
        times,
        now_s: 0.0,
        back: Vec::new(),
        active: Vec::new(),
        run: Run { pool: Pool::new(engine.pages), ..Run::default() },
        ttft_s: Vec::new(),
        tpot_s: Vec::new(),
        waits_s: 0.0,
        let_in: 0,
        decoded: 0,
        steps: 0,
        slots_s: 0.0,
        empty_s: 0.0,
    };
    let (mut next, mut arrived, mut work) = (0, 0, 0_u64);
    let mut samples = Vec::with_capacity(SAMPLES);
    loop {
        while let Some(job) = state.back.pop() {
            if !state.let_in(job) {
                state.back.push(job);
                break;
            }
        }
        while let Some(job) = jobs.get(next).filter(|job| state.back.is_empty() && job.ready_s <= state.now_s)
        {
            if !state.let_in(*job) {
                break;
            }
            next += 1;
        }
        let idle = state.active.is_empty();
        let until_s = if idle {
            // Nothing to do until the next job is ready: whoever was ready before is in or refused.
            jobs.get(next).map_or(f64::INFINITY, |job| job.ready_s)
        } else {
            state.now_s + state.turn_s()
        };
        work += 1 + state.active.len() as u64;
        let over = until_s > seconds || until_s.is_nan() || work > engine.most_work;
        let end_s = if !over {
            until_s
        } else if work > engine.most_work {
            state.now_s
        } else {
            seconds
        };
        // What the state was until this turn's end.
        let reached = |samples: usize| seconds * (samples + 1) as f64 / SAMPLES as f64;
        while samples.len() < SAMPLES
            && (reached(samples.len()) < end_s || (over && reached(samples.len()) <= end_s))
        {
            let at_s = reached(samples.len());
            while requests.get(arrived).is_some_and(|request| request.arrival_s <= at_s) {
                arrived += 1;
            }
            samples.push(state.sample(arrived as u64, next as u64));
        }
        if over {
            state.now_s = end_s;
            break;
        }
        if idle {
            state.now_s = until_s;
        } else {
            state.turn(until_s);
        }
    }
    for request in requests.iter().take_while(|request| request.arrival_s <= state.now_s) {
        state.run.arrived += 1;
        state.run.tokens.asked += request.prompt + request.output;
    }
    let outside =
        jobs.iter().skip(next).chain(&state.back).filter(|job| job.request.arrival_s <= state.now_s);
    let left: u64 = outside.chain(&state.active).map(left_of).sum();
    state.run.tokens.left += left;
    state.finish(samples)
}

/// Tokens of a job that are still to be restored, computed or given.
fn left_of(job: &Job) -> u64 {
    job.request.prompt.saturating_sub(job.known) + job.request.output - job.given
}

impl State<'_> {
    fn pages_for(&self, tokens: u64) -> u64 {
        tokens.div_ceil(self.engine.page_tokens)
    }

    /// Lets a job in, or refuses it for good; not so while there is no room.
    fn let_in(&mut self, mut job: Job) -> bool {
        let most = self.pages_for(job.request.prompt + job.request.output) + self.engine.state_pages;
        if most > self.engine.pages || self.engine.batch == 0 {
            self.run.refused += 1;
            self.run.tokens.left += left_of(&job);
            return true;
        }
        if self.active.len() as u64 >= self.engine.batch {
            return false;
        }
        let pages = self.pages_for(job.wanted) + self.engine.state_pages;
        if !self.run.pool.take(pages) {
            return false;
        }
        job.pages = pages;
        // A job that was sent back is computed from its start; what it found before has been given up with its pages.
        if job.seen {
            job.done = 0;
        } else {
            let again = (self.times.recomputed)(job.request.found).min(job.request.found);
            job.done = job.request.found - again;
            job.known = job.request.found;
            job.admitted_s = self.now_s;
            self.run.tokens.restored += job.request.found;
            self.waits_s += self.now_s - job.ready_s;
            self.let_in += 1;
        }
        job.seen = true;
        self.active.push(job);
        true
    }

    /// The chunk that is due: its job, its prefix and its tokens.
    fn chunk(&self) -> Option<(usize, u64, u64)> {
        let due = self.active.iter().position(|job| !job.decodes())?;
        let job = self.active.get(due)?;
        Some((due, job.done, (job.wanted - job.done).min(self.engine.chunk)))
    }

    /// How long the next turn takes: a chunk if one is due, then a step of all who can decode by then.
    fn turn_s(&self) -> f64 {
        let mut decoding = self.active.iter().filter(|job| job.decodes()).count() as u64;
        let mut turn_s = 0.0;
        if let Some((due, prefix, tokens)) = self.chunk() {
            turn_s += (self.times.chunk_s)(prefix, tokens);
            let last = self.active.get(due).is_some_and(|job| job.done + tokens >= job.wanted);
            decoding += u64::from(last);
        }
        if decoding > 0 {
            turn_s += (self.times.step_s)(decoding);
        }
        turn_s
    }

    /// Carries out a turn that ends at a time.
    fn turn(&mut self, until_s: f64) {
        let (held, empty) = self.slots();
        self.slots_s += held * (until_s - self.now_s);
        self.empty_s += empty * (until_s - self.now_s);
        let mut decoding = self.active.iter().filter(|job| job.decodes()).count() as u64;
        if let Some((due, prefix, tokens)) = self.chunk()
            && let Some(job) = self.active.get_mut(due)
        {
            let new = (prefix + tokens).saturating_sub(job.known.max(prefix)).min(tokens);
            // Tokens of its answer were known before too, should it have been sent back.
            self.run.tokens.computed += new;
            self.run.tokens.recomputed += tokens - new;
            job.done += tokens;
            job.known = job.known.max(job.done);
            if job.decodes() {
                decoding += 1;
                let step_s = (self.times.step_s)(decoding);
                if job.given == 0 {
                    job.prefilled_s = until_s - step_s;
                }
            }
        }
        self.now_s = until_s;
        self.run.turns += 1;
        if decoding > 0 {
            self.decoded += decoding;
            self.steps += 1;
            self.give();
        }
    }

    /// Every job that decodes gives a token, and takes a page for it where its last one is full.
    fn give(&mut self) {
        let mut index = 0;
        while index < self.active.len() {
            let Some(mut job) = self.active.get(index).copied().filter(Job::decodes) else {
                index += 1;
                continue;
            };
            job.given += 1;
            self.run.tokens.given += 1;
            if job.given == 1 {
                job.first_s = self.now_s;
                let arrival_s = job.request.arrival_s;
                self.ttft_s.push(job.first_s - arrival_s);
                let first = &mut self.run.first;
                first.restore_s += job.ready_s - arrival_s;
                first.queue_s += job.admitted_s - job.ready_s;
                first.prefill_s += job.prefilled_s - job.admitted_s;
                first.step_s += job.first_s - job.prefilled_s;
            }
            if job.given >= job.request.output {
                self.run.finished += 1;
                self.run.pool.give_back(job.pages);
                if job.given > 1 {
                    self.tpot_s.push((self.now_s - job.first_s) / (job.given - 1) as f64);
                }
                self.active.remove(index);
                continue;
            }
            // The new token goes into the cache with the next step.
            job.done += 1;
            job.wanted = job.done;
            job.known = job.known.max(job.done);
            let stays = self.grow(index, &mut job);
            if stays && let Some(place) = self.active.get_mut(index) {
                *place = job;
                index += 1;
            }
        }
    }

    /// Gives a job a further page where it needs one, sending the youngest back for it; not so where it is the youngest
    /// itself and goes back.
    fn grow(&mut self, index: usize, job: &mut Job) -> bool {
        let needed = self.pages_for(job.done) + self.engine.state_pages;
        while job.pages < needed {
            if self.run.pool.take(1) {
                job.pages += 1;
                continue;
            }
            let youngest = self.active.len().saturating_sub(1);
            let last = self.active.pop();
            let mut leaves = last.filter(|_| youngest > index).unwrap_or(*job);
            self.run.pool.give_back(leaves.pages);
            self.run.sent_back += 1;
            leaves.pages = 0;
            leaves.wanted = leaves.request.prompt + leaves.given;
            leaves.done = 0;
            self.back.push(leaves);
            if youngest <= index {
                return false;
            }
        }
        true
    }

    /// Slots in the pages held for tokens, and how many of them hold none.
    fn slots(&self) -> (f64, f64) {
        let each = self.engine.page_tokens;
        let held: u64 = self.active.iter().map(|job| (job.pages - self.engine.state_pages) * each).sum();
        let used: u64 = self.active.iter().map(|job| job.wanted).sum();
        (held as f64, held.saturating_sub(used) as f64)
    }

    fn sample(&self, arrived: u64, taken: u64) -> Sample {
        let running = self.active.len() as u64;
        // Everyone taken from the list of jobs has arrived.
        let waiting = arrived.max(taken) - taken + self.back.len() as u64;
        Sample { waiting, running, pages: self.run.pool.held }
    }

    fn finish(mut self, samples: Vec<Sample>) -> Run {
        let run = &mut self.run;
        run.seconds = self.now_s;
        run.running = self.active.len() as u64;
        run.waiting = run.arrived - run.finished - run.running - run.refused;
        run.started = self.ttft_s.len() as u64;
        let share = |sum: f64, count: u64| if count > 0 { sum / count as f64 } else { 0.0 };
        run.mean_wait_s = share(self.waits_s, self.let_in);
        let FirstToken { restore_s, queue_s, prefill_s, step_s } = run.first;
        let [restore_s, queue_s, prefill_s, step_s] =
            [restore_s, queue_s, prefill_s, step_s].map(|sum| share(sum, run.started));
        run.first = FirstToken { restore_s, queue_s, prefill_s, step_s };
        run.ttft = percentiles(&mut self.ttft_s);
        run.tpot = percentiles(&mut self.tpot_s);
        run.tokens_per_s = if run.seconds > 0.0 { run.tokens.given as f64 / run.seconds } else { 0.0 };
        run.mean_batch = share(self.decoded as f64, self.steps);
        run.empty_slots = if self.slots_s > 0.0 { self.empty_s / self.slots_s } else { 0.0 };
        run.samples = samples;
        self.run
    }
}

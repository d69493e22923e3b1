//! Time in scenes: a moment is a step and how far into it; events happen within a part of their step.

/// How long a step plays at least where all are to play alike, in seconds.
pub const STEP_S: f64 = 1.2;
/// Longest that such a step plays.
const LONGEST_STEP_S: f64 = 6.0;
/// How long one move plays that waits for the one before it: a ring of eight GPUs, 14 moves, takes about four seconds.
const MOVE_S: f64 = 0.29;
/// How long all steps together play in proportion to real time.
const PROPORTIONAL_S: f64 = 12.0;
/// Of that, what a step takes that stands for no known time.
const UNTIMED_S: f64 = 0.6;

/// How long a step plays, and what it stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepTime {
    /// Seconds it plays where steps are to play alike; longer where much happens one after the other.
    pub equal_s: f64,
    /// Seconds that pass on the GPUs meanwhile, where the model knows them.
    pub model_s: Option<f64>,
}

impl StepTime {
    /// A step of so many moves that wait for each other, and of no known real time.
    #[must_use]
    pub fn of_moves(moves: usize) -> Self {
        Self { equal_s: (moves as f64 * MOVE_S).clamp(STEP_S, LONGEST_STEP_S), model_s: None }
    }

    /// The same step with its real time, if that is a time.
    #[must_use]
    pub fn taking(self, seconds: Option<f64>) -> Self {
        Self { model_s: seconds.filter(|s| s.is_finite() && *s >= 0.0), ..self }
    }
}

/// How steps share the playing time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// Alike, as long as it takes to follow them.
    #[default]
    Equal,
    /// In proportion to the real time they stand for.
    Proportional,
}

impl Pace {
    /// Both, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Equal, Self::Proportional];
}

/// How long each step plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Playing {
    /// Seconds of each step.
    pub steps_s: Vec<f64>,
    /// How many seconds one second on the GPUs is drawn out to; none where steps do not keep to real time.
    pub slowed: Option<f64>,
}

impl Playing {
    /// Playing times of steps at a pace. Where no step's real time is known, all play alike.
    #[must_use]
    pub fn new(times: &[StepTime], pace: Pace) -> Self {
        let known: f64 = times.iter().filter_map(|time| time.model_s).sum();
        if pace == Pace::Equal || known <= 0.0 {
            return Self { steps_s: times.iter().map(|time| time.equal_s).collect(), slowed: None };
        }
        let untimed = times.iter().filter(|time| time.model_s.is_none()).count() as f64 * UNTIMED_S;
        let slowed = (PROPORTIONAL_S - untimed).max(UNTIMED_S) / known;
        let step = |time: &StepTime| time.model_s.map_or(UNTIMED_S, |s| s * slowed);
        Self { steps_s: times.iter().map(step).collect(), slowed: Some(slowed) }
    }
}

/// How fast a reader can have it, against the scene's own pace.
pub const SPEEDS: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];

/// A position in a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The step, from 0.
    pub step: usize,
    /// How much of it has happened, from 0 to 1.
    pub t: f64,
}

impl Moment {
    /// The step done: what a reader sees who jumps to it.
    #[must_use]
    pub const fn done(step: usize) -> Self {
        Self { step, t: 1.0 }
    }

    /// How far the scene has come within a step: 0 before it, 1 after it.
    #[must_use]
    pub fn within(self, step: usize) -> f64 {
        match self.step.cmp(&step) {
            core::cmp::Ordering::Less => 0.0,
            core::cmp::Ordering::Equal => self.t.clamp(0.0, 1.0),
            core::cmp::Ordering::Greater => 1.0,
        }
    }

    /// How far along the scene it is, in steps: 0 at the very beginning.
    #[must_use]
    pub fn along(self) -> f64 {
        self.step as f64 + self.t
    }

    /// The moment that far along a scene of `steps` steps; on a border between two, the earlier one done.
    #[must_use]
    pub fn at(along: f64, steps: usize) -> Self {
        let along = along.clamp(0.0, steps.max(1) as f64);
        let step = (along.ceil() as usize).saturating_sub(1);
        Self { step, t: along - step as f64 }
    }

    /// The moment `dt_s` seconds on in a step that plays `step_s` seconds, stopping at its end.
    #[must_use]
    pub fn advanced(self, dt_s: f64, step_s: f64) -> Self {
        let t = if step_s > 0.0 { (self.t + dt_s / step_s).clamp(0.0, 1.0) } else { 1.0 };
        Self { step: self.step, t }
    }
}

/// An event and the part of its step in which it happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed<E> {
    /// When it begins, as a fraction of the step.
    pub from: f64,
    /// When it is done.
    pub to: f64,
    /// What happens.
    pub event: E,
}

impl<E> Timed<E> {
    /// How much of it has happened when its step has come to `t`, eased.
    #[must_use]
    pub fn progress(&self, t: f64) -> f64 {
        if t >= self.to {
            1.0
        } else if t <= self.from {
            0.0
        } else {
            ease((t - self.from) / (self.to - self.from))
        }
    }
}

/// Spreads events over a step, one starting after the other, the last ending with it.
#[must_use]
pub fn staggered<E>(events: Vec<E>) -> Vec<Timed<E>> {
    /// How long one event takes, as a fraction of the step, where there are several.
    const EACH: f64 = 0.4;
    let last = events.len().saturating_sub(1);
    let each = if last == 0 { 1.0 } else { EACH };
    let starts = events.into_iter().enumerate();
    starts
        .map(|(index, event)| {
            let from = if last == 0 { 0.0 } else { (1.0 - each) * index as f64 / last as f64 };
            Timed { from, to: from + each, event }
        })
        .collect()
}

/// Slow, fast, slow: a cubic from (0, 0) to (1, 1) with level ends.
#[must_use]
pub fn ease(t: f64) -> f64 {
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_stops_at_its_end() {
        let moment = Moment { step: 2, t: 0.0 };
        assert_eq!(moment.advanced(0.6, 1.2), Moment { step: 2, t: 0.5 });
        assert_eq!(moment.advanced(1.5, 6.0), Moment { step: 2, t: 0.25 });
        assert_eq!(moment.advanced(10.0, 1.2), Moment::done(2));
        assert_eq!(moment.advanced(0.0, 0.0), Moment::done(2), "a step of no length is over");
        assert_eq!([1, 2, 3].map(|step| moment.within(step)), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn along_and_back() {
        for (along, moment) in
            [(0.0, (0, 0.0)), (0.5, (0, 0.5)), (1.0, (0, 1.0)), (2.25, (2, 0.25)), (9.0, (2, 1.0))]
        {
            let at = Moment::at(along, 3);
            assert_eq!((at.step, at.t), moment);
            assert_eq!(at.along(), along.min(3.0));
        }
    }

    #[test]
    fn many_moves_play_longer_within_bounds() {
        let lengths = [0, 1, 4, 7, 14, 1000].map(|moves| StepTime::of_moves(moves).equal_s);
        assert_eq!((lengths[0], lengths[1], lengths[2], lengths[5]), (1.2, 1.2, 1.2, 6.0));
        assert!((2.0..2.1).contains(&lengths[3]) && (4.0..4.2).contains(&lengths[4]));
    }

    #[test]
    fn proportional_steps_share_what_is_left() {
        let step = |model_s| StepTime::of_moves(1).taking(model_s);
        let times = [step(None), step(Some(1e-6)), step(Some(3e-6)), step(Some(f64::NAN)), step(Some(0.0))];
        let alike = Playing { steps_s: vec![1.2; 5], slowed: None };
        assert_eq!(Playing::new(&times, Pace::Equal), alike);
        let playing = Playing::new(&times, Pace::Proportional);
        let slowed = playing.slowed.unwrap();
        assert!((slowed - 10.8 / 4e-6).abs() < 1e-3, "{slowed}");
        for (found, wanted) in playing.steps_s.iter().zip([0.6, 2.7, 8.1, 0.6, 0.0]) {
            assert!((found - wanted).abs() < 1e-9, "{playing:?}");
        }
        assert_eq!(Playing::new(&[step(None); 5], Pace::Proportional), alike);
        assert_eq!(Playing::new(&[step(Some(0.0)); 5], Pace::Proportional), alike);
        assert!(Playing::new(&[], Pace::Proportional).steps_s.is_empty());
    }

    #[test]
    fn staggered_events_fill_the_step() {
        let timed = staggered(vec!['a', 'b', 'c']);
        assert_eq!(timed[0].from, 0.0);
        assert!((timed[2].to - 1.0).abs() < 1e-12);
        assert!(timed.iter().all(|event| event.progress(0.0) == 0.0 && event.progress(1.0) == 1.0));
        assert_eq!(staggered(vec![()])[0].to, 1.0);
    }
}

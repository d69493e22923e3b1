//! Time in scenes: a moment is a step and how far into it; events happen within a part of their step.

/// How long one step plays, in seconds.
pub const STEP_S: f64 = 1.2;

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

    /// The moment `dt` seconds on, stopping at the end of the step.
    #[must_use]
    pub fn advanced(self, dt_s: f64) -> Self {
        Self { step: self.step, t: (self.t + dt_s / STEP_S).clamp(0.0, 1.0) }
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
        assert_eq!(moment.advanced(STEP_S / 2.0), Moment { step: 2, t: 0.5 });
        assert_eq!(moment.advanced(10.0), Moment::done(2));
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
    fn staggered_events_fill_the_step() {
        let timed = staggered(vec!['a', 'b', 'c']);
        assert_eq!(timed[0].from, 0.0);
        assert!((timed[2].to - 1.0).abs() < 1e-12);
        assert!(timed.iter().all(|event| event.progress(0.0) == 0.0 && event.progress(1.0) == 1.0));
        assert_eq!(staggered(vec![()])[0].to, 1.0);
    }
}

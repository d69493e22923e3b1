//! A decode step as the parts that follow each other on its critical path: what a change of one part is worth, what
//! sums of overlapping times hide, what different clocks measure, and how long the slow ones among many steps take.

/// A part of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Attention.
    Attention,
    /// Experts.
    Experts,
    /// Communication that nothing hides.
    Exposed,
    /// The host: scheduling and submitting.
    Cpu,
}

impl Part {
    /// Every part.
    pub const ALL: [Self; 4] = [Self::Attention, Self::Experts, Self::Exposed, Self::Cpu];
}

/// How long each part takes, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Parts {
    /// Attention.
    pub attention_s: f64,
    /// Experts.
    pub experts_s: f64,
    /// Communication that nothing hides.
    pub exposed_s: f64,
    /// The host.
    pub cpu_s: f64,
}

/// What three ways to measure one step find, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clocks {
    /// The host's clock, stopped when the calls return: only the submitting.
    pub returned_s: f64,
    /// Events in the GPU's stream, before the first and after the last kernel.
    pub events_s: f64,
    /// The host's clock, stopped after waiting for the GPU.
    pub synchronised_s: f64,
}

/// A step whose communication partly runs beside the experts' and the attention's computation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// What each thing takes by itself, added up, in seconds.
    pub summed_s: f64,
    /// What the step takes.
    pub passed_s: f64,
    /// When communication begins.
    pub comm_from_s: f64,
    /// How long it takes in all.
    pub comm_s: f64,
}

impl Parts {
    /// One of them.
    #[must_use]
    pub const fn of(&self, part: Part) -> f64 {
        match part {
            Part::Attention => self.attention_s,
            Part::Experts => self.experts_s,
            Part::Exposed => self.exposed_s,
            Part::Cpu => self.cpu_s,
        }
    }

    /// The whole step.
    #[must_use]
    pub const fn total_s(&self) -> f64 {
        self.attention_s + self.experts_s + self.exposed_s + self.cpu_s
    }

    /// The same with one part so many times as fast.
    #[must_use]
    pub const fn faster(mut self, part: Part, times: f64) -> Self {
        let place = match part {
            Part::Attention => &mut self.attention_s,
            Part::Experts => &mut self.experts_s,
            Part::Exposed => &mut self.exposed_s,
            Part::Cpu => &mut self.cpu_s,
        };
        *place /= times;
        self
    }

    /// The same with so much of its communication hidden, but no more than there is.
    #[must_use]
    pub const fn hiding(self, hidden_s: f64) -> Self {
        Self { exposed_s: self.exposed_s - hidden_s.min(self.exposed_s), ..self }
    }

    /// How many times as fast as these the others are; not a number where nothing takes any time.
    #[must_use]
    pub const fn gain(&self, changed: &Self) -> f64 {
        self.total_s() / changed.total_s()
    }

    /// The step with so much of its communication beside computation, as far as there is computation.
    #[must_use]
    pub const fn overlapping(&self, hidden_s: f64) -> Overlap {
        let computed_s = self.attention_s + self.experts_s;
        let beside_s = hidden_s.min(self.exposed_s).min(computed_s);
        Overlap {
            summed_s: self.total_s(),
            passed_s: self.total_s() - beside_s,
            comm_from_s: self.cpu_s + computed_s - beside_s,
            comm_s: self.exposed_s,
        }
    }

    /// What clocks find: the host submits, then the GPU works while the host may already go on.
    #[must_use]
    pub const fn clocks(&self) -> Clocks {
        Clocks {
            returned_s: self.cpu_s,
            events_s: self.total_s() - self.cpu_s,
            synchronised_s: self.total_s(),
        }
    }
}

/// The value that such a share of rising values does not exceed, by the nearest rank; none of no values.
#[must_use]
pub fn percentile(rising: &[f64], share: f64) -> Option<f64> {
    let rank = (share * rising.len() as f64).ceil().max(1.0) as usize;
    rising.get(rank.min(rising.len()).checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAUGHT: Parts = Parts { attention_s: 6.0, experts_s: 8.0, exposed_s: 12.0, cpu_s: 2.0 };

    #[test]
    fn the_walkthroughs_changes_come_out() {
        let faster = TAUGHT.faster(Part::Experts, 2.0);
        let hidden = TAUGHT.hiding(8.0);
        assert_eq!((TAUGHT.total_s(), faster.total_s(), hidden.total_s()), (28.0, 24.0, 20.0));
        assert!((TAUGHT.gain(&faster) - 28.0 / 24.0).abs() < 1e-15);
        assert_eq!(TAUGHT.gain(&hidden), 1.4);
    }

    #[test]
    fn no_change_gains_more_than_its_part_is_worth() {
        for part in Part::ALL {
            let gone = TAUGHT.faster(part, 1e12).total_s();
            assert!((gone - (28.0 - TAUGHT.of(part))).abs() < 1e-9, "{part:?}");
            assert_eq!(TAUGHT.faster(part, 1.0), TAUGHT);
        }
        assert_eq!(TAUGHT.hiding(100.0).total_s(), 16.0, "no more is hidden than there is");
        assert_eq!(TAUGHT.hiding(0.0), TAUGHT);
    }

    #[test]
    fn sums_lie_by_what_overlaps() {
        let overlap = TAUGHT.overlapping(8.0);
        assert_eq!((overlap.summed_s, overlap.passed_s), (28.0, 20.0));
        assert_eq!(overlap.comm_from_s + overlap.comm_s, overlap.passed_s);
        assert_eq!(TAUGHT.overlapping(0.0).passed_s, 28.0);
        let little = Parts { experts_s: 1.0, attention_s: 0.0, ..TAUGHT };
        assert_eq!(little.overlapping(8.0).passed_s, 14.0, "only beside what is computed");
    }

    #[test]
    fn only_the_host_that_waits_sees_all() {
        let clocks = TAUGHT.clocks();
        assert_eq!((clocks.returned_s, clocks.events_s, clocks.synchronised_s), (2.0, 26.0, 28.0));
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let rising: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(
            [0.0, 0.5, 0.95, 0.99, 1.0].map(|p| percentile(&rising, p)),
            [1.0, 50.0, 95.0, 99.0, 100.0].map(Some)
        );
        assert_eq!((percentile(&[], 0.5), percentile(&[7.0], 0.99)), (None, Some(7.0)));
    }
}

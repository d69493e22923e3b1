//! Exercises: a question with fresh numbers, four answers of which three come from mistakes that are often made, and
//! the way to the right one.

use super::worked::Worked;
use super::{Look, Text};
use crate::figure::{Unit, Value};
use crate::format::{self, ByteBase};
use crate::random::SplitMix64;
use crate::units::{GB, GIB, MB, MIB};

/// An answer to choose.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What it says, in base units.
    pub value: f64,
    /// Why it is right, or which mistake leads there.
    pub why: String,
}

/// A question with its answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Exercise {
    /// The question, its numbers put in.
    pub question: String,
    /// The unit of the answers.
    pub unit: Unit,
    /// The right one: what the solution ends in.
    pub answer: f64,
    /// The right one among three wrong ones, all different, in the order of the draw.
    pub choices: [Choice; 4],
    /// How the right one comes about.
    pub solution: Worked,
}

/// The numbers of one draw.
pub(super) struct Draw(SplitMix64);

impl Draw {
    /// The draw of that number. Scenes draw apart from each other.
    pub(super) const fn new(draw: u64, scene: u64) -> Self {
        let mut random = SplitMix64::new(draw);
        Self(SplitMix64::new(random.next_u64() ^ scene))
    }

    /// One of a list, every one equally likely.
    pub(super) fn of(&mut self, list: &[f64]) -> f64 {
        let at = self.0.below(list.len() as u64) as usize;
        list.get(at).copied().unwrap_or(1.0)
    }

    /// The question with its answers: the solution's result is the right one, for the first reason; mistakes give the
    /// others.
    pub(super) fn ask(
        mut self,
        look: Look,
        question: String,
        unit: Unit,
        (right, mistakes): (Text, [(f64, Text); 3]),
        solution: Worked,
    ) -> Exercise {
        let answer = solution.result();
        let choice = |(value, why): (f64, Text)| Choice { value, why: look.say(why).to_owned() };
        let [a, b, c] = mistakes;
        let mut choices = [(answer, right), a, b, c].map(choice);
        for last in (1..choices.len()).rev() {
            choices.swap(last, self.0.below(last as u64 + 1) as usize);
        }
        Exercise { question, unit, answer, choices, solution }
    }
}

/// A round number of a question with its unit, without zeros that say nothing.
pub(super) fn given(number: f64, unit: Unit, look: Look) -> String {
    let mut shown = format::value(&Value::Number(number), unit, look.base);
    if shown.number.contains('.') {
        let round = shown.number.trim_end_matches('0').trim_end_matches('.').len();
        shown.number.truncate(round);
    }
    shown.to_string()
}

/// Bytes of a MiB and a GiB, or of a MB and a GB: sizes in questions are round in the reader's units.
pub(super) const fn mega_giga(look: Look) -> (f64, f64) {
    match look.base {
        ByteBase::Binary => (MIB, GIB),
        ByteBase::Decimal => (MB, GB),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Ledger;
    use crate::ledger::report;
    use crate::scenario::Scenario;
    use crate::scene::worked::tests::{LANGUAGES, look, sound};
    use crate::scene::{Facts, Scene, SceneId};
    use crate::spec::v4_pro;
    use std::collections::HashSet;
    use std::sync::Arc;

    fn scene(id: SceneId) -> Arc<dyn Scene> {
        let (scenario, spec) = (Scenario::default(), v4_pro());
        let settings = scenario.resolve(Ledger::Tutorial);
        let report = report(Ledger::Tutorial, &scenario, &spec);
        id.derive(Facts { report: &report, settings: &settings, spec: &spec })
    }

    #[test]
    fn every_draw_has_one_right_answer_among_four() {
        for id in SceneId::ALL {
            let scene = scene(*id);
            let (mut questions, mut places) = (HashSet::new(), HashSet::new());
            for draw in (0..400).chain([u64::MAX, u64::MAX / 3]) {
                for base in [ByteBase::Binary, ByteBase::Decimal] {
                    let mut numbers = None;
                    for language in LANGUAGES {
                        let exercise = scene.exercise(draw, look(language, base));
                        let told = format!("{} draw {draw}: {}", id.name(), exercise.question);
                        assert!(!exercise.question.contains('{') && exercise.question.len() > 30, "{told}");
                        assert!(exercise.answer.is_finite() && exercise.answer > 0.0, "{told}");
                        sound(&exercise.solution, 3..=8, &told);
                        let last = exercise.solution.lines.last().unwrap();
                        assert_eq!(
                            (&last.value, last.unit),
                            (&Value::Number(exercise.answer), exercise.unit),
                            "{told}"
                        );
                        let right: Vec<_> = (0..4)
                            .filter(|place| exercise.choices[*place].value == exercise.answer)
                            .collect();
                        assert_eq!(right.len(), 1, "{told}");
                        places.insert(right[0]);
                        let shown: HashSet<_> = exercise
                            .choices
                            .iter()
                            .map(|choice| {
                                format::value(&Value::Number(choice.value), exercise.unit, base).to_string()
                            })
                            .collect();
                        assert_eq!(shown.len(), 4, "{shown:?} {told}");
                        let whys: HashSet<_> = exercise.choices.iter().map(|choice| &choice.why).collect();
                        assert!(
                            whys.len() == 4 && whys.iter().all(|why| !why.contains('{')),
                            "{whys:?} {told}"
                        );
                        // No mistake may come so near that it is a matter of rounding.
                        for choice in &exercise.choices {
                            let apart = (choice.value / exercise.answer - 1.0).abs();
                            assert!(choice.value == exercise.answer || apart > 0.01, "{apart} {told}");
                        }
                        let own = exercise.choices.map(|choice| choice.value);
                        assert_eq!(*numbers.get_or_insert(own), own, "languages differ: {told}");
                        questions.insert(exercise.question);
                    }
                }
            }
            assert!(questions.len() > 60, "{} asks only {} questions", id.name(), questions.len());
            assert_eq!(places.len(), 4, "{}", id.name());
        }
    }

    #[test]
    fn a_draw_is_the_same_each_time() {
        let scene = scene(SceneId::Kernel);
        let look = look(LANGUAGES[0], ByteBase::Binary);
        assert_eq!(scene.exercise(5, look), scene.exercise(5, look));
        assert_ne!(scene.exercise(5, look).question, scene.exercise(6, look).question);
    }
}

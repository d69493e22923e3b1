//! Sentences in a fixed number of lines: as large as fits, and always the same number of marks.

use crate::draw::metrics::{text_width, wrap};
use crate::draw::{Drawing, Type};

/// Distance from one baseline to the next, in ems.
pub const LEADING: f64 = 1.36;

/// The largest of the sizes in which a sentence takes at most so many lines of a width, with those lines; the last of
/// the sizes where none does.
#[must_use]
pub fn fit(text: &str, bold: bool, width: f64, lines: usize, sizes: &[f64]) -> (f64, Vec<String>) {
    let set = |size: f64| {
        let whole = !text.is_empty() && text_width(text, size, bold) <= width;
        (size, if whole { vec![text.to_owned()] } else { wrap(text, size, bold, width) })
    };
    let fits = sizes.iter().map(|size| set(*size)).find(|(_, wrapped)| wrapped.len() <= lines);
    fits.unwrap_or_else(|| set(sizes.last().copied().unwrap_or(18.0)))
}

/// Draws a sentence from a first baseline on, in `lines` marks, of which those without words are empty.
pub fn draw(drawing: &mut Drawing, (x, y): (f64, f64), text: &[String], lines: usize, set: Type) {
    for index in 0..lines {
        let line = text.get(index).cloned().unwrap_or_default();
        let opacity = if line.is_empty() { 0.0 } else { 1.0 };
        drawing.text((x, y + index as f64 * set.size * LEADING), line, set).faded(opacity);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Paint;

    #[test]
    fn long_sentences_shrink_before_they_break() {
        assert_eq!(fit("one two", false, 100.0, 1, &[20.0, 10.0]), (20.0, vec!["one two".to_owned()]));
        assert_eq!(fit("one two three", false, 70.0, 1, &[20.0, 10.0]).0, 10.0);
        assert_eq!(fit("one two three", false, 80.0, 2, &[20.0, 10.0]).0, 20.0);
    }

    #[test]
    fn there_are_always_as_many_marks() {
        for text in ["", "one", "one two three four"] {
            let mut drawing = Drawing::new(100.0, 100.0);
            let (size, lines) = fit(text, false, 60.0, 2, &[20.0]);
            draw(&mut drawing, (0.0, 20.0), &lines, 2, Type::new(size, Paint::Ink));
            assert_eq!(drawing.marks.len(), 2);
        }
    }
}

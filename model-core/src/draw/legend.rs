//! Legends inside drawings: a sample of each fill with its word, in as many rows as they need.

use super::metrics::text_width;
use super::{Drawing, Fill, Paint, Type};

/// A fill and what it stands for.
pub type Entry = (Fill, String);

/// Draws the entries from `x`, around the line at `y`, at most `width` wide; gives back the lower edge.
pub fn draw(drawing: &mut Drawing, [x, y, width]: [f64; 3], size: f64, entries: &[Entry]) -> f64 {
    let sample = size * 0.95;
    let (mut left, mut line) = (x, y);
    for (fill, word) in entries {
        let needs = sample + size * 0.5 + text_width(word, size, false);
        if left > x && left + needs > x + width {
            left = x;
            line += size * 1.7;
        }
        drawing.rect([left, line - sample / 2.0, sample, sample], sample / 5.0, *fill);
        let at = (left + sample + size * 0.5, line + size * 0.36);
        drawing.text(at, word.clone(), Type::new(size, Paint::Mute));
        left += needs + size * 1.6;
    }
    line + size
}

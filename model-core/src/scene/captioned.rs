//! A sheet with a caption for each step: in a band across a wide stage, in lines under a narrow one.

use super::sheet::Sheet;
use super::timeline::Moment;
use super::{Layout, Look, lines, stage};
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Mark, Paint, Type};

/// Letter sizes to choose from, the largest that fits, and lines on a narrow stage.
const WIDE_SIZES: [f64; 4] = [24.0, 22.0, 20.0, 18.0];
const NARROW_SIZES: [f64; 4] = [30.0, 28.0, 26.0, 24.0];
const LINES: usize = 4;

/// All marks of a look, the captions ready for each step.
#[derive(Clone, Debug)]
pub(super) struct Captioned {
    sheet: Sheet,
    captions: Vec<(String, Vec<Mark>)>,
}

impl Captioned {
    /// The sheet with a caption for each step, in the band of a wide stage or from a baseline of a narrow one.
    pub(super) fn new(
        sheet: Sheet,
        look: Look,
        band: [f64; 4],
        narrow_y: f64,
        captions: impl IntoIterator<Item = String>,
    ) -> Self {
        let set = |caption: String| {
            let mut drawing = Drawing::default();
            let ink = |size| Type::new(size, Paint::Ink).bold();
            if look.layout == Layout::Wide {
                let room = band[2] - 40.0;
                let fits = WIDE_SIZES.into_iter().find(|size| text_width(&caption, *size, true) <= room);
                let size = fits.unwrap_or(WIDE_SIZES[3]);
                let at = (band[0] + band[2] / 2.0, band[1] + band[3] / 2.0 + size * 0.36);
                drawing.text(at, caption.clone(), ink(size).anchored(Anchor::Middle));
            } else {
                let room = stage::NARROW_WIDTH - 32.0;
                let (size, text) = lines::fit(&caption, true, room, LINES, &NARROW_SIZES);
                lines::draw(&mut drawing, (16.0, narrow_y), &text, LINES, ink(size));
            }
            (caption, drawing.marks)
        };
        Self { sheet, captions: captions.into_iter().map(set).collect() }
    }

    /// The picture with so much of each group, the step's caption, and only the panel that is open.
    pub(super) fn at(&self, moment: Moment, happened: &[f64], open: Option<usize>) -> Drawing {
        let mut drawing = self.sheet.at(happened, open);
        let last = self.captions.len().saturating_sub(1);
        if let Some((description, marks)) = self.captions.get(moment.step.min(last)) {
            drawing.marks.extend_from_slice(marks);
            drawing.description.clone_from(description);
        }
        drawing
    }
}

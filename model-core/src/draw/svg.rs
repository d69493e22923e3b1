//! A drawing as a self-contained SVG file: literal colours, own background, no outer reference, a font list that
//! holds Chinese, and the scenario it shows in its metadata.

use core::fmt::Write as _;

use super::{Anchor, Drawing, Fill, Mark, Paint, Shape, Theme};

/// Fonts of exported text, Chinese ones included; the same list as the page's.
pub const FONTS: &str =
    "Noto Sans CJK SC, Noto Sans SC, PingFang SC, Microsoft YaHei, Source Han Sans SC, system-ui, sans-serif";

/// Length of the hatch's and the dots' repeat, in drawing units.
pub const TILE: f64 = 8.0;

/// How colours are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// As values of a theme, for files that stand alone.
    Literal(Theme),
    /// As the page's custom properties, for a picture inside the page; the name keeps its ids its own.
    Properties(&'static str),
}

impl Ink {
    const fn of(self, paint: Paint) -> &'static str {
        match self {
            Self::Literal(theme) => paint.hex(theme),
            Self::Properties(_) => paint.css(),
        }
    }

    /// What every id begins with.
    const fn prefix(self) -> &'static str {
        match self {
            Self::Literal(_) => "",
            Self::Properties(name) => name,
        }
    }
}

/// What a file tells of where it comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The scenario as a link's query.
    pub scenario: String,
    /// The page's address with that query.
    pub link: String,
}

/// Writes the drawing as a file.
#[must_use]
pub fn write(drawing: &Drawing, ink: Ink, origin: &Origin) -> String {
    let mut file = String::with_capacity(4096 + drawing.marks.len() * 120);
    let (width, height) = (number(drawing.width), number(drawing.height));
    let name = ink.prefix();
    let _ = write!(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-labelledby=\"{name}title {name}desc\" font-family=\"{FONTS}\">"
    );
    let _ = write!(file, "<title id=\"{name}title\">{}</title>", escaped(&drawing.title));
    let _ = write!(file, "<desc id=\"{name}desc\">{}</desc>", escaped(&drawing.description));
    if *origin != Origin::default() {
        let _ = write!(
            file,
            "<metadata><scenario xmlns=\"urn:one-token-eight-gpus\">{}</scenario>\
         <link xmlns=\"urn:one-token-eight-gpus\">{}</link></metadata>",
            escaped(&origin.scenario),
            escaped(&origin.link)
        );
    }
    definitions(&mut file, drawing, ink);
    let _ = write!(file, "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>", ink.of(Paint::Card));
    for mark in drawing.marks.iter().filter(|mark| mark.opacity > 0.0) {
        element(&mut file, mark, ink);
    }
    file.push_str("</svg>\n");
    file
}

/// The patterns in use, once each.
fn definitions(file: &mut String, drawing: &Drawing, ink: Ink) {
    let mut seen: Vec<Fill> = Vec::new();
    for mark in &drawing.marks {
        if matches!(mark.fill, Fill::Hatched(_) | Fill::Dotted(_)) && !seen.contains(&mark.fill) {
            seen.push(mark.fill);
        }
    }
    if seen.is_empty() {
        return;
    }
    let name = ink.prefix();
    file.push_str("<defs>");
    for fill in seen {
        let tile = number(TILE);
        match fill {
            Fill::Hatched(paint) => {
                let _ = write!(
                    file,
                    "<pattern id=\"{name}{}\" width=\"{tile}\" height=\"{tile}\" patternUnits=\"userSpaceOnUse\" \
                     patternTransform=\"rotate(45)\">\
                     <rect width=\"3\" height=\"{tile}\" fill=\"{}\"/></pattern>",
                    pattern_name(fill),
                    ink.of(paint)
                );
            }
            Fill::Dotted(paint) => {
                let (back, front) = (ink.of(paint), ink.of(Paint::Card));
                let _ = write!(
                    file,
                    "<pattern id=\"{name}{}\" width=\"{tile}\" height=\"{tile}\" patternUnits=\"userSpaceOnUse\">\
                     <rect width=\"{tile}\" height=\"{tile}\" fill=\"{back}\"/>\
                     <circle cx=\"4\" cy=\"4\" r=\"1.4\" fill=\"{front}\"/></pattern>",
                    pattern_name(fill)
                );
            }
            Fill::Empty | Fill::Solid(_) => {}
        }
    }
    file.push_str("</defs>");
}

/// A pattern's name, without any prefix that tells instances apart.
#[must_use]
pub fn pattern_name(fill: Fill) -> String {
    match fill {
        Fill::Hatched(paint) => format!("hatch-{}", paint.property()),
        Fill::Dotted(paint) => format!("dots-{}", paint.property()),
        Fill::Empty | Fill::Solid(_) => String::new(),
    }
}

fn element(file: &mut String, mark: &Mark, ink: Ink) {
    match &mark.shape {
        Shape::Rect { x, y, width, height, radius } => {
            let [x, y, width, height, radius] = [*x, *y, *width, *height, *radius].map(number);
            let _ = write!(
                file,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\""
            );
        }
        Shape::Circle { x, y, r } => {
            let [x, y, r] = [*x, *y, *r].map(number);
            let _ = write!(file, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"");
        }
        Shape::Path { .. } | Shape::Lines { .. } | Shape::Cells { .. } | Shape::Bars { .. } => {
            let _ = write!(file, "<path d=\"{}\"", path_data(&mark.shape));
        }
        Shape::Text { x, y, size, anchor, bold, .. } => {
            let [x, y, size] = [*x, *y, *size].map(number);
            let _ = write!(file, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"");
            if let Some(anchor) = anchor_name(*anchor) {
                let _ = write!(file, " text-anchor=\"{anchor}\"");
            }
            if *bold {
                file.push_str(" font-weight=\"700\"");
            }
        }
    }
    match mark.fill {
        Fill::Empty => file.push_str(" fill=\"none\""),
        Fill::Solid(paint) => {
            let _ = write!(file, " fill=\"{}\"", ink.of(paint));
        }
        pattern => {
            let _ = write!(file, " fill=\"url(#{}{})\"", ink.prefix(), pattern_name(pattern));
        }
    }
    if let Some(stroke) = mark.stroke {
        let _ =
            write!(file, " stroke=\"{}\" stroke-width=\"{}\"", ink.of(stroke.paint), number(stroke.width));
        if stroke.dashed {
            file.push_str(" stroke-dasharray=\"6 5\"");
        }
    }
    if mark.opacity < 1.0 {
        let _ = write!(file, " opacity=\"{}\"", number(mark.opacity));
    }
    if let Some(figure) = mark.figure {
        let _ = write!(file, " data-figure=\"{}\" data-value=\"{}\"", figure.id, figure.value);
    }
    match &mark.shape {
        Shape::Text { text, .. } => {
            let _ = write!(file, ">{}</text>", escaped(text));
        }
        _ => file.push_str("/>"),
    }
}

/// The `d` attribute of a shape that is written as a path; empty for any other.
#[must_use]
pub fn path_data(shape: &Shape) -> String {
    let mut data = String::new();
    let polyline = |data: &mut String, points: &[(f64, f64)]| {
        data.reserve(points.len() * 12);
        for (index, (x, y)) in points.iter().enumerate() {
            data.push(if index == 0 { 'M' } else { 'L' });
            push_number(data, *x);
            data.push(' ');
            push_number(data, *y);
        }
    };
    let cell = |data: &mut String, x: f64, y: f64, width: &str, height: &str| {
        data.push('M');
        push_number(data, x);
        data.push(' ');
        push_number(data, y);
        let _ = write!(data, "h{width}v{height}h-{width}z");
    };
    match shape {
        Shape::Path { points, closed } => {
            polyline(&mut data, points);
            if *closed {
                data.push('Z');
            }
        }
        Shape::Lines { lines } => lines.iter().for_each(|points| polyline(&mut data, points)),
        Shape::Cells { x, y, columns, count, pitch, size } => {
            let columns = (*columns).max(1);
            let (width, height) = (number(size.0), number(size.1));
            for index in 0..*count {
                let (right, down) = ((index % columns) as f64, (index / columns) as f64);
                cell(&mut data, x + right * pitch.0, y + down * pitch.1, &width, &height);
            }
        }
        Shape::Bars { areas } => {
            for [x, y, width, height] in areas {
                cell(&mut data, *x, *y, &number(*width), &number(*height));
            }
        }
        Shape::Rect { .. } | Shape::Circle { .. } | Shape::Text { .. } => {}
    }
    data
}

/// The value of `text-anchor`; none for the default.
#[must_use]
pub const fn anchor_name(anchor: Anchor) -> Option<&'static str> {
    match anchor {
        Anchor::Start => None,
        Anchor::Middle => Some("middle"),
        Anchor::End => Some("end"),
    }
}

/// A coordinate with at most two decimals; anything that is no number becomes 0, so that no file ever holds NaN.
#[must_use]
pub fn number(value: f64) -> String {
    let mut text = String::with_capacity(8);
    push_number(&mut text, value);
    text
}

/// The number that [`number`] writes.
#[must_use]
pub fn rounded(value: f64) -> f64 {
    if value.is_finite() { (value * 100.0).round() / 100.0 } else { 0.0 }
}

/// The same at the end of a text. Hundredths are counted as whole numbers: a frame writes hundreds of coordinates, and
/// exact decimals of a float are slow.
fn push_number(text: &mut String, value: f64) {
    let hundredths = (rounded(value) * 100.0).round() as i64;
    if hundredths < 0 {
        text.push('-');
    }
    let (whole, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    let _ = match rest {
        0 => write!(text, "{whole}"),
        rest if rest.is_multiple_of(10) => write!(text, "{whole}.{}", rest / 10),
        rest => write!(text, "{whole}.{rest:02}"),
    };
}

/// Text made safe for XML: markup escaped, characters XML forbids left out.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Type;

    #[test]
    fn a_file_stands_alone() {
        let mut drawing = Drawing::new(100.0, 50.0);
        drawing.title = "A < B & \"C\"".to_owned();
        drawing.rect([1.0, 2.0, 30.0, 10.0], 2.0, Fill::Hatched(Paint::Comm)).shows("memory.free", 1.5);
        drawing.rect([1.0, 2.0, 30.0, 10.0], 2.0, Fill::Dotted(Paint::WeightSoft)).faded(0.5);
        drawing.line((0.0, 0.0), (f64::NAN, 5.0), Paint::Ink, 1.0).dashed();
        drawing.text((5.0, 20.0), "显存\u{0} <1>", Type::new(10.0, Paint::Ink).bold().anchored(Anchor::End));
        let origin = Origin { scenario: "batch=9&tp=4".to_owned(), link: "page?batch=9".to_owned() };
        for theme in [Theme::Light, Theme::Dark] {
            let file = write(&drawing, Ink::Literal(theme), &origin);
            assert!(!file.contains("var(") && !file.contains("NaN") && !file.contains('\u{0}'));
            assert!(file.contains("<title id=\"title\">A &lt; B &amp; &quot;C&quot;</title>"));
            assert!(file.contains("batch=9&amp;tp=4"));
            assert!(file.contains("url(#hatch-comm)") && file.contains("id=\"hatch-comm\""));
            assert!(file.contains("data-figure=\"memory.free\" data-value=\"1.5\""));
        }
    }

    #[test]
    fn coordinates_are_short() {
        for (value, text) in
            [(1.0, "1"), (0.5, "0.5"), (-0.001, "0"), (12.345, "12.35"), (f64::INFINITY, "0")]
        {
            assert_eq!(number(value), text);
        }
    }
}

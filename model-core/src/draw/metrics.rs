//! How wide a line of text is, from a table of advances instead of a browser: the same native and in wasm.
//!
//! The advances are those of Noto Sans CJK, the widest of the fonts in the page's list; wide characters take one em.

/// Height of letters above the baseline, in ems.
pub const ASCENT: f64 = 0.88;
/// Depth of letters below the baseline, in ems.
pub const DESCENT: f64 = 0.23;

/// Advances of the printable ASCII characters from the space on, in thousandths of an em.
#[rustfmt::skip]
const REGULAR: [u16; 95] = [
    224, 323, 474, 555, 555, 921, 680, 278, 338, 338, 467, 555, 278, 347, 278, 392, 555, 555, 555, 555, 555, 555, 555,
    555, 555, 555, 278, 278, 555, 555, 555, 474, 946, 608, 657, 638, 688, 589, 552, 689, 728, 293, 535, 646, 543, 812,
    723, 742, 633, 742, 635, 596, 599, 721, 575, 878, 573, 531, 603, 338, 392, 338, 555, 559, 606, 563, 618, 510, 620,
    554, 325, 564, 607, 275, 275, 552, 284, 926, 610, 606, 620, 620, 388, 468, 377, 607, 521, 802, 498, 521, 475, 338,
    270, 338, 555,
];

/// The same in bold.
#[rustfmt::skip]
const BOLD: [u16; 95] = [
    227, 370, 574, 590, 590, 963, 740, 325, 378, 378, 507, 590, 325, 370, 325, 387, 590, 590, 590, 590, 590, 590, 590,
    590, 590, 590, 325, 325, 590, 590, 590, 514, 1007, 641, 681, 656, 714, 615, 585, 717, 757, 330, 568, 686, 578, 853,
    749, 770, 667, 770, 682, 624, 625, 748, 619, 915, 627, 580, 613, 378, 387, 378, 590, 567, 626, 591, 644, 527, 644,
    581, 372, 597, 640, 304, 306, 604, 315, 964, 641, 626, 644, 644, 436, 495, 421, 637, 576, 863, 562, 574, 511, 378,
    296, 378, 590,
];

/// The width of a line of text set at `size` units to the em.
#[must_use]
pub fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    f64::from(thousandths(text, bold)) / 1000.0 * size
}

/// The same in thousandths of an em.
fn thousandths(text: &str, bold: bool) -> u32 {
    let table = if bold { &BOLD } else { &REGULAR };
    let advance = |c| match c {
        ' '..='~' => u32::from(table.get(c as usize - ' ' as usize).copied().unwrap_or(1000)),
        '\u{a0}' => 224,
        '–' | '−' => 590,
        'µ' => 664,
        '°' => 404,
        _ => 1000,
    };
    text.chars().map(advance).sum()
}

/// Breaks a text into lines no wider than `width`: at spaces, and between wide characters, but never before closing
/// punctuation. A single word wider than the line stands alone.
#[must_use]
pub fn wrap(text: &str, size: f64, bold: bool, width: f64) -> Vec<String> {
    let mut lines = Vec::new();
    // The line so far is a stretch of the text; each piece is measured once.
    let (mut start, mut end, mut wide) = (0, 0, 0);
    let line = |start: usize, end: usize| text.get(start..end).unwrap_or("").trim_end();
    for piece in pieces(text) {
        let mut shown = piece;
        let bare = thousandths(piece.trim_end(), bold);
        if start < end && f64::from(wide + bare) / 1000.0 * size > width {
            lines.push(line(start, end).to_owned());
            shown = piece.trim_start();
            (start, wide) = (end + piece.len() - shown.len(), 0);
        }
        end += piece.len();
        wide += thousandths(shown, bold);
    }
    if !line(start, end).is_empty() {
        lines.push(line(start, end).to_owned());
    }
    lines
}

/// The parts of a text between which a line may break.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    for (index, c) in text.char_indices() {
        let may_break = match before {
            Some(' ') => c != ' ',
            Some(before) => (is_wide(before) || is_wide(c)) && !closes(c) && before != '（' && c != ' ',
            None => false,
        };
        if may_break {
            pieces.push(&text[start..index]);
            start = index;
        }
        before = Some(c);
    }
    pieces.push(&text[start..]);
    pieces
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}')
}

fn closes(c: char) -> bool {
    matches!(c, '，' | '。' | '、' | '：' | '；' | '）' | '」' | '？' | '！' | ',' | '.' | ')' | ';' | ':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_between_wide_characters() {
        assert_eq!(wrap("one two three", 10.0, false, 45.0), ["one two", "three"]);
        assert_eq!(wrap("八张卡，一枚词", 10.0, false, 40.0), ["八张卡，", "一枚词"]);
        assert_eq!(wrap("八张 GPU 0", 10.0, false, 35.0), ["八张", "GPU 0"]);
        assert_eq!(wrap("", 10.0, false, 40.0), Vec::<String>::new());
    }

    #[test]
    fn wide_characters_take_one_em() {
        assert_eq!(text_width("八张卡", 20.0, false), 60.0);
        assert!(
            (text_width("GPU 0", 20.0, false) - 20.0 * (0.689 + 0.633 + 0.721 + 0.224 + 0.555)).abs() < 1e-9
        );
        assert!(text_width("GPU", 20.0, true) > text_width("GPU", 20.0, false));
    }
}

//! Prints the cache chart as SVG: `cargo run -p model-core --example chart -- [wide|narrow] [zh|en] [light|dark]
//! [key=value…]`.

use model_core::chart::{Size, cache::CacheChart};
use model_core::draw::{Theme, svg};
use model_core::figure::Ledger;
use model_core::format::ByteBase;
use model_core::language::Language;
use model_core::scenario::{Key, Scenario};
use model_core::spec::v4_pro;
use model_core::words::Words;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut size, mut language, mut theme) = (Size::WIDE, Language::Chinese, Theme::Light);
    let mut scenario = Scenario::default();
    for word in std::env::args().skip(1) {
        if let Some((key, value)) = word.split_once('=') {
            scenario.choose_text(Key::from_name(key).ok_or("no such key")?, value)?;
        } else if word == "narrow" {
            size = Size::NARROW;
        } else {
            language = Language::from_name(&word).unwrap_or(language);
            theme = Theme::from_name(&word).unwrap_or(theme);
        }
    }
    let chart = CacheChart::new(Ledger::Tutorial, &scenario, &v4_pro());
    let words = Words::of(language);
    let drawing = match size {
        Size::WIDE => chart.draw_whole(words, ByteBase::Binary),
        _ => chart.draw(size, words, ByteBase::Binary),
    };
    print!("{}", svg::write(&drawing, svg::Ink::Literal(theme), &svg::Origin::default()));
    Ok(())
}

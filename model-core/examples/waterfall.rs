//! Prints the way from one scenario to another as SVG: `cargo run -p model-core --example waterfall -- [PAIR | QUERY
//! QUERY] [memory|step|weights|cache] [wide|narrow] [zh|en] [light|dark]`; `csv` or `table` prints its table in place of
//! the picture, `figures` the comparison's, `pairs` all pairs with what they mean.

use model_core::compare::{Case, Comparison, Names, Waterfall, Which, pairs};
use model_core::draw::{Theme, svg};
use model_core::format::ByteBase;
use model_core::language::Language;
use model_core::ledger::Topic;
use model_core::link::Compared;
use model_core::scene::{Layout, Look};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut topic, mut theme, mut print) = (Topic::MemoryPerGpu, Theme::Light, String::new());
    let mut look = Look { layout: Layout::Wide, language: Language::Chinese, base: ByteBase::Decimal };
    let mut cases: Vec<Compared> = Vec::new();
    for word in std::env::args().skip(1) {
        match word.as_str() {
            "memory" => topic = Topic::MemoryPerGpu,
            "step" => topic = Topic::DecodeStep,
            "weights" => topic = Topic::WeightsPerGpu,
            "cache" => topic = Topic::CachePerRequest,
            "wide" => look.layout = Layout::Wide,
            "narrow" => look.layout = Layout::Narrow,
            "csv" | "table" | "figures" | "pairs" => print = word,
            word => {
                if let Some(pair) = pairs().iter().find(|pair| pair.name == word) {
                    cases = pair.compared().to_vec();
                } else if let Some(language) = Language::from_name(word) {
                    look.language = language;
                } else if let Some(known) = Theme::from_name(word) {
                    theme = known;
                } else {
                    cases.push(Compared::read(word)?);
                }
            }
        }
    }
    if print == "pairs" {
        for pair in pairs() {
            println!("{}\n{}\n{}\n", pair.title(look), pair.query(), pair.meaning(look));
        }
        return Ok(());
    }
    let cases: Vec<Case> = cases.iter().map(Case::from).collect();
    let [a, b, ..] = &cases[..] else { return Err("two scenarios are needed".into()) };
    let names = Names::LINKS;
    let way = Waterfall::of(topic, a, b);
    match print.as_str() {
        "csv" => print!("{}", way.table(look, &names).csv()),
        "table" => print!("{}\n{}", way.description(look, &names), way.table(look, &names).markdown()),
        "figures" => {
            let comparison = Comparison::of(cases);
            print!("{}", comparison.values_table(look, &names).markdown());
            print!("{}", comparison.table(Which::Differing, look).markdown());
        }
        _ => {
            let drawing = match look.layout {
                Layout::Wide => way.draw_whole(look, &names),
                Layout::Narrow => way.draw(look, &names),
            };
            print!("{}", svg::write(&drawing, svg::Ink::Literal(theme), &svg::Origin::default()));
        }
    }
    Ok(())
}

//! The calculation of "experts": one coordinate of the example token's result, then how many experts a batch reads.

use super::{Experts, HUNDREDTHS};
use crate::figure::Unit;
use crate::format;
use crate::formula;
use crate::scene::worked::{MOST_TERMS, Sheet, Worked, products_of, sum_of};
use crate::scene::{Look, Text};

/// The scenario's calculation.
pub(super) fn of(experts: &Experts, look: Look) -> Worked {
    let mut sheet = Sheet::new(
        look,
        ["一个 token 的结果，和一批要读的专家", "One token's result, and the experts a batch reads"],
    );
    let total = result(&mut sheet, experts);
    let shared = whole(experts.shared);
    sheet.line(
        ["最后加上共享专家的输出", "Last comes the shared expert's output"],
        Unit::Count,
        total + shared,
        formula!("{y} + {y_s}", y = total, y_s = shared),
    );
    let expected = experts.expected.unwrap_or(f64::NAN);
    let expected = sheet.line(
        [
            "再看整批：{batch} 个 token 平均要读的不同专家",
            "The whole batch: different experts that {batch} tokens read on average",
        ],
        Unit::Count,
        expected,
        experts.expected_by.clone(),
    );
    sheet.filled(&[("batch", format::count(experts.routed.tokens as f64))]);
    if experts.routed.small().is_none() {
        sheet.is("moe.distinct_experts", experts.expected);
    }
    let gpus = f64::from(experts.routed.ranks);
    sheet.line(
        ["平均到每张卡", "On each GPU, on average"],
        Unit::Count,
        expected / gpus,
        formula!("{U} / {G}", U = expected, G = gpus),
    );
    sheet.done()
}

/// The sums of the two GPUs that the token asks most of, of all others, and of all.
fn result(sheet: &mut Sheet, experts: &Experts) -> f64 {
    const OWN: Text =
        ["GPU {gpu}：权重 × 输出，先在卡内相加", "GPU {gpu}: weight × output, added up on the GPU"];
    const OTHERS: Text = ["其余各卡同样算，合在一起", "The other GPUs in the same way, taken together"];
    let picks_of = |rank: u32| experts.picks.iter().filter(move |pick| pick.rank == rank);
    let mut ranks: Vec<u32> = experts.picks.iter().map(|pick| pick.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks.sort_by_key(|rank| core::cmp::Reverse(picks_of(*rank).count()));
    let (first, rest) = ranks.split_at(ranks.len().min(2));
    let mut partial = |text: Text, ranks: &[u32]| {
        let picks = || ranks.iter().flat_map(|rank| picks_of(*rank));
        let sum = whole(picks().map(super::Pick::product).sum());
        let factors: Vec<f64> = picks().flat_map(|pick| [whole(pick.weight), pick.output as f64]).collect();
        let formula =
            if factors.len() > MOST_TERMS { sum_of(&[sum], Unit::Count) } else { products_of(&factors) };
        sheet.line(text, Unit::Count, sum, formula);
        if let Some(rank) = ranks.first() {
            sheet.filled(&[("gpu", rank.to_string())]);
        }
        sum
    };
    let mut sums: Vec<f64> = first.iter().map(|rank| partial(OWN, &[*rank])).collect();
    if !rest.is_empty() {
        sums.push(partial(OTHERS, rest));
    }
    sheet.line(
        ["all-reduce 把部分和相加", "The all-reduce adds the partial sums"],
        Unit::Count,
        whole(experts.total()),
        sum_of(&sums, Unit::Count),
    )
}

/// Hundredths as the number they stand for.
fn whole(hundredths: i64) -> f64 {
    hundredths as f64 / HUNDREDTHS as f64
}

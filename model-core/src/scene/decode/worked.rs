//! The calculation of "decode": what drafts gain and cost, and when the answer is done.

use super::{ANSWER_TOKENS, Decoding};
use crate::figure::Unit;
use crate::formula;
use crate::scene::Look;
use crate::scene::worked::{Sheet, Worked, sum_of};

/// Names the figure that says the last line's value.
fn named(sheet: &mut Sheet, scene: &Decoding, value: f64) {
    if let Some((id, number)) = scene.figure(value) {
        sheet.is(id, Some(number));
    }
}

/// The scenario's calculation.
pub(super) fn of(scene: &Decoding, look: Look) -> Worked {
    let mut sheet = Sheet::new(look, ["打草稿值不值", "What drafts are worth"]);
    let here = &scene.here;
    let (depth, acceptance) = (here.depth as f64, scene.acceptance);
    let chances: Vec<f64> =
        (0..=here.depth).map(|drafts| crate::power::whole_power(acceptance, drafts)).collect();
    let gained = sheet.line(
        [
            "每步期望得到几个：自己这一个，加上每个前面都被接受的草稿",
            "Tokens a step gains: its own, and each draft while those before it hold",
        ],
        Unit::Count,
        here.gained,
        sum_of(&chances, Unit::Count),
    );
    let verify = here.step.verify.get();
    let tokens = scene.batch as f64;
    sheet.line(
        ["验证时每步带几个 token 过全部层", "Tokens that a verifying step takes through all layers"],
        Unit::Count,
        tokens * (1.0 + depth),
        formula!("{B} × (1 + {d})", B = tokens, d = depth),
    );
    let draft = here.step.draft.get();
    let step = sheet.line(
        ["一步：验证，加上逐个打草稿", "A step: verifying, and making the drafts"],
        Unit::Seconds,
        verify + draft,
        formula!("{t_v} + {t_d}", t_v = verify => Seconds, t_d = draft => Seconds),
    );
    named(&mut sheet, scene, step);
    let tpot = sheet.line(
        ["摊到每个 token：TPOT", "For each token: TPOT"],
        Unit::Seconds,
        step / gained,
        formula!("{t} / {n}", t = step => Seconds, n = gained),
    );
    let plain = scene.plain_s();
    sheet.line(
        ["与不打草稿比快几倍", "How many times as fast as without drafts"],
        Unit::Count,
        plain / tpot,
        formula!("{t_0} / {t}", t_0 = plain => Seconds, t = tpot => Seconds),
    );
    let ttft = sheet.line(
        ["首个 token：整段提示词，再走一步", "The first token: the prompt, then a step"],
        Unit::Seconds,
        scene.ttft_s(),
        formula!("{t_p} + {t_1}", t_p = scene.prefill.1 => Seconds, t_1 = plain => Seconds),
    );
    named(&mut sheet, scene, ttft);
    let answer = ANSWER_TOKENS as f64;
    sheet.line(
        ["答完：其余 token 按 TPOT 一个个来", "To the end of the answer: TPOT for each further token"],
        Unit::Seconds,
        ttft + (answer - 1.0) * tpot,
        formula!("{t_f} + ({n} − 1) × {t}", t_f = ttft => Seconds, n = answer, t = tpot => Seconds),
    );
    sheet.done()
}

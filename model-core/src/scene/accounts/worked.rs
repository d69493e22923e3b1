//! The calculation of "accounts": the measured step, what two changes make of it, and what the longest part is worth.

use super::Accounts;
use crate::figure::Unit;
use crate::formula;
use crate::scene::Look;
use crate::scene::worked::{Sheet, Worked};
use crate::simulate::critical_path::{Part, Parts};

/// The scenario's calculation.
pub(super) fn of(scene: &Accounts, look: Look) -> Worked {
    let mut sheet = Sheet::new(look, ["改哪一段最值", "Which part is worth changing"]);
    let Parts { attention_s, experts_s, exposed_s, cpu_s } = scene.parts;
    let total = sheet.line(
        ["一步：四段一段接一段", "The step: four parts, one after the other"],
        Unit::Seconds,
        scene.parts.total_s(),
        formula!(
            "{t_attn} + {t_moe} + {t_comm} + {t_cpu}",
            t_attn = attention_s => Seconds,
            t_moe = experts_s => Seconds,
            t_comm = exposed_s => Seconds,
            t_cpu = cpu_s => Seconds
        ),
    );
    if let Some(id) = scene.figure {
        sheet.is(id, Some(total));
    }
    let x = scene.speedup;
    let saved = sheet.line(
        ["专家变快，省下的只是它自己的一部分", "Faster experts save a share of their own part only"],
        Unit::Seconds,
        experts_s - experts_s / x,
        formula!("{t_moe} − {t_moe} / {x}", t_moe = experts_s => Seconds, x = x),
    );
    let [_, experts, .., hiding] = scene.changes;
    let faster = sheet.line(
        ["这样的一步", "The step then"],
        Unit::Seconds,
        scene.parts.faster(Part::Experts, x).total_s(),
        formula!("{t} − {s}", t = total => Seconds, s = saved => Seconds),
    );
    if let Some(id) = experts.figure {
        sheet.is(id, Some(faster));
    }
    sheet.line(
        ["快到几倍", "How many times as fast"],
        Unit::Count,
        experts.gain,
        formula!("{t} / {t_1}", t = total => Seconds, t_1 = faster => Seconds),
    );
    let hidden = sheet.line(
        ["换成藏通信：露出多少，最多藏多少", "Or hiding communication: no more than is exposed"],
        Unit::Seconds,
        scene.hidden_s.min(exposed_s),
        formula!("min({h}, {t_comm})", h = scene.hidden_s => Seconds, t_comm = exposed_s => Seconds),
    );
    let less = sheet.line(
        ["这样的一步", "The step then"],
        Unit::Seconds,
        hiding.parts.total_s(),
        formula!("{t} − {s}", t = total => Seconds, s = hidden => Seconds),
    );
    if let Some(id) = hiding.figure {
        sheet.is(id, Some(less));
    }
    sheet.line(
        ["快到几倍", "How many times as fast"],
        Unit::Count,
        hiding.gain,
        formula!("{t} / {t_2}", t = total => Seconds, t_2 = less => Seconds),
    );
    sheet.done()
}

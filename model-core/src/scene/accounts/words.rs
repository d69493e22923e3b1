//! The words inside the picture of "accounts", Chinese and English side by side. `{…}` stand for values.

use super::Step;
use crate::ledger::StepPart;
use crate::scene::Text;
use crate::simulate::critical_path::Part;

pub(super) const TITLE: Text = ["时间花在哪，先记清账", "Where the time goes"];

pub(super) const ROOF: Text = ["一张卡的屋脊线：decode 和 prefill", "One GPU's roofline: decode and prefill"];
pub(super) const RIDGE: Text = ["屋脊 {ridge} FLOP/B", "ridge {ridge} FLOP/B"];
pub(super) const SLOPE: Text = ["等内存", "memory"];
pub(super) const FLAT: Text = ["等算力", "compute"];
/// Heads of the table beside the roofline.
pub(super) const COLUMNS: [Text; 3] = [["FLOP/B", "FLOP/B"], ["decode", "decode"], ["prefill", "prefill"]];
pub(super) const PEAK: Text = ["算力最多用到", "share of peak"];

/// A stage.
pub(super) const fn stage(part: StepPart) -> Text {
    match part {
        StepPart::Proj => ["投影", "projections"],
        StepPart::Attn => ["注意力", "attention"],
        StepPart::Moe => ["专家", "experts"],
        StepPart::Head => ["输出头", "head"],
        StepPart::Other | StepPart::Draft | StepPart::Fixed => ["其余", "the rest"],
    }
}

/// A part of the path.
pub(super) const fn part(part: Part) -> Text {
    match part {
        Part::Attention => ["注意力", "attention"],
        Part::Experts => ["专家", "experts"],
        Part::Exposed => ["露出的通信", "exposed links"],
        Part::Cpu => ["CPU 调度", "CPU"],
    }
}

pub(super) const PATH: Text = ["关键路径：一步里谁接着谁", "Critical path: one part after the other"];
pub(super) const NOW: Text = ["现在", "now"];
/// A part that gets faster.
pub(super) const FASTER: [Text; 4] = [
    ["注意力快 {x} 倍", "attention {x}× as fast"],
    ["专家快 {x} 倍", "experts {x}× as fast"],
    ["通信快 {x} 倍", "links {x}× as fast"],
    ["CPU 快 {x} 倍", "CPU {x}× as fast"],
];
pub(super) const HIDING: Text = ["再藏 {h} 通信", "{h} more hidden"];
pub(super) const OWN: Text = ["本场景，按比例", "this scenario, scaled"];

pub(super) const OVERLAP: Text =
    ["有重叠时，加起来不等于过去的", "Where times overlap, sums exceed what passes"];
pub(super) const LANES: [Text; 2] = [["计算", "compute"], ["通信", "links"]];
/// What passes, and what the items add up to.
pub(super) const SUMS: [Text; 2] =
    [["实际过了 {passed}", "passed: {passed}"], ["逐项相加 {summed}", "added up: {summed}"]];

pub(super) const CLOCKS: Text = ["同一步，三种量法", "One step, three ways to time it"];
pub(super) const SIDES: [Text; 2] = [["主机", "host"], ["GPU", "GPU"]];
/// The three ways.
pub(super) const WAYS: [Text; 3] = [
    ["调用返回就停表", "host, calls returned"],
    ["GPU 事件前后", "events on the GPU"],
    ["等 GPU 完再停表", "host, synchronised"],
];

pub(super) const TAIL: Text =
    ["同一步跑 {draws} 次：路由一变，尾巴就长", "The step {draws} times: routing makes the tail"];
pub(super) const NO_TAIL: Text = ["这个模型没有抽样", "nothing is drawn for this model"];
pub(super) const STEPS: Text = ["从快到慢排好的每一步", "steps, from fast to slow"];

/// What is said where no step takes longer than another.
pub(super) const EVEN: Text = [
    "没有谁要等：每一步都是 {p50}，看不出尾巴",
    "Nobody waits for another: every step takes {p50}, and there is no tail",
];

/// What each step shows.
pub(super) const fn caption(step: Step) -> Text {
    match step {
        Step::Roof => [
            "屋脊在 {ridge} FLOP/B：decode 的专家只有 {moe}，在等内存；prefill 的有 {moe_prefill}。显存满不等于算力满，decode 最多用到 {peak}",
            "Ridge: {ridge} FLOP/B. Experts have {moe} in decode, {moe_prefill} in prefill. Full memory is not busy compute: decode uses {peak} at most",
        ],
        Step::Path => [
            "一步 {total}：注意力 {attention}、专家 {experts}、没藏住的通信 {exposed}、CPU {cpu}，一段接一段",
            "A step of {total}: attention {attention}, experts {experts}, exposed communication {exposed}, CPU {cpu}, one after the other",
        ],
        Step::Change => [
            "专家快 {x} 倍，整步只快 {expert_gain}；{best}最值，到 {best_total}，快 {best_gain}。先动露在路上的最大一段",
            "Experts {x} times as fast make the step {expert_gain}; worth most: {best}, {best_total}, {best_gain}. Start with the longest exposed part",
        ],
        Step::Overlap => [
            "藏住 {beside} 之后，各项加起来还是 {summed}，钟上只过了 {passed}：拿 kernel 时间之和找瓶颈会看错",
            "With {beside} hidden, the items still add up to {summed} while {passed} pass: a sum of kernel times misleads",
        ],
        Step::Clocks => [
            "提交完就停表只有 {returned}；事件夹住 GPU 上的 {events}；等 GPU 做完再停，才是 {synchronised}",
            "Stopped at the return, the host's clock shows {returned}; events enclose {events} on the GPU; synchronised, it is {synchronised}",
        ],
        Step::Tail => [
            "一半的步在 {p50} 以内，95% 在 {p95} 以内，99% 在 {p99} 以内：最忙的卡决定尾巴，只报平均会看不见",
            "Half of the steps take up to {p50}, 95% up to {p95}, 99% up to {p99}: the fullest GPU makes the tail, and a mean hides it",
        ],
    }
}

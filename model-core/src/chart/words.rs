//! The words of charts, both languages side by side.

use crate::language::Language;
use crate::ledger::StepPart;
use crate::scene::Text;

/// What a chart is called, what it shows, and how its axes are named.
pub(super) struct Told {
    pub(super) title: Text,
    pub(super) about: Text,
    pub(super) across: Text,
    pub(super) upward: Text,
}

pub(super) const CONTEXT: Text = ["上下文（token）", "Context (tokens)"];
pub(super) const BATCH: Text = ["批量（请求）", "Batch (requests)"];
pub(super) const BATCH_SHORT: Text = ["批量", "batch"];
pub(super) const PREFIX: Text = ["前缀（token）", "Prefix (tokens)"];
const MEMORY: Text = ["每卡显存", "Memory per GPU"];
const STEP: Text = ["步时", "Step time"];

pub(super) const MEMORY_CONTEXT: Told = Told {
    title: ["每卡显存随上下文增长", "Memory per GPU as the context grows"],
    about: [
        "横轴是上下文长度（对数），纵轴是最满一张卡的显存，按部分叠放；虚线是容量，超出的部分画斜线。",
        "Context across (logarithmic), memory of the fullest GPU upwards, its parts stacked; the dashed line is the capacity, what lies over it is hatched.",
    ],
    across: CONTEXT,
    upward: MEMORY,
};
pub(super) const MEMORY_BATCH: Told = Told {
    title: ["每卡显存随批量增长", "Memory per GPU as the batch grows"],
    about: [
        "横轴是批量（对数），纵轴是最满一张卡的显存，按部分叠放；虚线是容量，超出的部分画斜线。",
        "Batch across (logarithmic), memory of the fullest GPU upwards, its parts stacked; the dashed line is the capacity, what lies over it is hatched.",
    ],
    across: BATCH,
    upward: MEMORY,
};
pub(super) const DECODE: Told = Told {
    title: ["解码一步的时间，按阶段", "Time of a decode step, by stage"],
    about: [
        "横轴是批量（对数），纵轴是一步的时间，各阶段叠放。",
        "Batch across (logarithmic), time of a step upwards, its stages stacked.",
    ],
    across: BATCH,
    upward: STEP,
};
pub(super) const PARETO: Told = Told {
    title: ["吞吐与交互速度", "Throughput against interactivity"],
    about: [
        "横轴是每个用户每秒得到的 token，纵轴是每张卡每秒产出的 token，两轴都是对数刻度；每条线是一种方案，线上的点是不同的批量，放不下的不画。",
        "Tokens a second for each user across, tokens a second from each GPU upwards, both logarithmic; each line is a plan, its points are batches, and those that do not fit are left out.",
    ],
    across: ["每用户速度", "Speed per user"],
    upward: ["每卡吞吐", "Throughput per GPU"],
};
pub(super) const ROOFLINE: Told = Told {
    title: ["解码各阶段的屋顶线", "Roofline of the decode stages"],
    about: [
        "横轴是每读一字节所做的运算，纵轴是达到的算力，两轴都是对数刻度；斜边是显存带宽，平顶是算力峰值。",
        "FLOPs for each byte read across, rate reached upwards, both logarithmic; the slope is the memory's rate, the flat part the peak.",
    ],
    across: ["运算强度", "Intensity"],
    upward: ["达到的算力", "Rate reached"],
};
pub(super) const CACHE: Told = Told {
    title: ["一个请求的缓存随上下文增长", "One request's cache as its context grows"],
    about: [
        "横轴是上下文长度，纵轴是一个请求的缓存，按部分叠放，两轴都是对数刻度。",
        "Context length across, one request's cache upwards, its parts stacked, both axes logarithmic.",
    ],
    across: CONTEXT,
    upward: ["每请求缓存", "Cache of a request"],
};
pub(super) const EXPERTS: Told = Told {
    title: ["一层碰到多少不同的专家", "How many different experts a layer touches"],
    about: [
        "横轴是批量（对数），纵轴是一层里至少被选中一次的路由专家数的期望；圆点是按路由器抽样得到的。",
        "Batch across (logarithmic), routed experts of a layer that are picked at least once upwards, in expectation; dots are drawn batches.",
    ],
    across: BATCH,
    upward: ["不同的专家数", "Different experts"],
};
pub(super) const ALLREDUCE: Told = Told {
    title: ["一次 all-reduce 的时间", "Time of an all-reduce"],
    about: [
        "横轴是消息大小，纵轴是时间，两轴都是对数刻度；小消息的时间由启动决定，大消息由链路速率决定。",
        "Message size across, time upwards, both logarithmic; start-up bounds small messages, the link's rate large ones.",
    ],
    across: ["消息大小", "Message size"],
    upward: ["时间", "Time"],
};
pub(super) const PREFILL: Told = Told {
    title: ["预填一块的时间随前缀增长", "Time of a prefill chunk as its prefix grows"],
    about: [
        "横轴是这一块之前已经算过的 token，纵轴是这一块的时间，各部分叠放。",
        "Tokens processed before the chunk across, time of the chunk upwards, its parts stacked.",
    ],
    across: PREFIX,
    upward: ["一块的时间", "Time of the chunk"],
};
pub(super) const MEASURED: Told = Told {
    title: ["公开的解码实测与下限", "Published decode steps over their floors"],
    about: [
        "横轴是收集到的干净的解码行，纵轴是一步的时间（对数）；空心圆是精确账在同样处境下的下限，菱形是实测，两者之间是字节和运算说明不了的时间。",
        "Clean decode rows side by side, time of a step upwards (logarithmic); the ring is the exact ledger's floor in the same situation, the diamond what was measured, and between them lies what bytes and FLOPs do not explain.",
    ],
    across: ["公开的行", "Published row"],
    upward: STEP,
};
pub(super) const FLOORS: Text = ["下限", "Floor"];
/// Names what was measured by its mark too, so that colour is not needed.
pub(super) const DIAMONDS: Text = ["◆ 实测", "◆ Measured"];
pub(super) const DIAMONDS_NOTE: Text =
    ["菱形是测出来的：公开的，或者你填的。", "Diamonds were measured, by others or by you."];
pub(super) const YOURS: Text = ["你的", "Yours"];
pub(super) const CAPACITY: Told = Told {
    title: ["最大批量随上下文下降", "The largest batch as the context grows"],
    about: [
        "横轴是上下文长度，纵轴是留出预留后放得下的最多请求数，两轴都是对数刻度；每条线是缓存的一种放法。",
        "Context length across, the most requests that fit beside weights and reserve upwards, both logarithmic; each line places the caches in its own way.",
    ],
    across: CONTEXT,
    upward: ["最大批量", "Largest batch"],
};
pub(super) const HEAT: Told = Told {
    title: ["批量和上下文下的步时", "Step time over batch and context"],
    about: [
        "横轴是批量，纵轴是上下文长度，格子里是一步的时间，颜色越深越慢；粗线是放得下与放不下的边界，放不下的画斜线。",
        "Batch across, context upwards, the time of a step in each cell, the darker the slower; the heavy line parts what fits from what does not, which is hatched.",
    ],
    across: BATCH,
    upward: CONTEXT,
};

/// Names of axes where only a floor is known.
pub(super) const FLOOR: Text = ["步时下限", "Floor of the step time"];
pub(super) const CAPACITY_LINE: Text = ["容量", "Capacity"];
pub(super) const OVER: Text = ["超出容量", "Over the capacity"];
pub(super) const DOES_NOT_FIT: Text = ["放不下", "Does not fit"];
pub(super) const FITS: Text = ["放得下", "Fits"];
pub(super) const TOTAL: Text = ["合计", "Total"];
pub(super) const SERIES: Text = ["曲线", "Series"];
pub(super) const FLOOR_NOTE: Text = [
    "这种 GPU 没有已知的每层延迟，所以时间是下限，速度是上限。",
    "No latency per layer is known of this GPU: times are floors, rates are at most what is shown.",
];

/// Why there is no picture.
pub(super) const NO_TIMES: Text = [
    "教程账本只算字节，不算时间。换成报告账本或精确账本就有这张图。",
    "The tutorial ledger counts bytes, not time. The report and the exact ledger have this chart.",
];
pub(super) const NO_CAPACITY: Text = [
    "教程账本没有最大批量。换成报告账本或精确账本就有这张图。",
    "The tutorial ledger has no largest batch. The report and the exact ledger have this chart.",
];
pub(super) const NO_PLAN: Text = [
    "这个模型不能按这个方案切分，没有可以画的数。",
    "The model cannot be cut as this plan says, so there is nothing to draw.",
];
pub(super) const NOTHING_FITS: Text = [
    "画出的每一处都放不下：权重和缓存超出了显存。",
    "Nothing that would be drawn fits: weights and caches exceed the memory.",
];
pub(super) const NOTHING_SENT: Text = [
    "注意力没有切到多张卡上，没有部分和要相加。",
    "Attention is not cut over several GPUs, so there are no partial sums to add up.",
];

/// The closed form that the ledger in use takes, and the other one.
pub(super) const DISTINCT: Text = ["每个 token 选互不相同的专家", "Each token picks different experts"];
pub(super) const WITH_REPLACEMENT: Text = ["每次选择互相独立", "Every pick on its own"];
pub(super) const SAMPLE: Text = ["一次抽样", "One draw"];

pub(super) const RING: Text = ["环", "Ring"];
pub(super) const TREE: Text = ["树", "Tree"];
pub(super) const IN_SWITCH: Text = ["交换机内归约", "In the switch"];

pub(super) const COPIED: Text = ["缓存每卡一份", "Caches copied"];
pub(super) const SPLIT: Text = ["缓存切分", "Caches split"];
pub(super) const BY_REQUEST: Text = ["缓存按请求分", "Caches by request"];

pub(super) const EXCHANGE: Text = ["卡间通信", "Exchanges"];
pub(super) const REST: Text = ["其余", "The rest"];
pub(super) const PREFILL_FIXED: Text = ["固定开销", "Fixed time"];

pub(crate) const fn part(part: StepPart) -> Text {
    match part {
        StepPart::Proj => ["注意力投影", "Projections"],
        StepPart::Attn => ["读缓存做注意力", "Attention over caches"],
        StepPart::Moe => ["专家", "Experts"],
        StepPart::Head => ["输出头", "Output head"],
        StepPart::Other => ["残差混合等", "Stream mixing"],
        StepPart::Draft => ["草稿", "Drafts"],
        StepPart::Fixed => ["固定开销与每层延迟", "Fixed time and latency"],
    }
}

/// Between the parts of a sentence, and after what stands before a list.
pub(super) const fn joints(language: Language) -> [&'static str; 2] {
    match language {
        Language::Chinese => ["；", "："],
        Language::English => ["; ", ": "],
    }
}

/// A name with its unit.
pub(crate) fn with_unit(name: &str, unit: &str, language: Language) -> String {
    match (unit, language) {
        ("", _) => name.to_owned(),
        (_, Language::Chinese) => format!("{name}（{unit}）"),
        (_, Language::English) => format!("{name} ({unit})"),
    }
}

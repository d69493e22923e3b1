//! The words of the workbench, both languages side by side.

use super::model::Resource;
use crate::ledger::StepPart;
use crate::scene::Text;
use crate::table::Head;

pub(super) const NO_TIMES: Text = [
    "教程账本只数字节，没有步时可比。换成报告账本或精确账本就能改硬件看步时。",
    "The tutorial ledger counts bytes and has no step time to compare. Take the report's or the exact ledger to bend the hardware.",
];
pub(super) const NO_PLAN: Text = [
    "这个模型不能按这个方案切分，没有可比的步时。",
    "The model cannot be cut as this plan says, so there are no steps to compare.",
];

pub(super) const TITLE: Text = ["改硬件之前和之后的一步解码", "A decode step before and after bending"];
pub(super) const COMPARE_ABOUT: Text = [
    "每个阶段改前、改后各要多久，由哪种资源卡住；最后一行是整步。",
    "How long each stage takes before and after, and which resource binds it; the last row is the whole step.",
];
pub(super) const BEFORE_TITLE: Text = ["原硬件，按资源分", "Hardware as it is, by resource"];
pub(super) const AFTER_TITLE: Text = ["改后，按资源分", "Bent hardware, by resource"];
pub(super) const SIDE_ABOUT: Text = [
    "每个阶段对一张卡的要求：从 HBM 读多少、过 NoC 多少、算多少、发多少，各要多久；最长的一项卡住它。",
    "What each stage asks of one GPU: bytes from the HBM, bytes over the NoC, FLOPs, bytes sent, and how long each takes; the longest binds.",
];
pub(super) const TORNADO_TITLE: Text =
    ["哪块硅片值钱：逐项加倍", "Which silicon pays: one thing doubled at a time"];
pub(super) const TORNADO_ABOUT: Text = [
    "在当前取值上，每次只把一项变好一倍（速率加倍，启动和固定时间减半），看一步能短多少，从多到少排。",
    "From the values in force, one thing is made twice as good at a time (rates doubled, start-ups and fixed time halved); what the step gains, the most first.",
];
pub(super) const DOMAIN_TITLE: Text = ["每条链路藏不藏得住交换", "What each link lets computation hide"];
pub(super) const DOMAIN_ABOUT: Text = [
    "C/B 是一张卡的算力除以链路速率，不超过 2·d_ff 时，算得满的专家能盖住交换。",
    "C/B is a GPU's peak over the link's rate; up to 2·d_ff, experts that compute at their peak hide the exchange.",
];
pub(super) const EFFECTS_TITLE: Text =
    ["四个方向、四个难点，值多少", "Four directions, four difficulties: what each is worth"];
pub(super) const EFFECTS_ABOUT: Text = [
    "在报告的两个场景下，每一项单独作用时一步从多少变到多少，变得最多的是哪个阶段。",
    "In the report's two situations, what a step becomes by each one alone, and which stage changes most.",
];

pub(super) const BEFORE: Text = ["原硬件", "as is"];
pub(super) const AFTER: Text = ["改后", "bent"];
pub(super) const STEP: Text = ["一步", "Step"];
pub(super) const STEP_LEAST: Text = ["一步，层延迟取实测最小值", "Step, with the least latency measured"];
pub(super) const LATENCY: Text = ["各层延迟", "Latency of the layers"];
pub(super) const FIXED: Text = ["固定时间", "Fixed time"];
pub(super) const REST: Text = ["固定时间与延迟", "Fixed time and latency"];
pub(super) const YES_NO: [Text; 2] = [["藏不住", "exposed"], ["藏得住", "hidden"]];
pub(super) const NOTHING: Text = ["无", "none"];

pub(super) const HBM_RATE: Text = ["HBM 带宽", "HBM rate"];
pub(super) const NOC_RATE: Text = ["NoC 带宽", "NoC rate"];
pub(super) const COMPUTE_RATE: Text = ["算力", "Compute rate"];
pub(super) const LINK_RATE: Text = ["节点内链路", "Link within a node"];
pub(super) const NETWORK_RATE: Text = ["节点间网络", "Network between nodes"];
pub(super) const START_UP: Text = ["启动时间 α 减半", "Start-up α halved"];
pub(super) const FIXED_RATE: Text = ["固定时间减半", "Fixed time halved"];
pub(super) const DOMAIN_SIZE: Text = ["快链路连接的卡数", "GPUs on the fast link"];

pub(super) const LINK_COUNTED: Text = ["链路，按账本的算法", "Link as the ledger counts it"];
pub(super) const LINK_ONE_WAY: Text = ["链路，单向", "Link, one way"];
pub(super) const LINK_REACHED: Text = ["链路，单向里用得到的", "Link, what is reached one way"];
pub(super) const LINK_NETWORK: Text = ["节点间网络", "Network between nodes"];

pub(super) const CASE_LONG: Text = ["32 个请求，1M", "32 requests, 1M"];
pub(super) const NONE_FITS: Text =
    ["按这本账，权重之外一个请求也放不下", "By this ledger not one request fits beside the weights"];
pub(super) const CASE_LONG_FILLED: Text = ["1M，放满为止", "1M, as many as fit"];
pub(super) const CASE_ONLINE_FILLED: Text = ["128K，放满为止", "128K, as many as fit"];
pub(super) const CASE_ONLINE: Text = ["128 个请求，128K", "128 requests, 128K"];

const fn number(name: Text, code: &'static str) -> Head {
    Head { name, code, numeric: true }
}

const fn word(name: Text, code: &'static str) -> Head {
    Head { name, code, numeric: false }
}

pub(super) const STAGE: Head = word(["阶段", "Stage"], "stage");
pub(super) const TIME_BEFORE: Head = number(["原硬件", "As is"], "before_s");
pub(super) const BOUND_BEFORE: Head = word(["原来卡在", "Bound by, as is"], "bound_before");
pub(super) const TIME_AFTER: Head = number(["改后", "Bent"], "after_s");
pub(super) const BOUND_AFTER: Head = word(["改后卡在", "Bound by, bent"], "bound_after");
pub(super) const CHANGE: Head = number(["变化", "Change"], "change_s");
pub(super) const RATIO: Head = number(["快几倍", "Times as fast"], "speedup");
pub(super) const HBM_BYTES: Head = number(["从 HBM 读", "From HBM"], "hbm_bytes");
pub(super) const NOC_BYTES: Head = number(["过 NoC", "Over NoC"], "noc_bytes");
pub(super) const FLOPS: Head = number(["运算", "FLOPs"], "flops");
pub(super) const SENT: Head = number(["发送", "Sent"], "sent_bytes");
pub(super) const HBM_TIME: Head = number(["HBM 时间", "HBM time"], "hbm_s");
pub(super) const NOC_TIME: Head = number(["NoC 时间", "NoC time"], "noc_s");
pub(super) const COMPUTE_TIME: Head = number(["计算时间", "Compute time"], "compute_s");
pub(super) const LINK_TIME: Head = number(["链路时间", "Link time"], "link_s");
pub(super) const BINDS: Head = word(["卡在", "Bound by"], "bound");
pub(super) const TAKES: Head = number(["用时", "Takes"], "taken_s");
pub(super) const RESOURCE: Head = word(["变好一倍的", "Made twice as good"], "resource");
pub(super) const NEW_STEP: Head = number(["一步", "Step"], "step_s");
pub(super) const GAIN: Head = number(["省下", "Saved"], "gain_s");
pub(super) const LINK: Head = word(["链路", "Link"], "link");
pub(super) const RATE: Head = number(["速率", "Rate"], "bytes_per_s");
pub(super) const INTENSITY: Head = number(["C/B", "C/B"], "flops_per_byte");
pub(super) const LIMIT: Head = number(["2·d_ff", "2·d_ff"], "threshold");
pub(super) const HIDES: Head = word(["交换", "Exchange"], "hidden");
pub(super) const PRESET: Head = word(["方向或难点", "Direction or difficulty"], "preset");
pub(super) const CASE: Head = word(["场景", "Situation"], "case");
pub(super) const MOVED: Head = word(["变得最多的", "Changed most"], "moved");
pub(super) const REQUESTS_BEFORE: Head = number(["原来的请求数", "Requests, as is"], "requests_before");
pub(super) const REQUESTS_AFTER: Head = number(["改后的请求数", "Requests, bent"], "requests_after");
pub(super) const RATE_BEFORE: Head = number(["原来 token/s", "token/s, as is"], "tokens_per_s_before");
pub(super) const RATE_AFTER: Head = number(["改后 token/s", "token/s, bent"], "tokens_per_s_after");

/// A resource.
pub(super) const fn resource(resource: Resource) -> Text {
    match resource {
        Resource::Hbm => ["HBM", "HBM"],
        Resource::Noc => ["NoC", "NoC"],
        Resource::Compute => ["算力", "compute"],
        Resource::Link => ["链路", "links"],
        Resource::Power => ["功耗", "power"],
        Resource::Fixed => ["固定", "fixed"],
    }
}

/// A stage, or what stands beside the stages, with its name in files.
pub(super) const fn part(part: Option<StepPart>) -> (Text, &'static str) {
    match part {
        Some(part) => (crate::chart::part_name(part), part_code(part)),
        None => (REST, "fixed"),
    }
}

/// A stage's name in files.
pub(super) const fn part_code(part: StepPart) -> &'static str {
    match part {
        StepPart::Proj => "proj",
        StepPart::Attn => "attn",
        StepPart::Moe => "moe",
        StepPart::Head => "head",
        StepPart::Other => "other",
        StepPart::Draft => "mtp",
        StepPart::Fixed => "fixed",
    }
}

/// What binds now.
pub(super) const LONGEST: Text =
    ["现在最长的阶段是{part}：{time}，卡在{bound}。", "Longest stage now: {part}, {time}, bound by {bound}."];
pub(super) const REBOUND: Text =
    ["{part}的瓶颈从{before}换成了{after}。", "{part}: bound by {before} before, by {after} now."];
pub(super) const CACHE_NEEDED: Text = [
    "要有这么高的命中率，每张卡近处得常驻 {needed} 专家权重（全部是 {resident}）；{l2} 的 L2 最多留得住 {held}。",
    "So many hits need {needed} of expert weights close by on each GPU, of {resident} in all; an L2 of {l2} keeps {held} at most.",
];
pub(super) const CACHE_HELD: Text = [
    "每张卡的专家权重共 {resident}，{l2} 的 L2 最多留得住 {held}。",
    "Expert weights are {resident} on each GPU; an L2 of {l2} keeps {held} of them at most.",
];

/// What the comparison says in a sentence.
pub(super) const DESCRIPTION: Text = [
    "一步从 {before} 变为 {after}，速度是原来的 {times} 倍。{moved}",
    "The step goes from {before} to {after}, {times} times as fast. {moved}",
];
pub(super) const DESCRIPTION_MOVED: Text = [
    "变得最多的是{part}：{before}（卡在{bound_before}）变为 {after}（卡在{bound_after}）。",
    "{part} changes most: {before} (bound by {bound_before}) becomes {after} (bound by {bound_after}).",
];
pub(super) const BETWEEN_SENTENCES: Text = ["", " "];
pub(super) const LATENCY_GUESSED: Text = [
    "这种卡没有干净的层延迟实测，这里取别处实测的最小值。",
    "No clean latency of a layer is known for this GPU; the least of those measured elsewhere stands in.",
];
pub(super) const DESCRIPTION_SAME: Text = ["没有哪个阶段变了。", "No stage changes."];
pub(super) const TORNADO_DESCRIPTION: Text = [
    "当前一步 {step}。省得最多的是{name}：省 {gain}。",
    "The step is {step} now. What pays most: {name}, which saves {gain}.",
];
pub(super) const LINKS_IDLE: Text = [
    "账本口径下，交换不占步时，所以链路和启动不会省时间；把交换改成“分波重叠”或“逐个相加”再看。",
    "As the ledger counts, exchanges take no time of a step, so links and start-ups save nothing; overlap them in waves or set them one after the other to see what they are worth.",
];

pub(super) const EXPERT_CACHE: Text = ["专家权重近处缓存", "Expert weights cached close by"];
pub(super) const EXPERT_CACHE_TEACHES: Text = [
    "每命中一次，就少从 HBM 读一次权重，但这些字节还是要过 NoC，命中率高了瓶颈就搬进片内。路由均匀时，命中一半意味着近处要放得下一半专家，靠 L2 远远不够。",
    "Every hit spares the HBM one read, yet the bytes still cross the NoC, so with many hits the bound moves onto the chip. While routing is uniform, half the hits need half the experts close by, far beyond any L2.",
];
pub(super) const PRIMITIVES: Text = ["跨卡推拉与散聚原语", "Push, pull and scatter-gather in hardware"];
pub(super) const PRIMITIVES_TEACHES: Text = [
    "解码时每次交换只有几百 KB，时间花在启动和排队上，不在字节上。门铃、远端读写和按专家分组的 DMA 省的正是这一份。",
    "A decode step exchanges a few hundred KB at a time, so time goes into start-ups and queues, not bytes. Doorbells, remote reads and writes and DMA by expert save just that share.",
];
pub(super) const INDEXER: Text = ["索引扫描走专用通道", "A channel of its own for the indexer"];
pub(super) const INDEXER_TEACHES: Text = [
    "1M 上下文里，读缓存的字节大多是索引键，给它们一条自己的通路，HBM 就腾出来了。腾出来之后打分的运算成了下一道墙，所以通道要配 FP4 点积才有意义。",
    "At 1M most bytes of attention are indexer keys; a path of their own frees the HBM. Scoring them becomes the next wall, so the channel only pays together with FP4 dot products.",
];
pub(super) const EP_DOMAIN: Text = ["专家并行域不出快链路", "Expert parallelism kept on the fast link"];
pub(super) const EP_DOMAIN_TEACHES: Text = [
    "16 张卡分专家时，每节点 8 张就得跨网络，每节点 16 张就不用。交换不重叠时，差的就是网络和快链路的那几十倍带宽。",
    "With experts over sixteen GPUs, nodes of eight send across the network and nodes of sixteen do not. Where nothing overlaps, the difference is the network's rate against the link's.",
];
pub(super) const POWER: Text = ["功耗墙：不能同时满载", "The power wall: not all at once"];
pub(super) const POWER_TEACHES: Text = [
    "一个阶段里计算、HBM 和链路越均衡，三者同时越忙，越容易撞上功耗上限。专家阶段大半在等 HBM，反倒撞不上；先慢下来的是两样都忙的注意力。",
    "The better a stage balances arithmetic, memory and links, the busier all three are at once and the sooner a cap bites. Experts mostly wait for the HBM and pass; attention, busy with both, slows first.",
];
pub(super) const SKEW: Text = ["路由偏斜：等最慢的卡", "Routing skew: all wait for the slowest"];
pub(super) const SKEW_TEACHES: Text = [
    "平均带宽再够，一层也要等拿到专家最多的那张卡。偏斜让热门专家扎堆，同时让整批触达的专家变少，两者一拉一扯。",
    "However good the average, a layer waits for the GPU that got most experts. Skew crowds the popular ones together and lets a batch touch fewer in all; the two pull against each other.",
];
pub(super) const CAPACITY: Text = ["容量与碎片：真放得下多少", "Capacity and fragments: what really fits"];
pub(super) const CAPACITY_TEACHES: Text = [
    "只扣权重的最大批量没给工作区、通信缓冲和页内碎片留地方，扣掉之后请求少了，吞吐跟着降。步时变短不是变快，是一起算的请求少了。",
    "A largest batch that subtracts weights alone leaves no room for workspace, buffers and half-filled pages; with them taken off fewer requests fit and throughput falls. The shorter step is no speed-up: it serves fewer.",
];
pub(super) const SOFTWARE: Text =
    ["软件跟不上：不重叠，启动多", "Software that lags: no overlap, more launches"];
pub(super) const SOFTWARE_TEACHES: Text = [
    "没有分波调度，分发和合并就站到关键路径上；kernel 没融合，固定时间翻倍。硬件一点没变，步时却长了。",
    "Without waves, dispatch and combine stand on the critical path; without fused kernels the fixed time doubles. The hardware is the same, the step is longer.",
];

pub(super) const CLAIM_L2_SAID: Text =
    ["L2 有 {l2}，装得下一个 {expert} 的 FP4 专家。", "An L2 of {l2} holds one FP4 expert of {expert}."];
pub(super) const CLAIM_L2_TRUTH: Text = [
    "连缩放因子一个专家是 {expert}，确实放得下一个；可一层在一张卡上要读 {layer}，这张卡上全部专家是 {resident}，从一步到下一步 L2 最多留住 {held}。",
    "With its scales an expert is {expert}, so one does fit; but one layer reads {layer} on a GPU, all experts there are {resident}, and from one step to the next L2 keeps {held} of them at most.",
];
pub(super) const CLAIM_LINK_SAID: Text = [
    "NVLink 按 {rate} 算，C/B 是 {ratio}，低于 {limit}，藏得住。",
    "NVLink at {rate} gives a C/B of {ratio}, below {limit}: hidden.",
];
pub(super) const CLAIM_LINK_TRUTH: Text = [
    "那是双向相加；单向只有 {rate}，C/B 是 {ratio}，仍不超过 {limit}，但余量从 {said_margin} 倍缩到 {margin} 倍。再按报告自己的链路效率 {share} 折算，C/B 是 {reached}，刚好越过。",
    "That adds both directions; one way it is {rate} and C/B is {ratio}, still within {limit}, but the margin shrinks from {said_margin} to {margin} times. At the report's own link efficiency of {share} it is {reached}, just beyond.",
];
pub(super) const CLAIM_NETWORK_SAID: Text = [
    "400 Gbit/s 网络的 C/B 约 {ratio}，远超 {limit}，计算藏不住交换，解码会被网络拖住。",
    "A network of 400 Gbit/s has a C/B of {ratio}, far beyond {limit}: computation cannot hide the exchange, and the network holds decode back.",
];
pub(super) const CLAIM_NETWORK_TRUTH: Text = [
    "这个条件假定专家算得满。解码的专家在等 HBM：128 个请求、128K 时，跨网络的交换要 {exchange}，旁边的专家要 {experts}，能重叠就仍藏得住；不能重叠时才全部露出来。",
    "The condition takes experts that compute at their peak. In decode they wait for the HBM: with 128 requests of 128K the exchange over the network takes {exchange} beside {experts} of experts and stays hidden where it overlaps; only without overlap does all of it show.",
];
pub(super) const CLAIM_FIXED_SAID: Text = [
    "调度、同步和启动每步留 {small} 到 {medium}。",
    "Scheduling, synchronisation and launches take {small} to {medium} a step.",
];
pub(super) const CLAIM_FIXED_TRUTH: Text = [
    "别处干净的实测里，每层就有 {least} 到 {most} 说不清的延迟，{layers} 层合计 {sum_least} 到 {sum_most}。",
    "Clean measurements elsewhere leave {least} to {most} for each layer, {sum_least} to {sum_most} over {layers} layers.",
];
pub(super) const CLAIM_CAPACITY_SAID: Text = [
    "1M 上下文理论上放 {most} 个请求，留 {reserve} 后放 {reserved} 个。",
    "At 1M, {most} requests fit in theory and {reserved} with {reserve} kept free.",
];
pub(super) const CLAIM_CAPACITY_TRUTH: Text = [
    "KV 只有一个头，TP 下每张卡都要一整份：同样留 {reserve}、按页取整，放得下 {copied} 个；注意力按请求分到各卡时放得下 {spread} 个。",
    "There is one KV head, so under TP every GPU holds all of it: with the same {reserve} and whole pages {copied} fit, and {spread} where attention is spread by request.",
];
pub(super) const CLAIM_SKEW_SAID: Text = [
    "专家热度不均时，平均带宽够也没用，热门专家所在的卡会拖长尾延迟。",
    "With experts of uneven popularity a sufficient average does not help: the GPU with the popular ones stretches the tail.",
];
pub(super) const CLAIM_SKEW_TRUTH: Text = [
    "抽 128 个请求来看：热度完全均匀时，最忙的卡也要读平均 {even} 倍的专家，这是运气造成的；换成 Zipf 0.5，它分到平均 {pairs} 倍的 token，要读的专家反而只有 {skewed} 倍，因为热门专家被反复命中。解码在等权重，偏斜几乎拖不慢它；受拖累的是算力或链路卡住的阶段，比如 prefill。",
    "Draw 128 requests: even with equal popularity the busiest GPU reads {even} times the average's experts, by chance alone. By Zipf 0.5 it gets {pairs} times the tokens and yet reads only {skewed} times the experts, since popular ones are hit again and again. Decode waits for weights, so skew hardly slows it; what suffers is bound by compute or links, prefill for one.",
];
pub(super) const CLAIM_STEP_SAID: Text =
    ["32 个请求、1M 时一步 {step}。", "With 32 requests of 1M a step takes {step}."];
pub(super) const CLAIM_STEP_TRUTH: Text = [
    "按每个张量算，HBM 跑满也要 {copied}（TP8，每张卡都读一份 KV）或 {spread}（DP8+EP8）：报告的步时比下限还短。",
    "Counted tensor by tensor, an HBM at its peak takes {copied} (TP8, where every GPU reads the whole KV) or {spread} (DP8+EP8): the report's step lies below the floor.",
];

//! The words inside the picture of "allreduce", in both languages. `{…}` stand for values.

use crate::collective::Algorithm;
use crate::language::Language;

/// Words of the scene.
#[derive(Debug)]
pub(super) struct Words {
    /// Heads of a GPU, before their range.
    pub(super) query_heads: &'static str,
    /// What a rank reads.
    pub(super) reads: &'static str,
    /// Its slice of the output projection.
    pub(super) slice: &'static str,
    /// What that gives.
    pub(super) gives: &'static str,
    /// Above the chunks of a card before anything is added.
    pub(super) parts: &'static str,
    /// The same while the sums grow.
    pub(super) adding: &'static str,
    /// The same when all sums are there.
    pub(super) sums: &'static str,
    /// The same where a part is missing.
    pub(super) wrong_sums: &'static str,
    /// Beside the card that is left out.
    pub(super) left_out: &'static str,
    /// A GPU that takes no part.
    pub(super) idle: &'static str,
    /// How many moves are done.
    pub(super) moves_done: &'static str,
    /// What the busiest GPU has sent so far.
    pub(super) sent_so_far: &'static str,
    /// Chunks that came out wrong.
    pub(super) chunks_wrong: &'static str,
    /// Legend: heads at work.
    pub(super) legend_heads: &'static str,
    /// Legend: how many parts are in a chunk.
    pub(super) legend_bar: &'static str,
    /// Legend: chunks on their way.
    pub(super) legend_chip: &'static str,
    /// Legend: what is missing.
    pub(super) legend_missing: &'static str,
    /// Legend: the true sum beside a wrong one.
    pub(super) legend_true: &'static str,
    /// Legend of the comparison: lines that carry the worked chunk.
    pub(super) legend_worked: &'static str,
    /// The same: lines of other chunks.
    pub(super) legend_others: &'static str,
    /// The same: the switch.
    pub(super) legend_switch: &'static str,
    /// Where only some of the ranks are drawn.
    pub(super) shown: &'static str,
    /// Names of the algorithms, in the order of [`Algorithm::ALL`].
    pub(super) algorithms: [&'static str; 3],
    /// Steps that wait for each other.
    pub(super) waits: &'static str,
    /// Bytes of the busiest GPU.
    pub(super) busiest: &'static str,
    /// Start-up and transfer together.
    pub(super) takes: &'static str,
    /// A number of moves.
    pub(super) moves: &'static str,
    /// Heading of the plot.
    pub(super) plot: &'static str,
    /// The question beside it.
    pub(super) question: &'static str,
    /// Start-up and transfer under a bar.
    pub(super) split: &'static str,
    /// Change of the message.
    pub(super) payload: &'static str,
    /// Change of the time.
    pub(super) duration: &'static str,
    /// The size at which both halves of the time are equal.
    pub(super) bend: &'static str,
    /// One sum as it arrives in either format.
    pub(super) rounded: &'static str,
    /// Legend: start-up.
    pub(super) startup: &'static str,
    /// Legend: transfer.
    pub(super) transfer: &'static str,
    /// Caption of dealt heads.
    pub(super) caption_heads: &'static str,
    /// Caption of partial sums.
    pub(super) caption_parts: &'static str,
    /// Captions of the adding half, by algorithm.
    pub(super) caption_scatter: [&'static str; 3],
    /// Captions of the half that hands out.
    pub(super) caption_gather: [&'static str; 3],
    /// Caption of the comparison.
    pub(super) caption_others: &'static str,
    /// Caption of the times.
    pub(super) caption_time: &'static str,
    /// Caption where a rank is left out.
    pub(super) caption_dropped: &'static str,
    /// The same where the worked coordinate does not change.
    pub(super) caption_lucky: &'static str,
    /// The same where that rank takes no part.
    pub(super) caption_outside: &'static str,
    /// Caption where nobody is left out.
    pub(super) caption_nobody: &'static str,
    /// Caption for a single GPU.
    pub(super) caption_alone: &'static str,
    /// The stage's title.
    pub(super) title: &'static str,
}

const ZH: Words = Words {
    query_heads: "Q 头",
    reads: "读：自己那份缓存",
    slice: "乘：输出投影的第 {n} 段",
    gives: "得：每个坐标的一份部分和",
    parts: "部分和，每块画一个数",
    adding: "正在累加",
    sums: "完整的和",
    wrong_sums: "少了一份的和",
    left_out: "没加进来",
    idle: "未使用",
    moves_done: "{done} / {all} 步",
    sent_so_far: "最忙卡已发",
    chunks_wrong: "{n} 块出错",
    legend_heads: "Q 头",
    legend_bar: "底条：已加进几份",
    legend_chip: "路上的块",
    legend_missing: "缺的那份",
    legend_true: "右上角：应得的和",
    legend_worked: "带着 {chunk} 走的",
    legend_others: "只带别的块",
    legend_switch: "交换机",
    shown: "画出前 {shown} 张，共 {all} 张",
    algorithms: ["环", "树", "交换机内归约"],
    waits: "依次要走",
    busiest: "最忙的卡发出",
    takes: "启动加传输",
    moves: "{n} 步",
    plot: "一次 all-reduce 的时间，随消息大小变化",
    question: "改成 BF16，时间也减半吗？",
    split: "启动 {startup} · 传输 {transfer}",
    payload: "消息大小",
    duration: "时间",
    bend: "启动与传输相等时",
    rounded: "同一个和 FP32 → BF16",
    startup: "启动",
    transfer: "传输",
    caption_heads: "{all} 个 Q 头分给 {ranks} 张卡，每卡 {heads} 个，各读自己那份缓存",
    caption_parts: "每卡乘上自己那一段输出投影，只得到部分和；同一坐标加起来才是 {sum}",
    caption_scatter: [
        "{half} 步，每步把一块交给下一张卡去加。走完后每卡攒齐一块，GPU 0 攒齐的是 {chunk}",
        "{half} 步，两两相加往上走。走完后全部的和都在 GPU 0",
        "{half} 步，各卡把部分和交给交换机，加好后每卡领回一块，GPU 0 领回 {chunk}",
    ],
    caption_gather: [
        "再走 {half} 步，攒齐的块沿环传一圈。一共 {moves} 步，每张卡都有全部 {ranks} 块的和",
        "再走 {half} 步，从 GPU 0 逐级往下发。一共 {moves} 步，每张卡都有全部 {ranks} 块的和",
        "再走 {half} 步，交换机把每块复制给所有卡。一共 {moves} 步，每张卡都有全部 {ranks} 块的和",
    ],
    caption_others: "结果相同，走法不同：环 {ring} 步，树 {tree} 步，交换机内 {switch} 步",
    caption_time: "{algorithm}：FP32 {fp32} 用 {fp32_time}，BF16 {bf16} 用 {bf16_time}。字节 {payload}，时间 {saved}",
    caption_dropped: "漏掉 GPU {rank}：每张卡都得到 {wrong}，应为 {sum}。卡与卡之间对得上，光靠互相比较查不出来",
    caption_lucky: "漏掉 GPU {rank}：c0 仍是 {sum}，因为它那份恰好是 0；另有 {n} 块在每张卡上都错了",
    caption_outside: "GPU {rank} 不在这一组里，没有漏掉谁：每张卡都得到 {sum}",
    caption_nobody: "没有漏掉谁：每张卡都得到 {sum}。选一张卡漏掉，看看会怎样",
    caption_alone: "只有一张卡：{all} 个 Q 头都在这里，没有要相加的，也不用通信",
    title: "把部分和加成完整的和",
};

const EN: Words = Words {
    query_heads: "Q heads",
    reads: "Reads its own copy of the cache",
    slice: "Output projection, slice {n}",
    gives: "Gives one part of every sum",
    parts: "Partial sums, one value a chunk",
    adding: "Adding up",
    sums: "Complete sums",
    wrong_sums: "Sums with a part missing",
    left_out: "left out",
    idle: "idle",
    moves_done: "move {done}/{all}",
    sent_so_far: "busiest sent",
    chunks_wrong: "{n} chunks wrong",
    legend_heads: "Query heads",
    legend_bar: "Bar: parts added so far",
    legend_chip: "Chunk on its way",
    legend_missing: "Missing part",
    legend_true: "Top right: the true sum",
    legend_worked: "carries {chunk}",
    legend_others: "other chunks only",
    legend_switch: "the switch",
    shown: "first {shown} of {all} drawn",
    algorithms: ["Ring", "Tree", "In-switch"],
    waits: "One after another",
    busiest: "Busiest GPU sends",
    takes: "Start-up + transfer",
    moves: "{n} moves",
    plot: "Time of one all-reduce by message size",
    question: "BF16 instead: half the time too?",
    split: "start-up {startup} · transfer {transfer}",
    payload: "Message size",
    duration: "Time",
    bend: "Start-up = transfer at",
    rounded: "One sum FP32 → BF16",
    startup: "Start-up",
    transfer: "Transfer",
    caption_heads: "{all} query heads over {ranks} GPUs, {heads} each, every GPU reading its own copy of the cache",
    caption_parts: "Each GPU applies its slice of the output projection and gets only a part; all parts of one coordinate make {sum}",
    caption_scatter: [
        "{half} moves, each hands one chunk to the next GPU to add. Then every GPU has one chunk complete, GPU 0 has {chunk}",
        "{half} moves up the tree, two and two added. Then all sums are on GPU 0",
        "{half} move: parts go up, the switch adds, and each GPU gets one finished chunk back, GPU 0 gets {chunk}",
    ],
    caption_gather: [
        "{half} more moves carry the finished chunks round. After {moves} moves every GPU has the sums of all {ranks} chunks",
        "{half} more moves hand the sums down the tree. After {moves} moves every GPU has the sums of all {ranks} chunks",
        "{half} more move: the switch copies every chunk to all. After {moves} moves every GPU has the sums of all {ranks} chunks",
    ],
    caption_others: "The same sums by other ways: ring {ring} moves, tree {tree}, in-switch {switch}",
    caption_time: "{algorithm}: FP32 {fp32} takes {fp32_time}, BF16 {bf16} takes {bf16_time}. Bytes {payload}, time {saved}",
    caption_dropped: "GPU {rank} left out: every GPU gets {wrong} where {sum} is right. They all agree, so comparing them shows nothing",
    caption_lucky: "GPU {rank} left out: c0 is still {sum}, its part being 0, but {n} other chunks are wrong on every GPU",
    caption_outside: "GPU {rank} is not in this group, so nobody is left out: every GPU gets {sum}",
    caption_nobody: "Nobody is left out: every GPU gets {sum}. Choose a GPU to leave out and see",
    caption_alone: "A single GPU: all {all} query heads are here, nothing needs to be summed and nothing is sent",
    title: "From partial sums to the whole",
};

impl Words {
    /// The words of a language.
    pub(super) const fn of(language: Language) -> &'static Self {
        match language {
            Language::Chinese => &ZH,
            Language::English => &EN,
        }
    }

    /// One of three by the algorithm it is for.
    pub(super) fn by(texts: &[&'static str; 3], algorithm: Algorithm) -> &'static str {
        texts.get(place(algorithm)).copied().unwrap_or("")
    }
}

/// Where an algorithm stands in [`Algorithm::ALL`].
pub(super) fn place(algorithm: Algorithm) -> usize {
    Algorithm::ALL.iter().position(|known| *known == algorithm).unwrap_or(0)
}

//! Chapter 7: one position through ring, entries and keys.

use super::Chapter;

const DETAILS: &[&str] = &[
    "cache.row.bytes",
    "cache.indexer_row.bytes",
    "cache.window.bytes",
    "cache.compressed.bytes",
    "cache.csa.bytes",
    "cache.hca.bytes",
    "cache.indexer.bytes",
    "cache.state.csa_layer.bytes",
    "cache.state.hca_layer.bytes",
    "cache.state.bytes",
    "cache.request.bytes",
    "cache.batch.bytes_per_gpu",
];

pub(super) const ZH: Chapter = Chapter {
    heading: "满一组，才记一条",
    lead: "跟着一个位置走一遍缓存：它的行写进环里的一格，它所在的组凑满了才变成一条压缩条目，query 再去看环和条目。规则只有几条，却处处差一就错，所以这里让一个小模型真跑，把错当场指出来。",
    takeaways: [
        "最近的 token 原样放在环里，槽号就是位置除以槽数的余数；环转满一圈以后，每写一格就盖掉一个旧位置。",
        "CSA 的一条取两组的行：上一组的前半和本组的后半；HCA 的组又大又不重叠。没凑满的组没有条目，谁也看不到。",
        "位置从 0 数，到了的 token 有 p + 1 个：可见条目数是 p + 1 除以组长取整，少加这个 1，每组都会晚一步。",
    ],
    step_names: &["环", "CSA", "HCA", "索引", "能看到", "对照", "增长"],
    step_texts: &[
        "最近的行依次写进环，实心的是自己，空心的是下一格",
        "几个 token 成一组；条目跨两组取行，重叠的那一半用线连出来",
        "大组慢慢攒；编号的是最后几条",
        "每条有一个索引键，打分以后挑最好的几条。位置不远时，图里是小模型真选出来的",
        "打开的层用粗体：看环里的行和完整的条目；没凑满的、被盖掉的都看不到",
        "小模型的两种跑法逐个比：选一个错放进去，看它最先在哪一层、哪个位置、哪个张量露出来",
        "哪些是固定的，哪些随上下文增长",
    ],
    details: DETAILS,
};

pub(super) const EN: Chapter = Chapter {
    heading: "An entry for every full group",
    lead: "Follow one position through the caches. Its row takes a slot of the ring, its group becomes an entry once it is full, and the query looks at ring and entries. The rules are few, and each of them is easy to get wrong by one; so a small model runs here and shows where a mistake comes out.",
    takeaways: [
        "The latest tokens stay as they are in a ring; the slot is the remainder of the position. Once the ring has turned, each write drives an old position out.",
        "A CSA entry takes rows of two groups, the first halves of the one before and the second halves of its own. HCA groups are large and do not overlap. An unfinished group has no entry for anyone to see.",
        "Positions count from 0, so p + 1 tokens are in: visible entries are p + 1 over the group's length, rounded down. Forget the 1 and every entry comes a step late.",
    ],
    step_names: &["Ring", "CSA", "HCA", "Index", "Sight", "Check", "Growth"],
    step_texts: &[
        "The latest rows go into the ring one by one; the dot is this token's, the circle comes next",
        "A few tokens make a group; an entry reaches over two of them, the lines show the overlap",
        "Large groups fill slowly; the last entries carry their numbers",
        "Every entry has an index key; the best scored are picked. Not too far on, the small model's own picks are drawn",
        "The opened layer is bold: rows of the ring and complete entries are seen, unfinished groups and overwritten rows are not",
        "Two ways to run the small model, sample by sample: put a mistake in and see in which layer, position and tensor it first shows",
        "What stays as it is, and what grows with the context",
    ],
    details: DETAILS,
};

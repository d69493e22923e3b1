//! Pages of cache: a pool that hands them out and takes them back, and counts both.

/// A pool of equal pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pool {
    /// All pages.
    pub total: u64,
    /// Pages handed out and not returned.
    pub held: u64,
    /// Pages ever handed out.
    pub allotted: u64,
    /// Pages ever returned.
    pub returned: u64,
    /// The most that were held at once.
    pub peak: u64,
}

impl Pool {
    /// A pool of so many free pages.
    #[must_use]
    pub fn new(total: u64) -> Self {
        Self { total, ..Self::default() }
    }

    /// Hands out pages, all or none.
    pub fn take(&mut self, pages: u64) -> bool {
        if pages > self.total - self.held {
            return false;
        }
        self.held += pages;
        self.allotted += pages;
        self.peak = self.peak.max(self.held);
        true
    }

    /// Takes pages back.
    pub fn give_back(&mut self, pages: u64) {
        let pages = pages.min(self.held);
        self.held -= pages;
        self.returned += pages;
    }
}

/// Tokens of a page: whole groups of both compressed caches, so that no entry straddles two pages.
#[must_use]
pub const fn page_tokens(csa_ratio: u64, hca_ratio: u64) -> u64 {
    let (a, b) = (if csa_ratio == 0 { 1 } else { csa_ratio }, if hca_ratio == 0 { 1 } else { hca_ratio });
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

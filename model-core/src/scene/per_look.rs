//! Something a scene makes once for each look that is asked for.

use std::sync::OnceLock;

use super::{Layout, Look};
use crate::format::ByteBase;
use crate::language::Language;

/// Layouts times languages times bases.
const LOOKS: usize = 8;

/// One of each look, made when first asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PerLook<T>([OnceLock<T>; LOOKS]);

impl<T> PerLook<T> {
    pub(super) const fn new() -> Self {
        Self([const { OnceLock::new() }; LOOKS])
    }

    pub(super) fn of(&self, look: Look, make: impl FnOnce() -> T) -> &T {
        let index = (look.layout == Layout::Narrow) as usize
            + 2 * (look.language == Language::English) as usize
            + 4 * (look.base == ByteBase::Decimal) as usize;
        self.0[index % LOOKS].get_or_init(make)
    }
}

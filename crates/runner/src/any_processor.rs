//! The place of `processor.rs` on systems other than Linux: a program may run on any processor.

pub struct OneProcessor;

impl OneProcessor {
    pub fn choose(_is_bound: bool) -> Option<Self> {
        None
    }
}

pub(crate) fn current() -> Option<usize> {
    None
}

pub(crate) fn run_on(_processor: usize) -> Option<()> {
    None
}

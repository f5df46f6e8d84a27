//! Items of optional crates, and their replacements for a contest without these crates.
//!
//! Each crate has a default feature of the same name. Without these features the bot plays the same moves, but writes
//! no log and allocates its short lists on the heap.

#[cfg(not(feature = "itertools"))]
pub(crate) use iterators::Itertools;
#[cfg(feature = "itertools")]
pub(crate) use itertools::Itertools;

#[cfg(feature = "log")]
pub(crate) use log::{debug, info, warn};
#[cfg(not(feature = "log"))]
pub(crate) use silence::{debug, info, warn};

/// A list that rarely has more than two items.
#[cfg(feature = "smallvec")]
pub(crate) type SmallList<T> = smallvec::SmallVec<[T; 2]>;
/// A list that rarely has more than two items.
#[cfg(not(feature = "smallvec"))]
pub(crate) type SmallList<T> = Vec<T>;

/// Replacements of the macros of `log`.
#[cfg(not(feature = "log"))]
mod silence {
    /// Checks a message at compile time without ever formatting it.
    macro_rules! discard {
        ($($message:tt)*) => {
            if false {
                let _ = format_args!($($message)*);
            }
        };
    }
    pub(crate) use {discard as debug, discard as info, discard as warn};
}

/// The methods of `itertools` that the bot uses.
#[cfg(not(feature = "itertools"))]
mod iterators {
    use std::cell::Cell;
    use std::fmt;

    pub(crate) trait Itertools: Iterator + Sized {
        fn collect_vec(self) -> Vec<Self::Item> {
            self.collect()
        }

        fn all_equal(mut self) -> bool
        where
            Self::Item: PartialEq,
        {
            self.next().is_none_or(|first| self.all(|item| item == first))
        }

        /// Returns a value that displays the items with `separator` between them. It can be displayed only once.
        fn format(self, separator: &str) -> Format<'_, Self> {
            Format { items: Cell::new(Some(self)), separator }
        }
    }

    impl<I: Iterator> Itertools for I {}

    pub(crate) struct Format<'a, I> {
        items: Cell<Option<I>>,
        separator: &'a str,
    }

    impl<I: Iterator<Item: fmt::Display>> fmt::Display for Format<'_, I> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for (index, item) in self.items.take().into_iter().flatten().enumerate() {
                if index > 0 {
                    f.write_str(self.separator)?;
                }
                item.fmt(f)?;
            }
            Ok(())
        }
    }
}

//! The allocator, and how long it keeps freed memory.

use std::ffi::{c_int, c_long};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_purge_delay` of `mimalloc.h`: the number of milliseconds before freed memory is returned to the system.
const PURGE_DELAY: c_int = 15;

/// The default of mimalloc's next version.
const SECOND: c_long = 1000;

#[expect(unsafe_code, reason = "the crate `mimalloc` doesn't bind the options; this one is only a number")]
unsafe extern "C" {
    safe fn mi_option_set(option: c_int, value: c_long);
    #[cfg(test)]
    safe fn mi_option_get(option: c_int) -> c_long;
}

/// Keeps freed memory for a second, rather than for the ten milliseconds that are the default. A check frees each tree as soon
/// as its file is checked, and uses the memory for the next one: the kernel would clear the same pages again and again.
pub(crate) fn keep_freed_memory() {
    mi_option_set(PURGE_DELAY, SECOND);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_that_of_the_option() {
        assert_eq!(mi_option_get(PURGE_DELAY), 10, "the default, in milliseconds");
        keep_freed_memory();
        assert_eq!(mi_option_get(PURGE_DELAY), 1000);
    }
}

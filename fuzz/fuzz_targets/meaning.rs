//! Checks what any bytes mean as the main manifest of a site.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| marotte_fuzz::check_meaning(bytes));

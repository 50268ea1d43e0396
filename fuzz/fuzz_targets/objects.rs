//! Reads any bytes as objects of the cache.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| marotte_fuzz::check_object(bytes));

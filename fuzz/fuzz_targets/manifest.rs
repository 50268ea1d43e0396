//! Reads any bytes as a manifest.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| marotte_fuzz::check(bytes, false));

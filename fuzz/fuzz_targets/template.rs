//! Reads any bytes as an EPP template.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| marotte_fuzz::check(bytes, true));

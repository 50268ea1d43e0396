//! Formats any bytes, and manifests that they choose.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| marotte_fuzz::check_layout(bytes));

//! Renders any bytes that are an EPP template.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| marotte_fuzz::render(bytes));

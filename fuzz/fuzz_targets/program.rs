//! Evaluates any bytes that are a program.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| marotte_fuzz::evaluate(bytes));

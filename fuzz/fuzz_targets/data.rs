//! Reads any bytes as data.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| marotte_fuzz::read_data(bytes));

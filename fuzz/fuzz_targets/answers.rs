//! Reads any bytes as answers of a PuppetDB.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| marotte_fuzz::check_answer(bytes));

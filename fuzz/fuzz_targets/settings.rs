//! Reads any bytes as facts, metadata, hierarchies, lists of modules and baselines.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| marotte_tests::arbitrary::read_settings(bytes));

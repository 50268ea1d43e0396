//! Changes files, and delivers the events late, twice and in any order.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| marotte_tests::arbitrary::follow(bytes));

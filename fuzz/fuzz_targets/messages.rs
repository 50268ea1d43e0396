//! Sends any bytes, and messages that they choose, to the language server.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| marotte_fuzz::check_messages(bytes));

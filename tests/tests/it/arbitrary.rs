//! Files that are not code, and orders of changes, from pseudorandom bytes. `MAROTTE_SEEDS=10000` tries more of them; the fuzz
//! targets `settings` and `watching` search further.

use marotte_tests::arbitrary::{KINDS, bytes_of, follow, read_settings};
use marotte_tests::workspace;

/// The number of seeds, unless the variable has another one.
fn seeds(least: u64) -> u64 {
    std::env::var("MAROTTE_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(least)
}

#[test]
fn files_that_are_almost_right_are_read_or_refused() {
    for (number, _) in (0_u8..).zip(KINDS) {
        for seed in 0..seeds(60) {
            let rest = bytes_of(seed, 200);
            read_settings(&[&[number, 1], &rest[..]].concat());
        }
    }
}

#[test]
fn files_of_any_bytes_are_read_or_refused() {
    for (number, _) in (0_u8..).zip(KINDS) {
        for seed in 0..seeds(20) {
            let rest = bytes_of(seed, 60);
            read_settings(&[&[number, 0], &rest[..]].concat());
            // Bytes that mean something in these files.
            let signs: Vec<u8> =
                rest.iter().map(|it| b"{}[]:,\"'-#! \n&*|>%@0a\xc3\xa9="[usize::from(*it) % 24]).collect();
            read_settings(&[&[number, 0], &signs[..]].concat());
        }
    }
}

#[test]
fn the_seeds_of_the_fuzzer_are_read_whole_and_cut() {
    let folder = workspace::root().join("fuzz/seeds/settings");
    let mut count = 0;
    for entry in folder.read_dir().expect("the seeds") {
        #[expect(clippy::disallowed_methods, reason = "a test reads its seeds itself")]
        let bytes = std::fs::read(entry.expect("a seed").path()).expect("a seed");
        for end in (0..bytes.len()).step_by(17).chain([bytes.len()]) {
            read_settings(bytes.get(..end).unwrap_or_default());
        }
        count += 1;
    }
    assert!(count > KINDS.len(), "only {count} seeds");
}

#[test]
fn events_may_come_late_and_twice_and_in_any_order() {
    for seed in 0..seeds(40) {
        follow(&bytes_of(seed, 160));
    }
}

/// A folder of modules is deleted with the last of them, whose deletion was announced before.
#[test]
fn a_folder_of_the_module_path_may_disappear() {
    follow(&[0xff, 0xff, 0xff, 0, 0, 0, 0x58, 0xd4, 0x52, 0xff, 0x32, 0xff, 0x32]);
}

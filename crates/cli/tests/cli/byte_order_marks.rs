//! Files that start with the byte order mark of another encoding than UTF-8, which every command reports in the same
//! way.

use crate::support::Folder;

/// The marks, the names of their encodings, and their bytes as shown in messages.
const MARKS: [(&[u8], &str, &str); 9] = [
    (b"\xFF\xFEa\0", "UTF-16", "FF FE"),
    (b"\xFE\xFF\0a", "UTF-16", "FE FF"),
    (b"\xFF\xFE\0\0a\0\0\0", "UTF-32", "FF FE 00 00"),
    (b"\0\0\xFE\xFF\0\0\0a", "UTF-32", "00 00 FE FF"),
    (b"\xF7\x64\x4Ca", "UTF-1", "F7 64 4C"),
    (b"\xDD\x73\x66\x73", "UTF-EBCDIC", "DD 73 66 73"),
    (b"\x0E\xFE\xFF", "SCSU", "0E FE FF"),
    (b"\xFB\xEE\x28", "BOCU", "FB EE 28"),
    (b"\x84\x31\x95\x33", "GB-18030", "84 31 95 33"),
];

#[test]
fn every_command_names_the_encoding_and_the_bytes() {
    let commands: [&[&str]; 10] = [
        &["check", "a.pp"],
        &["parse", "a.pp"],
        &["eval", "a.pp"],
        &["compile", "--manifest", "a.pp"],
        &["epp", "validate", "a.epp"],
        &["epp", "dump", "a.epp"],
        &["epp", "render", "a.epp"],
        &["erb", "validate", "a.epp"],
        &["erb", "dump", "a.epp"],
        &["erb", "render", "a.epp"],
    ];
    for (bytes, encoding, shown) in MARKS {
        let folder = Folder::new(&[("a.pp", bytes), ("a.epp", bytes)]);
        for command in commands {
            let run = folder.marotte(command);
            let said = format!("starts with a {encoding} byte order mark ({shown})");
            let told = [run.stdout.as_str(), &run.stderr].concat();
            assert_eq!(run.status, 1, "{command:?} {run:?}");
            let place = format!("{}:1:1", command.last().unwrap());
            assert!(told.contains(&said) && told.contains(&place), "{command:?} {run:?}");
            assert!(!told.contains("invalid-utf8"), "{command:?} {run:?}");
        }
        let run = folder.marotte_with_input(&["eval"], bytes);
        assert!(run.status == 1 && run.stderr.contains(encoding), "{run:?}");
    }
}

#[test]
fn further_templates_are_validated() {
    let folder = Folder::new(&[("a.epp", b"\xFF\xFEa\0"), ("b.epp", b"a <%= 1 + %>\n")]);
    let run = folder.marotte(&["epp", "validate", "a.epp", "b.epp"]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("a.epp:1:1") && run.stderr.contains("b.epp:1:11"), "{}", run.stderr);
}

/// What an evaluation loads is told at its own place, before what needed it.
#[test]
fn files_that_a_catalog_needs_are_told_at_their_place() {
    for (bytes, encoding, shown) in MARKS {
        let folder = Folder::new(&[
            ("environment.conf", b""),
            ("manifests/site.pp", b"include m\n"),
            ("modules/m/manifests/init.pp", bytes),
        ]);
        let run = folder.marotte(&["compile", "n"]);
        let said = format!("error[illegal-bom]: the file starts with a {encoding} byte order mark ({shown})");
        assert_eq!(run.status, 1, "{run:?}");
        assert!(run.stderr.starts_with(&said), "{run:?}");
        assert!(run.stderr.contains("modules/m/manifests/init.pp:1:1"), "{run:?}");
    }
}

#[test]
fn values_in_another_encoding_are_told_by_its_name() {
    let folder = Folder::new(&[("a.epp", b"a"), ("v.yaml", b"\xFF\xFEa\0"), ("v.pp", b"\xF7\x64\x4Ca")]);
    for (file, said) in
        [("v.yaml", "a UTF-16 byte order mark (FF FE)"), ("v.pp", "a UTF-1 byte order mark (F7 64 4C)")]
    {
        let run = folder.marotte(&["epp", "render", "a.epp", "--values_file", file]);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.stderr.contains(&format!("{file} starts with {said}")), "{run:?}");
    }
}

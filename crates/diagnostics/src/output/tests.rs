use insta::{assert_snapshot, with_settings};
use marotte_text::{TextRange, TextSize};

use super::*;
use crate::testing::Texts;
use crate::{Edit, FileId, Fix, Level, Related};

/// Findings that need every kind of escaping, in two files.
fn findings() -> (Texts, Vec<Arc<Diagnostic>>) {
    let sources = Texts::new(&[
        ("modules/b/manifests/init.pp", "class b {\n  $ü = { 'a' = 1 }\n}\n"),
        ("modules/a b,c/manifests/100%:x.pp", "$a = \"\\z\"\nif true {\n"),
    ]);
    let (b, a) = (FileId(0), FileId(1));
    let mut equals = sources.finding("syntax-error", b, " = 1", "expected `=>`, found `=`");
    equals.range = TextRange::at(equals.range.start() + TextSize::new(1), TextSize::new(1));
    equals.label = Some("expected `=>`".to_owned());
    equals.notes = vec!["`=` assigns variables".to_owned()];
    equals.fix = Some(Fix {
        title: "replace `=` with `=>`".to_owned(),
        safe: true,
        edits: vec![Edit { range: equals.range, text: "=>".to_owned() }],
    });
    let mut escape = sources.finding(
        "unrecognized-escape",
        a,
        "\\z",
        "`\\z` is not an escape sequence: <&'\"> 50%\n\u{1b}\u{9b}",
    );
    escape.level = Level::Warning;
    let mut unclosed = sources.finding("unclosed-delimiter", a, "{\n", "`{` is never closed");
    unclosed.related =
        vec![Related { file: b, range: sources.range(b, "class b"), message: "unlike this one".to_owned() }];
    let mut findings = [equals.clone(), unclosed, escape, equals].map(Arc::new).to_vec();
    sort(&mut findings, &sources);
    (sources, findings)
}

fn written(format: Format, color: Color) -> String {
    let (sources, findings) = findings();
    let mut out = Vec::new();
    write(format, &findings, &sources, color, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn empty(format: Format) -> String {
    let mut out = Vec::new();
    write(format, &[], &Texts::new(&[]), Color::Never, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn every_format_writes_the_same_findings() {
    for format in Format::ALL {
        let mut text = written(format, Color::Never);
        if format == Format::Sarif {
            // The rules' pages change on their own.
            let mut log: serde_json::Value = serde_json::from_str(&text).unwrap();
            for rule in log["runs"][0]["tool"]["driver"]["rules"].as_array_mut().unwrap() {
                assert!(rule["help"]["markdown"].as_str().unwrap().starts_with("# "));
                rule.as_object_mut().unwrap().shift_remove("help");
            }
            log["runs"][0]["tool"]["driver"]["version"] = "[version]".into();
            text = json::printable(serde_json::to_string_pretty(&log).unwrap());
        }
        with_settings!({
            snapshot_path => "../../../../snapshots/diagnostics",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, { assert_snapshot!(format!("format-{format}"), text) });
    }
}

#[test]
fn no_format_lets_control_characters_through() {
    for format in Format::ALL {
        let text = written(format, Color::Never);
        assert!(text.chars().all(|it| it == '\n' || !it.is_control()), "{format}: {text:?}");
    }
}

#[test]
fn json_keeps_the_exact_message() {
    let objects: serde_json::Value = serde_json::from_str(&written(Format::Json, Color::Never)).unwrap();
    assert_eq!(objects[0]["message"], "`\\z` is not an escape sequence: <&'\"> 50%\n\u{1b}\u{9b}");
    let lines: Vec<serde_json::Value> = written(Format::JsonLines, Color::Never)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(objects, serde_json::Value::from(lines));
}

#[test]
fn a_run_without_findings_is_a_whole_document() {
    assert_eq!(empty(Format::Full), "");
    assert_eq!(empty(Format::Concise), "");
    assert_eq!(empty(Format::Json), "[]\n");
    assert_eq!(empty(Format::JsonLines), "");
    assert_eq!(empty(Format::Github), "");
    assert_eq!(empty(Format::Gitlab), "[]\n");
    assert!(empty(Format::Junit).contains("failures=\"0\""));
    let log: serde_json::Value = serde_json::from_str(&empty(Format::Sarif)).unwrap();
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn concise_lines_can_be_coloured() {
    let text = written(Format::Concise, Color::Always);
    assert!(text.contains(
        "\x1b[1mmodules/b/manifests/init.pp\x1b[0m:2:14: \x1b[1;31merror[syntax-error]\x1b[0m expected"
    ));
}

#[test]
fn order_is_by_path_place_and_rule() {
    let (sources, findings) = findings();
    let places: Vec<_> =
        findings.iter().map(|it| (sources.path(it.file).chars().nth(8).unwrap(), it.rule.name)).collect();
    assert_eq!(
        places,
        [
            ('a', "unrecognized-escape"),
            ('a', "unclosed-delimiter"),
            ('b', "syntax-error"),
            ('b', "syntax-error")
        ]
    );
}

#[test]
fn fingerprints_survive_moves_and_tell_twins_apart() {
    let (sources, mut findings) = findings();
    let before = fingerprints(&findings, &sources);
    assert_ne!(before[2], before[3]);
    Arc::make_mut(&mut findings[0]).range = TextRange::empty(TextSize::new(0));
    assert_eq!(fingerprints(&findings, &sources), before);
}

#[test]
fn formats_are_found_by_name() {
    assert_eq!("json-lines".parse(), Ok(Format::JsonLines));
    let error = "xml".parse::<Format>().unwrap_err().to_string();
    assert!(error.starts_with("there is no output format `xml`; there are full, concise"), "{error}");
}

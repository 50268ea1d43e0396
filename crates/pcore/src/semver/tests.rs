use super::*;

fn version(text: &str) -> SemVer {
    SemVer::parse(text).unwrap()
}

fn range(text: &str) -> SemVerRange {
    SemVerRange::parse(text).unwrap()
}

#[test]
fn recorded_rows() {
    let recorded = include_str!("recorded.tsv");
    let mut lines = recorded.lines().skip(3);
    let tried: Vec<SemVer> = lines.next().unwrap().split('\t').skip(1).map(version).collect();
    let included = |range: &SemVerRange| -> String {
        tried.iter().map(|it| if range.includes(it) { '1' } else { '0' }).collect()
    };
    let mut rows = 0;
    for line in lines {
        let fields: Vec<String> =
            line.split('\t').map(|it| it.replace("\\n", "\n").replace("\\t", "\t")).collect();
        let [kind, a, rest @ ..] = &fields[..] else { panic!("{line}") };
        let found = match &**kind {
            "parse" => SemVer::parse(a).map_or_else(|error| format!("ERR {error}"), |it| it.to_string()),
            "cmp" => (version(a).precedence(&version(&rest[0])) as i8).to_string(),
            "eq" => (version(a) == version(&rest[0])).to_string(),
            "range" => SemVerRange::parse(a)
                .map_or_else(|error| format!("ERR {error}"), |it| format!("{it}  {}", included(&it))),
            "reg" => (range(a) == range(&rest[0])).to_string(),
            "and" => included(&range(a).intersection(&range(&rest[0]))),
            kind => panic!("{kind}"),
        };
        assert_eq!(&found, rest.last().unwrap(), "{line}");
        rows += 1;
    }
    assert!(rows >= 300, "{rows}");
}

/// Cases in which `semantic_puppet` fails with an internal error, or swaps the bounds.
#[test]
fn mistakes_of_the_reference_are_not_copied() {
    assert!(range("<=*").includes(&version("9.9.9")));
    assert!(range("^x").includes(&version("9.9.9")));
    let between = |exclude| SemVerRange::between(Some(version("1.0.0")), Some(version("2.0.0")), exclude);
    assert_eq!(between(false).to_string(), ">=1.0.0 <=2.0.0");
    assert_eq!(between(true).to_string(), ">=1.0.0 <2.0.0");
    assert_eq!(between(true), range("1.x"));
    assert_eq!(range("1.x").union(&range("2.x")).unwrap().to_string(), ">=1.0.0 <3.0.0");
    assert_eq!(range("1.x").union(&range("3.x")), None);
}

#[test]
fn cover() {
    assert!(range("1.2.x").is_covered_by(&range("1.x")));
    assert!(!range("1.x").is_covered_by(&range("1.2.x")));
    assert!(range("1.2.3").is_covered_by(&range("1.2.3")));
    assert!(range("*").is_covered_by(&range("*")));
}

#[test]
fn prereleases_from_arguments_are_one_text() {
    let built = SemVer::new(1u8, 0u8, 0u8, Some("rc.1"), Some("b.2")).unwrap();
    assert_eq!(built.to_string(), "1.0.0-rc.1+b.2");
    assert_ne!(built, version("1.0.0-rc.1+b.2"));
    assert_eq!(SemVer::new(1u8, 0u8, 0u8, Some("a_b"), None), None);
}

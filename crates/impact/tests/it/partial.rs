//! Files of partial results: what is written is read again, and no file does harm.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use marotte_catalog::{Line, Reference};
use marotte_impact::output::{Format, write};
use marotte_impact::partial::{self, Inputs, Options, Part, Sample, Search, Shard};
use marotte_impact::{
    Change, Content, Fault, Finding, Origin, Outcome, Report, ReportBuilder, Shown, Side, TextDiff, Verdict,
};
use sha2::{Digest as _, Sha256};

const FORMATS: [Format; 7] = [
    Format::Full,
    Format::Concise,
    Format::Json,
    Format::Markdown,
    Format::Html,
    Format::Junit,
    Format::Sarif,
];

/// One change of each kind, of resources with unusual names.
fn changes(it: &str) -> Vec<Change> {
    let resource = Reference { type_name: "File".into(), title: "".into() };
    let other = || Reference { type_name: "A::B".into(), title: format!("[{it}]\n\u{1b}é").into() };
    let shown = |text: &str| Shown::Value(text.into());
    vec![
        Change::Added {
            resource: other(),
            attributes: vec![("a".into(), shown("'1'")), ("b".into(), Shown::Sensitive)],
            within: vec![resource.clone(), other()],
            exported: true,
        },
        Change::Removed { resource: other(), within: Vec::new() },
        Change::Attribute {
            resource: other(),
            name: "c".into(),
            before: Some(Shown::Unknown("m::f".into())),
            after: None,
        },
        Change::Text { resource: other(), name: "d".into(), diff: TextDiff::new(&format!("{it}\na\n"), "b") },
        Change::Content {
            resource: other(),
            below: "sub/file".into(),
            sources: ["puppet:///modules/a/b".into(), it.into()],
            before: Some(Content::File { path: "modules/a/files/b".into(), size: 3, digest: "ab".into() }),
            after: None,
            is_hidden: true,
            diff: Some(TextDiff::new("a\n", it)),
        },
        Change::Relationship {
            resource: other(),
            name: "notify".into(),
            other: resource.clone(),
            is_added: true,
        },
        Change::Tags { resource: other(), tags: vec!["x".into()], is_added: false },
        Change::Property { resource: other(), name: "kind".into(), before: "a".into(), after: it.to_owned() },
        Change::Containment { resource: other(), before: vec![resource.clone()], after: Vec::new() },
        Change::Class { name: it.into(), is_added: true },
        Change::Order { moved: vec![resource, other()], more: 3 },
    ]
}

fn outcome(number: usize) -> Outcome {
    let fault = |it: usize| Fault { message: format!("m{it}"), place: Some(("a.pp".to_owned(), 3)) };
    let failed = |it: usize| Side::Failed(vec![fault(it)]);
    let (before, after) = match number % 7 {
        0 => (Side::Known, failed(number % 2)),
        1 => (failed(1), Side::Known),
        2 => (Side::Incomplete(vec!["b".into(), "a".into()]), Side::Incomplete(vec!["c".into()])),
        _ => (Side::Known, Side::Known),
    };
    let places = [None, Some(Line { file: format!("{number}.pp").into(), line: 1 })];
    let findings = changes(&(number % 5).to_string()).into_iter().skip(number % 4);
    let class = (!number.is_multiple_of(4)).then(|| format!("A::B{}", number % 2).into());
    let origin = Origin { places, class };
    let finding = |change| Finding { change, is_certain: !number.is_multiple_of(3), origin: origin.clone() };
    let is_there = !matches!(before, Side::Failed(_)) && !matches!(after, Side::Failed(_));
    Outcome {
        before,
        after,
        findings: findings.filter(|_| is_there).map(finding).collect(),
        ignored: vec![(format!("r{}", number % 3).into(), number), ("all".into(), 1)],
        elsewhere: vec![format!("http://{}/b", number % 4).into(), "puppet:///x/y".into()],
    }
}

fn report(numbers: &[usize]) -> Report {
    let mut builder = ReportBuilder::new("before".to_owned(), "after".to_owned(), Vec::new());
    for number in numbers {
        builder.add(format!("n{number}"), outcome(*number));
    }
    builder.finish()
}

/// The parts of a report on so many nodes.
fn parts(nodes: u32, of: u32) -> Vec<Part> {
    let part = |number| {
        let shard = Shard::new(number, of).unwrap();
        let report = report(&shard.take((0..usize::try_from(nodes).unwrap()).collect()));
        let samples = vec![Sample { node: 0, effort: Some(2) }, Sample { node: 3, effort: None }];
        let search = Search { samples, is_whole: true };
        Part { shard, nodes, inputs: Inputs::default(), options: Options::default(), report, search }
    };
    (1..=of).map(part).collect()
}

fn named(parts: Vec<Part>) -> Vec<(String, Part)> {
    parts.into_iter().map(|it| (format!("f{}", it.shard.number()), it)).collect()
}

#[test]
fn what_is_written_is_read_again() {
    for part in parts(40, 3) {
        assert_eq!(partial::read(partial::write(&part).as_bytes()), Ok(part));
    }
}

/// Some doubts come from the paths that the nodes of a part have read.
#[test]
fn a_doubt_of_one_part_concerns_the_nodes_of_all() {
    let mut parts = parts(40, 3);
    for (part, doubt) in parts.iter_mut().zip(["a", "b", "a"]) {
        part.report.doubts.push(doubt.to_owned());
    }
    let merged = partial::merge(named(parts)).unwrap();
    assert_eq!(merged.doubts, ["a", "b"]);
    assert!(merged.nodes.iter().all(|it| !it.is_fully_known && it.verdict != Verdict::Unchanged));
    assert!(report(&(0..40).collect::<Vec<_>>()).nodes.iter().any(|it| it.is_fully_known));
}

#[test]
fn parts_are_merged_as_if_there_were_one() {
    for (nodes, of) in [(0, 1), (0, 3), (1, 1), (1, 4), (40, 1), (40, 3), (41, 7), (5, 40)] {
        let merged = partial::merge(named(parts(nodes, of))).unwrap();
        let whole = report(&(0..usize::try_from(nodes).unwrap()).collect::<Vec<_>>());
        for format in FORMATS {
            assert_eq!(
                write(format, &merged),
                write(format, &whole),
                "{nodes} nodes, {of} parts, {format:?}"
            );
        }
    }
}

/// The file whose second line is this text, as if it had been written so.
fn forged(body: &str) -> String {
    let digest: String = Sha256::digest(body.as_bytes()).iter().map(|it| format!("{it:02x}")).collect();
    let (version, bytes) = (env!("CARGO_PKG_VERSION"), body.len());
    format!(
        "{{\"marotte-impact-part\":3,\"program\":\"{version}\",\"bytes\":{bytes},\"sha256\":\"{digest}\"}}\n{body}\n"
    )
}

#[test]
fn forged_files_do_no_harm() {
    let whole = parts(12, 2);
    let text = partial::write(&whole[0]);
    let body = text.lines().nth(1).unwrap();
    assert!(partial::read(forged(body).as_bytes()).is_ok());
    // Each number is replaced by others, and each piece is left out.
    let numbers: Vec<(usize, usize)> = {
        let bytes = body.as_bytes();
        let starts =
            (1..bytes.len()).filter(|it| bytes[*it].is_ascii_digit() && b",:[".contains(&bytes[it - 1]));
        starts.map(|it| (it, it + bytes[it..].iter().take_while(|it| it.is_ascii_digit()).count())).collect()
    };
    assert!(numbers.len() > 100, "{}", numbers.len());
    let (mut accepted, mut refused) = (0, 0);
    let mut attempt = |body: &str| {
        let Ok(part) = partial::read(forged(body).as_bytes()) else {
            refused += 1;
            return;
        };
        accepted += 1;
        let other = if part.shard.number() == 1 { whole[1].clone() } else { whole[0].clone() };
        if let Ok(report) = partial::merge(named(vec![part, other])) {
            report.counts();
            FORMATS.iter().for_each(|it| drop(write(*it, &report)));
        }
    };
    for (start, end) in numbers.into_iter().step_by(4) {
        for number in ["0", "1", "7", "4294967295", "18446744073709551615", "-1", "1e99", "null", "[]"] {
            attempt(&format!("{}{number}{}", &body[..start], &body[end..]));
        }
    }
    for (from, to) in [
        ("\"nodes\":[", "\"nodes\":[5,"),
        ("Sensitive", "Other"),
        ("\"File\"", "7"),
        ("[", "[["),
        ("'1'", "\\u0000"),
    ] {
        for (at, _) in body.match_indices(from).take(20) {
            attempt(&format!("{}{to}{}", &body[..at], &body[at + from.len()..]));
        }
    }
    attempt(&"[".repeat(100_000));
    attempt("{}");
    assert!(accepted > 20 && refused > 100, "{accepted} accepted, {refused} refused");
}

#[test]
fn damaged_files_are_told_from_other_files() {
    let text = partial::write(&parts(3, 1)[0]);
    let why = |bytes: &[u8]| partial::read(bytes).unwrap_err().to_string();
    for end in 0..text.len() {
        // Wherever it ends, it is not taken for a file that ends there.
        assert!(partial::read(&text.as_bytes()[..end]).is_err(), "{end}");
    }
    assert!(why(&text.as_bytes()[..text.len() - 10]).starts_with("it is truncated"));
    for at in (0..text.len()).step_by(17) {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        assert!(partial::read(&bytes).is_err(), "{at}");
    }
    assert!(why(b"{\"counts\":{}}").starts_with("it is no partial result"));
    assert!(why(b"{\"marotte-impact-part\":7}\n").starts_with("its form has version 7"));
    assert!(why(b"{\"marotte-impact-part\":").starts_with("it is damaged"));
}

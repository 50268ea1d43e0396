//! Files that are neither code nor data for lookups: facts, metadata, hierarchies, lists of modules, baselines.

use std::sync::Arc;

use camino::Utf8Path;
use marotte_db::MemorySystem;
use marotte_diagnostics::baseline::Baseline;
use marotte_host::Facts;
use marotte_pcore::print::literal;
use marotte_pcore::value::Value;

use super::{Choices, findings, generate};

/// The files, by the first byte.
pub const KINDS: [&str; 10] = [
    "/baseline.json",
    "/facts/a.json",
    "/facts/a.yaml",
    "/modules/a/metadata.json",
    "/Puppetfile",
    "/hiera.yaml",
    "/modules/a/hiera.yaml",
    "/environment.conf",
    "/modules/a/tasks/t.json",
    "/.gitignore",
];

/// The tree around the file.
const TREE: [(&str, &str); 8] = [
    ("/manifests/site.pp", "include a\nnotice(lookup('a::p'), lookup('k', undef, undef, 1))\n"),
    ("/environment.conf", "modulepath = modules\n"),
    ("/hiera.yaml", "version: 5\nhierarchy:\n  - { name: c, path: common.yaml }\n"),
    ("/data/common.yaml", "a::p: 1\na::q: x\n"),
    ("/modules/a/manifests/init.pp", "class a(Integer $p) { include x, b::c notice($facts['a']) }\n"),
    ("/modules/a/data/common.yaml", "a::p: 2\n"),
    ("/modules/a/metadata.json", "{ \"name\": \"x-a\" }\n"),
    ("/modules/a/tasks/t.sh", "#!/bin/sh\n"),
];

/// Reads bytes as one of the files: the first byte says which one; after an even one, the rest is its text, after an odd one
/// the rest chooses the parts of a text that is almost right.
///
/// # Panics
/// If something is wrong with what is said of it.
pub fn read(bytes: &[u8]) {
    let [kind, is_generated, rest @ ..] = bytes else { return };
    let kind = usize::from(*kind) % KINDS.len();
    let path = KINDS.get(kind).copied().unwrap_or_default();
    let text = match is_generated % 2 {
        0 => String::from_utf8_lossy(rest).into_owned(),
        _ => generated(path, &mut Choices::new(rest)),
    };
    match path {
        "/baseline.json" => baseline(&text),
        _ if path.starts_with("/facts/") => facts(path, &text),
        _ => tree(path, &text),
    }
}

fn generated(path: &str, choices: &mut Choices<'_>) -> String {
    let value = match path {
        "/Puppetfile" => return generate::puppetfile(choices),
        "/environment.conf" | "/.gitignore" => return generate::environment(choices),
        "/baseline.json" => generate::baseline(choices),
        "/modules/a/metadata.json" => generate::metadata(choices),
        "/modules/a/tasks/t.json" => generate::task(choices),
        _ if path.starts_with("/facts/") => generate::facts(choices),
        _ => generate::hiera(choices),
    };
    generate::written(choices, &value, path.ends_with("yaml"))
}

/// A baseline that is read is written so that the same is read again.
fn baseline(text: &str) {
    match Baseline::from_json(text) {
        Ok(baseline) => {
            let written = baseline.to_json();
            let again = Baseline::from_json(&written).expect("what was written");
            assert_eq!(baseline, again, "the same baseline");
            assert_eq!(written, again.to_json(), "the same text");
        }
        Err(error) => assert!(!error.to_string().is_empty(), "a message"),
    }
}

/// Facts have values that can be written, or an error whose place is in the text.
fn facts(path: &str, text: &str) {
    let system = MemorySystem::with_files([(path, text)]);
    match Facts::read(&system, Utf8Path::new(path)) {
        Ok(facts) => {
            assert!(!literal(&Value::Hash(Arc::clone(&facts.values))).is_empty(), "a text");
            assert_eq!(facts.clone().named("other").values, facts.values, "a name changes no fact");
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.contains(path), "{message}");
            if let marotte_host::FactsError::Data(_, _, line, _) = error {
                let lines = text.split('\n').count();
                assert!(usize::try_from(line).is_ok_and(|it| (1..=lines).contains(&it)), "{message}");
            }
        }
    }
}

/// Checks the findings about a tree that contains the file.
fn tree(path: &str, text: &str) {
    let others = TREE.into_iter().filter(|(other, _)| *other != path);
    let system = MemorySystem::with_files(others.chain([(path, text)]));
    findings::check_all(system);
}

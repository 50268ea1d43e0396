//! Texts of files that are not code: almost right, with some keys and values that are not.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::Choices;

/// Words that mean something in one of the files, and others.
const WORDS: [&str; 28] = [
    "a",
    "b-a",
    "x/a",
    "1.2.3",
    ">= 1.0.0 < 2.0.0",
    "",
    "common.yaml",
    "nodes/%{facts.name}.yaml",
    "%{",
    "%{lookup('a')}",
    "/abs",
    "../up",
    "**/*.yaml",
    "*.[",
    "yaml_data",
    "eyaml_lookup_key",
    "hocon_data",
    "a::f",
    "A::T",
    "Linux",
    "é",
    "\n",
    "'",
    "\"",
    "~",
    "null",
    "unresolved-class",
    "/modules/a/manifests/init.pp",
];

/// Returns any value of JSON.
fn value(choices: &mut Choices<'_>, depth: usize) -> Value {
    match choices.below(if depth == 0 { 6 } else { 8 }) {
        0 => json!(choices.choose(&WORDS)),
        1 => json!(choices.below(7)),
        2 => json!(choices.below(2) == 0),
        3 => Value::Null,
        4 => json!(-9_223_372_036_854_775_807_i64),
        5 => json!(1.5),
        6 => Value::Array((0..choices.below(4)).map(|_| value(choices, depth - 1)).collect()),
        _ => {
            let entries =
                (0..choices.below(4)).map(|_| (choices.choose(&WORDS).to_owned(), value(choices, depth - 1)));
            Value::Object(entries.collect())
        }
    }
}

/// Returns an object of these keys, some of which are missing, with values that are sometimes of another kind.
fn object(choices: &mut Choices<'_>, keys: &[(&str, Make)]) -> Value {
    let mut made = Map::new();
    for (key, make) in keys {
        match choices.below(8) {
            0 | 1 => {}
            2 => {
                made.insert((*key).to_owned(), value(choices, 2));
            }
            _ => {
                made.insert((*key).to_owned(), make(choices));
            }
        }
    }
    if choices.one_in(8) {
        made.insert(choices.choose(&WORDS).to_owned(), value(choices, 2));
    }
    Value::Object(made)
}

type Make = fn(&mut Choices<'_>) -> Value;

fn word(choices: &mut Choices<'_>) -> Value {
    json!(choices.choose(&WORDS))
}

fn list(choices: &mut Choices<'_>, make: Make) -> Value {
    Value::Array((0..choices.below(4)).map(|_| make(choices)).collect())
}

fn words(choices: &mut Choices<'_>) -> Value {
    list(choices, word)
}

/// Returns the value of a `metadata.json`.
pub(super) fn metadata(choices: &mut Choices<'_>) -> Value {
    object(
        choices,
        &[
            ("name", word),
            ("version", word),
            ("author", word),
            ("license", word),
            ("summary", word),
            ("source", word),
            ("dependencies", |it| {
                list(it, |it| object(it, &[("name", word), ("version_requirement", word)]))
            }),
            ("requirements", |it| {
                list(it, |it| object(it, &[("name", word), ("version_requirement", word)]))
            }),
            ("operatingsystem_support", |it| {
                list(it, |it| object(it, &[("operatingsystem", word), ("operatingsystemrelease", words)]))
            }),
            ("tags", words),
        ],
    )
}

/// Returns the value of the metadata of a task.
pub(super) fn task(choices: &mut Choices<'_>) -> Value {
    let parameter: Make = |it| {
        let made =
            object(it, &[("type", word), ("description", word), ("sensitive", |it| json!(it.below(2) == 0))]);
        json!({ it.choose(&WORDS): made })
    };
    object(
        choices,
        &[
            ("description", word),
            ("input_method", word),
            ("parameters", parameter),
            ("implementations", |it| list(it, |it| object(it, &[("name", word), ("requirements", words)]))),
            ("supports_noop", |it| json!(it.below(2) == 0)),
            ("files", words),
            ("extensions", |it| value(it, 2)),
        ],
    )
}

/// Returns the value of a `hiera.yaml`.
pub(super) fn hiera(choices: &mut Choices<'_>) -> Value {
    fn level(choices: &mut Choices<'_>) -> Value {
        object(
            choices,
            &[
                ("name", word),
                ("path", word),
                ("paths", words),
                ("glob", word),
                ("globs", words),
                ("uri", word),
                ("uris", words),
                ("mapped_paths", words),
                ("datadir", word),
                ("data_hash", word),
                ("lookup_key", word),
                ("data_dig", word),
                ("hiera3_backend", word),
                ("options", |it| value(it, 2)),
            ],
        )
    }
    object(
        choices,
        &[
            ("version", |it| json!(it.choose(&[5, 5, 5, 4, 3, 6]))),
            ("defaults", level),
            ("hierarchy", |it| list(it, level)),
            ("default_hierarchy", |it| list(it, level)),
            (":backends", words),
            (":hierarchy", words),
            (":yaml", |it| value(it, 2)),
            ("plan_hierarchy", |it| list(it, level)),
        ],
    )
}

/// Returns the value of a baseline.
pub(super) fn baseline(choices: &mut Choices<'_>) -> Value {
    object(
        choices,
        &[
            ("version", |it| json!(it.choose(&[1, 1, 1, 2, 0]))),
            ("findings", |it| {
                list(it, |it| {
                    let count: Make = |it| json!(it.choose(&[1_u64, 2, 0, u64::MAX, u64::MAX / 2 + 1]));
                    object(it, &[("path", word), ("rule", word), ("message", word), ("count", count)])
                })
            }),
        ],
    )
}

/// Returns the value of a file of facts: the facts alone, or within what PuppetDB and agents add.
pub(super) fn facts(choices: &mut Choices<'_>) -> Value {
    let values: Make =
        |it| Value::Object((0..it.below(5)).map(|_| (it.choose(&WORDS).to_owned(), value(it, 3))).collect());
    match choices.below(3) {
        0 => values(choices),
        1 => {
            object(choices, &[("name", word), ("values", values), ("timestamp", word), ("expiration", word)])
        }
        _ => object(
            choices,
            &[("name", word), ("values", values), ("environment", word), ("_timestamp", word)],
        ),
    }
}

/// Returns the text of a `Puppetfile`.
pub(super) fn puppetfile(choices: &mut Choices<'_>) -> String {
    const LINES: [&str; 16] = [
        "forge 'https://forge.example.com'",
        "moduledir 'modules'",
        "mod 'x/a', '1.2.3'",
        "mod 'x-b', :latest",
        "mod 'c',\n  :git => 'https://example.com/c.git',\n  :ref => 'main'",
        "mod 'd', git: 'x', branch: \"#{ENV['B']}\"",
        "mod 'e', :local => true",
        "mod \"f#{1}\"",
        "mod('x-g', '1')",
        "# mod 'no'",
        "if true",
        "end",
        "%w[a b].each { |m| mod \"x-#{m}\" }",
        "mod",
        "mod 'é",
        "instance_eval(File.read('other'))",
    ];
    let mut text = String::new();
    for _ in 0..choices.below(12) {
        let _ = writeln!(text, "{}", choices.choose(&LINES));
    }
    text
}

/// Returns the text of an `environment.conf`.
pub(super) fn environment(choices: &mut Choices<'_>) -> String {
    const KEYS: [&str; 7] = [
        "modulepath",
        "manifest",
        "config_version",
        "environment_timeout",
        "disable_per_environment_manifest",
        "[main]",
        "x",
    ];
    const VALUES: [&str; 12] = [
        "modules",
        "modules:other",
        "$basemodulepath:modules",
        "../..",
        "/",
        "",
        "::",
        "manifests",
        "site.pp",
        "a = b",
        "é",
        "'",
    ];
    let mut text = String::new();
    for _ in 0..choices.below(6) {
        let (key, value) = (choices.choose(&KEYS), choices.choose(&VALUES));
        let sign = choices.choose(&[" = ", "=", " ", "\t=\t", " == "]);
        let _ = writeln!(text, "{key}{sign}{value}");
    }
    text
}

/// Writes a value as JSON, or as YAML in blocks.
pub(super) fn written(choices: &mut Choices<'_>, value: &Value, is_yaml: bool) -> String {
    if !is_yaml || choices.one_in(4) {
        return if choices.one_in(2) { value.to_string() } else { format!("{value:#}") };
    }
    let mut text = String::from(choices.choose(&["", "---\n", "--- !ruby/object:Puppet::Node::Facts\n"]));
    block(&mut text, value, 0);
    text
}

/// Writes a value in blocks; what is in it is indented by two more blanks.
fn block(text: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            for (key, value) in entries {
                let _ = write!(text, "{:indent$}{}:", "", json!(key));
                below(text, value, indent);
            }
        }
        Value::Array(elements) if !elements.is_empty() => {
            for value in elements {
                let _ = write!(text, "{:indent$}-", "");
                below(text, value, indent);
            }
        }
        flat => {
            let _ = writeln!(text, "{:indent$}{flat}", "");
        }
    }
}

fn below(text: &mut String, value: &Value, indent: usize) {
    let is_block = value.as_object().is_some_and(|it| !it.is_empty())
        || value.as_array().is_some_and(|it| !it.is_empty());
    if is_block {
        text.push('\n');
        block(text, value, indent + 2);
    } else {
        let _ = writeln!(text, " {value}");
    }
}

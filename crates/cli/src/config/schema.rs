//! The schema of `marotte.toml` for editors: `docs/marotte.schema.json`. `MAROTTE_WRITE_SCHEMA=1 cargo test -p marotte schema`
//! rewrites it.

use camino::Utf8Path;
use marotte_diagnostics::SETS;
use marotte_diagnostics::rules::RULES;
use marotte_pcore::dialect::Dialect;
use regex::Regex;
use serde_json::{Map, Value, json};

use super::{FORMAT_KEYS, IMPACT_KEYS, KEYS, OVERRIDE_KEYS, parse};
use crate::args::Size;

/// The pattern of sizes, see [`Size`].
const SIZE: &str = "^[0-9]+\\s*([kKmMgG]([iI]?[bB])?|[bB])?\\s*$";

/// Returns the values that the keys accept, and their descriptions. The names of formats and the like are those of the flags.
fn properties() -> Map<String, Value> {
    let switch = |text: &str| json!({ "type": "boolean", "description": text });
    let word = |text: &str| json!({ "type": "string", "description": text });
    let rules = |text: &str| json!({ "type": "array", "items": { "$ref": "#/definitions/rules" }, "description": text });
    let paths = |text: &str| json!({ "type": "array", "items": { "type": "string" }, "description": text });
    let choice = |all: Vec<&str>, text: &str| json!({ "enum": all, "description": text });
    let formats = vec!["full", "concise", "json", "json-lines", "sarif", "github", "gitlab", "junit"];
    let number = |least: u32, most: u32, text: &str| json!({ "type": "integer", "minimum": least, "maximum": most, "description": text });
    let size = json!({
        "type": ["string", "integer"],
        "minimum": 0,
        "pattern": SIZE,
        "description": "Larger files are reported and not read",
    });
    let format = json!({
        "line-width": number(1, 65535, "The columns that a line may have"),
        "indent-width": number(1, 16, "The columns of a level of indentation"),
        "indent-style": choice(vec!["space", "tab"], "What lines are indented with"),
        "line-ending": choice(vec!["auto", "lf", "crlf"], "How lines end"),
    });
    let impact = json!({
        "ignore": paths("Resources, `TYPE[TITLE]`, and attributes, `TYPE[TITLE]::ATTRIBUTE`, whose changes are not shown"),
        "ignore-tags": paths("Tags of resources whose changes are not shown"),
        "ignore-whitespace": switch("Take strings for equal that differ only in white space"),
        "ignore-array-order": switch("Take arrays for equal that have the same elements in another order"),
    });
    let of_paths = json!({
        "paths": paths("The files that the settings apply to"),
        "ignore": rules("Do not report these rules there"),
        "warn": rules("Report these rules as warnings there"),
        "error": rules("Report these rules as errors there"),
    });
    let all = json!({
        "output-format": choice(formats, "How findings are written"),
        "color": choice(vec!["auto", "always", "never"], "When colours are written"),
        "select": rules("Report only these rules"),
        "ignore": rules("Do not report these rules"),
        "warn": rules("Report these rules as warnings"),
        "error": rules("Report these rules as errors"),
        "exclude": paths("Files that are not checked"),
        "extend-exclude": paths("More files that are not checked"),
        "overrides": {
            "type": "array",
            "items": { "type": "object", "properties": of_paths, "required": ["paths"], "additionalProperties": false },
            "description": "Rules that some files have otherwise",
        },
        "extends": word("Another configuration, which says what this one does not"),
        "target-version": json!({ "enum": [8, "8"], "description": "Report what this version of Puppet or OpenVox breaks, by topic" }),
        "statistics": switch("Count the findings of each rule"),
        "quiet": switch("Print findings only, no summary"),
        "verbose": switch("List what is checked"),
        "allow-empty": switch("End with status 0 even if there was no file to check"),
        "third-party": switch("Report findings in modules that the Puppetfile fetches, too"),
        "exit-zero": switch("End with status 0 even if there are findings"),
        "unsafe-fixes": switch("Also make fixes that may change the meaning of the code"),
        "baseline": word("Leave out the findings that this file lists"),
        "no-ignore": switch("Check hidden files and files that .gitignore and .ignore list"),
        "tasks": switch("Read `plan` and `apply` as keywords everywhere"),
        "max-file-size": size,
        "dialect": choice(Dialect::all().map(|it| it.name).to_vec(), "The dialect that the code is written in"),
        "module-path": word("Folders of modules, separated by `:`"),
        "threads": number(0, 65535, "How many files are checked at a time; 0 for one per processor"),
        "format": { "type": "object", "properties": format, "additionalProperties": false, "description": "How `marotte format` lays code out" },
        "impact": { "type": "object", "properties": impact, "additionalProperties": false, "description": "The changes that `marotte impact` counts and does not show" },
    });
    match all {
        Value::Object(properties) => properties,
        _ => Map::new(),
    }
}

fn schema() -> Value {
    let names: Vec<&str> = std::iter::once("all").chain(SETS).chain(RULES.iter().map(|it| it.name)).collect();
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "marotte.toml",
        "type": "object",
        "properties": properties(),
        "additionalProperties": false,
        "definitions": {
            "rules": { "anyOf": [{ "enum": names }, { "type": "string", "pattern": "\\*" }] },
        },
    })
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test reads the file that it is about")]
fn the_schema_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/marotte.schema.json");
    let expected = format!("{:#}\n", schema());
    if std::env::var_os("MAROTTE_WRITE_SCHEMA").is_some() {
        std::fs::write(path, &expected).unwrap();
    }
    let current = std::fs::read_to_string(path).unwrap_or_default();
    assert!(current == expected, "run `MAROTTE_WRITE_SCHEMA=1 cargo test -p marotte schema`");
}

#[test]
fn the_schema_has_the_keys_and_the_types_of_the_parser() {
    fn names(value: &Value) -> Vec<&str> {
        let mut names: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }
    fn sorted<'a>(keys: &[&'a str]) -> Vec<&'a str> {
        let mut keys = keys.to_vec();
        keys.sort_unstable();
        keys
    }
    let properties = Value::Object(properties());
    assert_eq!(names(&properties), sorted(&KEYS));
    assert_eq!(names(&properties["format"]["properties"]), sorted(&FORMAT_KEYS));
    assert_eq!(names(&properties["impact"]["properties"]), sorted(&IMPACT_KEYS));
    assert_eq!(names(&properties["overrides"]["items"]["properties"]), sorted(&OVERRIDE_KEYS));
    for (key, property) in properties.as_object().unwrap() {
        let takes = |value: &str| parse(&format!("{key} = {value}"), Utf8Path::new("/")).is_ok();
        let types = property["type"].to_string();
        assert_eq!(takes("true"), types.contains("boolean"), "{key}");
        assert_eq!(takes("1"), types.contains("integer"), "{key}");
        assert_eq!(takes("[]"), types.contains("array"), "{key}");
        assert_eq!(takes("{}"), types.contains("object"), "{key}");
        for value in property["enum"].as_array().into_iter().flatten() {
            assert!(takes(&value.to_string()), "{key} = {value}");
        }
    }
}

#[test]
fn the_schema_accepts_the_sizes_that_the_parser_accepts() {
    let pattern = Regex::new(SIZE).unwrap();
    let right = ["5", "500000", "5b", "500k", "500KB", "16 MiB", "16mib", "1G", "1gb "];
    for text in right.into_iter().chain(["4XB", "", "MiB", "1ki", "-1", "1.5M", " 5", "5 5", "1TB", "5bb"]) {
        assert_eq!(pattern.is_match(text), text.parse::<Size>().is_ok(), "{text:?}");
        assert_eq!(pattern.is_match(text), right.contains(&text), "{text:?}");
    }
}

//! `cargo xtask lint-parity`: runs the examples of the specifications of puppet-lint and its plugins through the corresponding
//! rules, and reports the differences.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use marotte_db::MemorySystem;
use marotte_diagnostics::puppet_lint::{self, CHECKS, Counterpart};
use marotte_diagnostics::rules::{Rule, Subject};
use marotte_diagnostics::{Edit, Fix, Level, RuleSet, Sources as _};
use marotte_project::{Project, ProjectDatabase, ProjectOptions};
use serde::Deserialize;

use crate::{Result, console, files, process};

/// Compare the rules with the specifications of puppet-lint's checks. Needs Ruby.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A folder with the sources of puppet-lint and of its plugins
    dir: PathBuf,

    /// Show each example that differs, with its code
    #[arg(long)]
    verbose: bool,

    /// Run only the examples of this check
    #[arg(long)]
    check: Option<String>,
}

/// An example of a specification.
#[derive(Deserialize)]
struct Example {
    check: String,
    context: String,
    code: String,
    path: Option<String>,
    /// The number of problems, if the example specifies it.
    size: Option<usize>,
    /// The lines and columns, from 1, of the problems whose places the example specifies.
    places: Vec<(Option<u32>, Option<u32>)>,
    /// The code after all fixes.
    fixed: Option<String>,
}

/// The results of the examples of one check.
#[derive(Default)]
struct Count {
    agree: usize,
    differ: Vec<String>,
    /// The number of examples whose code is not valid in Puppet 8.
    invalid: usize,
    /// The number of deliberate differences, which `docs/puppet-lint.md` lists.
    on_purpose: usize,
    /// The number of fixes with the expected result.
    fixes: usize,
    other_fixes: Vec<String>,
}

/// Examples on which marotte means to differ: the check, and a part of the example's title or code. `docs/puppet-lint.md` has the reasons.
const ON_PURPOSE: [(&str, &str); 14] = [
    ("double_quoted_strings", "backslash for continuation"),
    ("autoloader_layout", "foo::bar in foo/manifests/init.pp"),
    ("autoloader_layout", "with relative option"),
    ("legacy_facts", "legacy $osfamily"),
    ("legacy_facts", "blockdevice_sda_model"),
    ("legacy_facts", "ipaddress6_em2"),
    ("legacy_facts", "zone_foobar_uuid"),
    ("legacy_facts", "processor314"),
    ("legacy_facts", "sp_l3_cache"),
    ("legacy_facts", "sshrsakey"),
    ("parameter_documentation", "detect all styles"),
    ("parameter_documentation", "use configured style"),
    ("params_not_optional_with_undef", "loose Variant datatype 2"),
    ("top_scope_facts", "allowlisted top scope variable"),
];

fn is_on_purpose(example: &Example) -> bool {
    let mut differences = ON_PURPOSE.iter().filter(|it| it.0 == example.check);
    differences.any(|(_, part)| example.context.contains(part) || example.code.contains(part))
}

/// Runs `cargo xtask lint-parity`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut counts: BTreeMap<&'static str, Count> = BTreeMap::new();
    for example in examples(&arguments.dir)? {
        let Some(check) = puppet_lint::check(&example.check) else { continue };
        let Counterpart::Rule(rule) = check.counterpart else { continue };
        if arguments.check.as_ref().is_some_and(|it| it != check.name) {
            continue;
        }
        let count = counts.entry(check.name).or_default();
        match compare(&example, rule) {
            Outcome::Invalid => count.invalid += 1,
            Outcome::Agrees { fixed } => {
                count.agree += 1;
                match &example.fixed {
                    Some(expected) if *expected == fixed => count.fixes += 1,
                    Some(expected) => count
                        .other_fixes
                        .push(format!("{}: expected {expected:?}, not {fixed:?}", example.context)),
                    None => {}
                }
            }
            Outcome::Differs(_) if is_on_purpose(&example) => count.on_purpose += 1,
            Outcome::Differs(how) => count.differ.push(shown(&example, &how, arguments.verbose)),
        }
    }
    console::say(&report(&counts));
    Ok(())
}

/// The examples below a folder.
fn examples(dir: &std::path::Path) -> Result<Vec<Example>> {
    let mut specifications = Vec::new();
    for entry in ignore::WalkBuilder::new(dir).standard_filters(false).build() {
        let path = entry?.into_path();
        let name = path.to_string_lossy();
        if name.ends_with("_spec.rb") && name.contains("/plugins/") {
            specifications.push(path);
        }
    }
    specifications.sort();
    let mut ruby = Command::new("ruby");
    ruby.arg("-W0").arg(files::repository().join("xtask/oracle/puppet_lint_specs.rb")).args(&specifications);
    let output = process::output(&mut ruby)?;
    let read = |line: &str| serde_json::from_str(line).map_err(|error| format!("{error} in {line}").into());
    output.lines().map(read).collect()
}

enum Outcome {
    Agrees {
        /// The code after all fixes of the rule.
        fixed: String,
    },
    Differs(String),
    Invalid,
}

/// Compares marotte's findings in the code of an example with the expected ones.
fn compare(example: &Example, rule: &Rule) -> Outcome {
    let path = example.path.as_deref().map_or_else(
        || "/site/manifests/site.pp".to_owned(),
        |it| format!("/site/modules/{}", it.trim_start_matches('/')),
    );
    let module = path.split('/').nth(3).unwrap_or_default();
    let metadata = format!("/site/modules/{module}/metadata.json");
    let files = [(path.as_str(), example.code.as_str()), (metadata.as_str(), "{}")];
    let system = MemorySystem::with_files(files);
    let options = ProjectOptions {
        rules: RuleSet::usual().with(Subject::Style),
        threads: 1,
        ..ProjectOptions::default()
    };
    let project = Project::new(ProjectDatabase::frozen(Arc::new(system)), &[path.as_str().into()], options);
    let findings = project.check(&()).findings;
    let is_invalid = |it: &&Arc<marotte_diagnostics::Diagnostic>| {
        it.level == Level::Error && it.rule.subject == Subject::Text && it.rule != rule
    };
    if findings.iter().any(|it| is_invalid(&it)) {
        return Outcome::Invalid;
    }
    let sources = project.sources();
    let found = findings.iter().filter(|it| it.rule == rule);
    let mut lines: Vec<u32> =
        found.map(|it| sources.line_index(it.file).position(it.range.start()).line).collect();
    lines.sort_unstable();
    let mut expected: Vec<u32> = example.places.iter().filter_map(|(line, _)| *line).collect();
    expected.sort_unstable();
    let is_size = example.size.is_none_or(|it| it == lines.len());
    // Examples that say how many there are need not tell all of their places.
    let is_whole = example.size.is_some_and(|it| it == expected.len());
    let are_there = expected.iter().all(|it| lines.contains(it));
    if is_size && are_there && (!is_whole || expected.is_empty() || lines == expected) {
        let fixes = findings.iter().filter(|it| it.rule == rule).filter_map(|it| it.fix.as_ref());
        return Outcome::Agrees { fixed: apply(&example.code, fixes) };
    }
    let count = example.size.map_or_else(String::new, |it| format!("{it} problems, "));
    Outcome::Differs(format!("expected {count}lines {expected:?}; found lines {lines:?}"))
}

/// Makes all fixes that do not overlap.
fn apply<'a>(text: &str, fixes: impl Iterator<Item = &'a Fix>) -> String {
    let mut edits: Vec<&Edit> = fixes.flat_map(|it| &it.edits).collect();
    edits.sort_by_key(|it| it.range.start());
    let (mut result, mut copied) = (String::new(), 0);
    for edit in edits.into_iter() {
        let start = usize::from(edit.range.start());
        if start >= copied {
            result.push_str(&text[copied..start]);
            result.push_str(&edit.text);
            copied = edit.range.end().into();
        }
    }
    result + &text[copied..]
}

fn shown(example: &Example, how: &str, verbose: bool) -> String {
    let mut text = format!("{}: {how}", example.context);
    if verbose {
        for line in example.code.lines() {
            let _ = write!(text, "\n      | {line}");
        }
    }
    text
}

fn report(counts: &BTreeMap<&'static str, Count>) -> String {
    let mut text = String::from("check: agree / compared (not Puppet 8, different on purpose)\n");
    let (mut agree, mut all) = (0, 0);
    for (check, count) in counts {
        let compared = count.agree + count.differ.len();
        agree += count.agree;
        all += compared;
        let fixes = count.fixes + count.other_fixes.len();
        let _ = writeln!(
            text,
            "{check}: {} / {compared} ({}, {}), fixes {} / {fixes}",
            count.agree, count.invalid, count.on_purpose, count.fixes
        );
        for it in &count.other_fixes {
            let _ = writeln!(text, "    fix of {it}");
        }
        for it in &count.differ {
            let _ = writeln!(text, "    {it}");
        }
    }
    let _ = writeln!(text, "all: {agree} / {all}");
    let is_claimed = |it: &&puppet_lint::Check| matches!(it.counterpart, Counterpart::Rule(_));
    let is_missing = |it: &&puppet_lint::Check| is_claimed(it) && !counts.contains_key(it.name);
    for check in CHECKS.iter().filter(is_missing) {
        let _ = writeln!(text, "no example: {}", check.name);
    }
    text
}

//! Calls of functions in Ruby: compares the findings with the reference's answers for their arguments.

use std::collections::BTreeMap;

use marotte_tests::checked::{Example, Finding};
use marotte_tests::workspace;

use crate::ruby::corpus::{self, read};

/// Functions that can't be read completely: some replace the method that checks the signatures.
const UNREAD: [&str; 1] = ["validate_legacy"];

/// Calls with several errors, of which the reference reports another one.
const WORDED_OTHERWISE: [&str; 2] = ["merge(true) |$memo, $value| { {} }", "stdlib::end_with('foobar', [])"];

/// A call, with the reference's error if no signature accepts it.
struct Call {
    text: String,
    refusal: Option<String>,
}

impl Call {
    fn function(&self) -> &str {
        self.text.split('(').next().unwrap_or_default()
    }

    /// Returns the reason why the only invalid argument is rejected, if the reference has a single reason.
    fn reason(&self) -> Option<&str> {
        let refusal = self.refusal.as_deref().filter(|_| !WORDED_OTHERWISE.contains(&&*self.text))?;
        let (_, reason) =
            refusal.strip_prefix(&format!("'{}' parameter '", self.function()))?.split_once("' ")?;
        Some(reason)
    }
}

/// Returns the table, and the modules of the called functions.
fn table() -> (Vec<Call>, Vec<String>) {
    let text = read(&workspace::root().join("tests/oracle/ruby/calls.tsv"));
    let (head, rows): (Vec<&str>, Vec<&str>) = text.lines().partition(|it| it.starts_with('#'));
    let modules = head.iter().filter_map(|it| it.strip_prefix("# modules: "));
    let modules = modules.flat_map(str::split_whitespace).map(str::to_owned).collect();
    let call = |row: &str| {
        let (text, answer) = row.split_once('\t').expect("a call and an answer");
        let refusal = (answer != "taken").then(|| answer.to_owned());
        Call { text: text.to_owned(), refusal }
    };
    (rows.into_iter().skip(1).map(call).collect(), modules)
}

/// Returns the findings on each line of a manifest with the calls, in a tree with the modules.
fn found(calls: &[Call], modules: &[String]) -> Option<BTreeMap<usize, Finding>> {
    let folder = corpus::corpus()?.join("usr/share/puppet/modules.available");
    let mut example = Example::default();
    let manifest: String = calls.iter().map(|it| format!("{}\n", it.text)).collect();
    example.files.insert("manifests/site.pp".to_owned(), manifest);
    for name in modules {
        let module = folder.join(name);
        let name = name.split_once('-').map_or(name.as_str(), |(_, name)| name).replace('-', "_");
        for (below, extension) in [("lib/puppet/functions", "rb"), ("types", "pp")] {
            for path in workspace::files_below(&module.join(below), extension).unwrap_or_default() {
                let below = path.strip_prefix(&module).expect("a file of the module");
                example.files.insert(format!("modules/{name}/{}", below.display()), read(&path));
            }
        }
    }
    let about_calls = |it: &Finding| {
        it.path == "manifests/site.pp" && matches!(it.rule.as_str(), "argument-type" | "argument-count")
    };
    Some(example.check().findings.into_iter().filter(about_calls).map(|it| (it.line, it)).collect())
}

/// Removes what an alias stands for: `Stdlib::Port = Integer[0, 65535]` becomes `Stdlib::Port`.
fn without_expansions(text: &str) -> String {
    let mut left = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(" = ") {
        left.push_str(before);
        let mut depth = 0_usize;
        let end = after.char_indices().find(|(_, it)| {
            match it {
                '[' => depth += 1,
                ']' if depth > 0 => depth -= 1,
                ']' => return true,
                _ => {}
            }
            depth == 0 && *it == ','
        });
        rest = end.map_or("", |(at, _)| &after[at..]);
    }
    left + rest
}

#[test]
fn calls_of_functions_of_the_corpus_are_refused_as_the_reference_refuses_them() {
    let (calls, modules) = table();
    let Some(found) = found(&calls, &modules) else { return };
    let mut wrong = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        let message = found.get(&(index + 1)).and_then(|it| it.message.as_deref());
        let is_refused = call.refusal.is_some() && !UNREAD.contains(&call.function());
        let same_reason = match (call.reason(), message) {
            // The actual type isn't inferred in full detail.
            (Some(reason), Some(message)) => {
                // Messages of marotte name aliases, and leave out what they stand for.
                let (reason, message) = (without_expansions(reason), without_expansions(message));
                message.contains(reason.rsplit_once(", got ").map_or(&*reason, |(expected, _)| expected))
            }
            _ => true,
        };
        if message.is_some() != is_refused || !same_reason {
            wrong.push(format!("{}\n  reference: {:?}\n  marotte: {message:?}", call.text, call.refusal));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), calls.len(), wrong.join("\n"));
    let refused = calls.iter().filter(|it| it.refusal.is_some()).count();
    assert!(refused >= 40 && calls.len() - refused >= 30, "{refused} of {} are refused", calls.len());
}

//! Compiles the scenarios of `tests/catalog`, whose catalogs and errors are the reference's.

use marotte_tests::catalogs::{compile, compile_without_ruby, disagreeing, scenarios};
use marotte_tests::workspace;

#[test]
fn every_scenario_gives_what_is_recorded() {
    let folder = workspace::root().join("tests/catalog");
    let only = std::env::var("CHAPTER").ok();
    let (mut count, mut failures) = (0, Vec::new());
    for path in workspace::files_below(&folder, "md").expect("the chapters") {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name == "README.md" || only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let text = workspace::read(&path).expect("a chapter");
        for scenario in scenarios(&text) {
            count += 1;
            let whole = compile(&scenario).expect("data of the scenario");
            let result = match &scenario.without_ruby {
                Some(_) => compile_without_ruby(&scenario).expect("data of the scenario"),
                None => whole.clone(),
            };
            if let (Some(recorded), Some(_)) = (&scenario.recorded, &scenario.without_ruby)
                && *recorded != whole
                && !(whole.contains("INCOMPLETE") && disagreeing(recorded, &whole).is_empty())
            {
                failures.push(format!(
                    "{name}:{} with Ruby\n{}",
                    scenario.line,
                    difference(recorded, &whole)
                ));
            }
            for line in scenario.disagreeing() {
                failures.push(format!("{name}:{}: not what is recorded: {line}", scenario.line));
            }
            let expected = scenario.expected();
            if expected.as_deref() != Some(&*result) {
                let expected = expected.as_deref().unwrap_or("(nothing recorded)").to_owned();
                failures.push(format!("{name}:{}\n{}", scenario.line, difference(&expected, &result)));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {count} scenarios fail:\n{}", failures.len(), failures.join("\n"));
    assert!(only.is_some() || count >= 1000, "only {count} scenarios were found");
}

/// Returns the lines that differ.
fn difference(expected: &str, result: &str) -> String {
    let only = |sign: &str, these: &str, others: &str| {
        let lines = these.lines().filter(|line| others.lines().all(|other| other != *line));
        lines.map(|line| format!("  {sign} {line}")).collect::<Vec<_>>().join("\n")
    };
    let lines = [only("expected", expected, result), only("but got ", result, expected)].join("\n");
    if lines.trim().is_empty() { format!("  the order of lines: {result}") } else { lines }
}

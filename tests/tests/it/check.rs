//! The chapters of `tests/check`: the exact findings in small trees of code, with their positions.

use marotte_tests::checked::Example;
use marotte_tests::workspace;

#[test]
fn chapters_hold() {
    let paths = workspace::files_below(&workspace::root().join("tests/check"), "md").expect("tests/check");
    let mut failures = Vec::new();
    let mut examples = 0;
    for path in paths {
        let text = workspace::read(&path).expect("a chapter");
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            if !line.starts_with("```puppet") {
                continue;
            }
            let source: Vec<&str> =
                lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            examples += 1;
            let example = Example::read(&source.join("\n"));
            let differences = example.differences(&example.check());
            if !differences.is_empty() {
                let place = format!("{}:{}", path.display(), number + 1);
                failures.push(format!("{place}\n  {}", differences.join("\n  ")));
            }
        }
    }
    assert!(examples > 0, "there are no examples");
    assert!(
        failures.is_empty(),
        "{} of {examples} examples differ:\n\n{}",
        failures.len(),
        failures.join("\n")
    );
}

//! Hover texts of tasks, from their metadata.

use marotte_db::{File, environment_of, source_text};
use marotte_hiera::data::parse_json;
use marotte_resolve::tasks::{TaskName, task};

use super::shown_path;
use crate::Db;

/// The description of a task and of its parameters. Empty if it has no metadata, or if these cannot be read.
pub(super) fn of_task(db: &dyn Db, from: File, name: &str) -> Vec<String> {
    let environment = environment_of(db, from);
    let TaskName::Found(Some(metadata)) = task(db, from, environment, name) else { return Vec::new() };
    let Ok(document) = parse_json(source_text(db, metadata).text()) else { return Vec::new() };
    let mut parts = vec![format!("The task `{name}`: `{}`", shown_path(db, environment, metadata))];
    for (key, _, value, places) in document.entries().into_iter().flatten() {
        match key.as_str() {
            Some("description") => parts.extend(value.as_str().map(str::to_owned)),
            Some("parameters") => {
                let mut lines = vec!["**Parameters**\n".to_owned()];
                for (name, _, value, places) in places.entries(value).into_iter().flatten() {
                    let text = |wanted: &str| {
                        let mut entries = places.entries(value)?;
                        let (_, _, found, _) = entries.find(|(key, ..)| key.as_str() == Some(wanted))?;
                        found.as_str().map(str::to_owned)
                    };
                    let type_text = text("type").map(|it| format!(" (`{it}`)")).unwrap_or_default();
                    let doc = text("description").map(|it| format!(": {it}")).unwrap_or_default();
                    lines.push(format!("- `{}`{type_text}{doc}", name.as_str().unwrap_or_default()));
                }
                if lines.len() > 1 {
                    parts.push(lines.join("\n"));
                }
            }
            _ => {}
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Fixture, assert_text};
    use crate::{definition, hover};

    const TREE: &str = r#"
//- /modules/m/plans/init.pp
plan m($targets) {
  CALL
}
//- /modules/m/plans/other.pp
# Does other things
plan m::other(Integer $n) { }
//- /modules/m/tasks/init.json
{ "description": "Does it", "parameters": { "port": { "type": "Integer", "description": "Where" }, "x": {} } }
//- /modules/m/tasks/init.sh
#!/bin/sh
//- /modules/m/tasks/plain.sh
#!/bin/sh
"#;

    fn answers(call: &str) -> (Vec<String>, Option<String>) {
        let fixture = Fixture::new(&TREE.replace("CALL", call));
        let found = definition(fixture.db(), fixture.cursor());
        let paths =
            found.iter().map(|it| it.full.file.path(fixture.db()).file_name().unwrap_or_default().to_owned());
        (paths.collect(), hover(fixture.db(), fixture.cursor()).map(|it| it.markdown))
    }

    #[test]
    fn tasks_and_plans_that_a_plan_runs() {
        let (paths, text) = answers("run_task('m$0', $targets)");
        assert_eq!(paths, ["init.json"]);
        assert_text(
            &text.expect("a text"),
            "
            The task `m`: `modules/m/tasks/init.json`

            Does it

            **Parameters**

            - `port` (`Integer`): Where
            - `x`
            ",
        );
        let (paths, text) = answers("run_plan('m::ot$0her', n => 1)");
        assert_eq!(paths, ["other.pp"]);
        assert!(
            text.is_some_and(
                |it| it.contains("plan m::other(Integer $n)") && it.contains("Does other things")
            )
        );
        assert_eq!(answers("run_task('m::pla$0in', $targets)"), (Vec::new(), None));
    }
}

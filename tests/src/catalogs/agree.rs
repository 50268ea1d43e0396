use serde_json::Value;

use super::Scenario;

/// What stands in a catalog where a value is not known.
const UNKNOWN: &str = r#"{"__ptype":"Unknown""#;

impl Scenario {
    /// Lines of what marotte gives that say something else than what is recorded, rather than less: whatever is known must be
    /// as the reference has it.
    pub fn disagreeing(&self) -> Vec<String> {
        let (Some(recorded), Some(own)) = (&self.recorded, &self.without_ruby) else { return Vec::new() };
        let agrees = |line: &&str| {
            let words = line.split(' ').next().unwrap_or_default();
            match words {
                // What is logged or tagged is less, if something ends early.
                "tags" | "classes" | "warning:" => true,
                "notice:" => line.contains("unknown (") || recorded.lines().any(|it| it == *line),
                _ => recorded.lines().any(|it| says_no_less(it, line)),
            }
        };
        own.lines().filter(|line| !agrees(line)).map(str::to_owned).collect()
    }
}

/// Whether two lines tell of the same resource, and what the second knows is so in the first.
fn says_no_less(recorded: &str, own: &str) -> bool {
    let (recorded, first) = recorded.split_once(" {").unwrap_or((recorded, "}"));
    let (own, second) = own.split_once(" {").unwrap_or((own, "}"));
    let read = |text: &str| serde_json::from_str::<Value>(&format!("{{{text}")).unwrap_or_default();
    let (first, second) = (read(first), read(second));
    let same = |(name, value): (&String, &Value)| {
        value.to_string().contains(UNKNOWN) || first.get(name) == Some(value)
    };
    recorded == own && second.as_object().is_some_and(|it| it.iter().all(same))
}

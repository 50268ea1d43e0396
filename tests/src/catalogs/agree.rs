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
    let (recorded, own) = (Line::read(recorded), Line::read(own));
    let is_unknown = |name: &str| own.parameters.get(name).is_some_and(is_unknown);
    let has_known_tags = match is_unknown("tag") {
        true => own.tags.iter().all(|it| recorded.tags.contains(it)),
        false => own.tags == recorded.tags,
    };
    own.resource == recorded.resource
        && (own.container == recorded.container || own.container.is_none() && is_unknown("stage"))
        && has_known_tags
        && knows_no_other(&recorded.parameters, &own.parameters)
}

/// A line of a catalog: a resource.
struct Line<'t> {
    /// Its reference, what its type is, and where it is declared.
    resource: &'t str,
    container: Option<&'t str>,
    tags: Vec<&'t str>,
    parameters: Value,
}

impl<'t> Line<'t> {
    fn read(line: &'t str) -> Line<'t> {
        let (head, parameters) = line.split_once(" {").unwrap_or((line, "}"));
        let (head, tags) = head.rsplit_once(" tags ").unwrap_or((head, ""));
        let (resource, container) = match head.rsplit_once(" in ") {
            Some((resource, container)) => (resource, Some(container)),
            None => (head, None),
        };
        let parameters = serde_json::from_str(&format!("{{{parameters}")).unwrap_or_default();
        Line { resource, container, tags: tags.split(',').collect(), parameters }
    }
}

fn is_unknown(value: &Value) -> bool {
    value.to_string().contains(UNKNOWN)
}

/// Whether all that is known of a value is as recorded. Of a parameter that something unknown is added to, like the tags of a
/// resource, nobody knows how many there are.
fn knows_no_other(recorded: &Value, own: &Value) -> bool {
    match (recorded, own) {
        (recorded, own) if !is_unknown(own) => recorded == own,
        (_, own) if own.to_string().starts_with(UNKNOWN) => true,
        (Value::Array(recorded), Value::Array(own)) => {
            own.iter().all(|own| recorded.iter().any(|it| knows_no_other(it, own)))
        }
        (Value::Object(recorded), Value::Object(own)) => {
            own.iter().all(|(name, own)| recorded.get(name).is_some_and(|it| knows_no_other(it, own)))
        }
        _ => false,
    }
}

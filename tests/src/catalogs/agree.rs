use serde_json::Value;

use super::Scenario;
use super::run::USUAL;

/// The text of an unknown value in a catalog.
const UNKNOWN: &str = r#"{"__ptype":"Unknown""#;

impl Scenario {
    /// Returns the lines of marotte's answer that contradict the recorded ones, rather than say less: all that is known
    /// must agree with the reference.
    pub fn disagreeing(&self) -> Vec<String> {
        let (Some(recorded), Some(own)) = (&self.recorded, &self.without_ruby) else { return Vec::new() };
        disagreeing(recorded, own)
    }
}

/// Returns the lines of a catalog that contradict those of the complete one, rather than say less.
pub fn disagreeing(recorded: &str, own: &str) -> Vec<String> {
    // If the reference rejects the code, there is no catalog to contradict.
    if recorded.lines().any(|it| it.starts_with('✗')) {
        return Vec::new();
    }
    let agrees = |line: &&str| {
        let words = line.split(' ').next().unwrap_or_default();
        match words {
            // If evaluation ends early, less is logged or tagged.
            "tags" | "classes" => said(recorded, line, words),
            "warning:" | "INCOMPLETE:" | "incomplete:" => true,
            "notice:" => line.contains("unknown (") || recorded.lines().any(|it| it == *line),
            _ => recorded.lines().chain(USUAL).any(|it| says_no_less(it, line)),
        }
    };
    own.lines().filter(|line| !agrees(line)).map(str::to_owned).collect()
}

/// Whether all tags or classes of a line are recorded.
fn said(recorded: &str, line: &str, word: &str) -> bool {
    let list = |line: &str| -> Vec<String> {
        line.split_once(' ').map(|it| it.1.split(',').map(str::to_owned).collect()).unwrap_or_default()
    };
    // If the reference rejects the code, anything is correct.
    let Some(known) = recorded.lines().find(|it| it.split(' ').next() == Some(word)) else { return true };
    let known = list(known);
    list(line).iter().all(|it| it.is_empty() || known.contains(it))
}

/// Whether two lines describe the same resource, and all known parts of the second agree with the first.
fn says_no_less(recorded: &str, own: &str) -> bool {
    let (recorded, own) = (Line::read(recorded), Line::read(own));
    // The place and form of a declaration are unknown for a class that may have been declared elsewhere.
    let is_same = own.resource == recorded.resource
        || own
            .resource
            .split_once(" unknown")
            .is_some_and(|(name, rest)| rest.is_empty() && recorded.resource.split(' ').next() == Some(name));
    is_same
        && containers(&own).iter().all(|it| containers(&recorded).contains(it))
        && own.tags.iter().all(|it| recorded.tags.contains(it))
        && own.parameters.as_object().into_iter().flatten().all(|(name, own)| {
            match recorded.parameters.get(name) {
                Some(it) => knows_no_other(it, own),
                // An unknown parameter may be absent.
                None => own.to_string().starts_with(UNKNOWN) || is_list_of_unknown(own),
            }
        })
}

/// A line of a catalog: one resource.
struct Line<'t> {
    /// The reference, the origin of the type, and the place of the declaration.
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

fn containers<'t>(line: &Line<'t>) -> Vec<&'t str> {
    line.container.map(|it| it.split(" & ").collect()).unwrap_or_default()
}

fn is_unknown(value: &Value) -> bool {
    value.to_string().contains(UNKNOWN)
}

/// Whether all known parts of a value agree with the recorded value. If something unknown is added to a parameter, such
/// as the tags of a resource, the number of elements is unknown.
fn knows_no_other(recorded: &Value, own: &Value) -> bool {
    match (recorded, own) {
        (recorded, own) if !is_unknown(own) => recorded == own,
        (_, own) if own.to_string().starts_with(UNKNOWN) => true,
        // An element that may have been added can be the only one in the reference, or be absent.
        (recorded, Value::Array(own)) if !recorded.is_array() => {
            own.iter().all(|own| own.to_string().starts_with(UNKNOWN) || knows_no_other(recorded, own))
        }
        (Value::Array(recorded), Value::Array(own)) => {
            own.iter().all(|own| recorded.iter().any(|it| knows_no_other(it, own)))
        }
        (Value::Object(recorded), Value::Object(own)) => {
            own.iter().all(|(name, own)| recorded.get(name).is_some_and(|it| knows_no_other(it, own)))
        }
        _ => false,
    }
}

/// Whether nothing is known about the elements of a list.
fn is_list_of_unknown(value: &Value) -> bool {
    value.as_array().is_some_and(|all| all.iter().all(|it| it.to_string().starts_with(UNKNOWN)))
}

use std::fmt;

use marotte_catalog::wire::plain;
use marotte_catalog::{Reference, Resource};
use marotte_pcore::print::expression;
use marotte_pcore::value::Value;
use marotte_text::Str;
use regex::Regex;

use crate::Change;

/// The rules for changes that are counted but not shown.
#[derive(Clone, Debug, Default)]
pub struct Ignore {
    /// The patterns of resources and attributes.
    pub rules: Vec<Rule>,
    /// The tags: changes of resources that have one of them, before or after, are ignored.
    pub tags: Vec<Str>,
    /// Whether strings that differ only in white space are equal.
    pub whitespace: bool,
    /// Whether arrays that have the same elements in another order are equal.
    pub array_order: bool,
}

/// A pattern of resources, or of attributes of resources: `TYPE[TITLE]`, `TYPE[TITLE]::ATTRIBUTE`, or `TYPE`. In each part, `*`
/// matches any text.
///
/// ```
/// use marotte_impact::Rule;
///
/// assert!(Rule::new("File[/etc/*]::mode").is_ok());
/// assert!(Rule::new("File[/etc/motd").is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Rule {
    text: Str,
    type_name: Regex,
    /// Whether the pattern matches classes, whose names are in lower case in code, but capitalized in references.
    is_class: bool,
    title: Regex,
    attribute: Option<Regex>,
}

/// The error for a text that is not a pattern of resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError(String);

impl fmt::Display for RuleError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is not a pattern of resources, such as `File[/etc/*]` or `File[*]::mode`", self.0)
    }
}

impl std::error::Error for RuleError {}

impl Rule {
    /// Reads a pattern. Types and names of classes are compared without regard to case.
    pub fn new(text: &str) -> Result<Rule, RuleError> {
        let error = || RuleError(text.to_owned());
        let (type_name, title, attribute) = match text.split_once('[') {
            None => (text, "*", None),
            Some((type_name, rest)) => match rest.rsplit_once("]::") {
                Some((title, attribute)) => (type_name, title, Some(attribute)),
                None => (type_name, rest.strip_suffix(']').ok_or_else(error)?, None),
            },
        };
        let is_type = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':' | '*');
        let is_attribute = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '*');
        let is_named = |it: &str, is: &dyn Fn(char) -> bool| !it.is_empty() && it.chars().all(is);
        if !is_named(type_name, &is_type) || !attribute.is_none_or(|it| is_named(it, &is_attribute)) {
            return Err(error());
        }
        let type_name = type_name.to_lowercase();
        let is_class = type_name == "class";
        let title = if is_class { title.to_lowercase() } else { title.to_owned() };
        Ok(Rule {
            text: text.into(),
            type_name: pattern(&type_name).ok_or_else(error)?,
            is_class,
            title: pattern(&title).ok_or_else(error)?,
            attribute: attribute.map(|it| pattern(it).ok_or_else(error)).transpose()?,
        })
    }

    fn is_about(&self, resource: &Reference) -> bool {
        let is_titled = match self.is_class {
            true => self.title.is_match(&resource.title.to_lowercase()),
            false => self.title.is_match(&resource.title),
        };
        is_titled && self.type_name.is_match(&resource.type_name.to_lowercase())
    }

    fn ignores(&self, change: &Change) -> bool {
        if let Some(attribute) = &self.attribute {
            let is_named = |name: &str| attribute.is_match(name);
            return change.resource().is_some_and(|it| self.is_about(it))
                && match change.unwrapped() {
                    Change::Attribute { name, .. }
                    | Change::Text { name, .. }
                    | Change::Relationship { name, .. } => is_named(name),
                    Change::Content { .. } => is_named("content"),
                    Change::Tags { .. } => is_named("tags"),
                    Change::Property { name, .. } => is_named(name),
                    _ => false,
                };
        }
        match change {
            Change::Class { name, .. } => self.is_about(&Reference::class(name)),
            // A change of the order is a single change that concerns all moved resources.
            Change::Order { moved, more } => *more == 0 && moved.iter().all(|it| self.is_about(it)),
            change => change.resource().is_some_and(|it| self.is_about(it)),
        }
    }
}

/// Returns the reason that reports give for changes ignored because of a tag.
pub fn tag_reason(tag: &str) -> String {
    format!("the tag {tag}")
}

/// Converts a text in which `*` matches any text to a regular expression. None if it is too large.
fn pattern(text: &str) -> Option<Regex> {
    let parts: Vec<String> = text.split('*').map(regex::escape).collect();
    Regex::new(&format!("(?s)^{}$", parts.join(".*"))).ok()
}

impl Ignore {
    /// Returns the reason why a change is ignored, as the user wrote it. `resources` are the changed resource before and
    /// after.
    pub(crate) fn reason(&self, change: &Change, resources: [Option<&Resource>; 2]) -> Option<Str> {
        if let Some(rule) = self.rules.iter().find(|it| it.ignores(change)) {
            return Some(rule.text.clone());
        }
        let has = |tag: &&Str| resources.iter().flatten().any(|it| it.tags.contains(tag));
        self.tags.iter().find(has).map(|tag| tag_reason(tag).into())
    }

    /// Returns the reason why different values are considered equal.
    pub(crate) fn equality(&self, values: [Option<&Value>; 2]) -> Option<Str> {
        let [Some(before), Some(after)] = values else { return None };
        let is_equal = |whitespace: bool, array_order: bool| {
            let normal = |it| normal(it, whitespace, array_order);
            normal(before).is_some_and(|it| Some(it) == normal(after))
        };
        if self.whitespace && is_equal(true, false) {
            return Some("white space".into());
        }
        if self.array_order && is_equal(false, true) {
            return Some("the order of arrays".into());
        }
        let both = self.whitespace && self.array_order && is_equal(true, true);
        both.then(|| "white space and the order of arrays".into())
    }
}

/// Returns a text that is the same for all values that count as equal. None if a value is sensitive or unknown: sensitive
/// values are never compared in this way, and an unknown value may be any value.
fn normal(value: &Value, whitespace: bool, array_order: bool) -> Option<String> {
    Some(match value {
        Value::Sensitive(_) | Value::Unknown(_) | Value::Object(_) => return None,
        Value::String(text) if whitespace => {
            let words: Vec<&str> = text.split_whitespace().collect();
            expression(&Value::from(words.join(" ").as_str()))
        }
        Value::Array(elements) => {
            let all = elements.iter().map(|it| normal(it, whitespace, array_order));
            let mut all: Vec<String> = all.collect::<Option<_>>()?;
            if array_order {
                all.sort_unstable();
            }
            format!("[{}]", all.join(", "))
        }
        Value::Hash(hash) => {
            let entry = |(key, it): (&Value, &Value)| {
                let normal = |it| normal(it, whitespace, array_order);
                Some(format!("{} => {}", normal(key)?, normal(it)?))
            };
            let all: Vec<String> = hash.iter().map(entry).collect::<Option<_>>()?;
            format!("{{{}}}", all.join(", "))
        }
        value => expression(&plain(value)),
    })
}

#[cfg(test)]
mod tests {
    use marotte_pcore::value::Sensitive;

    use super::*;

    #[test]
    fn patterns_name_resources_and_attributes() {
        let file = Reference::new("file", "/etc/a[1]");
        let is_about = |rule: &str| Rule::new(rule).unwrap().is_about(&file);
        assert!(
            is_about("File") && is_about("file[*]") && is_about("F*[/etc/*]") && is_about("File[/etc/a[1]]")
        );
        assert!(!is_about("File[/etc/a]") && !is_about("Files") && !is_about("File[/etc/A*]"));
        let mode = Change::Attribute { resource: file, name: "mode".into(), before: None, after: None };
        let ignores = |rule: &str| Rule::new(rule).unwrap().ignores(&mode);
        assert!(ignores("File[*]::mode") && ignores("*[*]::m*") && ignores("File"));
        assert!(!ignores("File[*]::owner") && !ignores("Exec[*]::mode"));
        for wrong in ["", "[x]", "File[x", "File[x]::", "File[x]::a b", "File::mode x", "File[x]y"] {
            assert!(Rule::new(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn values_are_equal_but_for_white_space_and_order() {
        let array = |all: &[&str]| Value::Array(all.iter().map(|it| Value::from(*it)).collect());
        let reason = |whitespace, array_order, before: &Value, after: &Value| {
            let ignore = Ignore { whitespace, array_order, ..Ignore::default() };
            ignore.equality([Some(before), Some(after)]).map(|it| it.to_string())
        };
        let (a, b) = (Value::from("a  b\n"), Value::from("a b"));
        assert_eq!(reason(true, false, &a, &b).as_deref(), Some("white space"));
        assert_eq!(reason(false, true, &a, &b), None);
        assert_eq!(reason(true, true, &a, &Value::from("ab")), None);
        let (a, b) = (array(&["x", "y", "y"]), array(&["y", "x", "y"]));
        assert_eq!(reason(false, true, &a, &b).as_deref(), Some("the order of arrays"));
        assert_eq!(reason(true, false, &a, &b), None);
        assert_eq!(reason(true, true, &a, &array(&["x", "x", "y"])), None);
        let (a, b) = (array(&["x ", "y"]), array(&["y", "x"]));
        assert_eq!(reason(true, true, &a, &b).as_deref(), Some("white space and the order of arrays"));
        let binary = |text: &str| Value::Binary(text.as_bytes().to_vec().into());
        assert_eq!(reason(true, true, &binary("a"), &binary("b")), None);
    }

    #[test]
    fn nothing_is_said_of_what_is_sensitive() {
        let secret = |text: &str| Value::Sensitive(Sensitive::new(text.into()));
        let ignore = Ignore { whitespace: true, array_order: true, ..Ignore::default() };
        assert_eq!(ignore.equality([Some(&secret("a b")), Some(&secret("a  b"))]), None);
    }
}

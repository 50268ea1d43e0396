use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use marotte_catalog::{Resource, hides_texts, wire::plain};
use marotte_pcore::print::expression;
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The maximum number of bytes that are kept of a value. A digest replaces the rest.
const LIMIT: usize = 4 << 10;

/// The text that replaces a sensitive value.
const HIDDEN: &str = "(sensitive)";

/// What is said of a value that isn't shown, and isn't sensitive.
const NOT_SENSITIVE: &str = "a value that is not Sensitive";

/// A value as shown in reports. Nothing of a `Sensitive` value, alone or inside another value, is kept, so that equal secrets are
/// indistinguishable from different ones.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Shown {
    /// A known value, in Puppet syntax.
    Value(Str),
    /// A value that is sensitive.
    Sensitive,
    /// An unknown value, with the reason.
    Unknown(Str),
    /// What can be said of a value that isn't shown. Because the resource has `show_diff => false`: its size and a digest, so that
    /// different texts stay different. Because it was, or becomes, a part of something `Sensitive`: that it isn't.
    Withheld(Str),
}

impl Shown {
    /// Converts a value for reports.
    pub fn new(value: &Value) -> Shown {
        match value {
            Value::Sensitive(_) => Shown::Sensitive,
            Value::Unknown(it) => Shown::Unknown(it.to_string().into()),
            value => Shown::masking(value, &[]),
        }
    }

    /// Converts a value that is shown beside another one of the same attribute. What is sensitive in the other one is hidden in this
    /// one, too: it usually is the same secret. `otherwise` converts it if the other one has nothing sensitive.
    pub(crate) fn beside(value: &Value, other: Option<&Value>, otherwise: impl FnOnce() -> Shown) -> Shown {
        let mut secrets = Vec::new();
        other.iter().for_each(|it| add_secrets(it, &mut secrets));
        match value {
            Value::Sensitive(_) | Value::Unknown(_) => Shown::new(value),
            _ if secrets.is_empty() => otherwise(),
            value if has_sensitive(value) => Shown::masking(value, &secrets),
            _ => Shown::Withheld(NOT_SENSITIVE.into()),
        }
    }

    /// Converts a known value, without its sensitive parts and without other secrets.
    fn masking(value: &Value, secrets: &[&Value]) -> Shown {
        Shown::Value(bounded(expression(&plain(&masked(value, secrets)))).into())
    }

    /// Converts the value of a resource's attribute.
    pub(crate) fn attribute(resource: &Resource, name: &str, value: &Value) -> Shown {
        let shown = Shown::new(value);
        let (Shown::Value(_), true) =
            (&shown, name == "content" && hides_texts(resource.parameters.get("show_diff")))
        else {
            return shown;
        };
        let text = match value {
            Value::String(text) => text.to_string(),
            value => expression(&plain(value)),
        };
        let (size, digest) = (text.len(), first_digits(&Sha256::digest(text.as_bytes())));
        let bytes = if size == 1 { "byte" } else { "bytes" };
        Shown::Withheld(format!("{size} {bytes}, SHA-256 {digest}…").into())
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shown::Value(text) => out.write_str(text),
            Shown::Sensitive => out.write_str(HIDDEN),
            Shown::Withheld(what) => write!(out, "({what})"),
            Shown::Unknown(why) => write!(out, "(not known, because of {why})"),
        }
    }
}

/// Replaces the sensitive parts of a value, and the parts that are other secrets.
fn masked<'v>(value: &'v Value, secrets: &[&Value]) -> Cow<'v, Value> {
    if secrets.contains(&value) {
        return Cow::Owned(HIDDEN.into());
    }
    if secrets.is_empty() && !has_sensitive(value) {
        return Cow::Borrowed(value);
    }
    let masked = |it| masked(it, secrets).into_owned();
    Cow::Owned(match value {
        Value::Array(elements) => Value::Array(elements.iter().map(masked).collect()),
        Value::Hash(hash) => {
            let entries = hash.iter().map(|(key, it)| (masked(key), masked(it)));
            Value::Hash(Arc::new(entries.collect::<Hash>()))
        }
        value if has_sensitive(value) => HIDDEN.into(),
        value => value.clone(),
    })
}

/// Adds the values of which a value has `Sensitive` ones.
fn add_secrets<'v>(value: &'v Value, secrets: &mut Vec<&'v Value>) {
    match value {
        Value::Sensitive(it) => secrets.push(it.unwrap()),
        Value::Array(elements) => elements.iter().for_each(|it| add_secrets(it, secrets)),
        Value::Hash(hash) => hash.iter().for_each(|(key, it)| {
            add_secrets(key, secrets);
            add_secrets(it, secrets);
        }),
        Value::Object(object) => object.attributes.iter().for_each(|it| add_secrets(it, secrets)),
        _ => {}
    }
}

fn has_sensitive(value: &Value) -> bool {
    match value {
        Value::Sensitive(_) => true,
        Value::Array(elements) => elements.iter().any(has_sensitive),
        Value::Hash(hash) => hash.iter().any(|(key, it)| has_sensitive(key) || has_sensitive(it)),
        Value::Object(object) => object.attributes.iter().any(has_sensitive),
        _ => false,
    }
}

/// Truncates a long text, and appends a digest of the whole text, so that different texts stay different.
pub(crate) fn bounded(mut text: String) -> String {
    let length = text.len();
    if length <= LIMIT {
        return text;
    }
    let digest = first_digits(&Sha256::digest(text.as_bytes()));
    let end = (0..=LIMIT).rev().find(|it| text.is_char_boundary(*it)).unwrap_or_default();
    text.truncate(end);
    text + &format!("… ({length} bytes, SHA-256 {digest}…)")
}

/// Returns the first 32 hexadecimal digits of a digest.
pub(crate) fn first_digits(digest: &[u8]) -> String {
    digest.iter().take(16).map(|it| format!("{it:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use marotte_pcore::semver::SemVer;
    use marotte_pcore::value::Sensitive;

    use super::*;

    #[test]
    fn nothing_is_kept_of_what_is_sensitive() {
        let secret = |text: &str| Value::Sensitive(Sensitive::new(text.into()));
        assert_eq!(Shown::new(&secret("a")), Shown::new(&secret("longer")));
        let within = |text: &str| Value::Array([Value::from("x"), secret(text)].into_iter().collect());
        assert_eq!(Shown::new(&within("a")).to_string(), "['x', '(sensitive)']");
        assert_eq!(Shown::new(&within("a")), Shown::new(&within("longer")));
        let hash: Hash = [(Value::from("key"), within("a"))].into_iter().collect();
        assert_eq!(Shown::new(&Value::Hash(Arc::new(hash))).to_string(), "{'key' => ['x', '(sensitive)']}");
    }

    #[test]
    fn nothing_is_shown_that_is_sensitive_on_the_other_side() {
        let secret = |text: &str| Value::Sensitive(Sensitive::new(text.into()));
        let list = |all: &[Value]| Value::Array(all.iter().cloned().collect());
        let shown = |value: &Value, other: &Value| {
            Shown::beside(value, Some(other), || Shown::new(value)).to_string()
        };
        let (a, b) = (secret("a"), secret("b"));
        assert_eq!(shown(&"a".into(), &a), "(a value that is not Sensitive)");
        assert_eq!(shown(&"c".into(), &list(std::slice::from_ref(&a))), "(a value that is not Sensitive)");
        assert_eq!(shown(&a, &"a".into()), "(sensitive)");
        let partly = list(&["a".into(), b.clone(), "c".into()]);
        assert_eq!(shown(&partly, &list(&[a, b, "c".into()])), "['(sensitive)', '(sensitive)', 'c']");
        assert_eq!(shown(&"a".into(), &"b".into()), "'a'");
    }

    #[test]
    fn values_of_different_types_are_shown_differently() {
        let shown = |value: Value| Shown::new(&value).to_string();
        let binary = |text: &str| Value::Binary(text.as_bytes().to_vec().into());
        assert_eq!(shown(binary("hello")), "Binary('aGVsbG8=')");
        assert_eq!(shown(Value::Array([binary("hellO")].into_iter().collect())), "[Binary('aGVsbE8=')]");
        let version = Value::SemVer(Arc::new(SemVer::parse("1.2.3").unwrap()));
        assert_eq!(shown(version), "SemVer('1.2.3')");
        assert_eq!(shown("1.2.3".into()), "'1.2.3'");
    }

    #[test]
    fn long_values_that_are_different_stay_different() {
        let long = |end: &str| Shown::new(&Value::from(format!("{}{end}", "é".repeat(LIMIT)).as_str()));
        assert_ne!(long("a"), long("b"));
        assert!(long("a").to_string().len() < LIMIT + 100);
    }
}

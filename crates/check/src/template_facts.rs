//! The legacy facts that Ruby code of templates reads.

use std::sync::LazyLock;

use marotte_ruby::core;
use marotte_text::{TextRange, TextSize};
use regex::Regex;

/// A read of a legacy fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LegacyRead<'t> {
    pub(crate) name: &'t str,
    /// The range of the code to replace, or that of the name in its quotes.
    pub(crate) range: TextRange,
    /// The expression that has all facts: `@facts`.
    pub(crate) base: &'t str,
    /// Whether it is a variable, which code may set, and not a key of all facts.
    pub(crate) is_variable: bool,
    /// Whether the path of the new fact may replace the code.
    pub(crate) is_replaced: bool,
}

/// A read of a variable, or of a key of the hash of all facts.
#[expect(clippy::expect_used, reason = "a literal")]
static READ: LazyLock<Regex> = LazyLock::new(|| {
    let facts = r#"(?P<facts>@facts|scope\[\s*['"](?:::)?facts['"]\s*\]|scope\.lookupvar\(\s*['"](?:::)?facts['"]\s*\))"#;
    let keys = r#"(?:\[\s*['"](?P<key>\w+)['"]\s*\]|\.(?:fetch|dig|key\?|has_key\?|include\?)\(\s*(?P<of_call>['"]\w+['"]))"#;
    let variables = r#"scope\[\s*['"](?:::)?(?P<scope>\w+)['"]\s*\]|scope\.lookupvar\(\s*['"](?:::)?(?P<lookup>\w+)['"]\s*\)"#;
    let others = r#"\bhas_variable\?[ (]\s*(?P<asked>['"](?:::)?\w+['"])|(?P<ivar>@[a-z]\w*)"#;
    Regex::new(&format!("{facts}{keys}|{variables}|{others}")).expect("a regular expression")
});

/// Returns the legacy facts that a line of Ruby code reads. Whether a variable is one depends on the code that renders the template.
pub(crate) fn legacy_reads(line: &str) -> Vec<LegacyRead<'_>> {
    // Most lines read no variable, and the expression takes much longer.
    if !["@", "scope", "has_variable?"].iter().any(|it| line.contains(it)) {
        return Vec::new();
    }
    let reads = READ.captures_iter(line).filter_map(|found| {
        let whole = found.get(0)?;
        let group = |name| found.name(name);
        let (name, at, base) = if let Some(facts) = group("facts") {
            let (name, at) = group("key").map(|it| (it, whole)).or(group("of_call").map(|it| (it, it)))?;
            (name, at, facts.as_str())
        } else if let Some(name) = group("ivar").or(group("asked")) {
            (name, name, "@facts")
        } else {
            (group("scope").or(group("lookup"))?, whole, "scope['facts']")
        };
        let name = name.as_str().trim_matches(['@', '\'', '"', ':']);
        // An assignment to a key changes the hash of this template only.
        let rest = line[whole.end()..].trim_start();
        let is_set = rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=~");
        let is_key = group("facts").is_some();
        (core::is_legacy(name) && !(is_key && is_set)).then(|| LegacyRead {
            name,
            range: TextRange::at(TextSize::of(&line[..at.start()]), TextSize::of(at.as_str())),
            base,
            is_variable: !is_key,
            is_replaced: group("of_call").is_none() && group("asked").is_none(),
        })
    });
    reads.collect()
}

#[cfg(test)]
mod tests {
    use super::legacy_reads;

    #[test]
    fn facts_are_read_in_several_ways() {
        for (line, range, base, is_variable, is_replaced) in [
            ("@osfamily", "@osfamily", "@facts", true, true),
            ("scope['osfamily']", "scope['osfamily']", "scope['facts']", true, true),
            ("scope[\"::osfamily\"].upcase", "scope[\"::osfamily\"]", "scope['facts']", true, true),
            ("scope.lookupvar('osfamily')", "scope.lookupvar('osfamily')", "scope['facts']", true, true),
            ("@facts['osfamily']", "@facts['osfamily']", "@facts", false, true),
            ("scope['facts']['osfamily']", "scope['facts']['osfamily']", "scope['facts']", false, true),
            ("@facts.fetch('osfamily', 1)", "'osfamily'", "@facts", false, false),
            ("@facts.dig('osfamily')", "'osfamily'", "@facts", false, false),
            ("if has_variable?('osfamily')", "'osfamily'", "@facts", true, false),
        ] {
            let found = legacy_reads(line);
            let [read] = found[..] else { panic!("{line}: {found:?}") };
            let shown = (read.name, &line[read.range], read.base, read.is_variable, read.is_replaced);
            assert_eq!(shown, ("osfamily", range, base, is_variable, is_replaced), "{line}");
        }
        for line in [
            "@facts['os']['family']",
            "@facts['networking']['hostname']",
            "scope['web::hostname']",
            "@facts[:osfamily]",
            "@facts['osfamily'] = 1",
            "@factsheet['osfamily']",
            "@data['osfamily']",
            "@data.dig('osfamily')",
            "has_variable?('family')",
        ] {
            assert_eq!(legacy_reads(line), [], "{line}");
        }
    }
}

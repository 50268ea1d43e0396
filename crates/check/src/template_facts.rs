//! The legacy facts that Ruby code of templates reads.

use std::sync::LazyLock;

use marotte_ruby::core;
use marotte_text::{TextRange, TextSize, ascii_regex};
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
static READ: LazyLock<Regex> = LazyLock::new(|| {
    let facts = r#"(?P<facts>@facts|scope\[\s*['"](?:::)?facts['"]\s*\]|scope\.lookupvar\(\s*['"](?:::)?facts['"]\s*\))"#;
    let keys = r#"(?:\[\s*['"](?P<key>\w+)['"]\s*\]|\.(?:fetch|dig|key\?|has_key\?|include\?)\(\s*(?P<of_call>['"]\w+['"]))"#;
    let variables = r#"scope\[\s*['"](?:::)?(?P<scope>\w+)['"]\s*\]|scope\.lookupvar\(\s*['"](?:::)?(?P<lookup>\w+)['"]\s*\)"#;
    let others = r#"\bhas_variable\?[ (]\s*(?P<asked>['"](?:::)?\w+['"])|(?P<ivar>@[a-z]\w*)"#;
    ascii_regex(&format!("{facts}{keys}|{variables}|{others}"))
});

/// Returns the legacy facts that a line of Ruby code reads. Whether a variable is one depends on the code that renders the template.
pub(crate) fn legacy_reads(line: &str) -> Vec<LegacyRead<'_>> {
    // Most lines read no variable, and the expression takes much longer.
    if !["@", "scope", "has_variable?"].iter().any(|it| line.contains(it)) {
        return Vec::new();
    }
    let reads = READ.captures_iter(line).filter_map(|found| {
        let whole = found.get(0)?;
        if is_part_of_name(&line[..whole.start()], whole.as_str()) || is_in_text(&line[..whole.start()]) {
            return None;
        }
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
        let is_key = group("facts").is_some();
        // An assignment changes a variable or the hash of this template only.
        (core::is_legacy(name) && !is_assignment(&line[whole.end()..])).then(|| LegacyRead {
            name,
            range: TextRange::at(TextSize::of(&line[..at.start()]), TextSize::of(at.as_str())),
            base,
            is_variable: !is_key,
            is_replaced: group("of_call").is_none() && group("asked").is_none(),
        })
    });
    reads.collect()
}

/// Whether the scope of the template, and its variables, are what a read takes them for: the text neither assigns the variable nor
/// gives the name `scope` to something else.
pub(crate) fn is_certain(text: &str, read: &LegacyRead<'_>) -> bool {
    static OTHER_SCOPE: LazyLock<Regex> =
        LazyLock::new(|| ascii_regex(r"\|[^|\n]*\bscope\b[^|\n]*\||\bscope\s*=[^=~]"));
    let variable = if read.is_variable { read.name } else { "facts" };
    let is_assigned = |at: usize| is_assignment(&text[at + variable.len() + 1..]);
    let reads = text.match_indices('@').filter(|(at, _)| {
        text[at + 1..].strip_prefix(variable).is_some_and(|rest| !rest.starts_with(is_word))
    });
    let is_other_scope = read.base.starts_with("scope") && OTHER_SCOPE.is_match(text);
    !is_other_scope && !reads.map(|(at, _)| at).any(is_assigned)
}

fn is_word(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

/// Whether code after a variable assigns it, or changes its value in place.
fn is_assignment(after: &str) -> bool {
    let after = after.trim_start();
    let operator = after.trim_start_matches(['|', '&', '+', '-', '*', '/', '%', '^']);
    let assigns = |it: &str| it.strip_prefix('=').is_some_and(|it| !it.starts_with(['=', '~', '>']));
    assigns(operator) || after.starts_with("<<")
}

/// Whether code is the end of a longer name, or a method of a value.
fn is_part_of_name(before: &str, code: &str) -> bool {
    let is_method = |it: char| is_word(it) || matches!(it, '.' | '@' | '$' | ':');
    match code.starts_with('@') {
        true => before.ends_with(|it: char| is_word(it) || it == '@'),
        false => code.starts_with("scope") && before.ends_with(is_method),
    }
}

/// Whether a place is within a text in quotes, and not in an interpolation, judging by the code before it on its line.
pub(crate) fn is_in_text(before: &str) -> bool {
    let mut quote = None;
    let mut letters = before.char_indices();
    while let Some((at, letter)) = letters.next() {
        match (letter, quote) {
            ('\\', Some(_)) => _ = letters.next(),
            ('\'' | '"' | '`', None) => quote = Some(letter),
            (_, Some(open)) if open == letter => quote = None,
            ('#', Some('"' | '`')) if before[at + 1..].starts_with('{') => match before[at..].find('}') {
                Some(end) => while letters.next().is_some_and(|(it, _)| it < at + end) {},
                None => return is_in_text(&before[at + 2..]),
            },
            _ => {}
        }
    }
    quote.is_some()
}

#[cfg(test)]
mod tests {
    use super::{is_certain, legacy_reads};

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
            "oauth.scope['gid']",
            "myscope['id']",
            "@@hostname",
            "foo@id",
            "\"a @fqdn\"",
            "'@fqdn'",
            "@facts['osfamily'] ||= 1",
            "@fqdn = 1",
        ] {
            assert_eq!(legacy_reads(line), [], "{line}");
        }
        for line in ["\"a #{@fqdn}\"", "\"#{1}\" + @fqdn", "@fqdn == 1", "@fqdn =~ /a/", "!@fqdn"] {
            assert_eq!(legacy_reads(line).len(), 1, "{line}");
        }
    }

    #[test]
    fn templates_may_set_what_they_read() {
        for (text, expected) in [
            ("<%= @fqdn %><% @fqdn_of_b = 1 %>", true),
            ("<% @fqdn = 1 %><%= @fqdn %>", false),
            ("<% @fqdn ||= 1 %><%= @fqdn %>", false),
            ("<%= scope['fqdn'] %><% a.each do |b| %>", true),
            ("<% a.each do |scope| %><%= scope['fqdn'] %>", false),
        ] {
            let line = &text[text.find("<%= ").unwrap() + 4..];
            let [read] = legacy_reads(line)[..] else { panic!("{text}") };
            assert_eq!(is_certain(text, &read), expected, "{text}");
        }
    }
}

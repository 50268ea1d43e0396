//! Completion in a `Puppetfile`.

use marotte_db::source_text;
use marotte_resolve::puppetfile::{Puppetfile, without_comment};
use marotte_text::{TextRange, TextSize};

use super::Found;
use super::modules::installed;
use crate::puppetfile_options::OPTIONS;
use crate::{Db, FilePosition, SymbolKind};

/// In place of the version of a module: the newest one.
const LATEST: &str = ":latest";

/// The number of [`OPTIONS`] that come first.
const USUAL: usize = 7;

/// Adds the statements of a `Puppetfile`, the modules that it doesn't list, their versions, and the options of a module.
pub(super) fn complete(db: &dyn Db, at: FilePosition, found: &mut Found<'_>) {
    let text = source_text(db, at.file).text();
    let (before, after) = text.split_at(usize::from(at.offset));
    let Some(code) = statement(before) else { return };
    let range = |written: &str| TextRange::new(at.offset - TextSize::of(written), at.offset);
    let words = code.trim_start();
    if words.chars().all(|it| it.is_ascii_lowercase()) {
        for word in ["mod", "moduledir", "forge"] {
            if let Some(it) = found.add(range(words), SymbolKind::Keyword, word) {
                it.insert = format!("{word} '$1'");
                it.is_snippet = true;
            }
        }
        return;
    }
    let Some(arguments) = words.strip_prefix("mod").filter(|it| it.starts_with([' ', '('])) else { return };
    // The texts at odd places are in quotes.
    let parts: Vec<&str> = arguments.split(['\'', '"']).collect();
    match parts[..] {
        [_, written] => modules(db, at, range(written), found),
        [_, name, comma, written] if comma.trim() == "," => {
            let all = installed(db, at.file).into_iter();
            let mut all = all.filter(|it| *it.name == name.replace('/', "-"));
            if let Some(version) = all.find_map(|it| it.version) {
                found.add(range(written), SymbolKind::Value, &*version);
            }
        }
        [_, _, .., last] if !parts.len().is_multiple_of(2) => {
            let written = option_written(last);
            if last[..last.len() - written.len()].trim_end().ends_with(',') {
                if parts.len() == 3
                    && !after.trim_start().starts_with("=>")
                    && let Some(it) = found.add(range(written), SymbolKind::Value, LATEST)
                {
                    it.rank = 2;
                }
                options(&parts, after, range(written), found);
            }
        }
        _ => {}
    }
}

/// Adds the names of the installed modules that the file doesn't list elsewhere.
fn modules(db: &dyn Db, at: FilePosition, range: TextRange, found: &mut Found<'_>) {
    let listed = Puppetfile::read(source_text(db, at.file).text()).modules;
    let others: Vec<_> = listed.iter().filter(|it| !it.range.contains_inclusive(at.offset)).collect();
    let is_listed = |name: &str| others.iter().any(|it| name.rsplit(['-', '/']).next() == Some(&*it.name));
    for it in installed(db, at.file).iter().filter(|it| !is_listed(&it.name)) {
        found.add(range, SymbolKind::Module, &*it.name);
    }
}

/// Adds the options that a module doesn't have yet, in the notation of those that it has. `parts` is the statement up to the
/// place, split at quotes.
fn options(parts: &[&str], after: &str, range: TextRange, found: &mut Found<'_>) {
    let written = found.text_of(range);
    let mut code: Vec<&str> = parts.iter().copied().step_by(2).collect();
    if let Some(last) = code.last_mut() {
        *last = last.strip_suffix(written).unwrap_or(last);
    }
    let rest = rest_of_statement(after);
    code.extend(rest.split(['\'', '"']).step_by(2));
    let is_separator = |it: char| it.is_whitespace() || matches!(it, ',' | '(' | ')' | '{' | '}');
    let words: Vec<&str> = code.iter().flat_map(|it| it.split(is_separator)).collect();
    let is_given = |name: &str| words.iter().any(|it| option_named(it) == Some(name));
    let is_short = !written.starts_with(':') && words.iter().any(|it| it.len() > 1 && it.ends_with(':'));
    for (index, option) in OPTIONS.iter().enumerate().filter(|(_, it)| !is_given(it.name)) {
        let name = option.name;
        let (label, arrow) = if is_short { (name.to_owned(), ":") } else { (format!(":{name}"), " =>") };
        if let Some(it) = found.add(range, SymbolKind::Attribute, label) {
            it.insert = format!("{}{arrow} {}", it.label, if option.is_text { "'$1'" } else { "true" });
            it.is_snippet = option.is_text;
            it.documentation = Some(option.doc.to_owned());
            it.rank = if index < USUAL { 1 } else { 2 };
        }
    }
}

/// The name of the option in `:git`, `:git=>` or `git:`.
fn option_named(word: &str) -> Option<&str> {
    let word = word.trim_end_matches("=>");
    word.strip_prefix(':').or_else(|| word.strip_suffix(':'))
}

/// The option that is being written at the end of a text: `:g`, `g`, or nothing yet.
fn option_written(text: &str) -> &str {
    let name = text.trim_end_matches(|it: char| it.is_ascii_alphanumeric() || it == '_');
    &text[name.strip_suffix(':').unwrap_or(name).len()..]
}

/// The statement at the end of a text, without comments: the last line, with those above that it continues. None in a comment.
fn statement(before: &str) -> Option<String> {
    let mut lines = before.rsplit('\n');
    let last = lines.next()?;
    if without_comment(last).len() < last.len() {
        return None;
    }
    let mut found = vec![last];
    for line in lines.map(without_comment).filter(|it| !it.trim().is_empty()) {
        if !line.trim_end().ends_with(',') {
            break;
        }
        found.push(line);
    }
    found.reverse();
    Some(found.join("\n"))
}

/// The rest of the line, and the lines after it that begin with an option.
fn rest_of_statement(after: &str) -> &str {
    let is_more = |line: &str| {
        let first = line.split_whitespace().next();
        first.is_none_or(|it| it.starts_with([':', '#']) || it.ends_with(':'))
    };
    let mut lines = after.split_inclusive('\n');
    let first = lines.next().map_or(0, str::len);
    let more: usize = lines.take_while(|it| is_more(it)).map(str::len).sum();
    &after[..first + more]
}

#[cfg(test)]
mod tests {
    use super::super::completions;
    use crate::fixture::Fixture;

    const USUAL: [&str; 7] = [":branch", ":commit", ":git", ":install_path", ":local", ":ref", ":tag"];

    fn proposals(text: &str) -> Vec<(String, String)> {
        let fixture = Fixture::new(&format!("\n//- /Puppetfile\n{text}"));
        let items = completions(fixture.db(), fixture.cursor()).items;
        items.into_iter().map(|it| (it.label, it.insert)).collect()
    }

    /// The first labels.
    fn first(text: &str, count: usize) -> Vec<String> {
        proposals(text).into_iter().map(|it| it.0).take(count).collect()
    }

    #[test]
    fn options_of_modules() {
        assert_eq!(first("mod 'ntp', $0", 7), USUAL);
        assert_eq!(
            first("mod 'ntp',\n  :git => 'x',\n  $0", 7),
            [":branch", ":commit", ":install_path", ":local", ":ref", ":tag", ":default_branch"]
        );
        assert_eq!(
            first("mod 'ntp',\n  :$0\n  :git => 'x',\n  :ref => 'y'\nmod 'b', :tag => 'z'", 4),
            [":branch", ":commit", ":install_path", ":local"]
        );
        assert_eq!(first("mod 'ntp',\n  # the 'source'\n\n  :g$0", 1), [":git"]);
        assert_eq!(first("mod 'ntp',\n  g$0", 1), [":git"]);
        assert_eq!(proposals("mod 'ntp', :lo$0")[0], (":local".into(), ":local => true".into()));
        assert_eq!(proposals("mod 'a/ntp', :la$0")[0], (":latest".into(), ":latest".into()));
        assert!(!first("mod 'ntp', :git => 'x', :$0", 20).contains(&":latest".to_owned()));
    }

    #[test]
    fn options_have_the_notation_of_the_others() {
        let of = |text: &str| proposals(text).into_iter().next();
        assert_eq!(of("mod 'ntp',\n  git: 'x',\n  t$0"), Some(("tag".into(), "tag: '$1'".into())));
        assert_eq!(of("mod 'ntp',\n  :git => 'x',\n  :t$0"), Some((":tag".into(), ":tag => '$1'".into())));
    }

    #[test]
    fn statements_end() {
        assert_eq!(first("mod 'ntp', '1.0'\nmo$0", 9), ["mod", "moduledir"]);
        assert!(first("mod 'ntp', :git => $0", 9).is_empty());
        assert!(first("mod 'ntp',\n  :git => '$0'", 9).is_empty());
        assert!(first("mod 'ntp',\n  # :$0", 9).is_empty());
    }
}

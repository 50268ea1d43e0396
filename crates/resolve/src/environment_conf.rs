//! The `environment.conf` of an environment, as Puppet reads it (`Puppet::Settings::IniFile`, `EnvironmentConf`).

use marotte_text::{TextRange, TextSize};

/// The name of the file that configures an environment.
pub const ENVIRONMENT_FILE: &str = "environment.conf";

/// The settings that Puppet 8 reads, each with its purpose. It ignores all others, with a warning.
pub const SETTINGS: [(&str, &str); 7] = [
    ("modulepath", "the folders of modules, separated by `:`"),
    ("manifest", "the main manifest, or the folder of the main manifests"),
    ("config_version", "the script that prints the version of the code"),
    ("environment_timeout", "how long a server keeps the environment: `0`, `unlimited`, or a duration"),
    ("environment_data_provider", "deprecated: data is configured in `hiera.yaml`"),
    ("static_catalogs", "whether catalogs say which content their files have"),
    ("rich_data", "whether catalogs may have values of any type"),
];

/// A line of an `environment.conf` that is neither empty nor a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'t> {
    /// The range of the line, without the blanks around it.
    pub range: TextRange,
    /// The meaning of the line: a section, a setting, or neither.
    pub kind: LineKind<'t>,
}

/// The content of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind<'t> {
    /// `[name]`: the settings below it belong to this section. Puppet reads only those of `main`, which is also the section of
    /// the settings before the first line of this kind.
    Section(&'t str),
    /// `name = value`
    Setting(Setting<'t>),
    /// Any other text. Puppet refuses a file with such a line.
    Invalid,
}

/// A setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting<'t> {
    /// The name.
    pub name: &'t str,
    /// The range of the name.
    pub name_range: TextRange,
    /// The value, without the blanks and quotes around it.
    pub value: &'t str,
    /// The range of the value.
    pub value_range: TextRange,
    /// Whether Puppet reads it: it is in no section, or in `main`.
    pub is_main: bool,
}

/// Returns the lines of an `environment.conf`, except empty ones and comments.
pub fn lines(text: &str) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    let mut is_main = true;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_matches(is_blank);
        let at = start + (line.len() - line.trim_start_matches(is_blank).len());
        start += line.len();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let kind = kind(content, at, is_main);
        if let LineKind::Section(name) = kind {
            is_main = name == "main";
        }
        found.push(Line { range: range(at, content.len()), kind });
    }
    found
}

fn kind(content: &str, at: usize, is_main: bool) -> LineKind<'_> {
    let section = content.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    if let Some(name) = section.filter(|it| !it.is_empty() && it.chars().all(is_word)) {
        return LineKind::Section(name);
    }
    let end = content.find(|it| !is_word(it)).unwrap_or(content.len());
    let (name, rest) = content.split_at(end);
    let Some(value) = rest.trim_start_matches(is_blank).strip_prefix('=').filter(|_| !name.is_empty()) else {
        return LineKind::Invalid;
    };
    let quoted = value.trim_start_matches(is_blank);
    let (value, is_opened) = unquoted(quoted);
    let value_at = at + content.len() - quoted.len() + usize::from(is_opened);
    LineKind::Setting(Setting {
        name,
        name_range: range(at, name.len()),
        value,
        value_range: range(value_at, value.len()),
        is_main,
    })
}

/// Removes a quote at either end of a value, and the blanks before the last one, as `Puppet::Settings::ValueTranslator` does. Returns whether
/// there was a quote at the start, too.
fn unquoted(value: &str) -> (&str, bool) {
    let quotes = ['"', '\''];
    let inner = value.strip_prefix(quotes);
    let rest = inner.unwrap_or(value);
    (rest.strip_suffix(quotes).unwrap_or(rest).trim_end_matches(is_blank), inner.is_some())
}

/// The value of a setting: the first one that Puppet reads.
pub fn setting<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    lines(text).into_iter().find_map(|line| match line.kind {
        LineKind::Setting(it) if it.is_main && it.name == name => Some(it.value),
        _ => None,
    })
}

fn is_blank(it: char) -> bool {
    matches!(it, ' ' | '\t' | '\r' | '\n' | '\u{b}' | '\u{c}')
}

fn is_word(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

fn range(at: usize, length: usize) -> TextRange {
    let offset = |it: usize| TextSize::try_from(it).unwrap_or_default();
    TextRange::at(offset(at), offset(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values are those of `Puppet::Settings::EnvironmentConf` 8.11.
    #[test]
    fn the_first_value_of_the_main_section_counts() {
        for (text, expected) in [
            ("modulepath = a\nmodulepath = b\n", Some("a")),
            ("[main]\nmodulepath = a\n", Some("a")),
            ("[foo]\nmodulepath = a\n", None),
            ("[foo]\n[main]\nmodulepath=a", Some("a")),
            ("  modulepath\t=  'a:b' \r\n", Some("a:b")),
            ("# modulepath = a\n", None),
            ("module-path = a\n", None),
            ("MODULEPATH = a\n", None),
            ("modulepath = a # b\n", Some("a # b")),
            ("modulepath =\n", Some("")),
        ] {
            assert_eq!(setting(text, "modulepath"), expected, "{text}");
        }
    }

    #[test]
    fn lines_have_ranges() {
        let text = "# x\n\n [a]\n name = \"v w\"\nmodule-path = x\n; y\n";
        let found = lines(text);
        let shown: Vec<&str> = found.iter().map(|it| &text[it.range]).collect();
        assert_eq!(shown, ["[a]", "name = \"v w\"", "module-path = x", "; y"]);
        let LineKind::Setting(setting) = found[1].kind else { panic!("{:?}", found[1]) };
        assert_eq!((&text[setting.name_range], &text[setting.value_range]), ("name", "v w"));
        assert!(!setting.is_main);
        assert!(found[2..].iter().all(|it| it.kind == LineKind::Invalid));
    }
}

//! The files that a configuration can read, independent of the node: its levels, and the files of each.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use camino::Utf8Path;
use marotte_db::system::normalize;
use marotte_pcore::dialect::Dialect;
use marotte_pcore::ops::Strictness;
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;
use marotte_text::Str;
use regex::Regex;

use super::levels::Levels;
use super::{Config, ConfigFile, Entry, Kind, LocationKind};
use crate::data::Step;
use crate::hierarchy::join;
use crate::{
    DataSource, Fault, Format, FunctionAnswer, FunctionCall, Layer, LookupError, LookupHost, Variable,
};

/// A level of a hierarchy, as far as it is known without a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The name of the level.
    pub name: Str,
    /// The reader of its data.
    pub reader: Reader,
    /// The files that it may read. `None` if it reads no files, or if they are unknown.
    pub files: Option<Box<[FilePattern]>>,
    /// The path of the level in the configuration.
    pub place: [Step; 2],
}

/// The reader of a level's data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reader {
    /// Hiera itself: reads a document of this format.
    Document(Format),
    /// `eyaml_lookup_key`: reads a YAML document whose texts may be encrypted.
    Encrypted,
    /// A function or a backend. Its data is unknown.
    Function(Str),
}

impl Reader {
    pub(crate) fn of(kind: Kind, function: &Str) -> Reader {
        match (kind, &**function) {
            (Kind::DataHash, "yaml_data") => Reader::Document(Format::Yaml),
            (Kind::DataHash, "json_data") => Reader::Document(Format::Json),
            (Kind::DataHash, "hocon_data") => Reader::Document(Format::Hocon),
            (Kind::LookupKey, "eyaml_lookup_key") => Reader::Encrypted,
            _ => Reader::Function(function.clone()),
        }
    }

    /// The format of the documents that it reads. `None` if it reads something else.
    pub fn format(&self) -> Option<Format> {
        match self {
            Reader::Document(format) => Some(*format),
            Reader::Encrypted => Some(Format::Yaml),
            Reader::Function(_) => None,
        }
    }
}

/// The files that a path or glob of a configuration may refer to: an interpolation matches any text.
#[derive(Clone, Debug)]
pub struct FilePattern {
    /// The text as written.
    pub text: Str,
    /// The normalized full path, with interpolations unresolved.
    full: Str,
    /// The part of the path that is the same for all nodes, up to a slash.
    folder: Str,
    /// The literal text that all paths end with, as far as it is known.
    end: Str,
    /// The expression for the paths. None if the path is the same for all nodes.
    expression: Option<Arc<Expression>>,
    /// The path of the text in the configuration, relative to its level.
    pub place: Box<[Step]>,
}

/// A regular expression for paths, compiled on first use: most configurations are read without a look at their files.
#[derive(Debug)]
struct Expression {
    text: String,
    /// `None` if the expression is too large to compile.
    regex: OnceLock<Option<Regex>>,
}

impl PartialEq for FilePattern {
    fn eq(&self, other: &FilePattern) -> bool {
        (&self.text, &self.full, &self.place) == (&other.text, &other.full, &other.place)
    }
}

impl Eq for FilePattern {}

impl FilePattern {
    fn new(datadir: &str, text: &Str, is_glob: bool, place: Box<[Step]>) -> FilePattern {
        let full = join(datadir, text);
        let special: &[char] = if is_glob { &['%', '*', '?', '[', '{', '\\'] } else { &['%'] };
        let fixed = full.find(special).unwrap_or(full.len());
        let is_fixed = fixed == full.len();
        let (folder, rest) = full.split_at(full[..fixed].rfind('/').map_or(0, |it| it + 1));
        let folder = normalize(Utf8Path::new(folder));
        let full: Str = folder.join(rest).as_str().into();
        let folder = folder.as_str();
        let (expression, end) = match is_fixed {
            true => (None, &*full),
            false => {
                let (text, end) = expression(&full, is_glob);
                (Some(Arc::new(Expression { text, regex: OnceLock::new() })), end)
            }
        };
        let end = end.into();
        FilePattern { text: text.clone(), folder: folder.into(), full, end, expression, place }
    }

    /// Returns the path, if it is the same for all nodes.
    pub fn path(&self) -> Option<&Str> {
        self.expression.is_none().then_some(&self.full)
    }

    /// Returns the path with interpolations unresolved: patterns with equal paths match the same files.
    pub fn full(&self) -> &Str {
        &self.full
    }

    /// Returns the folder that contains all its files, directly or in subfolders.
    pub fn folder(&self) -> &Str {
        &self.folder
    }

    /// Returns the text that the paths of all its files end with.
    pub fn end(&self) -> &Str {
        &self.end
    }

    /// Whether all its files are below a folder. False if the path has a `..` after an interpolation or wildcard.
    pub fn is_in(&self, root: &Utf8Path) -> bool {
        let is_above = |component: &str| component == "..";
        Utf8Path::new(&*self.folder).starts_with(root) && !self.full.split('/').any(is_above)
    }

    /// Whether it may match a file.
    pub fn may_be(&self, path: &str) -> bool {
        let Some(Expression { text, regex }) = self.expression.as_deref() else { return &*self.full == path };
        regex.get_or_init(|| Regex::new(text).ok()).as_ref().is_some_and(|it| it.is_match(path))
    }
}

/// Returns the regular expression for a path or glob, and what its matches end with.
fn expression(pattern: &str, is_glob: bool) -> (String, &str) {
    let mut out = String::from(r"\A");
    let mut rest = pattern;
    let mut end = pattern;
    let mut braces = 0;
    while let Some(next) = rest.chars().next() {
        if let Some(inner) = rest.strip_prefix("%{") {
            let Some((_, after)) = inner.split_once('}') else {
                out.push_str(&regex::escape(rest));
                break;
            };
            // The value of a fact is unknown and may contain slashes.
            out.push_str(".*");
            rest = after;
            end = after;
            continue;
        }
        let mut used = next.len_utf8();
        match next {
            '*' if is_glob && rest.starts_with("**/") => {
                used = "**/".len();
                out.push_str("(?:.*/)?");
            }
            '*' if is_glob => out.push_str("[^/]*"),
            '?' if is_glob => out.push_str("[^/]"),
            '[' if is_glob && rest.contains(']') => {
                used = rest.find(']').map_or(rest.len(), |end| end + 1);
                // The set of characters is ignored: matching too many files does no harm.
                out.push_str("[^/]");
            }
            '{' if is_glob && rest.contains('}') => {
                braces += 1;
                out.push_str("(?:");
            }
            ',' if braces > 0 => out.push('|'),
            '}' if braces > 0 => {
                braces -= 1;
                out.push(')');
            }
            '\\' if is_glob && rest.len() > 1 => {
                let escaped = rest[1..].chars().next().unwrap_or('\\');
                used += escaped.len_utf8();
                out.push_str(&regex::escape(&escaped.to_string()));
            }
            other => out.push_str(&regex::escape(&other.to_string())),
        }
        rest = &rest[used..];
        if is_glob && !next.is_alphanumeric() && !matches!(next, '.' | '-' | '_' | '/') {
            end = rest;
        }
    }
    out.push_str(r"\z");
    (out, end)
}

/// Returns the levels of a configuration file, those of the default hierarchy last; none if the file is ignored in its
/// layer. `text` is the content of the file, used to find the lines of errors.
///
/// # Errors
/// The error that every lookup would end with.
pub fn levels(
    dialect: &'static Dialect,
    layer: &Layer,
    file: &ConfigFile,
    text: &str,
) -> Result<Levels, LookupError> {
    let mut outside = Unanswered { dialect, text };
    let Some(config) = Config::read(&mut outside, layer, file)? else { return Ok(Levels::default()) };
    let mut levels = Vec::new();
    let defaults = config.default_hierarchy.as_deref().unwrap_or_default();
    for (key, entries) in [("hierarchy", &config.hierarchy[..]), ("default_hierarchy", defaults)] {
        let mut names = HashSet::new();
        for (index, entry) in entries.iter().enumerate() {
            if !names.insert(&entry.name) {
                let name = [Step::Key(key.into()), Step::Index(index), Step::Key("name".into())];
                return Err(config.named_twice(Some(text), &entry.name).at(name, None));
            }
            levels.push(level(layer, &config, entry, [Step::Key(key.into()), Step::Index(index)]));
        }
    }
    Ok(Levels::new(levels))
}

/// The folder of a level's files, with its interpolations. A folder of the environment may be written with the path that it has
/// on the server: it is the one in the tree.
pub(crate) fn folder_of(layer: &Layer, config: &Config, datadir: &str) -> Str {
    const ENVIRONMENT: [&str; 3] = ["%{environment}", "%{::environment}", "%{server_facts.environment}"];
    let below = ENVIRONMENT.iter().find_map(|it| {
        let (before, below) = datadir.split_once(it)?;
        let is_whole = before.ends_with("/environments/") && (below.is_empty() || below.starts_with('/'));
        is_whole.then(|| below.trim_start_matches('/'))
    });
    match (layer, below) {
        (Layer::Environment, Some(below)) => join(&config.root, below),
        _ => join(&config.root, datadir),
    }
}

fn level(layer: &Layer, config: &Config, entry: &Entry, place: [Step; 2]) -> Level {
    let datadir = folder_of(layer, config, &entry.datadir);
    let files = entry.location.as_ref().and_then(|location| {
        let (texts, is_glob) = match location.kind {
            LocationKind::Paths => (&location.texts[..], false),
            LocationKind::Globs => (&location.texts[..], true),
            // The last of the three is the template of paths.
            LocationKind::MappedPaths => (location.texts.get(2..)?, false),
            LocationKind::Uris => return None,
        };
        let skipped = location.texts.len() - texts.len();
        let pattern = |(index, text): (usize, &Str)| {
            let text = match &entry.extension {
                Some(extension) if !text.ends_with(&**extension) => format!("{text}{extension}").into(),
                _ => text.clone(),
            };
            let place = location.place(index + skipped);
            FilePattern::new(&datadir, &text, is_glob, place)
        };
        Some(texts.iter().enumerate().map(pattern).collect())
    });
    Level { name: entry.name.clone(), reader: Reader::of(entry.kind, &entry.function), files, place }
}

/// An [`LookupHost`] that provides only what reading a configuration needs.
struct Unanswered<'t> {
    dialect: &'static Dialect,
    text: &'t str,
}

impl DataSource for Unanswered<'_> {
    fn hiera_config_text(&self, _: &str) -> Option<Arc<str>> {
        Some(self.text.into())
    }
}

impl LookupHost for Unanswered<'_> {
    type Error = Infallible;

    fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    fn data(&self) -> &dyn DataSource {
        self
    }

    fn strict(&self) -> Strictness {
        Strictness::Error
    }

    fn calling_class(&mut self) -> Option<Str> {
        None
    }

    fn variable(&mut self, _: &str) -> Variable {
        Variable::Missing(String::new())
    }

    fn call(&mut self, _: FunctionCall<'_>) -> Result<FunctionAnswer, Fault<Infallible>> {
        Ok(FunctionAnswer::NoFunction)
    }

    fn parse_type(&mut self, text: &str) -> Result<Type, String> {
        Err(format!("'{text}' is not read"))
    }

    fn convert(&mut self, to: &Type, _: &[Value]) -> Result<Value, String> {
        Err(format!("nothing is converted to {to}"))
    }

    fn warn(&mut self, _: String) {}

    fn warn_once(&mut self, _: String) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str, is_glob: bool) -> FilePattern {
        FilePattern::new("/r/data", &text.into(), is_glob, Box::default())
    }

    #[test]
    fn what_is_interpolated_stands_for_anything() {
        let nodes = pattern("nodes/%{trusted.certname}.yaml", false);
        assert_eq!(nodes.folder(), "/r/data/nodes");
        assert!(nodes.may_be("/r/data/nodes/a.example.com.yaml"));
        assert!(nodes.may_be("/r/data/nodes/deep/er.yaml"));
        assert!(!nodes.may_be("/r/data/nodes/a.json"));
        assert!(!nodes.may_be("/r/data/common.yaml"));
        assert_eq!(nodes.path(), None);

        let common = pattern("common.yaml", false);
        assert_eq!(common.path().map(|it| &**it), Some("/r/data/common.yaml"));
        assert!(!common.may_be("/r/data/commonXyaml"));
    }

    #[test]
    fn paths_end_with_what_is_behind_the_last_gap() {
        for (text, is_glob, end) in [
            ("nodes/%{x}/common.yaml", false, "/common.yaml"),
            ("%{x}-%{y}.yaml", false, ".yaml"),
            ("%{x}", false, ""),
            ("a*b/c.yaml", false, "/r/data/a*b/c.yaml"),
            ("a*b/c.yaml", true, "b/c.yaml"),
            ("**/c.yaml", true, "c.yaml"),
            ("[ab].yaml", true, ".yaml"),
            ("*.{yaml,yml}", true, ""),
            ("*/a\\*.yaml", true, ".yaml"),
            ("*/%{x", true, "/%{x"),
        ] {
            assert_eq!(&**pattern(text, is_glob).end(), end, "{text}");
        }
    }

    #[test]
    fn the_environment_is_the_folder_of_the_configuration() {
        let text = |datadir: &str| {
            format!(
                "version: 5\nhierarchy:\n  - name: Common\n    datadir: {datadir}\n    path: common.yaml\n"
            )
        };
        let path = |layer: Layer, datadir: &str| {
            let text = text(datadir);
            let document = crate::data::parse(Format::Yaml, &text).expect("YAML");
            let Value::Hash(value) = document.value else { panic!("a hash") };
            let file = ConfigFile { path: "/r/hiera.yaml".into(), value: Some(value) };
            let levels = levels(Dialect::puppet8(), &layer, &file, &text).expect("levels");
            levels[0].files.as_ref().expect("files")[0].full().to_string()
        };
        let datadir = "/etc/puppetlabs/code/environments/%{environment}/hieradata";
        assert_eq!(path(Layer::Environment, datadir), "/r/hieradata/common.yaml");
        assert_eq!(path(Layer::Environment, "/srv/environments/%{::environment}"), "/r/common.yaml");
        assert_eq!(
            path(Layer::Environment, "/srv/%{environment}/data"),
            "/srv/%{environment}/data/common.yaml"
        );
        assert_eq!(path(Layer::Module("m".into()), datadir), format!("{datadir}/common.yaml"));
    }

    #[test]
    fn globs_are_those_of_the_reference() {
        let glob = pattern("%{role}/*.yaml", true);
        assert_eq!(glob.folder(), "/r/data");
        assert!(glob.may_be("/r/data/web/a.yaml"));
        let deep = pattern("x/**/[ab].{yaml,yml}", true);
        assert_eq!(deep.folder(), "/r/data/x");
        assert!(deep.may_be("/r/data/x/y/z/a.yml") && deep.may_be("/r/data/x/b.yaml"));
        assert!(!deep.may_be("/r/data/x/b.json"));
        assert!(!pattern("*.yaml", true).may_be("/r/data/a/b.yaml"));
        assert!(!pattern("*.yaml", false).may_be("/r/data/a.yaml"));
    }
}

//! The names and paths that the code and data of a tree mention: everything that is mentioned may be used.

use std::collections::BTreeSet;

use foldhash::HashSet;
use marotte_text::{Str, unrooted};

/// The names of definitions and the paths of module files that some text mentions.
///
/// Names are in lower case, without a leading `::`. Paths are as those of `template` and `file`: the module, then the path below
/// the folder of its templates or files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mentions {
    names: HashSet<Str>,
    paths: HashSet<Str>,
    /// The known prefixes and suffixes of computed names.
    name_patterns: BTreeSet<(Str, Str)>,
    /// The known prefixes and suffixes of computed paths.
    path_patterns: BTreeSet<(Str, Str)>,
    /// The kinds of things that are used by entirely unknown names.
    unknown: BTreeSet<Kind>,
}

/// A kind of thing that may be used by a computed name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Classes that are used by name.
    Class,
    /// Defined types that are used by name.
    Define,
    /// Functions that are used by name.
    Function,
    /// Files and templates of modules.
    Path,
    /// Files of modules whose URL is known except for its end.
    Source,
    /// Classes and defined types whose names are in data.
    Data,
}

/// The modules that code and data mention: an index, for callers that look for many modules.
pub(crate) struct Modules<'a> {
    mentions: &'a Mentions,
    /// The outermost namespaces of all names.
    namespaces: HashSet<&'a str>,
    /// The first parts of all paths that have several.
    folders: HashSet<&'a str>,
}

impl Modules<'_> {
    /// Whether a definition or a file of a module may be used.
    pub(crate) fn may_use(&self, module: &str) -> bool {
        let may_be_in = |(start, _): &(Str, Str)| {
            let namespace = format!("{module}::");
            start.starts_with(&namespace) || namespace.starts_with(&**start)
        };
        self.mentions.is_unknown(Kind::Class)
            || self.mentions.is_unknown(Kind::Define)
            || self.namespaces.contains(module)
            || self.folders.contains(module)
            || self.mentions.name_patterns.iter().any(may_be_in)
            || self.mentions.may_read(module)
    }
}

impl Mentions {
    /// Adds all mentions of other code.
    pub(crate) fn extend(&mut self, other: &Mentions) {
        self.names.extend(other.names.iter().cloned());
        self.paths.extend(other.paths.iter().cloned());
        self.name_patterns.extend(other.name_patterns.iter().cloned());
        self.path_patterns.extend(other.path_patterns.iter().cloned());
        self.unknown.extend(other.unknown.iter().copied());
    }

    /// Records that things of a kind are used by entirely unknown names.
    pub(crate) fn add_unknown(&mut self, kind: Kind) {
        self.unknown.insert(kind);
    }

    /// Whether things of a kind are used by entirely unknown names.
    pub(crate) fn is_unknown(&self, kind: Kind) -> bool {
        self.unknown.contains(&kind)
    }

    /// Whether a definition may be used.
    pub(crate) fn may_name(&self, kind: Kind, name: &str) -> bool {
        self.is_unknown(kind) || self.names(name)
    }

    /// Whether a name, in lower case, occurs, or may be computed.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.names.contains(name) || self.name_patterns.iter().any(|it| fits(it, name))
    }

    /// Returns all names, in no particular order.
    pub(crate) fn all_names(&self) -> impl Iterator<Item = &Str> {
        self.names.iter()
    }

    /// Whether it has no definitions whose names are computed.
    pub(crate) fn has_only_names(&self) -> bool {
        self.name_patterns.is_empty() && self.unknown.is_empty()
    }

    /// Returns the names that are in a namespace, with the outermost one of each.
    pub(crate) fn qualified(&self) -> impl Iterator<Item = (&str, &Str)> {
        self.names.iter().filter_map(|it| Some((it.split_once("::")?.0, it)))
    }

    /// Returns an index of the modules that are mentioned.
    pub(crate) fn modules(&self) -> Modules<'_> {
        let paths = self.paths.iter().filter_map(|it| Some(it.split_once('/')?.0));
        let patterns = self.path_patterns.iter().filter_map(|(start, _)| Some(start.split_once('/')?.0));
        Modules {
            mentions: self,
            namespaces: self.names.iter().map(|it| it.split_once("::").map_or(&**it, |(it, _)| it)).collect(),
            folders: paths.chain(patterns).collect(),
        }
    }

    /// Whether a path, or a folder that contains it, may be used.
    pub(crate) fn may_read(&self, path: &str) -> bool {
        let mut outer = Some(path);
        while let Some(at) = outer {
            if self.paths.contains(at) {
                return true;
            }
            outer = at.rsplit_once('/').map(|(folder, _)| folder);
        }
        self.is_unknown(Kind::Path) || self.path_patterns.iter().any(|it| fits(it, path))
    }

    /// Removes a name: a definition that only mentions itself isn't used.
    pub(crate) fn forget(&mut self, name: &str) {
        self.names.remove(name);
    }

    /// Adds a name as written.
    pub(crate) fn name(&mut self, name: &str) {
        self.names.insert(unrooted(name).to_lowercase().into());
    }

    /// Adds a name of which only the beginning and the end are known.
    pub(crate) fn name_pattern(&mut self, start: &str, end: &str) {
        self.name_patterns.insert((unrooted(start).to_lowercase().into(), end.to_lowercase().into()));
    }

    /// Adds a path of which only the beginning and the end are known.
    pub(crate) fn path_pattern(&mut self, start: &str, end: &str) {
        self.path_patterns.insert((below_mount(start).0.into(), end.into()));
    }

    /// Adds all names and paths in a text, in which other programs may interpolate values.
    pub(crate) fn text(&mut self, text: &str) {
        let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
        for word in text.split(|it| !is_name(it)) {
            let word = word.trim_end_matches(':');
            if !word.is_empty() && word.len() <= LONGEST {
                self.name(word);
                // Ruby code calls a Puppet function in this way.
                if let Some(function) = word.strip_prefix("function_") {
                    self.name(function);
                }
            }
        }
        let is_path = |it: char| is_name(it) || matches!(it, '/' | '.' | '-' | '+' | '@');
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let Some(start) = rest.find(is_path) else { break };
            let end = rest[start..].find(|it| !is_path(it)).map_or(rest.len(), |it| start + it);
            let (word, after) = (&rest[start..end], &rest[end..]);
            // A computed part follows: `${x}`, `%{x}`, `#{x}`, `<%= x %>`, `%s`, `*`, `\0`.
            let is_open = ["$", "%", "#{", "<%", "*", "\\"].iter().any(|it| after.starts_with(it));
            if word.len() <= LONGEST {
                if is_open {
                    if word.contains('/') {
                        self.path_pattern(word, "");
                    }
                    if word.ends_with("::") {
                        self.name_pattern(word, "");
                    }
                } else if word.contains('/') {
                    self.path(word);
                }
            }
            at += end;
        }
    }

    /// Adds a path as written: `module/path`, the URL of a file, or a path on the disk.
    pub(crate) fn path(&mut self, path: &str) {
        let (path, is_mounted) = below_mount(path);
        let path = path.trim_end_matches('/');
        if is_mounted || path.contains('/') {
            self.paths.insert(path.into());
        }
        // `…/module/files/path`, the form that scripts use.
        for folder in ["/files/", "/templates/"] {
            if let Some((before, rest)) = path.split_once(folder) {
                let module = before.rsplit('/').next().unwrap_or(before);
                self.paths.insert(format!("{module}/{}", rest.trim_end_matches('/')).into());
            }
        }
    }
}

/// The length in bytes beyond which a word isn't a name or path.
const LONGEST: usize = 512;

/// Returns the path below the `modules` mount point, and whether the URL has it: `puppet:///modules/apt/key` results in
/// `apt/key`.
fn below_mount(path: &str) -> (&str, bool) {
    match path.find("/modules/") {
        Some(at) => (&path[at + "/modules/".len()..], true),
        None => match path.strip_prefix("modules/") {
            Some(rest) => (rest, true),
            None => (path, false),
        },
    }
}

fn fits((start, end): &(Str, Str), name: &str) -> bool {
    name.len() >= start.len() + end.len() && name.starts_with(&**start) && name.ends_with(&**end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Mentions {
        let mut found = Mentions::default();
        found.text(text);
        found
    }

    #[test]
    fn names_are_whole_words() {
        let found = of("include ::Foo::bar, [foo::baz] ; foo::key: 1");
        for name in ["foo::bar", "foo::baz", "foo::key", "include"] {
            assert!(found.names(name), "{name}");
        }
        assert!(!found.names("foo") && !found.names("bar"));
        assert!(of("scope.function_own(['x'])").names("own"));
    }

    #[test]
    fn computed_names_fit_what_is_known_of_them() {
        let found = of("classes: ['role::%{x}']");
        assert!(found.names("role::web") && !found.names("profile::web"));
    }

    #[test]
    fn paths_are_those_of_modules() {
        let found = of("source: puppet:///modules/apt/keys/a.asc\nx: 'm/x.erb'\ny: site/m/files/y.sh\n");
        for path in ["apt/keys/a.asc", "m/x.erb", "m/y.sh"] {
            assert!(found.may_read(path), "{path}");
        }
        assert!(!found.may_read("apt/keys") && !found.may_read("apt/keys/b.asc"));
        assert!(of("puppet:///modules/apt/keys").may_read("apt/keys/deep/b.asc"));
        assert!(of("puppet:///modules/apt/keys/${x}").may_read("apt/keys/b.asc"));
        assert!(of("puppet:///modules/apt").may_read("apt/b.asc"));
    }
}

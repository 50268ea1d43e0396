//! Definitions of modules in Ruby, by the names of their files, which is how the reference finds them all (C23, C28).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use foldhash::HashSet;
use marotte_db::{Db, Environment, EnvironmentSet, File, Topic, files_below, module_folder, source_text};
use marotte_hir::names_a_file;
use marotte_ruby::function::Functions;
use marotte_ruby::resource_type::{ResourceType, ResourceTypes};
use marotte_ruby::{function, resource_type};
use marotte_text::Str;

/// The kind of definition in a Ruby file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RubyKind {
    /// The definition of a function.
    Function,
    /// A function of the 3.x API.
    LegacyFunction,
    /// The definition of a resource type.
    ResourceType,
    /// The definition of a data type.
    DataType,
}

/// The file that defines a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RubyFile {
    /// The file in the first module, in order of the modules' names.
    pub file: File,
    /// Whether no other module that may take precedence defines the same name by another text. Within a folder of modules, the
    /// order in which the disk lists them decides.
    pub is_only: bool,
}

/// The path of a [`RubyFile`]. Most are never needed, and a [`File`] asks the system for its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RubyPath {
    path: Utf8PathBuf,
    /// The files of other modules that define the same name.
    others: Vec<Utf8PathBuf>,
}

/// Words in code whose result depends on the path of its file.
const OWN_PLACE: [&str; 4] = ["__FILE__", "__dir__", "require_relative", "caller"];

impl RubyKind {
    /// All kinds.
    pub const ALL: [RubyKind; 4] =
        [RubyKind::Function, RubyKind::LegacyFunction, RubyKind::ResourceType, RubyKind::DataType];

    /// The folder of this kind in a module.
    fn folder(self) -> &'static str {
        match self {
            RubyKind::Function => "lib/puppet/functions",
            RubyKind::LegacyFunction => "lib/puppet/parser/functions",
            RubyKind::ResourceType => "lib/puppet/type",
            RubyKind::DataType => "lib/puppet/datatypes",
        }
    }

    /// The path below a module of the file that defines a name in lower case. None if no file of this kind can define it.
    pub fn path_of(self, name: &str) -> Option<Utf8PathBuf> {
        let parts: Vec<&str> = name.split("::").collect();
        let is_possible =
            parts.iter().all(|it| names_a_file(it)) && (parts.len() == 1 || self.is_qualified());
        is_possible.then(|| Utf8PathBuf::from(format!("{}/{}.rb", self.folder(), parts.join("/"))))
    }

    /// The topic of questions whether files of this kind mention a name.
    pub fn mentioned(self) -> Topic {
        match self {
            RubyKind::Function => Topic::MentionedFunction,
            RubyKind::LegacyFunction => Topic::MentionedLegacyFunction,
            RubyKind::ResourceType => Topic::MentionedResourceType,
            RubyKind::DataType => Topic::MentionedDataType,
        }
    }

    /// The name in lower case that a file of this kind defines, by its path below the folder that contains a `lib`.
    pub fn name_of(self, path: &Utf8Path) -> Option<Str> {
        let path = path.strip_prefix(self.folder()).ok().filter(|it| it.extension() == Some("rb"))?;
        let name = path.with_extension("");
        let parts: Vec<&str> = name.iter().collect();
        (parts.len() == 1 || self.is_qualified()).then(|| parts.join("::").to_lowercase().into())
    }

    /// Whether names have namespaces, which are folders.
    fn is_qualified(self) -> bool {
        matches!(self, RubyKind::Function | RubyKind::DataType)
    }
}

/// The Ruby file of a module, or of the environment itself, that defines a name in lower case. Callers depend on this name
/// alone.
#[salsa::tracked(returns(copy))]
pub fn ruby_definition(db: &dyn Db, environment: Environment, kind: RubyKind, name: Str) -> Option<RubyFile> {
    if matches!(kind, RubyKind::Function | RubyKind::LegacyFunction) {
        db.files().note_asked(Topic::Function, &name);
    }
    definition(db, environment, kind, name)
}

/// The Ruby files that define a name now, for each environment: the answers of [`ruby_definition`], without a question.
pub fn definitions_everywhere(db: &dyn Db, kind: RubyKind, name: &Str) -> Vec<Option<RubyFile>> {
    let environments = EnvironmentSet::get(db).environments(db).iter();
    environments.map(|it| definition(db, *it, kind, name.clone())).collect()
}

/// Whether several modules of an environment have a file that defines a name: only the first of them is searched for other names.
pub fn is_defined_repeatedly(db: &dyn Db, kind: RubyKind, name: &Str) -> bool {
    let key = (kind, name.clone());
    let found = |it: &Environment| ruby_definitions(db, *it).get(&key);
    EnvironmentSet::get(db).environments(db).iter().filter_map(found).any(|it| !it.others.is_empty())
}

fn definition(db: &dyn Db, environment: Environment, kind: RubyKind, name: Str) -> Option<RubyFile> {
    let found = ruby_definitions(db, environment).get(&(kind, name.clone()))?;
    let mut paths: Vec<&Utf8PathBuf> = [&found.path].into_iter().chain(&found.others).collect();
    // A name with a namespace is looked for in its own module.
    let own = name.split_once("::").and_then(|(module, _)| module_folder(db, environment, module.into()));
    if let Some(own) = own.filter(|_| matches!(kind, RubyKind::Function | RubyKind::DataType)) {
        paths.retain(|it| it.starts_with(own));
    }
    // Functions without namespaces are looked for in the calling module first, which is not known here.
    if kind == RubyKind::ResourceType && paths.len() > 1 {
        retain_first_on_module_path(db, environment, &mut paths);
    }
    let (path, others) = paths.split_first()?;
    let file = db.files().file(db, path);
    let is_only = others.iter().all(|it| are_same(db, file, db.files().file(db, it)))
        && (kind != RubyKind::Function || !has_legacy_elsewhere(db, environment, &name));
    Some(RubyFile { file, is_only })
}

/// Whether a module defines a function only by the 3.x API, which others define by the 4.x API: modules come one after the other, and
/// only within one does the newer API take precedence.
fn has_legacy_elsewhere(db: &dyn Db, environment: Environment, name: &str) -> bool {
    let roots = |kind: RubyKind| -> Vec<&Utf8Path> {
        let found = ruby_definitions(db, environment).get(&(kind, name.into()));
        let paths = found.into_iter().flat_map(|it| [&it.path].into_iter().chain(&it.others));
        // The file of a name without a namespace is directly in its folder.
        let depth = 1 + Utf8Path::new(kind.folder()).components().count();
        paths.filter_map(|it| it.ancestors().nth(depth)).collect()
    };
    let new = roots(RubyKind::Function);
    roots(RubyKind::LegacyFunction).iter().any(|it| !new.contains(it))
}

/// Whether the module of a qualified name defines it in Ruby, as a function or a data type: such a definition takes precedence over one
/// in Puppet.
pub fn is_in_ruby(db: &dyn Db, environment: Environment, kind: RubyKind, name: &str) -> bool {
    name.contains("::") && ruby_definition(db, environment, kind, name.into()).is_some()
}

/// Removes the files that others precede for certain: the folders of the module path are searched in order. Within a folder, the order
/// is that of the disk.
fn retain_first_on_module_path(db: &dyn Db, environment: Environment, paths: &mut Vec<&Utf8PathBuf>) {
    let folders = environment.module_path(db);
    let folder_of = |path: &Utf8Path| folders.iter().position(|it| path.starts_with(it));
    let Some(all) = paths.iter().map(|it| folder_of(it)).collect::<Option<Vec<_>>>() else { return };
    let first = all.into_iter().min();
    paths.retain(|it| folder_of(it) == first);
}

/// The kinds of a path, with the names in lower case that it defines, if it is one below the `lib` of a module or of an environment.
pub fn names_of_path(db: &dyn Db, path: &Utf8Path) -> BTreeSet<(RubyKind, Str)> {
    let environments = EnvironmentSet::get(db).environments(db).iter();
    let rests = environments.flat_map(|it| roots(db, *it)).filter_map(|it| path.strip_prefix(it).ok());
    rests
        .flat_map(|rest| RubyKind::ALL.into_iter().filter_map(|kind| Some((kind, kind.name_of(rest)?))))
        .collect()
}

/// Whether two files have the same text, and it means the same in both.
fn are_same(db: &dyn Db, file: File, other: File) -> bool {
    let (text, other) = (source_text(db, file), source_text(db, other));
    text.error().is_none()
        && other.error().is_none()
        && text.text() == other.text()
        && !OWN_PLACE.iter().any(|it| text.text().contains(it))
}

/// The names in lower case that Ruby files of a kind define, for callers that need all of them.
pub fn ruby_names(db: &dyn Db, environment: Environment, kind: RubyKind) -> impl Iterator<Item = &str> {
    let all = ruby_definitions(db, environment).keys();
    all.filter(move |(it, _)| *it == kind).map(|(_, name)| name.as_str())
}

/// Whether any Ruby file defines a data type.
#[salsa::tracked(returns(copy))]
pub fn has_data_types(db: &dyn Db, environment: Environment) -> bool {
    ruby_names(db, environment, RubyKind::DataType).next().is_some()
}

/// The Ruby files of all modules of an environment, and of the environment itself, by the name in lower case that they define.
/// Changes whenever one is added or removed.
#[salsa::tracked(returns(ref))]
fn ruby_definitions(db: &dyn Db, environment: Environment) -> BTreeMap<(RubyKind, Str), RubyPath> {
    let mut found = BTreeMap::new();
    for root in roots(db, environment) {
        for kind in RubyKind::ALL {
            collect(db, &root, kind, &mut found);
        }
    }
    found
}

/// The declaration in the Ruby file of a resource type. None if several modules have such a file, so that the module path
/// decides, or if the file declares something else.
pub fn declared_resource_type<'db>(
    db: &'db dyn Db,
    environment: Environment,
    name: &str,
) -> Option<&'db ResourceType> {
    let found = ruby_definition(db, environment, RubyKind::ResourceType, name.into())?;
    let declared = &ruby_resource_types(db, found.file).types;
    found.is_only.then(|| declared.iter().find(|it| it.name == name)).flatten()
}

/// The folders that contain a `lib`.
fn roots(db: &dyn Db, environment: Environment) -> impl Iterator<Item = Utf8PathBuf> {
    let modules = environment.modules(db).iter().map(|(_, folder)| folder.to_owned());
    environment.root(db).map(Utf8Path::to_owned).into_iter().chain(modules)
}

fn collect(db: &dyn Db, root: &Utf8Path, kind: RubyKind, found: &mut BTreeMap<(RubyKind, Str), RubyPath>) {
    for path in files_below(db, &root.join(kind.folder()), "rb") {
        let Some(name) = path.strip_prefix(root).ok().and_then(|it| kind.name_of(it)) else { continue };
        match found.entry((kind, name)) {
            Entry::Occupied(mut entry) => entry.get_mut().others.push(path),
            Entry::Vacant(entry) => {
                entry.insert(RubyPath { path, others: Vec::new() });
            }
        }
    }
}

/// The functions that a Ruby file declares.
#[salsa::tracked(returns(ref))]
pub fn ruby_functions(db: &dyn Db, file: File) -> Functions {
    function::read(source_text(db, file).text())
}

/// The deprecation message for a function of a Ruby file, as written by its authors.
#[salsa::tracked(returns(clone))]
pub fn deprecation(db: &dyn Db, file: File, name: Str) -> Option<Str> {
    function::deprecation(source_text(db, file).text(), &name)
}

/// The resource types that a Ruby file declares.
#[salsa::tracked(returns(ref))]
pub fn ruby_resource_types(db: &dyn Db, file: File) -> ResourceTypes {
    resource_type::read(source_text(db, file).text())
}

/// Whether any Ruby file of this kind mentions a name: a file may define more than the name it is found by.
#[salsa::tracked(returns(copy))]
pub fn is_mentioned(db: &dyn Db, environment: Environment, kind: RubyKind, name: Str) -> bool {
    db.files().note_asked(kind.mentioned(), &name);
    let is_word = |it: &str| !it.is_empty() && it.chars().all(is_of_word);
    // A text that mentions a name mentions each of its segments: the ones behind the first follow a colon.
    let words = mentioned_words(db, environment, kind);
    if name.split("::").any(|it| is_word(it) && !words.contains(it)) {
        return false;
    }
    if is_word(&name) {
        return true;
    }
    let mut files = ruby_definitions(db, environment).iter().filter(|((it, _), _)| *it == kind);
    files.any(|(_, it)| mentions(source_text(db, db.files().file(db, &it.path)).text(), &name))
}

/// The words that Ruby files of a kind mention, as [`mentions`] finds them.
#[salsa::tracked(returns(ref))]
fn mentioned_words(db: &dyn Db, environment: Environment, kind: RubyKind) -> HashSet<Str> {
    let files = ruby_definitions(db, environment).iter().filter(|((it, _), _)| *it == kind);
    files.flat_map(|(_, it)| words_in(db, db.files().file(db, &it.path))).cloned().collect()
}

/// The words in a Ruby file that follow a colon or a quote.
#[salsa::tracked(returns(ref))]
fn words_in(db: &dyn Db, file: File) -> HashSet<Str> {
    let text = source_text(db, file).text();
    let starts = text.match_indices([':', '\'', '"']).map(|(at, _)| at + 1);
    let word = |start: usize| {
        let rest = text.get(start..)?;
        let end = rest.find(|it| !is_of_word(it)).unwrap_or(rest.len());
        rest.get(..end).filter(|it| !it.is_empty())
    };
    starts.filter_map(word).map(Str::from).collect()
}

fn is_of_word(it: char) -> bool {
    it == '_' || it.is_alphanumeric()
}

/// Whether a Ruby text contains a symbol or a string of this name.
pub fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        matches!(before, Some(':' | '\'' | '"')) && !after.is_some_and(is_of_word)
    })
}

/// Whether a Ruby file in any module's `lib` may add this attribute to a resource type that is defined elsewhere:
/// `Puppet::Type.type(:package).newparam(:x)`.
#[salsa::tracked(returns(copy))]
pub fn may_extend(db: &dyn Db, environment: Environment, resource_type: Str, attribute: Str) -> bool {
    referring_files(db, environment).iter().any(|file| {
        let text = source_text(db, *file).text();
        mentions(text, &resource_type) && adds(text, &attribute)
    })
}

/// The Ruby files that refer to resource types that are defined elsewhere.
#[salsa::tracked(returns(ref))]
fn referring_files(db: &dyn Db, environment: Environment) -> Vec<File> {
    ruby_files(db, environment).iter().copied().filter(|it| refers_to_types(db, *it)).collect()
}

/// Whether a Ruby file refers to a resource type by its name.
#[salsa::tracked(returns(copy))]
pub fn refers_to_types(db: &dyn Db, file: File) -> bool {
    source_text(db, file).text().contains("Puppet::Type.type")
}

/// The methods of resource types that add attributes.
const ADDING: [&str; 3] = ["newparam", "newproperty", "newmetaparam"];

/// Whether a Ruby text evaluates blocks or calls methods where another object is `self`.
fn is_evaluated_elsewhere(text: &str) -> bool {
    ["_eval", "_exec", ".send", "public_send", "instance_method"].iter().any(|it| text.contains(it))
}

/// Whether a Ruby text that refers to a resource type may add an attribute to the type: by a call with a receiver, or in a block
/// that is evaluated elsewhere. The type's own declarations have neither form.
fn adds(text: &str, attribute: &str) -> bool {
    let is_elsewhere = is_evaluated_elsewhere(text);
    let mut calls = ADDING.iter().flat_map(|method| text.match_indices(method));
    let is_added = |(at, method): (usize, &str)| {
        let before = text[..at].chars().next_back();
        if !is_elsewhere && before != Some('.') {
            return false;
        }
        let rest = text[at + method.len()..].trim_start_matches([' ', '(', ',']);
        match rest.chars().next() {
            Some(it @ (':' | '\'' | '"')) => {
                let name = rest[it.len_utf8()..].trim_start_matches(['"', '\'']);
                let end = name.find(|it: char| !(it.is_alphanumeric() || it == '_')).unwrap_or(name.len());
                &name[..end] == attribute || name[end..].starts_with("#{")
            }
            // A name that is computed, from anything.
            _ => true,
        }
    };
    calls.any(is_added)
        || attribute == "ensure"
            && text.contains("ensurable")
            && (is_elsewhere || text.contains(".ensurable"))
}

/// Returns all Ruby files below `lib/puppet` of all modules.
#[salsa::tracked(returns(ref))]
fn ruby_files(db: &dyn Db, environment: Environment) -> Vec<File> {
    let folders = roots(db, environment).map(|root| root.join("lib/puppet"));
    let paths = folders.flat_map(|folder| files_below(db, &folder, "rb"));
    paths.map(|path| db.files().file(db, &path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use marotte_db::testing::TestDb;

    #[test]
    fn functions_with_namespaces_are_those_of_their_module() {
        let mut db = TestDb::new([
            ("/env/modules/a/lib/puppet/functions/b/f.rb", "1"),
            ("/env/modules/b/lib/puppet/functions/b/f.rb", "2"),
            ("/env/modules/a/lib/puppet/functions/g.rb", "1"),
            ("/env/modules/b/lib/puppet/functions/g.rb", "2"),
            ("/env/modules/a/lib/puppet/functions/c/f.rb", "1"),
            ("/env/modules/c/manifests/init.pp", ""),
            ("/env/modules/a/lib/puppet/functions/h.rb", "1"),
            ("/env/modules/a/lib/puppet/parser/functions/h.rb", "1"),
            ("/env/modules/a/lib/puppet/functions/k.rb", "1"),
            ("/env/modules/b/lib/puppet/parser/functions/k.rb", "1"),
        ]);
        let environment = db.add_environment("/env", &["/env/modules"], None);
        let found = |name: &str| ruby_definition(&db, environment, RubyKind::Function, name.into()).unwrap();
        assert!(found("b::f").is_only && found("b::f").file.path(&db).starts_with("/env/modules/b"));
        assert!(!found("g").is_only);
        // Another module cannot define it.
        assert_eq!(ruby_definition(&db, environment, RubyKind::Function, "c::f".into()), None);
        // Within a module, the newer API takes precedence.
        assert!(found("h").is_only && !found("k").is_only);
    }

    #[test]
    fn resource_types_are_those_of_the_first_folder() {
        let mut db = TestDb::new([
            ("/env/first/z/lib/puppet/type/t.rb", "1"),
            ("/env/second/a/lib/puppet/type/t.rb", "2"),
            ("/env/second/a/lib/puppet/type/u.rb", "1"),
            ("/env/second/b/lib/puppet/type/u.rb", "2"),
        ]);
        let environment = db.add_environment("/env", &["/env/first", "/env/second"], None);
        let found =
            |name: &str| ruby_definition(&db, environment, RubyKind::ResourceType, name.into()).unwrap();
        assert!(found("t").is_only && found("t").file.path(&db).starts_with("/env/first"));
        assert!(!found("u").is_only);
    }

    #[test]
    fn files_define_what_they_are_named_after() {
        let mut db = TestDb::new([
            ("/modules/a/lib/puppet/functions/a/b/f.rb", ""),
            ("/modules/a/lib/puppet/parser/functions/old.rb", ""),
            ("/modules/a/lib/puppet/parser/functions/deep/no.rb", ""),
            ("/modules/a/lib/puppet/type/Vhost.rb", ""),
            ("/modules/a/lib/puppet/type/readme.md", ""),
        ]);
        let environment = db.add_environment("/", &["/modules"], None);
        let names: Vec<_> =
            ruby_definitions(&db, environment).keys().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["a::b::f", "old", "vhost"]);
    }

    #[test]
    fn attributes_are_added_from_elsewhere() {
        assert!(adds("Puppet::Type.type(:package).newparam(:colour)", "colour"));
        assert!(adds("Puppet::Type.type(:package).class_eval do newproperty 'colour' do end end", "colour"));
        assert!(adds("[:colour].each { |it| Puppet::Type.type(:package).newparam(it) }", "colour"));
        assert!(!adds("Puppet::Type.type(:package).provide(:x) { colour = resource[:colour] }", "colour"));
        assert!(!adds("newtype(:shop) { newparam(:colour) }; Puppet::Type.type(:package)", "colour"));
        assert!(!adds("Puppet::Type.type(:package).newparam(:size); x[:colour]", "colour"));
    }

    #[test]
    fn symbols_and_strings_mention_names() {
        assert!(mentions("newtype(:vhost) do", "vhost"));
        assert!(mentions("newparam('port')", "port"));
        assert!(!mentions("newtype(:vhosts)", "vhost"));
        assert!(!mentions("the vhost", "vhost"));
    }
}

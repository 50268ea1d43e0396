//! The part of a Ruby file that the checks of other files may depend on.

use std::collections::BTreeSet;

use camino::Utf8Path;
use marotte_db::{Db, File, FileStatus, Topic, source_text};
use marotte_hir::NameKind;
use marotte_infer::inference::reads;
use marotte_resolve::custom_facts::AddedFacts;
use marotte_resolve::names::known;
use marotte_resolve::ruby::{
    RubyFile, RubyKind, definitions_everywhere, deprecation, is_defined_repeatedly, mentions, names_of_path,
    refers_to_types, ruby_functions, ruby_resource_types,
};
use marotte_resolve::suggest::{has_many_functions, may_mean_fact, may_mean_function};
use marotte_ruby::function::Functions;
use marotte_ruby::resource_type::ResourceTypes;
use marotte_text::{Str, normalized};

use crate::analysis::names::mentions::{Mentions, mentions_in_text};
use crate::analysis::resources::declarable::may_declare;
use crate::analysis::variables::usage::asks_for_scope;
use crate::data::reads::{KeyReads, ruby_reads};
use crate::incremental::change::Resources;

/// The content of a Ruby file that checks of other files may read, without ranges.
#[derive(Clone, Debug)]
pub struct RubyInterface {
    /// The text; None if there is no such file.
    text: Option<Str>,
    /// The names that the file defines by its place.
    names: Vec<Name>,
    functions: Functions,
    /// The deprecation messages for those of its names that are functions.
    deprecations: Vec<Option<Str>>,
    /// Whether a function in it can read variables of its caller.
    scope: Vec<bool>,
    types: ResourceTypes,
    facts: AddedFacts,
    reads: KeyReads,
    refers_to_types: bool,
    /// The words and titles in the text.
    mentions: Mentions,
}

/// A name that a Ruby file defines by its place, unless the file of another module defines it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    kind: RubyKind,
    name: Str,
    /// The definition in each environment, and whether it is a function that certainly declares no resources.
    definitions: Vec<Option<(RubyFile, bool)>>,
    /// Whether several modules of an environment define it.
    is_repeated: bool,
}

impl Name {
    fn of(db: &dyn Db, kind: RubyKind, name: Str) -> Name {
        let is_function = matches!(kind, RubyKind::Function | RubyKind::LegacyFunction);
        let definitions = definitions_everywhere(db, kind, &name).into_iter();
        let definitions =
            definitions.map(|it| it.map(|it| (it, is_function && !may_declare(db, it.file)))).collect();
        let is_repeated = is_defined_repeatedly(db, kind, &name);
        Name { kind, name, definitions, is_repeated }
    }

    /// The environments in which the name is certainly a function that declares no resources.
    fn harmless(&self) -> Vec<bool> {
        self.definitions.iter().map(|it| it.is_some_and(|(_, is_harmless)| is_harmless)).collect()
    }

    /// Whether several environments have a definition.
    fn is_shared(&self) -> bool {
        self.definitions.iter().flatten().count() > 1
    }
}

/// The effects that a change of a Ruby file has on other files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RubyChange {
    /// The functions that are defined otherwise than before, in lower case, as far as code calls them, and those that may be defined
    /// elsewhere now, or no longer, because the file mentions their names.
    pub functions: BTreeSet<Str>,
    /// Those of them that have a definition in Puppet, too, whose type depends on other definitions.
    pub reads: BTreeSet<Str>,
    /// The resources on whose titles code may depend that the file mentioned, or mentions now.
    pub resources: Resources,
}

impl RubyInterface {
    /// The interface of the file at a path below the `lib` of a module, whether it exists or not. None if it cannot be read.
    pub fn of(db: &dyn Db, path: &Utf8Path) -> Option<RubyInterface> {
        let names = names_of_path(db, path).into_iter();
        let names = names.map(|(kind, name)| Name::of(db, kind, name)).collect();
        let mut interface = RubyInterface {
            text: None,
            names,
            functions: Functions::default(),
            deprecations: Vec::new(),
            scope: Vec::new(),
            types: ResourceTypes::default(),
            facts: AddedFacts::default(),
            reads: KeyReads::default(),
            refers_to_types: false,
            mentions: Mentions::default(),
        };
        let known = db.files().known(path);
        match known.map(|it| (it, it.status(db))) {
            None | Some((_, FileStatus::Missing)) => Some(interface),
            Some((file, FileStatus::Exists)) => interface.read(db, file).then_some(interface),
            Some(_) => None,
        }
    }

    /// Reads a file that exists. False if its text is unknown.
    fn read(&mut self, db: &dyn Db, file: File) -> bool {
        let source = source_text(db, file);
        if source.error().is_some() {
            return false;
        }
        for Name { kind, name, .. } in &self.names {
            match kind {
                RubyKind::Function | RubyKind::LegacyFunction => {
                    self.functions = ruby_functions(db, file).clone();
                    self.deprecations.push(deprecation(db, file, name.clone()));
                    self.scope.push(asks_for_scope(*kind, source.text()));
                }
                RubyKind::ResourceType => self.types = ruby_resource_types(db, file).clone(),
                RubyKind::DataType => {}
            }
        }
        if file.path(db).as_str().contains("/lib/facter/") {
            self.facts = AddedFacts::of(db, file);
        }
        self.reads = ruby_reads(db, file).clone();
        self.refers_to_types = refers_to_types(db, file);
        self.mentions = mentions_in_text(db, file).clone();
        self.text = Some(source.text().into());
        true
    }

    fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// Whether the functions that the file defines are the same, wherever they are declared.
    fn has_same_functions(&self, other: &RubyInterface) -> bool {
        self.functions == other.functions
            && self.deprecations == other.deprecations
            && self.scope == other.scope
    }
}

impl RubyChange {
    /// The effects of a change of the file at a path. None if they may concern every file.
    ///
    /// Answers that all Ruby files give together, such as whether any of them mentions a name, count only for names about which checks
    /// have [asked](Topic).
    pub fn of(
        db: &dyn Db,
        path: &Utf8Path,
        before: &RubyInterface,
        after: &RubyInterface,
    ) -> Option<RubyChange> {
        let asked = db.files().asked();
        let is_moved = before.text.is_some() != after.text.is_some();
        // The names of all providers are listed together, and those of data types.
        let is_listed = path.as_str().contains("/lib/puppet/provider/")
            || before.names.iter().any(|it| it.kind == RubyKind::DataType);
        let may_extend = before.refers_to_types || after.refers_to_types;
        // Code that renders templates by itself passes them other names.
        let renders = |it: &RubyInterface| it.text().contains("ERB");
        if before.names.len() != after.names.len()
            || is_moved && is_listed
            // The names that a file mentions are hidden while another one precedes it.
            || is_moved && before.names.iter().chain(&after.names).any(|it| it.is_repeated)
            || may_extend && before.text != after.text
            || before.reads != after.reads
            || renders(before) != renders(after)
        {
            return None;
        }
        let mut change = RubyChange::default();
        change.resources.mentions = before.mentions.other(&after.mentions);
        for (one, other) in before.names.iter().zip(&after.names) {
            let (name, is_same) = (&one.name, one == other);
            let is_mentioned = |it: &str| mentions(before.text(), it) != mentions(after.text(), it);
            let mentioned = asked.names(one.kind.mentioned()).into_iter().filter(|it| is_mentioned(it));
            match one.kind {
                RubyKind::Function | RubyKind::LegacyFunction => {
                    change.functions.extend(mentioned.map(|it| normalized(&it)));
                    let has_many = is_moved && has_many_functions(db);
                    let may_be = |it: &str| is_moved && (has_many || may_mean_function(it, name));
                    if asked.any(Topic::NearFunction, may_be) {
                        return None;
                    }
                    if !asked.has(Topic::Function, name) || is_same && before.has_same_functions(after) {
                        continue;
                    }
                    change.functions.insert(name.clone());
                    // A function in Puppet decides on what its callers declare.
                    let in_puppet = known(db, db.files().file(db, path), NameKind::Function, name);
                    let is_hidden = in_puppet.is_some() && !one.is_shared() && !other.is_shared();
                    change.resources.any |= !is_hidden && one.harmless() != other.harmless();
                    if in_puppet.is_some_and(|it| !reads(db, it).is_empty()) {
                        change.reads.insert(name.clone());
                    }
                }
                RubyKind::ResourceType | RubyKind::DataType => {
                    if !is_same || before.types != after.types || mentioned.count() > 0 {
                        return None;
                    }
                }
            }
        }
        let is_other_fact = |it: &str| before.facts.answers(it) != after.facts.answers(it);
        let moved: Vec<&Str> = before.facts.names.symmetric_difference(&after.facts.names).collect();
        let is_near_fact = |it: &str| moved.iter().any(|fact| may_mean_fact(it, fact));
        if asked.any(Topic::Fact, is_other_fact) || asked.any(Topic::NearFact, is_near_fact) {
            return None;
        }
        Some(change)
    }
}

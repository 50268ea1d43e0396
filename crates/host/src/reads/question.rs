use std::hash::{Hash, Hasher};

use indexmap::Equivalent;
use marotte_eval::RubyFile;
use marotte_hiera::{Format, Layer};

use crate::contents::Request;

/// A request of the interpreter that a file can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub(super) kind: Kind,
    pub(super) text: Box<str>,
    pub(super) more: Box<str>,
    pub(super) number: u64,
}

/// The kinds of requests, each with the meaning of the fields `text`, `more` and `number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Kind {
    /// A fact, by its name.
    Fact,
    /// A variable of the top scope, by its name.
    Variable,
    /// All variables of the top scope.
    Variables,
    /// A setting, by its name.
    Setting,
    /// The node's name, environment and classes.
    Node,
    /// The configuration of a layer of data: the module, and which layer.
    HieraConfig,
    /// The data provider of a layer: the module, and which layer.
    DataProvider,
    /// The text of a configuration, by its path.
    HieraConfigText,
    /// Whether a file or folder of data exists, by its path.
    DataExists,
    /// The files of data that match a pattern.
    DataGlob,
    /// Entries of a document: its path, their prefix, its format.
    DataSection,
    /// Keys that the data of a module may not have: the path, the module, the format.
    ForeignKeys,
    /// The bytes of a file, by its path.
    ReadFile,
    /// A function in Puppet, by its name.
    Function,
    /// A type alias, by its name.
    TypeAlias,
    /// Whether there is a resource type of this name.
    IsResourceType,
    /// A resource type that is not written in Puppet, by its name.
    NativeType,
    /// Whether a resource type may have attributes that it does not declare, by its name.
    MayBeExtended,
    /// A file of manifests: the module, and the path in it.
    Manifest,
    /// The main manifests.
    MainManifests,
    /// The body of a definition: the path, and its index.
    Body,
    /// All definitions.
    Definitions,
    /// A template, by its name.
    Template,
    /// A file of a module: the folder, and the name.
    FindFile,
    /// The folder of a module, by its name.
    ModuleDirectory,
    /// The kind of file at a path.
    FileType,
    /// Whether there is a function in Ruby of this name.
    IsRubyFunction,
    /// The properties of a function in Ruby, by its name.
    RubyFunction,
    /// The program of a file in Ruby: what names it, and how.
    RubyProgram,
    /// The lines of a file of code, by its path.
    Places,
    /// The contents of the files that agents fetch for a resource: the three fields of the request.
    Contents,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    const ALL: [Kind; 31] = [
        Kind::Fact,
        Kind::Variable,
        Kind::Variables,
        Kind::Setting,
        Kind::Node,
        Kind::HieraConfig,
        Kind::DataProvider,
        Kind::HieraConfigText,
        Kind::DataExists,
        Kind::DataGlob,
        Kind::DataSection,
        Kind::ForeignKeys,
        Kind::ReadFile,
        Kind::Function,
        Kind::TypeAlias,
        Kind::IsResourceType,
        Kind::NativeType,
        Kind::MayBeExtended,
        Kind::Manifest,
        Kind::MainManifests,
        Kind::Body,
        Kind::Definitions,
        Kind::Template,
        Kind::FindFile,
        Kind::ModuleDirectory,
        Kind::FileType,
        Kind::IsRubyFunction,
        Kind::RubyFunction,
        Kind::RubyProgram,
        Kind::Places,
        Kind::Contents,
    ];
}

impl Question {
    /// The question with these [`fields`](Question::fields). None if there is no such kind.
    pub fn of_fields(kind: u8, text: &str, more: &str, number: u64) -> Option<Question> {
        let kind = *Kind::ALL.get(usize::from(kind))?;
        Some(Question { kind, text: text.into(), more: more.into(), number })
    }

    /// The number of its kind, and the three fields whose meaning the kind determines.
    pub fn fields(&self) -> (u8, &str, &str, u64) {
        (self.kind as u8, &self.text, &self.more, self.number)
    }

    /// Whether the answer may depend on the node, and not only on the code.
    pub fn is_about_node(&self) -> bool {
        matches!(self.kind, Kind::Fact | Kind::Variable | Kind::Variables | Kind::Setting | Kind::Node)
    }

    /// Whether it asks for the main manifests, as each evaluation of a node does.
    pub fn is_about_main_manifests(&self) -> bool {
        self.kind == Kind::MainManifests
    }

    /// Whether the answer has places in code of which [`shortcut`](super::shortcut) knows nothing.
    pub fn hides_places(&self) -> bool {
        self.kind == Kind::Definitions
    }

    /// The question for the contents of files that agents fetch.
    pub(crate) fn about_contents(request: &Request) -> Question {
        let (text, more, number) = request.fields();
        Question { kind: Kind::Contents, text: text.into(), more: more.into(), number }
    }

    pub(super) fn layer(&self) -> Layer {
        match self.number {
            0 => Layer::Global,
            1 => Layer::Environment,
            _ => Layer::Module((*self.text).into()),
        }
    }

    pub(super) fn format(&self) -> Format {
        match self.number {
            0 => Format::Yaml,
            1 => Format::Json,
            _ => Format::Hocon,
        }
    }

    pub(super) fn ruby_file(&self) -> RubyFile<'_> {
        match self.number {
            0 => RubyFile::Function(&self.text),
            1 => RubyFile::LegacyFunction(&self.text),
            2 => RubyFile::Library(&self.text),
            _ => RubyFile::Template(&self.text),
        }
    }
}

/// A question whose texts are borrowed: whether it was asked before is found out without copying them.
#[derive(Clone, Copy)]
pub(super) struct Asking<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) more: &'a str,
    pub(super) number: u64,
}

impl<'a> Asking<'a> {
    pub(super) fn new(kind: Kind, text: &'a str) -> Asking<'a> {
        Asking { kind, text, more: "", number: 0 }
    }

    pub(super) fn layer(kind: Kind, layer: &'a Layer) -> Asking<'a> {
        let (text, number) = match layer {
            Layer::Global => ("", 0),
            Layer::Environment => ("", 1),
            Layer::Module(name) => (name.as_str(), 2),
        };
        Asking { kind, text, more: "", number }
    }

    pub(super) fn document(kind: Kind, path: &'a str, format: Format, more: &'a str) -> Asking<'a> {
        let number = match format {
            Format::Yaml => 0,
            Format::Json => 1,
            Format::Hocon => 2,
        };
        Asking { kind, text: path, more, number }
    }

    pub(super) fn ruby(file: RubyFile<'a>) -> Asking<'a> {
        let (text, number) = match file {
            RubyFile::Function(name) => (name, 0),
            RubyFile::LegacyFunction(name) => (name, 1),
            RubyFile::Library(name) => (name, 2),
            RubyFile::Template(path) => (path, 3),
        };
        Asking { kind: Kind::RubyProgram, text, more: "", number }
    }

    pub(super) fn owned(self) -> Question {
        let Asking { kind, text, more, number } = self;
        Question { kind, text: text.into(), more: more.into(), number }
    }
}

impl Hash for Question {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Question { kind, text, more, number } = self;
        Asking { kind: *kind, text, more, number: *number }.hash(state);
    }
}

impl Hash for Asking<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.kind, self.text, self.more, self.number).hash(state);
    }
}

impl Equivalent<Question> for Asking<'_> {
    fn equivalent(&self, other: &Question) -> bool {
        self.kind == other.kind
            && self.number == other.number
            && *self.text == *other.text
            && *self.more == *other.more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_the_number_of_its_place() {
        for (number, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(kind as u8), number);
        }
        assert_eq!(Question::of_fields(31, "", "", 0), None);
    }
}

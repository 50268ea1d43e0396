use std::fmt;
use std::sync::Arc;

use marotte_text::Str;

use crate::types::{Type, TypeKind};

/// What is known of a value that can't be known, since only Ruby computes it.
///
/// It is a value like others, so that it can stand in hashes, parameters and resources. Whoever computes with values asks
/// [`Value::has_unknown`](super::Value::has_unknown) first: nothing may be concluded from an unknown value, not even that it
/// equals itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unknown {
    source: UnknownSource,
    /// The type that it is of for certain, if one is known.
    known_type: Option<Type>,
}

/// What a value comes from, or is computed from, that is not known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum UnknownSource {
    /// A function that is written in Ruby, by its name.
    Function(Str),
    /// A function that is written in Ruby and has data for Hiera.
    Data {
        /// Its name.
        function: Str,
        /// What kind of function it is, in words of the configuration.
        kind: &'static str,
        /// The name of the level that asks it.
        level: Str,
    },
    /// A template in ERB, by its name.
    Template(Str),
    /// A template in ERB that is given as a text.
    InlineTemplate,
    /// An object that Ruby code has put into a variable, and that Puppet has no value for.
    RubyObject,
    /// A command that may not be run, by its path.
    Command(Str),
    /// What the title of a resource gives, by the name of its type, which is written in Ruby.
    Title(Str),
}

impl Unknown {
    /// A value of which nothing is known.
    pub fn new(source: UnknownSource) -> Arc<Unknown> {
        Arc::new(Unknown { source, known_type: None })
    }

    /// What it comes from.
    pub fn source(&self) -> &UnknownSource {
        &self.source
    }

    /// The type that it is of for certain, if one is known.
    pub fn known_type(&self) -> Option<&Type> {
        self.known_type.as_ref()
    }

    /// Whether it is a string for certain.
    pub fn is_text(&self) -> bool {
        self.is_of(|it| matches!(it.kind(), TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_)))
    }

    /// Whether it is neither `undef` nor `false` for certain.
    pub fn is_truthy(&self) -> bool {
        self.is_of(|it| {
            matches!(
                it.kind(),
                TypeKind::String(_)
                    | TypeKind::Enum(_)
                    | TypeKind::Pattern(_)
                    | TypeKind::Integer(_)
                    | TypeKind::Float(_)
                    | TypeKind::Numeric
                    | TypeKind::Regexp(_)
                    | TypeKind::Array(..)
                    | TypeKind::Tuple(_)
                    | TypeKind::Hash(..)
                    | TypeKind::Struct(_)
                    | TypeKind::Collection(_)
                    | TypeKind::Sensitive(_)
                    | TypeKind::Type(_)
            )
        })
    }

    /// Whether its type, or each of several that it may be of, is such.
    fn is_of(&self, is_such: impl Fn(&Type) -> bool) -> bool {
        self.known_type.as_ref().is_some_and(|it| match it.resolved().kind() {
            TypeKind::Variant(types) => !types.is_empty() && types.iter().all(|it| is_such(it.resolved())),
            _ => is_such(it.resolved()),
        })
    }

    /// A string that is computed from this.
    pub fn text(&self) -> Arc<Unknown> {
        self.typed(Type::string())
    }

    /// Something of a type that is computed from this.
    pub fn typed(&self, known_type: Type) -> Arc<Unknown> {
        Arc::new(Unknown { source: self.source.clone(), known_type: Some(known_type) })
    }

    /// Something that is computed from this.
    pub fn computed(self: &Arc<Unknown>) -> Arc<Unknown> {
        if self.known_type.is_some() { Unknown::new(self.source.clone()) } else { Arc::clone(self) }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            UnknownSource::Function(name) => write!(out, "the Ruby function '{name}'"),
            UnknownSource::Data { function, kind, level } => {
                write!(out, "the Ruby function '{function}', {kind} of the level '{level}'")
            }
            UnknownSource::Template(name) => write!(out, "the ERB template '{name}'"),
            UnknownSource::InlineTemplate => out.write_str("an inline ERB template"),
            UnknownSource::RubyObject => out.write_str("an object of Ruby code"),
            UnknownSource::Command(program) => write!(out, "the command '{program}'"),
            UnknownSource::Title(name) => write!(out, "what titles of the Ruby type '{name}' give"),
        }
    }
}

use std::fmt;
use std::sync::Arc;

use marotte_text::Str;

use crate::binary::Binary;
use crate::types::{Type, TypeKind};

/// The known facts about an unknown value, which only Ruby can compute.
///
/// It is an ordinary value, so that hashes, parameters and resources can contain it. Code that computes with values
/// must check [`Value::has_unknown`](super::Value::has_unknown) first: nothing may be concluded from an unknown value,
/// not even that it equals itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unknown {
    source: UnknownSource,
    /// A type of which it is certainly an instance, if one is known.
    known_type: Option<Type>,
    /// The bytes of a string of bytes.
    bytes: Option<Binary>,
}

/// The origin of an unknown value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum UnknownSource {
    /// A function written in Ruby, by its name.
    Function(Str),
    /// A function written in Ruby that provides data for Hiera.
    Data {
        /// The name of the function.
        function: Str,
        /// The kind of function, as the configuration calls it.
        kind: &'static str,
        /// The name of the level that calls it.
        level: Str,
    },
    /// An ERB template, by its name.
    Template(Str),
    /// An ERB template passed as a text.
    InlineTemplate,
    /// An object that Ruby code has assigned to a variable, and that Puppet can't represent.
    RubyObject,
    /// A command that may not be run, by its path.
    Command(Str),
    /// A file that may not be read, by the name that the code has for it.
    File(Str),
    /// A query that PuppetDB was not asked.
    Query,
    /// A string of bytes from Ruby code.
    Bytes,
    /// The attributes that the title of a resource sets, by the name of its type, which is written in Ruby.
    Title(Str),
}

impl Unknown {
    /// Creates an unknown value without a known type.
    pub fn new(source: UnknownSource) -> Arc<Unknown> {
        Arc::new(Unknown { source, known_type: None, bytes: None })
    }

    /// Creates a Ruby string without a character encoding. It is a `String` for Puppet code, and a `Binary` in a catalog;
    /// what code computes from it is unknown, since its encoding decides.
    pub fn of_bytes(bytes: Binary) -> Arc<Unknown> {
        let known_type = Some(Type::string());
        Arc::new(Unknown { source: UnknownSource::Bytes, known_type, bytes: Some(bytes) })
    }

    /// Returns the bytes of a string of bytes.
    pub fn bytes(&self) -> Option<&Binary> {
        self.bytes.as_ref()
    }

    /// Returns the origin of the unknown value.
    pub fn source(&self) -> &UnknownSource {
        &self.source
    }

    /// Returns a type of which it is certainly an instance, if one is known.
    pub fn known_type(&self) -> Option<&Type> {
        self.known_type.as_ref()
    }

    /// Whether it is certainly a string.
    pub fn is_text(&self) -> bool {
        self.is_of(|it| matches!(it.kind(), TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_)))
    }

    /// Whether it is certainly `Sensitive`.
    pub fn is_sensitive(&self) -> bool {
        self.is_of(|it| matches!(it.kind(), TypeKind::Sensitive(_)))
    }

    /// Whether it is certainly neither `undef` nor `false`.
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

    /// Whether its type, or each of several possible ones, satisfies a condition.
    fn is_of(&self, is_such: impl Fn(&Type) -> bool) -> bool {
        self.known_type.as_ref().is_some_and(|it| match it.resolved().kind() {
            TypeKind::Variant(types) => !types.is_empty() && types.iter().all(|it| is_such(it.resolved())),
            _ => is_such(it.resolved()),
        })
    }

    /// Returns an unknown string that is computed from this value.
    pub fn text(&self) -> Arc<Unknown> {
        self.typed(Type::string())
    }

    /// Returns an unknown value of a type that is computed from this value.
    pub fn typed(&self, known_type: Type) -> Arc<Unknown> {
        Arc::new(Unknown { source: self.source.clone(), known_type: Some(known_type), bytes: None })
    }

    /// Returns an unknown value that is computed from this value.
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
            UnknownSource::File(name) => write!(out, "the file '{name}'"),
            UnknownSource::Query => out.write_str("a query of PuppetDB"),
            UnknownSource::Bytes => out.write_str("a string of bytes"),
            UnknownSource::Title(name) => write!(out, "what titles of the Ruby type '{name}' give"),
        }
    }
}

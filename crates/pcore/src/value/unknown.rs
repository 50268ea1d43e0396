use std::fmt;
use std::sync::Arc;

use marotte_text::Str;

/// What is known of a value that can't be known, since only Ruby computes it.
///
/// It is a value like others, so that it can stand in hashes, parameters and resources. Whoever computes with values asks
/// [`Value::has_unknown`](super::Value::has_unknown) first: nothing may be concluded from an unknown value, not even that it
/// equals itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unknown {
    source: UnknownSource,
    is_text: bool,
}

/// What a value comes from, or is computed from, that is not known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum UnknownSource {
    /// A function that is written in Ruby, by its name.
    Function(Str),
    /// A template in ERB, by its name.
    Template(Str),
    /// A template in ERB that is given as a text.
    InlineTemplate,
    /// A variable, by its name, that a body may have set that ended early, because something was decided in it by an unknown
    /// value.
    Variable(Str),
    /// What the title of a resource gives, by the name of its type, which is written in Ruby.
    Title(Str),
}

impl Unknown {
    /// A value of which nothing is known.
    pub fn new(source: UnknownSource) -> Arc<Unknown> {
        Arc::new(Unknown { source, is_text: false })
    }

    /// Whether it is a string for certain.
    pub fn is_text(&self) -> bool {
        self.is_text
    }

    /// A string that is computed from this.
    pub fn text(&self) -> Arc<Unknown> {
        Arc::new(Unknown { source: self.source.clone(), is_text: true })
    }

    /// Something that is computed from this.
    pub fn computed(self: &Arc<Unknown>) -> Arc<Unknown> {
        if self.is_text { Unknown::new(self.source.clone()) } else { Arc::clone(self) }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            UnknownSource::Function(name) => write!(out, "the Ruby function '{name}'"),
            UnknownSource::Template(name) => write!(out, "the ERB template '{name}'"),
            UnknownSource::InlineTemplate => out.write_str("an inline ERB template"),
            UnknownSource::Variable(name) => write!(out, "the variable ${name}"),
            UnknownSource::Title(name) => write!(out, "what titles of the Ruby type '{name}' give"),
        }
    }
}

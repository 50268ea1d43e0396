//! The kinds of words, for semantic highlighting.

use marotte_db::{File, mode, source_text};
use marotte_eval::functions::builtin;
use marotte_syntax::{LexemeKind, lexemes};
use marotte_text::{TextRange, unrooted};

use crate::symbol::is_parameter;
use crate::token::{Named, Token, is_code, tokens};
use crate::{Access, Db};

/// A word with its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// The range. Tokens don't overlap; one may span lines.
    pub range: TextRange,
    /// The kind of the word.
    pub kind: SemanticKind,
    /// The symbol is defined, declared or set here.
    pub is_definition: bool,
    /// The symbol is built in.
    pub is_builtin: bool,
}

/// The kind of a [`SemanticToken`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SemanticKind {
    /// A keyword, such as `if` or `class`.
    Keyword,
    /// `true`, `undef`, `default`.
    Constant,
    /// The name of a class.
    Class,
    /// The name of a resource type.
    ResourceType,
    /// The name of a function.
    Function,
    /// The name of a data type.
    DataType,
    /// The name of a parameter.
    Parameter,
    /// The name of a variable.
    Variable,
    /// The name of an attribute.
    Attribute,
    /// A part of a fact.
    Fact,
    /// A title of a resource.
    Title,
    /// A key of Hiera data.
    DataKey,
    /// A string, a heredoc's header, or a bare word.
    String,
    /// The literal of a number.
    Number,
    /// The literal of a regular expression.
    Regex,
    /// An operator, such as `+` or `->`.
    Operator,
    /// The text of a comment.
    Comment,
    /// A tag of a template.
    TemplateTag,
}

/// The highlighted words of a file, in order of position; only those in a range, if one is given. Punctuation without a meaning
/// of its own is left out, and so is the text of templates.
pub fn semantic_tokens(db: &dyn Db, file: File, within: Option<TextRange>) -> Vec<SemanticToken> {
    let text = source_text(db, file).text();
    let mut named: Vec<SemanticToken> = Vec::new();
    for token in tokens(db, file) {
        let is_free = named.last().is_none_or(|it| it.range.end() <= token.range.start());
        if let (Some(kind), true) = (kind_of(db, &token), is_free) {
            named.push(SemanticToken {
                range: token.range,
                kind,
                is_definition: token.access != Access::Read,
                is_builtin: is_builtin(&token),
            });
        }
    }
    let mut found = Vec::new();
    if is_code(db, file) {
        let mut named = named.into_iter().peekable();
        for lexeme in lexemes(text, mode(db, file)).all {
            let plain = plain_kind(lexeme.kind);
            let mut from = lexeme.range.start();
            // The parts of a string before and after a name in it stay a string.
            while let Some(it) = named.next_if(|it| it.range.end() <= lexeme.range.end()) {
                if it.range.start() < from {
                    continue;
                }
                // The `$` of a variable is highlighted like the variable.
                let is_sigil = lexeme.kind == LexemeKind::Variable;
                let start = if is_sigil { from } else { it.range.start() };
                if !is_sigil {
                    found.extend(plain_token(TextRange::new(from, it.range.start()), plain));
                }
                found.push(SemanticToken { range: TextRange::new(start, it.range.end()), ..it });
                from = it.range.end();
            }
            found.extend(plain_token(TextRange::new(from, lexeme.range.end().max(from)), plain));
        }
    } else {
        found = named;
    }
    found.sort_by_key(|it| it.range.start());
    found.dedup_by(|next, before| next.range.start() < before.range.end());
    if let Some(within) = within {
        found.retain(|it| it.range.intersect(within).is_some());
    }
    found
}

fn plain_token(range: TextRange, kind: Option<SemanticKind>) -> Option<SemanticToken> {
    let kind = kind.filter(|_| !range.is_empty())?;
    Some(SemanticToken { range, kind, is_definition: false, is_builtin: false })
}

fn plain_kind(kind: LexemeKind) -> Option<SemanticKind> {
    Some(match kind {
        LexemeKind::Keyword => SemanticKind::Keyword,
        LexemeKind::Constant => SemanticKind::Constant,
        LexemeKind::Reference => SemanticKind::DataType,
        LexemeKind::Variable => SemanticKind::Variable,
        LexemeKind::Number => SemanticKind::Number,
        LexemeKind::Name
        | LexemeKind::String
        | LexemeKind::StringStart
        | LexemeKind::StringMiddle
        | LexemeKind::StringEnd
        | LexemeKind::Heredoc => SemanticKind::String,
        LexemeKind::Regex => SemanticKind::Regex,
        LexemeKind::Operator => SemanticKind::Operator,
        LexemeKind::TemplateTag => SemanticKind::TemplateTag,
        LexemeKind::Comment => SemanticKind::Comment,
        LexemeKind::Punctuation | LexemeKind::TemplateText | LexemeKind::Error => return None,
    })
}

fn kind_of(db: &dyn Db, token: &Token<'_>) -> Option<SemanticKind> {
    use marotte_hir::ItemKind;
    Some(match &token.named {
        Named::Item(item) => match item.kind(db) {
            ItemKind::Class => SemanticKind::Class,
            ItemKind::Define => SemanticKind::ResourceType,
            ItemKind::Function | ItemKind::Plan => SemanticKind::Function,
            _ => SemanticKind::DataType,
        },
        Named::Class(_) => SemanticKind::Class,
        Named::Function(_) => SemanticKind::Function,
        Named::ResourceType(_) => SemanticKind::ResourceType,
        Named::Type(_) => SemanticKind::DataType,
        Named::Variable(item, frame, name) if is_parameter(db, *item, *frame, name) => {
            SemanticKind::Parameter
        }
        Named::Variable(..) | Named::Qualified(..) | Named::Outer(..) | Named::Rendered(_) => {
            SemanticKind::Variable
        }
        Named::Attribute { .. } | Named::TemplateParameter(..) => SemanticKind::Attribute,
        Named::Fact(_) => SemanticKind::Fact,
        Named::Resource { .. } => SemanticKind::Title,
        Named::DataKey(_) => SemanticKind::DataKey,
        Named::ModuleFile { .. } | Named::Plan(_) | Named::Task(_) => return None,
    })
}

fn is_builtin(token: &Token<'_>) -> bool {
    match &token.named {
        Named::Function(name) => builtin(unrooted(name)).is_some(),
        Named::Type(name) => {
            marotte_pcore::create::named(marotte_pcore::dialect::Dialect::puppet8(), name).is_some()
        }
        Named::ResourceType(name) => marotte_ruby::core::resource_type(name).is_some(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Fixture, assert_text};
    use crate::token::slice;

    #[test]
    fn words_are_what_they_mean() {
        let fixture = Fixture::new(
            r#"
            //- /manifests/site.pp
            class a(String $b) {
              include ntp # c
              file { "/x/${b}": mode => '1', content => a::f(1) + $facts['os'] }
            }
            "#,
        );
        let file = fixture.file("/manifests/site.pp");
        let text = source_text(fixture.db(), file).text();
        let mut out = String::new();
        for it in semantic_tokens(fixture.db(), file, None) {
            let definition = if it.is_definition { " definition" } else { "" };
            let builtin = if it.is_builtin { " builtin" } else { "" };
            out += &format!("{} {:?}{definition}{builtin}\n", slice(text, it.range), it.kind);
        }
        assert_text(
            &out,
            r#"
            class Keyword
            a Class definition
            String DataType builtin
            $b Parameter definition
            include Function builtin
            ntp Class definition
            # c Comment
            file ResourceType definition builtin
            "/x/ String
            b Parameter
            " String
            mode Attribute
            => Operator
            '1' String
            content Attribute
            => Operator
            a::f Function
            1 Number
            + Operator
            $facts Variable
            ' String
            os Fact
            ' String
            "#,
        );
    }
}

//! The syntactic context of a completion, determined from the tokens before the place: code that is being written is usually
//! incomplete.

mod hash;
mod options;
mod own;
mod parameters;
mod unclosed;

use marotte_eval::functions::Names;
use marotte_resolve::call::names_of_arguments;
use marotte_syntax::{Lexeme, LexemeKind, Mode, lexemes};
use marotte_text::{Str, TextRange, TextSize, normalized, unrooted};

pub(super) use own::OwnResource;

use super::quotes::with_closed_quotes;
use crate::token::slice;

/// The kind of thing that may be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// No prediction is possible.
    Nothing,
    /// The name of a variable.
    Variable,
    /// What `${` begins: the name of a variable, or a call of a function.
    Interpolation,
    /// A part of a fact; holds the path before it.
    Fact(Vec<Str>),
    /// A part of `$trusted`.
    Trusted,
    /// The name of a class.
    Class,
    /// The name of a definition, according to the file's path.
    OwnName,
    /// A template of a module, with the file extension that the function reads.
    Template(&'static str),
    /// A file of a module; after `puppet:///modules/`, or on its own.
    ModuleFile {
        /// The text is a `puppet:///` URL.
        is_url: bool,
    },
    /// A task that a plan runs.
    Task,
    /// A plan that another one runs.
    Plan,
    /// A parameter of the task (or else the plan) of this name, which a plan runs.
    RunParameter {
        /// It is a task.
        is_task: bool,
        /// The name of the task or plan.
        name: Str,
    },
    /// A key of Hiera data.
    DataKey,
    /// The title of a resource of this type.
    Title(Str),
    /// The name of an attribute.
    Attribute(Owner),
    /// The value of an attribute.
    Value(Owner, Str),
    /// A parameter of a rendered template.
    TemplateParameter(Str),
    /// The name of a data type.
    Type,
    /// A function, after a dot.
    Method,
    /// A resource type, or `class`, as text.
    ResourceType,
    /// An attribute in a query, `File <| mode == … |>`.
    Query(Owner),
    /// An option of `lookup({…})`.
    LookupOption,
    /// The way in which `lookup` merges values.
    MergeStrategy,
    /// The dotted path of a fact, or a variable, as text: `getvar('facts.os.family')`.
    VariablePath,
    /// The dotted path of a fact as text: `fact('os.family')`.
    FactPath,
    /// A reference to a resource.
    Reference,
    /// A value of a fact, by its path.
    FactValue(Vec<Str>),
    /// The option `default` of a `case` or of a selector.
    Default,
    /// One of two contexts, often because the code before the place is unfinished; the continuation of that code comes first.
    Either(Box<Context>, Box<Context>),
    /// Any expression; at the start of a statement, also resources and keywords.
    Expression {
        /// A statement may start here.
        is_statement: bool,
    },
}

/// The thing that has attributes, with those that are already set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Owner {
    /// The resource type, in lower case.
    pub(super) type_name: Str,
    /// The class, if the type is `class`.
    pub(super) class: Option<Str>,
    /// The attributes set before and after the place.
    pub(super) given: Vec<Str>,
}

/// A place in code.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// The syntactic context of the place.
    pub(super) context: Context,
    /// The range of the text written so far.
    pub(super) written: TextRange,
    /// The place is inside quotes.
    pub(super) is_quoted: bool,
    /// The resource whose attributes are written at the place.
    pub(super) own: Option<OwnResource>,
}

/// Determines the context at a place of a text.
pub(super) fn spot(text: &str, offset: TextSize, mode: Mode) -> Option<Spot> {
    text.get(..usize::from(offset))?;
    let repaired = with_closed_quotes(text, offset, mode);
    let text = &*repaired;
    let before = text.get(..usize::from(offset))?;
    let is_word = |it: char| it.is_alphanumeric() || matches!(it, '_' | ':');
    let word_start = before.trim_end_matches(is_word).len();
    // A colon that follows a title isn't part of a word.
    let colons = before[word_start..].bytes().take_while(|it| *it == b':').count();
    let word_start = if colons == 1 { word_start + 1 } else { word_start };
    let word = range(word_start, before.len());
    if before[..word_start].ends_with('$') || before[..word_start].ends_with("${") {
        if !is_in_code(text, offset, mode) {
            return None;
        }
        let declares =
            before[..word_start].strip_suffix('$').is_some_and(|it| declares_parameter(text, it, mode));
        let context = match declares {
            true => Context::Nothing,
            false if before[..word_start].ends_with('{') => Context::Interpolation,
            false => Context::Variable,
        };
        return Some(Spot { context, written: word, is_quoted: false, own: None });
    }
    let whole = lexemes(before, mode);
    if is_in_comment(&whole.all, before) || is_in_template_text(before, mode) {
        return None;
    }
    if let Some(code) = interpolated(text, before, whole.unclosed, mode) {
        let found = spot(&code, offset, mode)?;
        let context = match found.context {
            Context::Expression { .. } => Context::Expression { is_statement: false },
            other => other,
        };
        return Some(Spot { context, ..found });
    }
    if let Some(quote) = whole.unclosed {
        let start = usize::from(quote.start()) + 1;
        let scanner = Scanner::new(text, &before[..start - 1], offset, mode);
        let written = range(start, before.len());
        let context = scanner.string_context(slice(text, written));
        return Some(Spot { context, written, is_quoted: true, own: scanner.own_resource() });
    }
    let scanner = Scanner::new(text, &before[..word_start], offset, mode);
    let context = scanner.word_context(&before[word_start..]);
    Some(Spot { context, written: word, is_quoted: false, own: scanner.own_resource() })
}

/// Whether the `$` after a part of a text begins the name of a new parameter.
fn declares_parameter(text: &str, before: &str, mode: Mode) -> bool {
    let is_string = lexemes(before, mode).unclosed.is_some();
    !is_string && Scanner::new(text, before, TextSize::of(before), mode).is_new_parameter()
}

/// The text with code in place of an unclosed string whose unclosed interpolation ends at the cursor: `  $facts['` for
/// `"${facts['`. All code stays at its offset.
pub(super) fn interpolated(
    text: &str,
    before: &str,
    unclosed: Option<TextRange>,
    mode: Mode,
) -> Option<String> {
    let inner = usize::from(unclosed?.start());
    // A string in the interpolation may be unclosed, too.
    let start = lexemes(&before[..inner], mode).unclosed.map_or(inner, |it| usize::from(it.start()));
    let string = before.get(start..).filter(|it| it.starts_with('"'))?;
    let open = start + string.rfind("${")? + 2;
    let code = &before[open..];
    let mut depth = 1_usize;
    for letter in code.bytes() {
        match letter {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return None;
        }
    }
    // A name at the start is that of a variable, unless it is called.
    let name = code.trim_start_matches(|it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':'));
    let is_variable = name.len() < code.len() && name.starts_with(['[', '.']);
    let blank: String = text[start..open - 1]
        .chars()
        .map(|it| if it == '\n' { "\n".to_owned() } else { " ".repeat(it.len_utf8()) })
        .collect();
    let sigil = if is_variable { '$' } else { ' ' };
    Some(format!("{}{blank}{sigil}{}", &text[..start], &text[open..]))
}

fn range(from: usize, to: usize) -> TextRange {
    let size = |it: usize| TextSize::try_from(it).unwrap_or_default();
    TextRange::new(size(from), size(to.max(from)))
}

/// Whether a place is in code or in an interpolated string.
fn is_in_code(text: &str, offset: TextSize, mode: Mode) -> bool {
    let before = text.get(..usize::from(offset)).unwrap_or_default();
    let whole = lexemes(before, mode);
    let quote = whole.unclosed.map(|it| slice(before, it));
    !is_in_comment(&whole.all, before) && quote != Some("'") && !is_in_template_text(before, mode)
}

fn is_in_comment(all: &[Lexeme], before: &str) -> bool {
    let last = all.iter().rev().find(|it| it.kind == LexemeKind::Comment);
    last.is_some_and(|it| {
        let is_line = slice(before, it.range).starts_with('#');
        is_line && usize::from(it.range.end()) == before.len()
    })
}

pub(super) fn is_in_template_text(before: &str, mode: Mode) -> bool {
    mode.template && before.rfind("<%").is_none_or(|open| before[open..].contains("%>"))
}

/// The lexemes before a place, and the brackets that are open there.
pub(super) struct Scanner<'t> {
    text: &'t str,
    offset: TextSize,
    mode: Mode,
    pub(super) all: Vec<Lexeme>,
    /// The unclosed brackets, as indexes of lexemes; the innermost last.
    pub(super) open: Vec<usize>,
    /// The lexemes after the place.
    behind: Vec<Lexeme>,
    /// The place is the first on its line.
    is_first_on_line: bool,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, before: &str, offset: TextSize, mode: Mode) -> Scanner<'t> {
        /// The number of bytes after the place that matter for a list of attributes.
        const BEHIND: usize = 4096;
        let mut all = lexemes(before, mode).all;
        all.retain(|it| it.kind != LexemeKind::Comment);
        let mut open = Vec::new();
        for (index, it) in all.iter().enumerate() {
            match slice(text, it.range) {
                "{" | "(" | "[" | "<|" | "<<|" => open.push(index),
                "}" | ")" | "]" | "|>" | "|>>" => {
                    open.pop();
                }
                _ if it.kind == LexemeKind::StringStart => open.push(index),
                _ if it.kind == LexemeKind::StringEnd => {
                    open.pop();
                }
                _ => {}
            }
        }
        let rest = text.get(usize::from(offset)..).unwrap_or_default();
        // The rest of the word isn't one of the names after it.
        let rest_start =
            rest.len() - rest.trim_start_matches(|it: char| it.is_alphanumeric() || it == '_').len();
        let end = (rest_start..=rest.len().min(BEHIND)).rev().find(|it| rest.is_char_boundary(*it));
        let rest = rest.get(rest_start..end.unwrap_or(rest_start)).unwrap_or_default();
        let shift = offset + TextSize::try_from(rest_start).unwrap_or_default();
        let mut behind = lexemes(rest, Mode { template: false, ..mode }).all;
        behind.iter_mut().for_each(|it| it.range += shift);
        let line = before.rsplit('\n').next().unwrap_or_default();
        Scanner { text, offset, mode, all, open, behind, is_first_on_line: line.trim().is_empty() }
    }

    pub(super) fn word_at(&self, index: usize) -> &'t str {
        self.all.get(index).map_or("", |it| slice(self.text, it.range))
    }

    pub(super) fn kind_at(&self, index: usize) -> Option<LexemeKind> {
        self.all.get(index).map(|it| it.kind)
    }

    fn last(&self) -> &'t str {
        self.all.len().checked_sub(1).map_or("", |it| self.word_at(it))
    }

    /// The context of an unfinished string.
    fn string_context(&self, written: &str) -> Context {
        let context = match self.place_of_value() {
            Context::Either(first, _) => *first,
            other => other,
        };
        match context {
            Context::Value(owner, name) if owner.type_name == "file" && name == "source" => {
                Context::ModuleFile { is_url: true }
            }
            Context::Expression { .. } if written.starts_with("puppet:///") => {
                Context::ModuleFile { is_url: true }
            }
            Context::Expression { .. } | Context::Type | Context::Method => {
                self.compared_fact().map_or(Context::Nothing, Context::FactValue)
            }
            other => other,
        }
    }

    /// The fact that a value is compared with: `$facts['os']['family'] == '…`, or the option of a `case` or a selector.
    fn compared_fact(&self) -> Option<Vec<Str>> {
        let last = self.all.len().checked_sub(1)?;
        if matches!(self.last(), "==" | "!=") {
            return self.fact_before(last);
        }
        let open = *self.open.last().filter(|it| self.word_at(**it) == "{")?;
        // After the previous option, or among several.
        let is_option = matches!(self.last(), "{" | "," | "}");
        let end = if open >= 1 && self.word_at(open - 1) == "?" { open - 1 } else { open };
        let path = self.fact_before(end).filter(|_| is_option)?;
        let start = end.checked_sub(3 * path.len() + 1)?;
        let is_case = start >= 1 && self.word_at(start - 1) == "case";
        (is_case || end < open).then_some(path)
    }

    /// The path of `$facts['os']['family']` in front of a lexeme.
    fn fact_before(&self, end: usize) -> Option<Vec<Str>> {
        let mut path = Vec::new();
        let mut index = end;
        while index >= 3 && self.word_at(index - 1) == "]" && self.word_at(index - 3) == "[" {
            if self.kind_at(index - 2) != Some(LexemeKind::String) {
                return None;
            }
            path.push(Str::from(self.word_at(index - 2).trim_matches(['\'', '"'])));
            index -= 3;
        }
        path.reverse();
        let root = index.checked_sub(1).map_or("", |it| self.word_at(it));
        (matches!(root, "$facts" | "$::facts" | "facts") && !path.is_empty()).then_some(path)
    }

    /// The context of a word.
    fn word_context(&self, word: &str) -> Context {
        let is_type = word.starts_with(|it: char| it.is_ascii_uppercase());
        let context = self.place_of_value();
        let context = match (&context, self.last()) {
            (_, ".") => Context::Method,
            _ if self.is_place_of_type() || self.is_type_of_parameter() => Context::Type,
            (_, "class" | "define" | "function" | "plan" | "type") if !is_in_title(&context) => {
                Context::OwnName
            }
            (_, "inherits") => Context::Class,
            (Context::Expression { .. }, _) if is_type => Context::Type,
            // The line above may be unfinished: a statement that begins here isn't part of it.
            (Context::Class, _) if self.is_first_on_line && self.statement().is_some() => {
                either(context, Context::Expression { is_statement: true })
            }
            (Context::Expression { .. }, _) if self.may_begin_option() => either(Context::Default, context),
            _ => context,
        };
        self.or_statement(context)
    }

    /// Whether a type must follow: after `type A::B =` and `function a::b(…) >>`.
    fn is_place_of_type(&self) -> bool {
        let Some(last) = self.all.len().checked_sub(1) else { return false };
        match self.last() {
            "=" => last >= 2 && self.word_at(last - 2) == "type",
            ">>" => {
                let mut depth = 0_usize;
                let opening = (0..last).rev().find(|it| {
                    match self.word_at(*it) {
                        ")" => depth += 1,
                        "(" => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    depth == 0
                });
                opening.is_some_and(|it| it >= 2 && matches!(self.word_at(it - 2), "function" | "plan"))
            }
            _ => false,
        }
    }

    /// The context at this place, judging by the enclosing brackets and the preceding words.
    fn place_of_value(&self) -> Context {
        if let Some(context) = self.statement() {
            return context;
        }
        let mut level = self.open.len();
        while let Some(index) = level.checked_sub(1).and_then(|it| self.open.get(it)) {
            match self.inside(*index) {
                Some(context) => return context,
                // An array or a parenthesized value: the enclosing bracket determines the context.
                None => level -= 1,
            }
        }
        Context::Expression { is_statement: self.may_begin_statement() }
    }

    /// `include a, b`.
    fn statement(&self) -> Option<Context> {
        let mut index = self.all.len();
        loop {
            index = index.checked_sub(1)?;
            match (self.kind_at(index)?, self.word_at(index)) {
                (LexemeKind::Name, name) if names_of_arguments(name) == Some(Names::Classes) => {
                    let is_attribute =
                        self.all.get(index + 1).is_some_and(|it| slice(self.text, it.range) == "=>");
                    return (!is_attribute).then_some(Context::Class);
                }
                (_, ",") | (LexemeKind::String | LexemeKind::Name, _) => {
                    let is_list = self.word_at(index) == ","
                        || self.all.get(index + 1).is_some_and(|it| slice(self.text, it.range) == ",");
                    if !is_list {
                        return None;
                    }
                }
                _ => return None,
            }
        }
    }

    fn may_begin_statement(&self) -> bool {
        let Some(last) = self.all.last() else { return true };
        match last.kind {
            LexemeKind::StringStart | LexemeKind::StringMiddle => false,
            // `$a =`, and nothing behind it on its line.
            LexemeKind::Operator => self.is_first_on_line,
            LexemeKind::Punctuation => {
                matches!(self.last(), "{" | "}" | ")" | "]" | "|>" | "|>>" | "@" | "@@")
            }
            LexemeKind::Keyword => matches!(self.last(), "else"),
            _ => true,
        }
    }

    /// The context directly inside a bracket. None if it only groups.
    fn inside(&self, open: usize) -> Option<Context> {
        let before = open.checked_sub(1);
        let kind = before.and_then(|it| self.kind_at(it));
        let word = before.map_or("", |it| self.word_at(it));
        match self.word_at(open) {
            // Two values without a comma between them: the bracket above is never closed.
            "(" | "[" if self.is_first_on_line && self.follows_value() => {
                Some(Context::Expression { is_statement: true })
            }
            "[" => self.inside_brackets(open, kind, word),
            "(" if kind == Some(LexemeKind::Name) => self.inside_call(open, word),
            "{" => self.inside_braces(open, kind, word),
            "<|" | "<<|" => Some(self.inside_query(open, kind, word)),
            "(" => None,
            _ => Some(Context::Expression { is_statement: false }),
        }
    }

    /// Whether the last lexeme ends a value.
    fn follows_value(&self) -> bool {
        let Some(last) = self.all.last() else { return false };
        match last.kind {
            LexemeKind::Punctuation => matches!(self.last(), ")" | "]" | "}"),
            LexemeKind::Operator | LexemeKind::StringStart | LexemeKind::StringMiddle => false,
            _ => true,
        }
    }

    /// `File <| mode == … |>`
    fn inside_query(&self, open: usize, kind: Option<LexemeKind>, word: &str) -> Context {
        if kind != Some(LexemeKind::Reference) {
            return Context::Nothing;
        }
        let owner = Owner { type_name: normalized(word), class: None, given: Vec::new() };
        let last = self.all.len().saturating_sub(1);
        match self.last() {
            _ if last == open => Context::Query(owner),
            "and" | "or" | "(" => Context::Query(owner),
            "==" | "!=" if last > open + 1 => Context::Value(owner, Str::from(self.word_at(last - 1))),
            _ => Context::Nothing,
        }
    }

    fn inside_brackets(&self, open: usize, kind: Option<LexemeKind>, word: &str) -> Option<Context> {
        match kind {
            Some(LexemeKind::Reference) => {
                let name = normalized(word);
                let takes_types =
                    marotte_pcore::create::named(marotte_pcore::dialect::Dialect::puppet8(), word)
                        .is_some_and(|_| !matches!(&*name, "class" | "resource"));
                Some(match &*name {
                    "class" => Context::Class,
                    _ if takes_types => Context::Type,
                    _ => Context::Title(name),
                })
            }
            Some(LexemeKind::Variable) if matches!(word, "$facts" | "$::facts" | "facts") => {
                Some(Context::Fact(Vec::new()))
            }
            Some(LexemeKind::Variable) if matches!(word, "$trusted" | "$::trusted" | "trusted") => {
                Some(Context::Trusted)
            }
            // `$facts['os']['…`
            _ if word == "]" => {
                let mut path = Vec::new();
                let mut index = open;
                while index >= 3
                    && self.word_at(index - 1) == "]"
                    && self.kind_at(index - 2) == Some(LexemeKind::String)
                {
                    path.push(Str::from(self.word_at(index - 2).trim_matches(['\'', '"'])));
                    index -= 3;
                }
                let root = index.checked_sub(1).map_or("", |it| self.word_at(it));
                path.reverse();
                let is_fact = matches!(root, "$facts" | "$::facts" | "facts");
                Some(if is_fact { Context::Fact(path) } else { Context::Expression { is_statement: false } })
            }
            _ => None,
        }
    }

    fn inside_call(&self, open: usize, name: &str) -> Option<Context> {
        let is_method = open >= 2 && self.word_at(open - 2) == ".";
        let index =
            self.top_level(open).filter(|it| self.word_at(*it) == ",").count() + usize::from(is_method);
        let is_definition =
            open >= 2 && matches!(self.word_at(open - 2), "class" | "define" | "function" | "plan");
        if is_definition {
            let is_default = self.last() == "=";
            return Some(if is_default {
                Context::Expression { is_statement: false }
            } else {
                Context::Type
            });
        }
        let none = Context::Expression { is_statement: false };
        let name = unrooted(name);
        Some(match (names_of_arguments(name), index) {
            (Some(Names::Classes), _) => Context::Class,
            (Some(Names::Definitions), _) => either(Context::Class, Context::Reference),
            (Some(Names::EppTemplate), 0) => Context::Template("epp"),
            (Some(Names::ErbTemplates), _) => Context::Template("erb"),
            (Some(Names::Files), _) => Context::ModuleFile { is_url: false },
            (Some(Names::ResourceType), 0) => Context::ResourceType,
            (Some(Names::Variable), 0) => Context::VariablePath,
            (Some(Names::DataKey), 0) => Context::DataKey,
            (None, 1..) if name == "dig" && is_method => self.dug(open).map_or(none, Context::Fact),
            (None, 0) if name == "fact" => Context::FactPath,
            (None, 0) if matches!(name, "run_task" | "run_task_with") => Context::Task,
            (None, 0) if name == "run_plan" => Context::Plan,
            (None, 1) if name == "get" && is_method && self.is_facts(open.checked_sub(3)) => {
                Context::FactPath
            }
            (None, 1..) if !is_method && self.last() == "," => match self.run(name, index, open) {
                Some(parameter) => Context::Either(Box::new(parameter), Box::new(none)),
                None => none,
            },
            (Some(Names::Resources), _) => Context::Reference,
            (Some(Names::DataKey), 1) if name == "lookup" => Context::Type,
            (Some(Names::DataKey), 2) if name == "lookup" => Context::MergeStrategy,
            _ => none,
        })
    }

    fn is_facts(&self, index: Option<usize>) -> bool {
        index.is_some_and(|it| matches!(self.word_at(it), "$facts" | "$::facts" | "facts"))
    }

    /// The path before the place in `$facts.dig('os', …`.
    fn dug(&self, open: usize) -> Option<Vec<Str>> {
        if !self.is_facts(open.checked_sub(3)) {
            return None;
        }
        let words = self.top_level(open).filter(|it| self.word_at(*it) != ",");
        let name = |it: usize| {
            let is_string = self.kind_at(it) == Some(LexemeKind::String);
            is_string.then(|| Str::from(self.word_at(it).trim_matches(['\'', '"'])))
        };
        words.map(name).collect()
    }

    /// The lexemes directly inside an open bracket, without the contents of inner brackets.
    pub(super) fn top_level(&self, open: usize) -> impl Iterator<Item = usize> + '_ {
        self.level(open + 1)
    }

    /// The lexemes from one on, without the contents of brackets that open after it.
    pub(super) fn level(&self, from: usize) -> impl Iterator<Item = usize> + '_ {
        let mut depth = 0_usize;
        (from..self.all.len()).filter(move |index| {
            let word = self.word_at(*index);
            let kind = self.kind_at(*index);
            if matches!(word, "}" | ")" | "]" | "|>" | "|>>") || kind == Some(LexemeKind::StringEnd) {
                depth = depth.saturating_sub(1);
            }
            let is_here = depth == 0;
            if matches!(word, "{" | "(" | "[" | "<|" | "<<|") || kind == Some(LexemeKind::StringStart) {
                depth += 1;
            }
            is_here
        })
    }

    fn inside_braces(&self, open: usize, kind: Option<LexemeKind>, word: &str) -> Option<Context> {
        let before = |back: usize| open.checked_sub(back).map_or("", |it| self.word_at(it));
        match kind {
            // `file { … }`, `class { … }`; the brace after the name of a definition starts its body.
            Some(LexemeKind::Name) | Some(LexemeKind::Keyword)
                if word == "class" || kind == Some(LexemeKind::Name) =>
            {
                let is_definition =
                    matches!(before(2), "class" | "define" | "node" | "function" | "plan" | "inherits" | ",");
                let is_operand = open >= 2
                    && self.kind_at(open - 2) == Some(LexemeKind::Operator)
                    && !matches!(before(2), "->" | "~>" | "<-" | "<~");
                let is_block = is_definition
                    || is_operand
                    || matches!(before(2), "." | "if" | "unless" | "case" | "elsif");
                // Only a resource has titles; the line above it may be unfinished.
                if is_block && word != "class" && (before(2) == "case" || !self.has_title(open)) {
                    return Some(Context::Expression { is_statement: self.may_begin_statement() });
                }
                Some(self.inside_resource(open, normalized(word), false))
            }
            // `File { … }`
            Some(LexemeKind::Reference) => Some(self.inside_resource(open, normalized(word), true)),
            // `File['a'] { … }`, `File <| |> { … }`
            _ if matches!(word, "]" | "|>" | "|>>") => {
                let mut depth = 0_usize;
                let mut index = open - 1;
                loop {
                    match self.word_at(index) {
                        "]" | "|>" | "|>>" => depth += 1,
                        "[" | "<|" | "<<|" => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                    index = index.checked_sub(1)?;
                }
                let owner = index.checked_sub(1)?;
                match self.kind_at(owner) {
                    Some(LexemeKind::Reference) => {
                        Some(self.inside_resource(open, normalized(self.word_at(owner)), true))
                    }
                    _ => Some(Context::Expression { is_statement: self.may_begin_statement() }),
                }
            }
            _ if self.is_hash(word) => self.inside_hash(open),
            _ => Some(Context::Expression { is_statement: self.may_begin_statement() }),
        }
    }

    /// Whether the first thing in a brace is a title.
    fn has_title(&self, open: usize) -> bool {
        let first = self.top_level(open).find(|it| matches!(self.word_at(*it), ":" | "=>" | "=" | ";"));
        first.is_some_and(|it| self.word_at(it) == ":")
    }

    fn is_hash(&self, before: &str) -> bool {
        matches!(before, "=>" | "=" | "(" | "," | "[" | "+" | "?")
    }

    fn inside_resource(&self, open: usize, type_name: Str, has_title: bool) -> Context {
        enum State {
            Title,
            Name,
            Value(Str, bool),
        }
        let start = || if has_title { State::Name } else { State::Title };
        let (mut state, mut class, mut given) = (start(), None, Vec::new());
        let mut last_end = TextSize::new(0);
        for index in self.top_level(open) {
            let word = self.word_at(index);
            last_end = self.all[index].range.end();
            state = match (state, word) {
                (_, ";") => {
                    (class, given) = (None, Vec::new());
                    start()
                }
                (State::Title, ":") => State::Name,
                // The title is missing.
                (State::Title, "=>" | "+>") => {
                    given.extend(class.take());
                    State::Value(given.last().cloned().unwrap_or_default(), false)
                }
                (State::Title, _) => {
                    class = Some(Str::from(word.trim_matches(['\'', '"'])));
                    State::Title
                }
                (State::Value(..), ",") => State::Name,
                (State::Value(name, _), _) => State::Value(name, true),
                (State::Name, "=>" | "+>") => State::Value(given.last().cloned().unwrap_or_default(), false),
                (State::Name, _) => {
                    given.push(Str::from(word));
                    State::Name
                }
            };
        }
        given.extend(self.given_behind());
        let class = class.filter(|_| type_name == "class").map(|it| normalized(&it));
        let owner = Owner { type_name: type_name.clone(), class, given };
        match state {
            // The colon after the title is missing.
            State::Title if self.is_first_on_line && self.follows_value() => Context::Attribute(owner),
            State::Title if type_name == "class" => Context::Class,
            State::Title => Context::Nothing,
            State::Name => Context::Attribute(owner),
            // An element of an array, or a part of another value.
            State::Value(name, _) if self.open.last() != Some(&open) => {
                let expression = Context::Expression { is_statement: false };
                let inner = self.open.iter().filter(|it| **it > open);
                match inner.copied().all(|it| self.word_at(it) == "[") {
                    true => either(Context::Value(owner, name), expression),
                    false => expression,
                }
            }
            // The value may be on the next line, or missing.
            State::Value(name, false) if self.is_first_on_line => {
                either(Context::Value(owner.clone(), name), Context::Attribute(owner))
            }
            State::Value(name, false) => Context::Value(owner, name),
            // The comma at the end of the previous line is missing.
            State::Value(..) => {
                let end = self.all.last().map_or(last_end, |it| it.range.end()).max(last_end);
                let between = self.text.get(usize::from(end)..).unwrap_or_default();
                let blank = between.len() - between.trim_start().len();
                match between[..blank].contains('\n') {
                    true => Context::Attribute(owner),
                    false => Context::Expression { is_statement: false },
                }
            }
        }
    }

    /// The attributes after the place in the same list.
    fn given_behind(&self) -> Vec<Str> {
        let mut found = Vec::new();
        let mut depth = 0_usize;
        let mut previous: Option<&Lexeme> = None;
        for it in &self.behind {
            let word = slice(self.text, it.range);
            match word {
                "}" | ";" if depth == 0 => break,
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth = depth.saturating_sub(1),
                "=>" | "+>" if depth == 0 => {
                    found.extend(previous.map(|it| Str::from(slice(self.text, it.range))));
                }
                _ => {}
            }
            previous = Some(it);
        }
        found
    }
}

fn is_in_title(context: &Context) -> bool {
    matches!(context, Context::Attribute(_) | Context::Value(..) | Context::Either(..))
}

fn either(one: Context, other: Context) -> Context {
    Context::Either(Box::new(one), Box::new(other))
}

//! The variables of the scopes around a place, determined from the lexemes before it: unfinished code may have no tree.

use marotte_syntax::{Lexeme, LexemeKind, Mode, lexemes};
use marotte_text::{Str, TextRange, TextSize};

use super::quotes::with_closed_quotes;
use crate::token::slice;

/// A variable of a definition or of a lambda.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Local {
    /// The name without `$`.
    pub(super) name: Str,
    /// The place where it is declared or set.
    pub(super) range: TextRange,
    /// The variable is a parameter.
    pub(super) is_parameter: bool,
}

/// What is visible at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Locals {
    /// The parameters and variables of the enclosing lambdas, and of the definition around them; the innermost first.
    pub(super) variables: Vec<Local>,
    /// The class that the enclosing one inherits.
    pub(super) parent: Option<Str>,
}

/// Finds what is visible at a place.
pub(super) fn locals(text: &str, offset: TextSize, mode: Mode) -> Locals {
    let text = with_closed_quotes(text, offset, mode);
    let before = text.get(..usize::from(offset)).unwrap_or_default();
    let mut all = lexemes(before, mode).all;
    all.retain(|it| it.kind != LexemeKind::Comment);
    let is_text = |it: &&Lexeme| matches!(it.kind, LexemeKind::TemplateText | LexemeKind::TemplateTag);
    let first = all.iter().find(|it| !is_text(it)).map_or("", |it| slice(before, it.range));
    let begins_template = mode.template && first == "|";
    let mut scan = Scan {
        text: before,
        all,
        open: vec![Open::new(OpenKind::Definition)],
        header: None,
        begins_template,
    };
    for index in 0..scan.all.len() {
        scan.step(index);
    }
    scan.visible()
}

/// An unclosed bracket, or the file.
struct Open {
    kind: OpenKind,
    variables: Vec<Local>,
    /// The class that this one inherits.
    parent: Option<Str>,
}

impl Open {
    fn new(kind: OpenKind) -> Open {
        Open { kind, variables: Vec::new(), parent: None }
    }
}

/// What an unclosed bracket is to the variables inside it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenKind {
    /// The body of a definition, or the file: nothing around it is visible.
    Definition,
    /// The parameters of a definition.
    Parameters,
    /// The parameters of a lambda or of a template.
    Pipes,
    /// The body of a lambda.
    Lambda,
    /// Anything else; it has no scope of its own.
    Other,
}

/// The beginning of a definition or a lambda, before its body.
struct Header {
    body: OpenKind,
    parameters: Vec<Local>,
    parent: Option<Str>,
    /// The number of unclosed brackets around it.
    depth: usize,
}

/// The state of a scan.
struct Scan<'t> {
    text: &'t str,
    all: Vec<Lexeme>,
    /// The file, and the unclosed brackets; the innermost last.
    open: Vec<Open>,
    header: Option<Header>,
    /// The next list of parameters between pipes is that of a template.
    begins_template: bool,
}

impl Scan<'_> {
    fn word(&self, index: Option<usize>) -> &str {
        index.and_then(|it| self.all.get(it)).map_or("", |it| slice(self.text, it.range))
    }

    fn kind(&self, index: Option<usize>) -> Option<LexemeKind> {
        index.and_then(|it| self.all.get(it)).map(|it| it.kind)
    }

    fn step(&mut self, index: usize) {
        let Lexeme { kind, range } = self.all[index];
        let previous = index.checked_sub(1);
        match (kind, slice(self.text, range)) {
            (LexemeKind::StringStart, _) | (LexemeKind::Punctuation, "[" | "<|" | "<<|") => {
                self.open.push(Open::new(OpenKind::Other));
            }
            (LexemeKind::Punctuation, "(") => {
                let is_header = self
                    .header
                    .as_ref()
                    .is_some_and(|it| it.body == OpenKind::Definition && it.depth == self.open.len())
                    && self.kind(previous) == Some(LexemeKind::Name);
                self.open.push(Open::new(if is_header { OpenKind::Parameters } else { OpenKind::Other }));
            }
            (LexemeKind::Punctuation, "{") => {
                let opened = match self.header.take_if(|it| it.depth == self.open.len()) {
                    Some(header) => {
                        Open { kind: header.body, variables: header.parameters, parent: header.parent }
                    }
                    None => Open::new(OpenKind::Other),
                };
                self.open.push(opened);
            }
            (LexemeKind::StringEnd, _) | (LexemeKind::Punctuation, ")" | "]" | "}" | "|>" | "|>>") => {
                self.close(index);
            }
            (LexemeKind::Punctuation, "|") => match self.open.pop_if(|it| it.kind == OpenKind::Pipes) {
                Some(Open { variables, .. }) if self.begins_template => {
                    self.set(variables);
                    self.begins_template = false;
                }
                Some(Open { variables: parameters, .. }) => {
                    self.header = Some(Header {
                        body: OpenKind::Lambda,
                        parameters,
                        parent: None,
                        depth: self.open.len(),
                    });
                }
                None => self.open.push(Open::new(OpenKind::Pipes)),
            },
            (LexemeKind::Keyword, "class" | "define" | "function" | "plan" | "node")
                if !matches!(self.word(Some(index + 1)), "{" | "=>" | "") =>
            {
                let depth = self.open.len();
                self.header =
                    Some(Header { body: OpenKind::Definition, parameters: Vec::new(), parent: None, depth });
            }
            (LexemeKind::Name, name) if self.word(previous) == "inherits" => {
                let name = name.into();
                if let Some(header) = &mut self.header {
                    header.parent = Some(name);
                }
            }
            (LexemeKind::Variable, name) => {
                let Some(name) = name.strip_prefix('$').filter(|it| !it.contains("::")) else { return };
                let within = self.open.last().map(|it| it.kind);
                let is_parameter = matches!(within, Some(OpenKind::Parameters | OpenKind::Pipes));
                let is_set = match is_parameter {
                    // Neither a part of a default value, nor unfinished.
                    true => {
                        index + 1 < self.all.len()
                            && (self.kind(previous) != Some(LexemeKind::Operator)
                                || self.word(previous) == "*")
                    }
                    false => self.word(Some(index + 1)) == "=",
                };
                if is_set {
                    self.set(vec![Local { name: name.into(), range, is_parameter }]);
                }
            }
            _ => {}
        }
    }

    /// Adds variables to the innermost bracket.
    fn set(&mut self, variables: Vec<Local>) {
        if let Some(innermost) = self.open.last_mut() {
            innermost.variables.extend(variables);
        }
    }

    /// Closes the innermost bracket. The variables set in it remain visible, unless it has a scope of its own.
    fn close(&mut self, index: usize) {
        // A list of parameters that is never closed.
        if self.open.last().is_some_and(|it| it.kind == OpenKind::Pipes) {
            self.open.pop();
        }
        if self.open.len() < 2 {
            return;
        }
        let Some(closed) = self.open.pop() else { return };
        match closed.kind {
            OpenKind::Parameters => {
                if let Some(header) = &mut self.header {
                    header.parameters = closed.variables;
                }
            }
            OpenKind::Other => {
                self.set(closed.variables);
                if self.word(Some(index)) == "]" && self.word(Some(index + 1)) == "=" {
                    self.set(self.elements(index));
                }
            }
            OpenKind::Definition | OpenKind::Pipes | OpenKind::Lambda => {}
        }
    }

    /// The variables of `[$a, $b] =`, by the closing bracket.
    fn elements(&self, close: usize) -> Vec<Local> {
        let inside = self.all[..close]
            .iter()
            .rev()
            .take_while(|it| matches!(it.kind, LexemeKind::Variable) || slice(self.text, it.range) == ",");
        let variables = inside.filter(|it| it.kind == LexemeKind::Variable);
        variables
            .filter_map(|it| {
                let name = slice(self.text, it.range).strip_prefix('$')?;
                Some(Local { name: name.into(), range: it.range, is_parameter: false })
            })
            .collect()
    }

    /// What is visible at the end.
    fn visible(self) -> Locals {
        let mut found = Locals::default();
        for open in self.open.into_iter().rev() {
            found.variables.extend(open.variables);
            if matches!(open.kind, OpenKind::Definition | OpenKind::Parameters) {
                found.parent = open.parent;
                break;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_in(mode: Mode, text: &str, expected: &[&str]) {
        let names: Vec<Str> =
            locals(text, TextSize::of(text), mode).variables.into_iter().map(|it| it.name).collect();
        assert_eq!(names, expected, "{text}");
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        check_in(Mode::default(), text, expected);
    }

    #[test]
    fn scopes_around_a_place() {
        check("$a = 1\n$b == 2\n$", &["a"]);
        check("$a = 1\nclass c(Integer $p = $q, $r) inherits d { $x = 1\n", &["p", "r", "x"]);
        check("class c($p, Hash $q = { 'a' => $x }) { } $a = 1\n", &["a"]);
        check("class c($p, $q = $", &["p", "q"]);
        check("function f(Integer *$p) >> Struct[{ a => Any }] {\n", &["p"]);
        check("node 'a' { $a = 1\n", &["a"]);
        check("class { 'ntp': }\n$a = 1\n", &["a"]);
        check("if true { $a = 1 } else { $b = 2\n", &["b", "a"]);
        check("[$a, $b] = [1, 2]\n", &["b", "a"]);
    }

    #[test]
    fn the_inherited_class() {
        let parent = |text: &str| locals(text, TextSize::of(text), Mode::default()).parent;
        assert_eq!(parent("class a($p) inherits b::c { if true { $"), Some("b::c".into()));
        assert_eq!(parent("class a inherits b { } class c { $"), None);
    }

    #[test]
    fn lambdas_around_a_place() {
        check("$a = 1\n[1].each |$v| { $b = 2\n", &["v", "b", "a"]);
        check("$a = 1\n[1].each |$v| { $b = 2 }\n", &["a"]);
        check("[1].each |Integer $i, Hash[String, Any] $v| { if $i == 1 { ", &["i", "v"]);
        check("[1].each |$i, $v = $i| { $a = [1].map |$w| { ", &["w", "i", "v", "a"]);
        check("[1].each |$i, $v = $", &["i", "v"]);
        check("with() || { $a = 1\n", &["a"]);
    }

    #[test]
    fn strings_that_are_never_closed() {
        check("class a($user) { $x = \"${us", &["user", "x"]);
        check("class a($user) { $y = 'abc\n notify { \"x ${us", &["user", "y"]);
    }

    #[test]
    fn parameters_of_templates() {
        let mode = Mode { template: true, ..Mode::default() };
        check_in(mode, "<%- | $p, Integer $q = 1 | -%>\n{ <% [1].each |$v| { %> { <%= $", &["v", "p", "q"]);
        check_in(mode, "<% [1].each |$v| { %> <% $b = 1 %> <%= $v %> <% } %> <%= $", &[]);
    }
}

use std::sync::Arc;

use lib_ruby_parser::Node;
use marotte_pcore::regexp::{Options, Regexp};
use num_bigint::BigInt;

use super::Lowerer;
use crate::Symbol;
use crate::program::tree::{
    DynamicRegexp, Element, Entry, Expr, Part, RangeLiteral, RegexpLiteral, StringLiteral,
};
use crate::value::Encoding;

impl Lowerer<'_> {
    pub(super) fn literal(&mut self, node: &Node) -> Expr {
        match node {
            Node::Int(it) => self.integer(&it.value, node),
            Node::Float(it) => match it.value.replace('_', "").parse() {
                Ok(value) => Expr::Float(value),
                Err(_) => self.unsupported(format!("the number {}", it.value), node),
            },
            Node::Rational(it) => self.unsupported(format!("the rational number {}", it.value), node),
            Node::Complex(it) => self.unsupported(format!("the complex number {}", it.value), node),
            Node::Str(it) => self.string(it.value.as_raw()),
            Node::Dstr(it) => self.interpolation(&it.parts),
            Node::Heredoc(it) => self.interpolation(&it.parts),
            Node::Xstr(_) | Node::XHeredoc(_) => self.unsupported("a command in backticks", node),
            Node::Sym(it) => match std::str::from_utf8(it.name.as_raw()) {
                Ok(name) => Expr::Symbol(Symbol::new(name)),
                Err(_) => self.unsupported("a symbol that is not valid UTF-8", node),
            },
            Node::Dsym(it) => match self.parts(&it.parts) {
                parts if parts.iter().all(|it| matches!(it, Part::Text(_))) => match text_of(&parts) {
                    Ok(name) => Expr::Symbol(Symbol::new(&name)),
                    Err(_) => self.unsupported("a symbol that is not valid UTF-8", node),
                },
                parts => Expr::DynamicSymbol(parts.into()),
            },
            Node::Regexp(it) => {
                let parts = self.parts(&it.parts);
                self.regexp(parts, it.options.as_deref(), node)
            }
            Node::Array(it) => Expr::Array(self.elements(&it.elements)),
            Node::Hash(it) => self.hash(&it.pairs),
            Node::Kwargs(it) => self.hash(&it.pairs),
            Node::Irange(it) => self.range(it.left.as_deref(), it.right.as_deref(), false),
            Node::Erange(it) => self.range(it.left.as_deref(), it.right.as_deref(), true),
            Node::File(_) => Expr::File,
            Node::Line(_) => Expr::Integer(i64::from(self.line_of(node).number())),
            _ => self.unsupported("__ENCODING__", node),
        }
    }

    fn integer(&self, text: &str, node: &Node) -> Expr {
        let clean = text.replace('_', "").to_ascii_lowercase();
        let (negative, digits) = match clean.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, clean.strip_prefix('+').unwrap_or(&clean)),
        };
        let (radix, digits) = match digits.as_bytes() {
            [b'0', b'x', ..] => (16, &digits[2..]),
            [b'0', b'b', ..] => (2, &digits[2..]),
            [b'0', b'o', ..] => (8, &digits[2..]),
            [b'0', b'd', ..] => (10, &digits[2..]),
            [b'0', _, ..] => (8, &digits[1..]),
            _ => (10, digits),
        };
        match BigInt::parse_bytes(digits.as_bytes(), radix).map(|it| if negative { -it } else { it }) {
            Some(value) => match i64::try_from(&value) {
                Ok(small) => Expr::Integer(small),
                Err(_) => Expr::BigInteger(value),
            },
            None => self.unsupported(format!("the number {text}"), node),
        }
    }

    fn string(&self, bytes: &[u8]) -> Expr {
        Expr::String(StringLiteral {
            bytes: bytes.into(),
            encoding: Encoding::Utf8,
            is_frozen: self.has_frozen_strings,
        })
    }

    fn interpolation(&mut self, nodes: &[Node]) -> Expr {
        let parts = self.parts(nodes);
        match &parts[..] {
            [] => self.string(b""),
            [Part::Text(text)] => self.string(text),
            _ => Expr::Interpolation(parts.into()),
        }
    }

    /// The parts of a string: adjacent texts are joined.
    fn parts(&mut self, nodes: &[Node]) -> Vec<Part> {
        let mut parts = Vec::new();
        self.add_parts(nodes, &mut parts);
        parts
    }

    fn add_parts(&mut self, nodes: &[Node], parts: &mut Vec<Part>) {
        for node in nodes {
            match node {
                Node::Str(it) => push_text(parts, it.value.as_raw()),
                Node::Dstr(it) => self.add_parts(&it.parts, parts),
                Node::Heredoc(it) => self.add_parts(&it.parts, parts),
                _ => match self.expr(node) {
                    Expr::String(it) => push_text(parts, &it.bytes),
                    expr => parts.push(Part::Expr(expr)),
                },
            }
        }
    }

    fn regexp(&mut self, parts: Vec<Part>, options: Option<&Node>, node: &Node) -> Expr {
        let mut set = Options::default();
        let mut has_no_encoding = false;
        if let Some(Node::RegOpt(it)) = options {
            for option in it.options.as_deref().unwrap_or_default().chars() {
                match option {
                    'i' => set.ignore_case = true,
                    'm' => set.multi_line = true,
                    'x' => set.extended = true,
                    'u' => {}
                    'n' if is_ascii(&parts) => has_no_encoding = true,
                    _ => {
                        return self
                            .unsupported(format!("the option {option} of a regular expression"), node);
                    }
                }
            }
        }
        if parts.iter().any(|it| matches!(it, Part::Expr(_))) {
            let line = self.line_of(node);
            return Expr::DynamicRegexp(Box::new(DynamicRegexp { parts: parts.into(), options: set, line }));
        }
        let Ok(source) = text_of(&parts) else {
            return self.unsupported("a regular expression that is not valid UTF-8", node);
        };
        match Regexp::with_options(&source, set) {
            Ok(regexp) => {
                Expr::Regexp(Box::new(RegexpLiteral { regexp, source, options: set, has_no_encoding }))
            }
            Err(error) => self.unsupported(format!("the regular expression /{source}/: {error}"), node),
        }
    }

    fn range(&mut self, begin: Option<&Node>, end: Option<&Node>, is_exclusive: bool) -> Expr {
        let (begin, end) = (self.optional(begin), self.optional(end));
        Expr::Range(Box::new(RangeLiteral { begin, end, is_exclusive }))
    }

    pub(super) fn elements(&mut self, nodes: &[Node]) -> Box<[Element]> {
        nodes.iter().map(|it| self.element(it)).collect()
    }

    pub(super) fn element(&mut self, node: &Node) -> Element {
        match node {
            Node::Splat(it) => match it.value.as_deref() {
                Some(value) => Element::Splat(self.expr(value)),
                None => Element::Splat(self.anonymous_rest(node)),
            },
            _ => Element::Value(self.expr(node)),
        }
    }

    fn hash(&mut self, nodes: &[Node]) -> Expr {
        Expr::Hash(self.entries(nodes))
    }

    pub(super) fn entries(&mut self, nodes: &[Node]) -> Box<[Entry]> {
        let entry = |node: &Node| match node {
            Node::Pair(it) => Entry::Pair(self.expr(&it.key), self.expr(&it.value)),
            Node::Kwsplat(it) => Entry::Splat(self.expr(&it.value)),
            _ => Entry::Splat(self.unsupported("an entry of a hash", node)),
        };
        nodes.iter().map(entry).collect()
    }
}

fn push_text(parts: &mut Vec<Part>, text: &[u8]) {
    match parts.last_mut() {
        Some(Part::Text(before)) => *before = [before, text].concat().into(),
        _ => parts.push(Part::Text(Arc::from(text))),
    }
}

fn text_of(parts: &[Part]) -> Result<String, std::string::FromUtf8Error> {
    let texts = parts.iter().filter_map(|it| match it {
        Part::Text(text) => Some(&**text),
        Part::Expr(_) => None,
    });
    String::from_utf8(texts.collect::<Vec<_>>().concat())
}

/// Whether the parts of a regular expression are text of ASCII only, without escapes for other characters.
fn is_ascii(parts: &[Part]) -> bool {
    let is_escaped = |text: &str| ["\\x", "\\u", "\\M"].iter().any(|escape| text.contains(escape));
    parts.iter().all(|it| matches!(it, Part::Text(_)))
        && text_of(parts).is_ok_and(|text| text.is_ascii() && !is_escaped(&text))
}

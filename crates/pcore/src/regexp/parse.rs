//! Parses Ruby's (Onigmo's) syntax of regular expressions.

use super::ast::{Anchor, Greed, Node};
use super::class;
use super::error::Fault;

/// The maximum nesting depth of groups and brackets. Both engines recurse over their patterns, too.
const MAX_DEPTH: usize = 50;
/// Onigmo's largest count of a quantifier.
const MAX_REPEAT: u32 = 100_000;

/// The characters in `\w`, `\d`, `\s` and POSIX brackets: `(?d)`, `(?a)`, `(?u)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Charset {
    /// Those of ASCII in escapes, all in brackets.
    Default,
    Ascii,
    Unicode,
}

#[derive(Clone, Copy)]
struct Flags {
    ignore_case: bool,
    extended: bool,
    dot_all: bool,
    charset: Charset,
}

/// A pattern, and the names of its groups in the order of their numbers.
pub(super) struct Pattern {
    pub(super) node: Node,
    pub(super) groups: usize,
    pub(super) names: Vec<(String, usize)>,
}

/// Parses a pattern in Ruby's syntax.
pub(super) fn parse(source: &str) -> Result<Pattern, Fault> {
    let mut counting = Parser::new(source, false, usize::MAX);
    counting.pattern()?;
    // If a group has a name, unnamed groups don't capture.
    let named_only = !counting.names.is_empty();
    let total = if named_only { counting.names.len() } else { counting.groups };
    let mut parser = Parser::new(source, named_only, total);
    let node = parser.pattern()?;
    Ok(Pattern { node, groups: parser.groups, names: parser.names })
}

/// The state of parsing a pattern.
pub(super) struct Parser<'s> {
    source: &'s str,
    at: usize,
    depth: usize,
    flags: Flags,
    named_only: bool,
    /// The number of groups in the whole pattern, once it is known.
    total: usize,
    groups: usize,
    /// The open groups: a reference to one of them can't have matched.
    open: Vec<usize>,
    names: Vec<(String, usize)>,
    /// The remaining characters of a `\u{…}` with several.
    queue: std::collections::VecDeque<char>,
    taken_from_queue: bool,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str, named_only: bool, total: usize) -> Parser<'s> {
        let flags = Flags { ignore_case: false, extended: false, dot_all: false, charset: Charset::Default };
        Parser {
            source,
            at: 0,
            depth: 0,
            flags,
            named_only,
            total,
            groups: 0,
            open: Vec::new(),
            names: Vec::new(),
            queue: Default::default(),
            taken_from_queue: false,
        }
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn charset(&self) -> Charset {
        self.flags.charset
    }

    pub(super) fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        self.taken_from_queue = false;
        Some(c)
    }

    /// Returns the next remaining character of a `\u{…}`.
    pub(super) fn queued(&mut self) -> Option<char> {
        let c = self.queue.pop_front();
        self.taken_from_queue = c.is_some();
        c
    }

    /// Whether the last character came from such an escape.
    pub(super) fn was_queued(&self) -> bool {
        self.taken_from_queue
    }

    pub(super) fn queue_chars(&mut self, chars: Vec<char>) {
        self.queue.extend(chars);
    }

    pub(super) fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Goes back over the last character, which must be ASCII.
    pub(super) fn advance_back(&mut self) {
        self.at -= 1;
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    /// Skips a character that is known to follow.
    pub(super) fn expect_char(&mut self, c: char) {
        let found = self.eat(c);
        debug_assert!(found);
    }

    pub(super) fn enter(&mut self, at: usize) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Fault::unsupported(at, format!("nesting deeper than {MAX_DEPTH}")));
        }
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    fn pattern(&mut self) -> Result<Node, Fault> {
        let node = self.alternation()?;
        match self.peek() {
            None => Ok(node),
            Some(_) => Err(Fault::invalid(self.at, "unmatched close parenthesis")),
        }
    }

    /// Parses up to the end or a `)`, which isn't consumed. Options that are changed inside end with it.
    fn alternation(&mut self) -> Result<Node, Fault> {
        let flags = self.flags;
        let mut branches = vec![];
        loop {
            branches.push(self.branch()?);
            if !self.eat('|') {
                break;
            }
        }
        self.flags = flags;
        Ok(match branches.pop() {
            Some(only) if branches.is_empty() => only,
            last => {
                branches.extend(last);
                Node::Alternation(branches)
            }
        })
    }

    fn branch(&mut self) -> Result<Node, Fault> {
        let mut nodes: Vec<Node> = vec![];
        loop {
            self.skip_blank()?;
            let start = self.at;
            let Some(mut node) = self.atom()? else { break };
            let depth = self.depth;
            let mut quantified = false;
            while self.queue.is_empty() {
                self.skip_blank()?;
                let Some(repeat) = self.quantifier()? else { break };
                quantified = true;
                node = repeat.of(node);
                self.enter(start)?;
            }
            self.depth = depth;
            match (nodes.last_mut(), node) {
                (
                    Some(Node::Literal { text, ignore_case }),
                    Node::Literal { text: more, ignore_case: same },
                ) if *ignore_case == same && !quantified => text.push_str(&more),
                (_, node) => nodes.push(node),
            }
        }
        Ok(match nodes.pop() {
            Some(only) if nodes.is_empty() => only,
            last => {
                nodes.extend(last);
                Node::Concat(nodes)
            }
        })
    }

    /// Skips comments, and in `(?x)` white space.
    fn skip_blank(&mut self) -> Result<(), Fault> {
        loop {
            let rest = self.rest();
            if rest.starts_with("(?#") {
                let start = self.at;
                self.advance(3);
                loop {
                    match self.next() {
                        None => return Err(Fault::invalid(start, "end pattern in group")),
                        Some('\\') => _ = self.next(),
                        Some(')') => break,
                        Some(_) => {}
                    }
                }
            } else if self.flags.extended && rest.starts_with('#') {
                self.advance(rest.find('\n').unwrap_or(rest.len()));
            } else if self.flags.extended && rest.starts_with([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']) {
                self.advance(1);
            } else {
                return Ok(());
            }
        }
    }

    fn literal(&self, c: char) -> Node {
        Node::Literal { text: c.into(), ignore_case: self.flags.ignore_case }
    }

    /// Parses one item that a quantifier may follow; `None` before `|`, `)` and the end.
    fn atom(&mut self) -> Result<Option<Node>, Fault> {
        if let Some(c) = self.queued() {
            return Ok(Some(self.literal(c)));
        }
        let start = self.at;
        if self.quantifier()?.is_some() {
            return Err(Fault::invalid(start, "target of repeat operator is not specified"));
        }
        let Some(c) = self.peek() else { return Ok(None) };
        if matches!(c, '|' | ')') {
            return Ok(None);
        }
        self.next();
        Ok(Some(match c {
            '.' => {
                let set = if self.flags.dot_all { r"[\x{0}-\x{10FFFF}]" } else { r"[^\x{A}]" };
                Node::Class { set: set.into(), ignore_case: false, negated: false }
            }
            '^' => Node::Anchor(Anchor::LineStart),
            '$' => Node::Anchor(Anchor::LineEnd),
            '(' => self.group(start)?,
            '[' => {
                let (set, negated) = class::bracket(self, start)?;
                Node::Class { set, ignore_case: self.flags.ignore_case, negated }
            }
            '\\' => self.escape(start)?,
            c => self.literal(c),
        }))
    }

    fn group(&mut self, start: usize) -> Result<Node, Fault> {
        self.enter(start)?;
        let node = self.group_inside(start)?;
        self.leave();
        Ok(node)
    }

    fn group_inside(&mut self, start: usize) -> Result<Node, Fault> {
        if !self.eat('?') {
            if self.named_only {
                return Ok(Node::Group(self.inner(start)?));
            }
            return self.capture(start, None);
        }
        let Some(kind) = self.next() else {
            return Err(Fault::invalid(start, "end pattern in group"));
        };
        match kind {
            ':' => Ok(Node::Group(self.inner(start)?)),
            '=' | '!' => self.look(start, false, kind == '!'),
            '>' => Ok(Node::Atomic(self.inner(start)?)),
            '~' => Err(Fault::unsupported(start, "absent operator (?~…)")),
            '\'' => {
                let name = self.group_name('\'', start)?;
                self.capture(start, Some(name))
            }
            '<' => match self.peek() {
                None => Err(Fault::invalid(start, "end pattern with unmatched parenthesis")),
                Some(sign @ ('=' | '!')) => {
                    self.next();
                    self.look(start, true, sign == '!')
                }
                Some(_) => {
                    let name = self.group_name('>', start)?;
                    self.capture(start, Some(name))
                }
            },
            '(' => self.conditional(start),
            _ => {
                self.at -= kind.len_utf8();
                self.options(start)
            }
        }
    }

    /// Parses the content of a group, with its `)`.
    fn inner(&mut self, start: usize) -> Result<Box<Node>, Fault> {
        let node = self.alternation()?;
        if !self.eat(')') {
            return Err(Fault::invalid(start, "end pattern with unmatched parenthesis"));
        }
        Ok(Box::new(node))
    }

    fn capture(&mut self, start: usize, name: Option<String>) -> Result<Node, Fault> {
        self.groups += 1;
        let number = self.groups;
        if let Some(name) = name {
            let number = if self.named_only { number } else { self.names.len() + 1 };
            self.names.push((name, number));
        }
        self.open.push(number);
        let node = self.inner(start)?;
        self.open.pop();
        Ok(Node::Capture(node))
    }

    fn look(&mut self, start: usize, behind: bool, negative: bool) -> Result<Node, Fault> {
        let node = self.inner(start)?;
        // Whether its groups capture is known only after the whole pattern was parsed.
        if behind && self.total != usize::MAX && !node.fits_look_behind(negative) {
            return Err(Fault::invalid(start, "invalid pattern in look-behind"));
        }
        Ok(Node::Look { behind, negative, node })
    }

    fn group_name(&mut self, close: char, start: usize) -> Result<String, Fault> {
        let rest = self.rest();
        let len = rest.find(close).unwrap_or(rest.len());
        let name = &rest[..len];
        if name.is_empty() {
            return Err(Fault::invalid(start, "group name is empty"));
        }
        let valid = name.starts_with(|c: char| c.is_alphabetic() || c == '_') && !name.contains(')');
        if len == rest.len() || !valid {
            return Err(Fault::invalid(start, format!("invalid group name <{name}>")));
        }
        self.advance(len + close.len_utf8());
        Ok(name.into())
    }

    fn conditional(&mut self, start: usize) -> Result<Node, Fault> {
        let rest = self.rest();
        let Some(len) = rest.find(')') else {
            return Err(Fault::invalid(start, "invalid conditional pattern"));
        };
        let reference = &rest[..len];
        self.advance(len + 1);
        let unquoted = reference
            .strip_prefix('<')
            .and_then(|it| it.strip_suffix('>'))
            .or_else(|| reference.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')));
        if unquoted.is_none() && !reference.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(Fault::invalid(start, "invalid conditional pattern"));
        }
        let groups = self.reference(unquoted.unwrap_or(reference), start)?;
        let [group] = groups[..] else {
            return Err(Fault::unsupported(start, format!("condition on several groups named {reference}")));
        };
        // Onigmo treats alternatives in a nested group as those of the condition.
        let mut inside = *self.inner(start)?;
        while let Node::Group(node) = inside {
            inside = *node;
        }
        let (then, otherwise) = match inside {
            Node::Alternation(mut branches) => match branches.pop() {
                Some(otherwise) if branches.len() == 1 => (branches.remove(0), otherwise),
                _ => return Err(Fault::invalid(start, "invalid conditional pattern")),
            },
            then => (then, Node::Concat(vec![])),
        };
        Ok(Node::Conditional { group, then: Box::new(then), otherwise: Box::new(otherwise) })
    }

    /// Parses options, for a group or for the rest of the enclosing one.
    fn options(&mut self, start: usize) -> Result<Node, Fault> {
        let outer = self.flags;
        let mut on = true;
        loop {
            let Some(c) = self.next() else {
                return Err(Fault::invalid(start, "end pattern in group"));
            };
            match c {
                'i' => self.flags.ignore_case = on,
                'x' => self.flags.extended = on,
                'm' => self.flags.dot_all = on,
                'a' if on => self.flags.charset = Charset::Ascii,
                'd' if on => self.flags.charset = Charset::Default,
                'u' if on => self.flags.charset = Charset::Unicode,
                '-' => on = false,
                ':' => {
                    let node = self.inner(start)?;
                    self.flags = outer;
                    return Ok(Node::Group(node));
                }
                ')' => {
                    // The rest of the group, with its alternatives, becomes the group of the options.
                    self.skip_blank()?;
                    let at = self.at;
                    if self.quantifier()?.is_some() {
                        return Err(Fault::invalid(at, "target of repeat operator is not specified"));
                    }
                    let node = self.alternation()?;
                    self.flags = outer;
                    return Ok(Node::Group(Box::new(node)));
                }
                _ => return Err(Fault::invalid(start, "undefined group option")),
            }
        }
    }

    fn escape(&mut self, start: usize) -> Result<Node, Fault> {
        let Some(c) = self.peek() else {
            return Err(Fault::invalid(start, "too short escape sequence"));
        };
        let charset = self.flags.charset;
        let ascii = charset == Charset::Ascii;
        let anchor = match c {
            'A' => Some(Anchor::Start),
            'z' => Some(Anchor::End),
            'Z' => Some(Anchor::EndOrLastNewline),
            'G' => Some(Anchor::SearchStart),
            'b' | 'B' => Some(Anchor::WordBoundary { negated: c == 'B', ascii }),
            'K' => Some(Anchor::Keep),
            _ => None,
        };
        if let Some(anchor) = anchor {
            self.next();
            return Ok(Node::Anchor(anchor));
        }
        if let Some(set) = class::shorthand(c, charset) {
            self.next();
            let set = match c {
                'w' if charset == Charset::Unicode => format!("[{set}{}]", class::LATIN_WORD),
                'W' if charset == Charset::Unicode => format!("[{set}--[{}]]", class::LATIN_WORD),
                _ => format!("[{set}]"),
            };
            return Ok(Node::Class { set, ignore_case: false, negated: c.is_ascii_uppercase() });
        }
        let following = self.rest()[c.len_utf8()..].chars().next();
        match c {
            'R' => {
                self.next();
                Ok(Node::LineBreak)
            }
            'X' => {
                self.next();
                Ok(Node::Cluster)
            }
            'p' | 'P' if following == Some('{') => {
                self.next();
                let set = class::property(self, start, c == 'P')?;
                Ok(Node::Class {
                    set: format!("[{set}]"),
                    ignore_case: self.flags.ignore_case,
                    negated: false,
                })
            }
            'k' | 'g' if matches!(following, Some('<' | '\'')) => {
                self.advance(2);
                let close = if following == Some('<') { '>' } else { '\'' };
                let rest = self.rest();
                let len = rest.find(close).unwrap_or(rest.len());
                let name = &rest[..len];
                if name.is_empty() {
                    return Err(Fault::invalid(start, "group name is empty"));
                }
                if len == rest.len() {
                    return Err(Fault::invalid(start, format!("invalid group name <{name}>")));
                }
                self.advance(len + 1);
                if c == 'g' {
                    return Err(Fault::unsupported(start, format!("subexpression call \\g<{name}>")));
                }
                let groups = self.reference(name, start)?;
                Ok(Node::Backref { groups, ignore_case: self.flags.ignore_case })
            }
            '1'..='9' => self.number(start),
            _ => {
                let c = self.escaped_char(start, false)?;
                Ok(self.literal(c))
            }
        }
    }

    /// Parses the number of a group, or an octal escape.
    fn number(&mut self, start: usize) -> Result<Node, Fault> {
        let rest = self.rest();
        let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let digits = &rest[..len];
        let number = digits.parse::<usize>().unwrap_or(usize::MAX);
        if number <= 9 || number <= self.groups {
            self.advance(len);
            let groups = self.reference(digits, start)?;
            return Ok(Node::Backref { groups, ignore_case: self.flags.ignore_case });
        }
        if digits.starts_with(['8', '9']) {
            self.next();
            return Ok(self.literal(if digits.starts_with('8') { '8' } else { '9' }));
        }
        let c = self.escaped_char(start, false)?;
        Ok(self.literal(c))
    }

    /// Returns the groups that a name or number refers to. None of them may be open: its match would depend on the engine.
    fn reference(&self, name: &str, start: usize) -> Result<Vec<usize>, Fault> {
        let invalid = || Fault::invalid(start, "invalid backref number/name");
        let numeric = name.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+');
        let groups = if numeric {
            if self.named_only {
                let message = "numbered backref/call is not allowed. (use name)";
                return Err(Fault::invalid(start, message));
            }
            let number = match name.strip_prefix('-') {
                Some(back) => {
                    let back: usize = back.parse().map_err(|_| invalid())?;
                    (self.groups + 1).checked_sub(back).filter(|it| *it <= self.groups).ok_or_else(invalid)?
                }
                None if name.contains(['+', '-']) => {
                    return Err(Fault::unsupported(start, format!("back-reference {name} with a level")));
                }
                None => name.parse().map_err(|_| invalid())?,
            };
            if number == 0 || number > self.total {
                return Err(invalid());
            }
            vec![number]
        } else {
            let groups: Vec<usize> =
                self.names.iter().filter(|(it, _)| it == name).map(|(_, number)| *number).collect();
            if groups.is_empty() {
                return Err(Fault::invalid(start, format!("undefined name <{name}> reference")));
            }
            groups
        };
        if groups.iter().any(|group| self.open.contains(group)) && self.total != usize::MAX {
            return Err(Fault::unsupported(start, "back-reference to the group it appears in"));
        }
        Ok(groups)
    }
}

/// A quantifier, without its operand.
pub(super) struct Quantifier {
    min: u32,
    max: Option<u32>,
    greed: Greed,
}

impl Quantifier {
    fn of(self, node: Node) -> Node {
        let node = match node {
            Node::Repeat { .. } => Node::Group(Box::new(node)),
            node => node,
        };
        Node::Repeat { node: Box::new(node), min: self.min, max: self.max, greed: self.greed }
    }
}

impl Parser<'_> {
    /// Parses a quantifier, if one follows.
    fn quantifier(&mut self) -> Result<Option<Quantifier>, Fault> {
        let (min, max) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => return self.interval(),
            _ => return Ok(None),
        };
        self.next();
        let greed = if self.eat('?') {
            Greed::Lazy
        } else if self.eat('+') {
            Greed::Possessive
        } else {
            Greed::Greedy
        };
        Ok(Some(Quantifier { min, max, greed }))
    }

    /// Parses `{n}`, `{n,}`, `{,m}` or `{n,m}`; any other text in braces is literal.
    fn interval(&mut self) -> Result<Option<Quantifier>, Fault> {
        let start = self.at;
        let Some(inside) = self.rest()[1..].split_once('}').map(|(inside, _)| inside) else {
            return Ok(None);
        };
        let (low, high) = match inside.split_once(',') {
            Some((low, high)) => (low, Some(high)),
            None => (inside, None),
        };
        let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
        if !digits(low) || !high.is_none_or(digits) || (low.is_empty() && high.is_none_or(str::is_empty)) {
            return Ok(None);
        }
        let count = |text: &str| match text.parse::<u32>() {
            Ok(count) if count <= MAX_REPEAT => Ok(count),
            _ => Err(Fault::invalid(start, "too big number for repeat range")),
        };
        let min = if low.is_empty() { 0 } else { count(low)? };
        let max = match high {
            None => Some(min),
            Some("") => None,
            Some(high) => Some(count(high)?),
        };
        if max.is_some_and(|max| max < min) {
            return Err(Fault::invalid(start, "upper is smaller than lower in repeat range"));
        }
        self.advance(inside.len() + 2);
        // After `{n}`, a `?` is a separate quantifier, and so is a `+` after any interval.
        let greed = if high.is_some() && self.eat('?') { Greed::Lazy } else { Greed::Greedy };
        Ok(Some(Quantifier { min, max, greed }))
    }
}

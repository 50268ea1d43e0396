//! Operands: names, calls with their arguments and blocks, chains of calls, indexes.

use super::Reader;
use crate::syntax::tree::{Block, Call, Expr, ExprKind, Part};

/// The words that are not names of methods or variables.
const RESERVED: [&str; 12] =
    ["and", "do", "else", "elsif", "end", "ensure", "in", "or", "rescue", "then", "undef", "when"];

/// The words that follow an expression rather than start an argument.
const MODIFIERS: [&str; 5] = ["if", "unless", "while", "until", "rescue"];

/// One of the items in a list of arguments or elements.
enum Item {
    Expr(Expr),
    Pair(Expr, Expr),
}

impl Item {
    fn start(&self) -> usize {
        match self {
            Item::Expr(expr) | Item::Pair(expr, _) => expr.range.start,
        }
    }
}

impl<'t> Reader<'t> {
    /// Reads an operand with everything that is selected from it.
    pub(super) fn primary(&mut self, command: bool) -> Option<Expr> {
        let start = self.at;
        let first = self.operand(command)?;
        self.selected(start, first, command)
    }

    fn selected(&mut self, start: usize, first: Expr, command: bool) -> Option<Expr> {
        let mut expr = first;
        for _ in 0..super::CHAIN_LIMIT {
            if self.peek() == b'[' && can_have_index(&expr) {
                self.at += 1;
                self.within_brackets(|it| it.items(b']'))?;
                self.at += 1;
                expr = self.opaque(start);
                self.target = Some(expr.range.clone());
                continue;
            }
            if self.starts_with("::") {
                self.at += 2;
                expr = self.scoped(start, expr, command)?;
                continue;
            }
            let place = self.place();
            self.space()?;
            let sign = match (self.peek(), self.ahead(1)) {
                (b'.', next) if next != b'.' => 1,
                (b'&', b'.') => 2,
                _ => {
                    self.return_to(place);
                    return Some(expr);
                }
            };
            self.at += sign;
            self.space()?;
            let name = self.selected_name()?;
            expr = self.called(start, Some(expr), name, command)?;
        }
        None
    }

    /// Reads the name of a method after a dot, which may be an operator.
    fn selected_name(&mut self) -> Option<&'t str> {
        const APPEND: &str = "<<";
        if !self.starts_with(APPEND) {
            return self.method_name();
        }
        self.at += APPEND.len();
        matches!(self.peek(), b'(' | b' ').then_some(APPEND)
    }

    /// Reads the constant or the method that `::` selects from a constant.
    fn scoped(&mut self, start: usize, scope: Expr, command: bool) -> Option<Expr> {
        if !matches!(scope.kind, ExprKind::Constant(_)) {
            return None;
        }
        let name = self.method_name()?;
        if !name.starts_with(|it: char| it.is_ascii_uppercase()) {
            return self.called(start, Some(scope), name, command);
        }
        let path = &self.text[start..self.at];
        let path = path.strip_prefix("::").unwrap_or(path);
        if self.peek() == b'(' || !path.bytes().all(|it| is_name(it) || it == b':') {
            return None;
        }
        Some(self.since(start, ExprKind::Constant(path.into())))
    }

    /// Reads the name of a method, with its `?` or `!`.
    fn method_name(&mut self) -> Option<&'t str> {
        let start = self.at;
        let word = self.word();
        if word.is_empty() || !word.is_ascii() {
            return None;
        }
        self.at += word.len();
        if matches!(self.peek(), b'?' | b'!')
            && (self.ahead(1) != b'=' || matches!(self.ahead(2), b'=' | b'~'))
        {
            self.at += 1;
        }
        Some(&self.text[start..self.at])
    }

    /// Reads a name, a constant or a construct that starts with a keyword.
    pub(super) fn named(&mut self, command: bool) -> Option<Expr> {
        let start = self.at;
        let word = self.word();
        let literal = |kind| {
            move |it: &mut Self| {
                it.at += word.len();
                Some(it.since(start, kind))
            }
        };
        if self.keyword().is_empty() && word != "defined" && is_keyword(word) {
            return None;
        }
        match word {
            "nil" => return literal(ExprKind::Nil)(self),
            "true" => return literal(ExprKind::True)(self),
            "false" => return literal(ExprKind::False)(self),
            "self" => return literal(ExprKind::SelfValue)(self),
            "redo" | "retry" => return literal(ExprKind::Opaque)(self),
            "if" | "unless" | "case" | "while" | "until" | "begin" => return self.compound(word),
            "def" | "class" | "module" => return self.definition(word),
            "return" | "break" | "next" => return command.then(|| self.jump(word)).flatten(),
            "yield" => return self.yielded(command),
            "alias" => return self.alias(),
            "for" | "BEGIN" | "END" | "not" => return None,
            "defined" if self.ahead(word.len()) == b'?' => return self.defined(),
            _ if RESERVED.contains(&word) => return None,
            _ => {}
        }
        let is_constant = word.starts_with(|it: char| it.is_ascii_uppercase());
        let name = self.method_name()?;
        if is_constant && name.len() == word.len() && self.peek() != b'(' {
            return Some(self.since(start, ExprKind::Constant(name.into())));
        }
        let call = self.called(start, None, name, command)?;
        // Without arguments, it passes those of the method on.
        let is_bare_super = matches!(&call.kind, ExprKind::Name(name) if name == "super");
        Some(if is_bare_super { self.opaque(start) } else { call })
    }

    /// Reads the arguments and the block of a call, after the method's name.
    fn called(&mut self, start: usize, receiver: Option<Expr>, name: &'t str, command: bool) -> Option<Expr> {
        let mut is_bare = true;
        let mut is_command = false;
        let mut arguments = Vec::new();
        if self.peek() == b'(' {
            self.at += 1;
            arguments = self.within_brackets(|it| it.items(b')'))?;
            self.at += 1;
            is_bare = false;
        } else if command && self.starts_argument() {
            if receiver.is_none() && self.is_local(name) {
                return None;
            }
            self.blanks();
            arguments = self.without_do(Self::command_arguments)?;
            (is_bare, is_command) = (false, true);
        }
        let place = self.place();
        self.blanks();
        let block = if self.peek() == b'{' && !is_command {
            Some(self.within_brackets(|it| it.within_scope(Self::braces))?)
        } else if !self.no_do && self.is_at_word("do") {
            Some(self.within_brackets(|it| it.within_scope(Self::do_block))?)
        } else {
            self.return_to(place);
            None
        };
        if receiver.is_none() && is_bare && block.is_none() && !name.ends_with(['?', '!']) {
            self.note(start, name);
            return Some(self.since(start, ExprKind::Name(name.into())));
        }
        let call = Call { receiver, method: name.into(), arguments, block };
        Some(self.since(start, ExprKind::Call(Box::new(call))))
    }

    /// Whether blanks and the first argument of a call without parentheses follow.
    pub(super) fn starts_argument(&self) -> bool {
        let rest = &self.bytes[self.at..];
        let blanks = rest.iter().take_while(|it| matches!(it, b' ' | b'\t')).count();
        if blanks == 0 {
            return false;
        }
        let ahead = |offset: usize| rest.get(blanks + offset).copied().unwrap_or(0);
        let next = ahead(1);
        let is_close = !matches!(next, b' ' | b'\t' | b'\n' | b'=' | 0);
        match ahead(0) {
            b'"' | b'\'' | b'`' | b'@' | b'$' | b'[' | b'(' | b'0'..=b'9' => true,
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => {
                let word = rest[blanks..].iter().take_while(|it| is_name(**it)).count();
                let is_label = ahead(word) == b':' && ahead(word + 1) != b':';
                let word = &self.text[self.at + blanks..self.at + blanks + word];
                is_label || !RESERVED.contains(&word) && !MODIFIERS.contains(&word)
            }
            b':' => is_close,
            b'-' => next == b'>' || is_close,
            b'*' | b'/' | b'%' => is_close,
            b'&' => is_close && !matches!(next, b'&' | b'.'),
            b'<' => {
                next == b'<'
                    && (matches!(ahead(2), b'~' | b'-' | b'"' | b'\'') || ahead(2).is_ascii_uppercase())
            }
            b'!' => !matches!(next, b'=' | b'~'),
            _ => false,
        }
    }

    /// Reads the arguments of a call without parentheses.
    pub(super) fn command_arguments(&mut self) -> Option<Vec<Expr>> {
        let mut items = vec![self.item(true)?];
        while self.next_is_comma() {
            self.space()?;
            items.push(self.item(false)?);
        }
        Some(arranged(items))
    }

    /// Reads arguments or elements up to the closing bracket.
    pub(super) fn items(&mut self, close: u8) -> Option<Vec<Expr>> {
        let mut items = Vec::new();
        loop {
            self.space()?;
            if self.peek() == close {
                return Some(arranged(items));
            }
            items.push(self.item(items.is_empty() && close == b')')?);
            self.space()?;
            match self.peek() {
                b',' => self.at += 1,
                it if it == close => {}
                _ => return None,
            }
        }
    }

    fn item(&mut self, command: bool) -> Option<Item> {
        let start = self.at;
        match (self.peek(), self.ahead(1)) {
            (b'*', b'*') => {
                self.at += 2;
                let value = self.expression(false)?;
                let splat = self.since(start, ExprKind::Splat(Box::new(value)));
                return Some(Item::Pair(splat, self.opaque(start)));
            }
            (b'*', _) => {
                self.at += 1;
                let value = self.expression(false)?;
                return Some(Item::Expr(self.since(start, ExprKind::Splat(Box::new(value)))));
            }
            (b'&', _) => {
                self.at += 1;
                self.expression(false)?;
                return Some(Item::Expr(self.opaque(start)));
            }
            _ => {}
        }
        if let Some(key) = self.label() {
            return self.value_of(key);
        }
        let mut expr = self.expression(command)?;
        if let ExprKind::String(parts) = &mut expr.kind
            && self.peek() == b':'
            && self.ahead(1) != b':'
            && matches!(self.bytes[start], b'"' | b'\'')
        {
            if self.chained == Some(start) {
                return None;
            }
            self.at += 1;
            expr.kind = ExprKind::Symbol(std::mem::take(parts));
            return self.value_of(expr);
        }
        let place = self.place();
        self.blanks();
        if !self.starts_with("=>") {
            self.return_to(place);
            return Some(Item::Expr(expr));
        }
        // `!a => b` is not the negation of a key.
        if self.bytes[start] == b'!' {
            return None;
        }
        self.at += 2;
        self.value_of(expr)
    }

    fn value_of(&mut self, key: Expr) -> Option<Item> {
        self.space()?;
        let value = self.expression(false)?;
        Some(Item::Pair(key, value))
    }

    /// Reads `name:`.
    fn label(&mut self) -> Option<Expr> {
        let start = self.at;
        let word = self.word();
        if word.is_empty() {
            return None;
        }
        let mut end = start + word.len();
        end += usize::from(matches!(self.bytes.get(end), Some(b'?' | b'!')));
        let after = self.bytes.get(end + 1);
        let is_blank = matches!(after, Some(b' ' | b'\t' | b'\n'));
        if self.bytes.get(end) != Some(&b':') || after == Some(&b':') || !word.is_ascii() {
            return None;
        }
        if end > start + word.len() && !is_blank {
            return None;
        }
        self.at = end + 1;
        let name = Part::Text(self.text[start..end].into());
        Some(Expr { range: start..end, kind: ExprKind::Symbol(vec![name]) })
    }

    /// Reads the items of a hash up to the closing bracket.
    pub(super) fn pairs(&mut self) -> Option<Vec<(Expr, Expr)>> {
        let mut pairs = Vec::new();
        loop {
            self.space()?;
            if self.peek() == b'}' {
                return Some(pairs);
            }
            let Item::Pair(key, value) = self.item(false)? else { return None };
            pairs.push((key, value));
            self.space()?;
            match self.peek() {
                b',' => self.at += 1,
                b'}' => {}
                _ => return None,
            }
        }
    }

    fn braces(&mut self) -> Option<Block> {
        self.at += 1;
        self.space()?;
        let parameters = self.block_parameters()?;
        let body = self.statements()?;
        self.expect(b'}')?;
        Some(Block { parameters, body })
    }

    fn do_block(&mut self) -> Option<Block> {
        self.at += "do".len();
        self.blanks();
        let parameters = self.block_parameters()?;
        let body = self.guarded_statements()?;
        self.expect_word("end")?;
        Some(Block { parameters, body })
    }

    /// Reads the parameters of a block. The inner value is `None` if they are more than names.
    fn block_parameters(&mut self) -> Option<Option<Vec<marotte_text::Str>>> {
        if self.peek() != b'|' {
            return Some(Some(Vec::new()));
        }
        self.at += 1;
        let (mut names, mut is_plain) = (Vec::new(), true);
        loop {
            self.blanks();
            match self.peek() {
                b'*' | b'&' => {
                    self.at += 1;
                    is_plain = false;
                }
                b'(' => {
                    self.names_in_parentheses()?;
                    is_plain = false;
                    names.push(marotte_text::Str::new());
                    self.blanks();
                    if self.peek() == b',' {
                        self.at += 1;
                        continue;
                    }
                    break;
                }
                _ => {}
            }
            let name = self.variable_name()?;
            self.note_parameter(name);
            names.push(name.into());
            self.blanks();
            match self.peek() {
                b',' => self.at += 1,
                _ => break,
            }
        }
        self.expect(b'|')?;
        Some(is_plain.then_some(names))
    }

    fn names_in_parentheses(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            self.blanks();
            let name = self.variable_name()?;
            self.note_parameter(name);
            self.blanks();
            match self.peek() {
                b',' => self.at += 1,
                _ => return self.expect(b')'),
            }
        }
    }

    /// Reads the name of a local variable.
    pub(super) fn variable_name(&mut self) -> Option<&'t str> {
        let word = self.word();
        let is_variable = word.starts_with(|it: char| it.is_ascii_lowercase() || it == '_')
            && word.is_ascii()
            && !is_keyword(word);
        is_variable.then(|| self.at += word.len())?;
        Some(word)
    }
}

/// Whether a word is not the name of a method or variable.
pub(super) fn is_keyword(word: &str) -> bool {
    RESERVED.contains(&word)
        || MODIFIERS.contains(&word)
        || matches!(
            word,
            "nil"
                | "true"
                | "false"
                | "self"
                | "case"
                | "begin"
                | "def"
                | "class"
                | "module"
                | "return"
                | "break"
        )
        || matches!(word, "next" | "yield" | "alias" | "for" | "not" | "redo" | "retry" | "super")
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether `[` directly after an expression selects an element.
fn can_have_index(expr: &Expr) -> bool {
    !matches!(expr.kind, ExprKind::Number(_) | ExprKind::Assign(..))
}

/// The arguments in the order of the tree: pairs without braces form one hash at the end.
fn arranged(items: Vec<Item>) -> Vec<Expr> {
    let first = items.iter().find(|it| matches!(it, Item::Pair(..))).map(Item::start);
    let (mut list, mut pairs) = (Vec::with_capacity(items.len()), Vec::new());
    let mut last = 0;
    for item in items {
        match item {
            Item::Expr(expr) => list.push(expr),
            Item::Pair(key, value) => {
                last = value.range.end;
                pairs.push((key, value));
            }
        }
    }
    if let Some(first) = first {
        list.push(Expr { range: first..last, kind: ExprKind::Hash(pairs) });
    }
    list
}

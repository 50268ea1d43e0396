//! Writes a YAML 1.1 document, event by event, byte for byte like version 0.2.5 of `libyaml`.

use super::analysis::{Analysis, analyze, is_blank_or_end, is_break, is_printable};

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A reference to an anchor.
    Alias(usize),
    /// A single value.
    Scalar {
        /// The anchor, if something refers to it.
        anchor: Option<usize>,
        /// The tag, with its handle resolved: `!ruby/regexp`, `tag:yaml.org,2002:str`.
        tag: Option<&'static str>,
        /// The text of the scalar.
        text: String,
        /// Whether a plain scalar needs no tag.
        plain: bool,
        /// Whether a quoted scalar needs no tag.
        quoted: bool,
        /// The style to use if the text permits it.
        style: Style,
    },
    /// The start of a sequence.
    SequenceStart {
        /// The anchor, if something refers to it.
        anchor: Option<usize>,
        /// The explicit tag, if any.
        tag: Option<String>,
    },
    /// The end of a sequence.
    SequenceEnd,
    /// The start of a mapping, whose keys and values alternate.
    MappingStart {
        /// The anchor, if something refers to it.
        anchor: Option<usize>,
        /// The explicit tag, if any.
        tag: Option<String>,
    },
    /// The end of a mapping.
    MappingEnd,
}

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The scalar has no quotes.
    Plain,
    /// The scalar is in single quotes.
    SingleQuoted,
    /// The scalar is in double quotes.
    DoubleQuoted,
    /// As a block of lines, `|`.
    Literal,
    /// As a block of folded lines, `>`.
    Folded,
}

/// The layout of a document.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of blanks for each level, from 2 to 9.
    pub indentation: usize,
    /// The column after which lines are broken. `None` for unlimited.
    pub width: Option<usize>,
    /// The version in a line `%YAML` before the document.
    pub version: Option<&'static str>,
}

impl Default for Options {
    fn default() -> Options {
        Options { indentation: 2, width: Some(80), version: None }
    }
}

/// Writes the YAML text of one document.
pub fn emit(events: &[Event], options: &Options) -> String {
    let mut emitter = Emitter {
        out: String::new(),
        options: options.clone(),
        column: 0,
        whitespace: true,
        indention: true,
        indent: None,
        open_ended: false,
        simple_key: false,
        after_key: false,
    };
    emitter.document(events);
    emitter.out
}

/// An open collection, with the indentation around it.
enum Open {
    Sequence(Option<usize>),
    /// A mapping whose next node is a key.
    Key(Option<usize>),
    /// A mapping whose next node is a value; the key was written after `?` unless it is simple.
    Value {
        outer: Option<usize>,
        simple: bool,
    },
}

struct Emitter {
    out: String,
    options: Options,
    column: usize,
    /// Whether the last character was a blank, or an indicator that needs no blank after it.
    whitespace: bool,
    /// Whether the line has only indentation and indicators so far.
    indention: bool,
    indent: Option<usize>,
    /// Whether the last scalar was a block that ends with empty lines.
    open_ended: bool,
    simple_key: bool,
    /// Whether the node is part of a mapping.
    after_key: bool,
}

impl Emitter {
    fn document(&mut self, events: &[Event]) {
        if let Some(version) = self.options.version {
            self.indicator("%YAML", true, false, false);
            self.indicator(version, true, false, false);
            self.write_indent();
        }
        self.write_indent();
        self.indicator("---", true, false, false);
        let mut open: Vec<Open> = Vec::new();
        let mut index = 0;
        while let Some(event) = events.get(index) {
            index += 1;
            if matches!(event, Event::SequenceEnd | Event::MappingEnd) {
                match open.pop() {
                    Some(Open::Sequence(outer) | Open::Key(outer) | Open::Value { outer, .. }) => {
                        self.indent = outer;
                    }
                    None => {}
                }
                continue;
            }
            (self.simple_key, self.after_key) = (false, false);
            match open.last_mut() {
                None => {}
                Some(Open::Sequence(_)) => {
                    self.write_indent();
                    self.indicator("-", true, false, true);
                }
                Some(last @ Open::Key(_)) => {
                    self.write_indent();
                    let simple = is_simple_key(event, events.get(index));
                    if !simple {
                        self.indicator("?", true, false, true);
                    }
                    let outer = if let Open::Key(outer) = last { *outer } else { None };
                    *last = Open::Value { outer, simple };
                    (self.simple_key, self.after_key) = (simple, true);
                }
                Some(last @ Open::Value { .. }) => {
                    let (outer, simple) = match last {
                        Open::Value { outer, simple } => (*outer, *simple),
                        _ => (None, true),
                    };
                    if simple {
                        self.indicator(":", false, false, false);
                    } else {
                        self.write_indent();
                        self.indicator(":", true, false, true);
                    }
                    *last = Open::Key(outer);
                    self.after_key = true;
                }
            }
            match event {
                Event::Alias(anchor) => {
                    self.anchor('*', *anchor);
                    if self.simple_key {
                        self.put(' ');
                    }
                }
                Event::Scalar { anchor, tag, text, plain, quoted, style } => {
                    self.scalar(*anchor, *tag, text, (*plain, *quoted), *style);
                }
                Event::SequenceStart { anchor, tag } => {
                    self.properties(*anchor, tag.as_deref());
                    if matches!(events.get(index), Some(Event::SequenceEnd)) {
                        index += 1;
                        self.indicator("[", true, true, false);
                        self.indicator("]", false, false, false);
                    } else {
                        open.push(Open::Sequence(self.indent));
                        let stays = self.after_key && !self.indention;
                        self.increase_indent(stays);
                    }
                }
                Event::MappingStart { anchor, tag } => {
                    self.properties(*anchor, tag.as_deref());
                    if matches!(events.get(index), Some(Event::MappingEnd)) {
                        index += 1;
                        self.indicator("{", true, true, false);
                        self.indicator("}", false, false, false);
                    } else {
                        open.push(Open::Key(self.indent));
                        self.increase_indent(false);
                    }
                }
                Event::SequenceEnd | Event::MappingEnd => {}
            }
        }
        self.indent = None;
        self.write_indent();
        if self.open_ended {
            self.indicator("...", true, false, false);
            self.write_indent();
        }
    }

    fn increase_indent(&mut self, stays: bool) {
        self.indent = Some(match self.indent {
            None => 0,
            Some(indent) if stays => indent,
            Some(indent) => indent + self.options.indentation,
        });
    }

    fn put(&mut self, character: char) {
        self.out.push(character);
        self.column += 1;
    }

    fn put_break(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }

    fn write_break(&mut self, character: char) {
        self.out.push(character);
        self.column = 0;
    }

    fn write_indent(&mut self) {
        let indent = self.indent.unwrap_or(0);
        if !self.indention || self.column > indent || (self.column == indent && !self.whitespace) {
            self.put_break();
        }
        while self.column < indent {
            self.put(' ');
        }
        (self.whitespace, self.indention) = (true, true);
    }

    fn indicator(&mut self, text: &str, needs_blank: bool, is_blank: bool, is_indention: bool) {
        if needs_blank && !self.whitespace {
            self.put(' ');
        }
        self.out.push_str(text);
        self.column += text.chars().count();
        self.whitespace = is_blank;
        self.indention &= is_indention;
    }

    fn anchor(&mut self, sign: char, anchor: usize) {
        self.indicator(&format!("{sign}{anchor}"), true, false, false);
    }

    fn properties(&mut self, anchor: Option<usize>, tag: Option<&str>) {
        if let Some(anchor) = anchor {
            self.anchor('&', anchor);
        }
        if let Some(tag) = tag {
            self.tag(tag);
        }
    }

    fn tag(&mut self, tag: &str) {
        if let Some(suffix) = tag.strip_prefix("tag:yaml.org,2002:").filter(|it| !it.is_empty()) {
            self.indicator("!!", true, false, false);
            self.tag_content(suffix);
        } else if let Some(suffix) = tag.strip_prefix('!') {
            self.indicator("!", true, false, false);
            self.tag_content(suffix);
        } else {
            self.indicator("!<", true, false, false);
            self.tag_content(tag);
            self.indicator(">", false, false, false);
        }
    }

    fn tag_content(&mut self, text: &str) {
        for byte in text.bytes() {
            if byte.is_ascii_alphanumeric() || b"-_;/?:@&=+$,.~*'()[]".contains(&byte) {
                self.put(char::from(byte));
            } else {
                format!("%{byte:02X}").chars().for_each(|it| self.put(it));
            }
        }
        (self.whitespace, self.indention) = (false, false);
    }

    fn scalar(
        &mut self,
        anchor: Option<usize>,
        tag: Option<&str>,
        text: &str,
        (plain, quoted): (bool, bool),
        style: Style,
    ) {
        let facts = analyze(text);
        let tag = tag.filter(|_| !plain && !quoted);
        let style = self.style(text, facts, tag.is_none() && !plain, style);
        let needs_mark = tag.is_none() && !quoted && style != Style::Plain;
        self.properties(anchor, tag);
        if needs_mark {
            self.indicator("!", true, false, false);
        }
        let outer = self.indent;
        self.indent = Some(self.indent.map_or(self.options.indentation, |it| it + self.options.indentation));
        match style {
            Style::Plain => self.plain(text),
            Style::SingleQuoted => self.single_quoted(text),
            Style::DoubleQuoted => self.double_quoted(text),
            Style::Literal => self.literal(text),
            Style::Folded => self.folded(text),
        }
        self.indent = outer;
    }

    fn style(&self, text: &str, facts: Analysis, is_marked: bool, wanted: Style) -> Style {
        let mut style = wanted;
        if self.simple_key && facts.multiline {
            style = Style::DoubleQuoted;
        }
        let is_unclear = !facts.plain_allowed || (text.is_empty() && self.simple_key) || is_marked;
        if style == Style::Plain && is_unclear {
            style = Style::SingleQuoted;
        }
        if style == Style::SingleQuoted && !facts.single_quoted_allowed {
            style = Style::DoubleQuoted;
        }
        let is_block = matches!(style, Style::Literal | Style::Folded);
        if is_block && (!facts.block_allowed || self.simple_key) {
            style = Style::DoubleQuoted;
        }
        style
    }

    fn is_full(&self) -> bool {
        self.options.width.is_some_and(|width| self.column > width)
    }

    fn plain(&mut self, text: &str) {
        if !self.whitespace && !text.is_empty() {
            self.put(' ');
        }
        let mut previous = None;
        let mut rest = text.chars();
        while let Some(it) = rest.next() {
            let next = rest.clone().next();
            let breaks = it == ' ' && !self.simple_key && previous != Some(' ') && self.is_full();
            if breaks && next != Some(' ') {
                self.write_indent();
            } else {
                self.put(it);
            }
            if it != ' ' {
                self.indention = false;
            }
            previous = Some(it);
        }
        (self.whitespace, self.indention) = (false, false);
    }

    fn single_quoted(&mut self, text: &str) {
        self.indicator("'", true, false, false);
        let (mut spaces, mut breaks) = (false, false);
        let mut rest = text.char_indices();
        while let Some((at, it)) = rest.next() {
            let next = rest.clone().next().map(|(_, it)| it);
            if it == ' ' {
                let is_inner = at > 0 && next.is_some();
                if !self.simple_key && !spaces && self.is_full() && is_inner && next != Some(' ') {
                    self.write_indent();
                } else {
                    self.put(it);
                }
                spaces = true;
            } else if is_break(it) {
                if !breaks && it == '\n' {
                    self.put_break();
                }
                self.write_break(it);
                self.indention = true;
                breaks = true;
            } else {
                if breaks {
                    self.write_indent();
                }
                if it == '\'' {
                    self.put('\'');
                }
                self.put(it);
                self.indention = false;
                (spaces, breaks) = (false, false);
            }
        }
        if breaks {
            self.write_indent();
        }
        self.indicator("'", false, false, false);
        (self.whitespace, self.indention) = (false, false);
    }

    fn double_quoted(&mut self, text: &str) {
        self.indicator("\"", true, false, false);
        let mut spaces = false;
        let mut rest = text.char_indices();
        while let Some((at, it)) = rest.next() {
            let next = rest.clone().next().map(|(_, it)| it);
            if !is_printable(it) || it == '\u{feff}' || is_break(it) || matches!(it, '"' | '\\') {
                self.escape(it);
                spaces = false;
            } else if it == ' ' {
                let is_inner = at > 0 && next.is_some();
                if !self.simple_key && !spaces && self.is_full() && is_inner {
                    self.write_indent();
                    if next == Some(' ') {
                        self.put('\\');
                    }
                } else {
                    self.put(it);
                }
                spaces = true;
            } else {
                self.put(it);
                spaces = false;
            }
        }
        self.indicator("\"", false, false, false);
        (self.whitespace, self.indention) = (false, false);
    }

    fn escape(&mut self, character: char) {
        let code = u32::from(character);
        let escaped = match character {
            '\0' => "0".to_owned(),
            '\u{7}' => "a".to_owned(),
            '\u{8}' => "b".to_owned(),
            '\t' => "t".to_owned(),
            '\n' => "n".to_owned(),
            '\u{b}' => "v".to_owned(),
            '\u{c}' => "f".to_owned(),
            '\r' => "r".to_owned(),
            '\u{1b}' => "e".to_owned(),
            '"' | '\\' => character.to_string(),
            '\u{85}' => "N".to_owned(),
            '\u{a0}' => "_".to_owned(),
            '\u{2028}' => "L".to_owned(),
            '\u{2029}' => "P".to_owned(),
            _ if code <= 0xff => format!("x{code:02X}"),
            _ if code <= 0xffff => format!("u{code:04X}"),
            _ => format!("U{code:08X}"),
        };
        self.put('\\');
        escaped.chars().for_each(|it| self.put(it));
    }

    /// Starts a block scalar: its indicator, the hints after it, and a new line.
    fn block_start(&mut self, sign: &str, text: &str) {
        self.indicator(sign, true, false, false);
        if text.starts_with(|it| it == ' ' || is_break(it)) {
            let hint = self.options.indentation.to_string();
            self.indicator(&hint, false, false, false);
        }
        self.open_ended = false;
        let mut backwards = text.chars().rev();
        match (backwards.next(), backwards.next()) {
            (Some(last), before) if is_break(last) => {
                if before.is_none_or(is_break) {
                    self.indicator("+", false, false, false);
                    self.open_ended = true;
                }
            }
            _ => self.indicator("-", false, false, false),
        }
        self.put_break();
        (self.indention, self.whitespace) = (true, true);
    }

    fn literal(&mut self, text: &str) {
        self.block_start("|", text);
        let mut breaks = true;
        for it in text.chars() {
            if is_break(it) {
                self.write_break(it);
                self.indention = true;
                breaks = true;
            } else {
                if breaks {
                    self.write_indent();
                }
                self.put(it);
                self.indention = false;
                breaks = false;
            }
        }
    }

    fn folded(&mut self, text: &str) {
        self.block_start(">", text);
        let (mut breaks, mut leading_spaces) = (true, true);
        let mut rest = text.chars();
        while let Some(it) = rest.next() {
            let next = rest.clone().next();
            if is_break(it) {
                if !breaks && !leading_spaces && it == '\n' {
                    let after = rest.clone().find(|it| !is_break(*it));
                    if !is_blank_or_end(after) {
                        self.put_break();
                    }
                }
                self.write_break(it);
                self.indention = true;
                breaks = true;
            } else {
                if breaks {
                    self.write_indent();
                    leading_spaces = matches!(it, ' ' | '\t');
                }
                if !breaks && it == ' ' && next != Some(' ') && self.is_full() {
                    self.write_indent();
                } else {
                    self.put(it);
                }
                self.indention = false;
                breaks = false;
            }
        }
    }
}

/// Whether a node is short enough to be a key without `?`.
fn is_simple_key(event: &Event, next: Option<&Event>) -> bool {
    const LONGEST: usize = 128;
    let digits = |anchor: &Option<usize>| anchor.map_or(0, |it| it.to_string().len());
    let tag_length = |tag: Option<&str>| match tag {
        Some(tag) => match tag.strip_prefix("tag:yaml.org,2002:").filter(|it| !it.is_empty()) {
            Some(suffix) => 2 + suffix.len(),
            None => tag.len(),
        },
        None => 0,
    };
    match event {
        Event::Alias(anchor) => anchor.to_string().len() <= LONGEST,
        Event::Scalar { anchor, tag, text, plain, quoted, .. } => {
            let tag = tag.filter(|_| !plain && !quoted);
            !text.contains(is_break) && digits(anchor) + tag_length(tag) + text.len() <= LONGEST
        }
        Event::SequenceStart { anchor, tag } => {
            matches!(next, Some(Event::SequenceEnd)) && digits(anchor) + tag_length(tag.as_deref()) <= LONGEST
        }
        Event::MappingStart { anchor, tag } => {
            matches!(next, Some(Event::MappingEnd)) && digits(anchor) + tag_length(tag.as_deref()) <= LONGEST
        }
        Event::SequenceEnd | Event::MappingEnd => false,
    }
}

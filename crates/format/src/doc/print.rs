//! Printing documents as text.

use super::build::{first_line, last_line, width};
use super::{Builder, Element, Group, Pad, Span};

/// The style of printed text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// The maximal number of columns of a line.
    pub(crate) line_width: u32,
    /// The number of columns of a level of indentation.
    pub(crate) indent_width: u32,
    /// Whether levels of indentation are tabs.
    pub(crate) tabs: bool,
    /// The characters that end a line.
    pub(crate) line_end: &'static str,
}

/// The way in which the lines of a group are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Line breaks are blanks or nothing, in nested groups too.
    Flat,
    /// Line breaks are blanks or nothing; nested groups decide for themselves.
    LastBroken,
    /// Line breaks are line ends.
    Broken,
}

/// The maximum size of the output relative to the source, since deep nesting could make it many times larger.
const MOST_TIMES_THE_SOURCE: usize = 32;

/// The size in bytes up to which an output is never too large.
const NEVER_TOO_LARGE: usize = 1 << 20;

/// A printed document.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) text: String,
    /// The indices, in order, of the ends of those cells that were to be aligned, but take several lines.
    pub(crate) torn: Vec<u32>,
}

/// Prints a document. None if the text would be many times larger than the source.
pub(crate) fn print(document: Builder<'_>, style: Style) -> Option<Printed> {
    let document = document.finish();
    let mut printer = Printer {
        stops: stops(&document),
        out: String::with_capacity(document.source().len() + document.source().len() / 8),
        document: &document,
        style,
        column: 0,
        modes: vec![Mode::Broken],
        indents: vec![0],
        base: (0, 0),
        base_width: 0,
        spaces: 0,
        padding: 0,
        suffixes: Vec::new(),
        heredocs: Vec::new(),
        at_line_start: true,
        after_blank_line: false,
        must_end_line: false,
        last_break: 0,
        torn: Vec::new(),
    };
    let limit = document.source().len() * MOST_TIMES_THE_SOURCE + NEVER_TOO_LARGE;
    for index in 0..document.elements.len() {
        printer.element(index);
        if printer.out.len() > limit {
            return None;
        }
    }
    Some(printer.finish())
}

/// Returns, for each element, the first element at or after it at which the line can end.
fn stops(document: &Builder<'_>) -> Vec<u32> {
    let count = document.elements.len();
    let mut stops = vec![count as u32; count + 1];
    for (index, element) in document.elements.iter().enumerate().rev() {
        stops[index] = match element {
            Element::Line
            | Element::SoftLine
            | Element::HardLine
            | Element::Raw(_)
            | Element::OwnLine(_)
            | Element::Outside(_) => index as u32,
            _ => stops[index + 1],
        };
    }
    stops
}

struct Printer<'d, 's> {
    document: &'d Builder<'s>,
    style: Style,
    stops: Vec<u32>,
    out: String,
    column: u32,
    modes: Vec<Mode>,
    /// The open levels of indentation.
    indents: Vec<u32>,
    /// The blanks before all levels of indentation.
    base: Span,
    /// The number of columns of these.
    base_width: u32,
    /// The number of pending blanks before the next text on this line.
    spaces: u32,
    /// The number of additional pending blanks for alignment.
    padding: u32,
    /// Pending comments for the end of this line; only the last may extend to its end.
    suffixes: Vec<Span>,
    /// Pending heredocs, to be printed after this line.
    heredocs: Vec<Span>,
    at_line_start: bool,
    after_blank_line: bool,
    /// Whether a comment has been printed that nothing may follow on the line.
    must_end_line: bool,
    /// The index of the last line that became a line end.
    last_break: usize,
    /// See [`Printed::torn`].
    torn: Vec<u32>,
}

impl<'s> Printer<'_, 's> {
    fn element(&mut self, index: usize) {
        let mode = self.modes.last().copied().unwrap_or(Mode::Broken);
        let broken = mode == Mode::Broken;
        match self.document.elements[index] {
            Element::Text(span) => self.text(self.slice(span)),
            Element::Raw(span) => self.raw(self.slice(span)),
            Element::Word(word) => self.text(word),
            Element::IfRoom(word) if self.is_room_for(1) && !self.is_room_for(1 + word.len() as u32) => {}
            Element::IfRoom(word) => self.text(word),
            Element::IfBroken(word) if broken => self.text(word),
            Element::IfBroken(_) => {}
            Element::Space => self.spaces = self.spaces.max(1),
            Element::Pad(Pad { blanks: Some(blanks), cell }) if broken => {
                if self.last_break > cell as usize {
                    self.torn.push(index as u32);
                }
                self.padding += blanks;
            }
            Element::Pad(_) => {}
            Element::HardLine => self.end_line(),
            Element::Line | Element::SoftLine if broken => {
                self.last_break = index;
                self.end_line();
            }
            Element::Line => self.spaces = self.spaces.max(1),
            Element::SoftLine => {}
            Element::BlankLine => self.blank_line(),
            Element::Group(group) => {
                let mode = if mode == Mode::Flat { Mode::Flat } else { self.choose(index, group) };
                self.modes.push(mode);
            }
            Element::EndGroup => {
                self.modes.pop();
            }
            Element::Indent(levels) => {
                let indent = self.indents.last().copied().unwrap_or(0);
                self.indents.push(indent + if broken { levels } else { 0 });
            }
            Element::Dedent => {
                self.indents.pop();
            }
            Element::Suffix(span) => self.suffix(span),
            Element::OwnLine(span) => {
                self.end_line();
                self.raw(self.slice(span));
                self.must_end_line = true;
            }
            Element::Heredoc(span) => self.heredocs.push(span),
            Element::Outside(outside) => {
                if !self.suffixes.is_empty() || self.must_end_line || !self.heredocs.is_empty() {
                    self.end_line();
                }
                self.spaces = u32::from(!self.out.is_empty());
                self.raw(self.slice(outside.span));
                self.spaces = 1;
                self.base = outside.indentation;
                let blanks = self.slice(self.base);
                let tabs = memchr::memchr_iter(b'\t', blanks.as_bytes()).count() as u32;
                self.base_width = width(blanks) - tabs + tabs * self.style.indent_width;
            }
        }
    }

    fn slice(&self, span: Span) -> &'s str {
        self.document.source().get(span.0 as usize..span.1 as usize).unwrap_or_default()
    }

    // ---- decisions

    fn choose(&self, start: usize, group: Group) -> Mode {
        if !group.broken && self.fits(start, group.end as usize) {
            return Mode::Flat;
        }
        match group.last {
            Some(last)
                if self.fits_until(start, last.get() as usize)
                    && (group.broken || !self.fits_on_own_line(last.get() as usize, group)) =>
            {
                Mode::LastBroken
            }
            _ => Mode::Broken,
        }
    }

    /// Whether the last part of a group of operators fits on a line of its own.
    fn fits_on_own_line(&self, last: usize, group: Group) -> bool {
        let Some(own_line) = group.own_line else { return false };
        let end = group.end as usize;
        let before = self.indentation() + own_line.levels * self.style.indent_width + own_line.operator;
        let needed = self.document.widths[end] - self.document.widths[last];
        before + needed + self.width_behind(end) <= self.style.line_width
    }

    /// Whether the elements of a group, and the text after it up to the next possible line end, fit on the line.
    fn fits(&self, start: usize, end: usize) -> bool {
        let widths = &self.document.widths;
        match self.next_raw(start, end) {
            Some(raw) => self.is_room_for(widths[raw] - widths[start] + self.first_line_width(raw)),
            None => {
                let needed = widths[end] - widths[start];
                self.is_room_for(needed) && self.is_room_for(needed + self.width_behind(end))
            }
        }
    }

    /// The width of the first line of a piece with line ends; 0 for other elements.
    fn first_line_width(&self, index: usize) -> u32 {
        match self.document.elements.get(index) {
            Some(Element::Raw(span)) => width(first_line(self.slice(*span))),
            _ => 0,
        }
    }

    /// The width of the text after a group up to the next possible line end: a line of a broken enclosing group, or of
    /// a following group, which may be broken.
    fn width_behind(&self, end: usize) -> u32 {
        let mut around = self.modes.iter().rev();
        let mut mode = around.next().copied().unwrap_or(Mode::Broken);
        let mut groups_behind = 0_u32;
        let mut added = 0_u32;
        let mut index = end + 1;
        while let Some(element) = self.document.elements.get(index) {
            match element {
                Element::IfBroken(word) if groups_behind == 0 && mode == Mode::Broken => {
                    added += word.len() as u32;
                }
                Element::Group(_) => groups_behind += 1,
                Element::EndGroup if groups_behind > 0 => groups_behind -= 1,
                Element::EndGroup => mode = around.next().copied().unwrap_or(Mode::Broken),
                Element::Line | Element::SoftLine if groups_behind == 0 && mode != Mode::Broken => {}
                Element::Line
                | Element::SoftLine
                | Element::HardLine
                | Element::Raw(_)
                | Element::OwnLine(_)
                | Element::Outside(_) => break,
                _ if self.document.widths[index] - self.document.widths[end] > self.style.line_width => break,
                _ => {}
            }
            index += 1;
        }
        self.document.widths[index] - self.document.widths[end] + added + self.first_line_width(index)
    }

    /// Whether the elements up to `last`, with its opening bracket, fit on the line.
    fn fits_until(&self, start: usize, last: usize) -> bool {
        let first_stop = self.stops[last] as usize;
        self.is_room_for(self.document.widths[first_stop] - self.document.widths[start])
    }

    fn is_room_for(&self, needed: u32) -> bool {
        let column = if self.at_line_start { self.indentation() } else { self.column };
        column + self.spaces + needed <= self.style.line_width
    }

    /// The first text with line ends in a group.
    fn next_raw(&self, start: usize, end: usize) -> Option<usize> {
        let mut at = self.stops[start] as usize;
        while at < end {
            if let Element::Raw(_) = self.document.elements[at] {
                return Some(at);
            }
            // The search can stop beyond the line width.
            if !self.is_room_for(self.document.widths[at] - self.document.widths[start]) {
                return None;
            }
            at = self.stops[at + 1] as usize;
        }
        None
    }

    // ---- writing

    fn indentation(&self) -> u32 {
        self.base_width + self.indents.last().copied().unwrap_or(0) * self.style.indent_width
    }

    /// Writes pending line ends, indentation and blanks before the next text.
    fn before_text(&mut self) {
        if self.must_end_line {
            self.end_line();
        }
        let blanks = if self.at_line_start { self.indentation() } else { self.spaces + self.padding };
        let levels = self.indents.last().copied().unwrap_or(0);
        if self.at_line_start {
            self.out.push_str(self.slice(self.base));
        }
        if self.at_line_start && self.style.tabs {
            self.out.extend(std::iter::repeat_n('\t', levels as usize));
        } else {
            const BLANKS: &str = "                                                                ";
            let mut left =
                if self.at_line_start { levels * self.style.indent_width } else { blanks } as usize;
            while left > 0 {
                let part = left.min(BLANKS.len());
                self.out.push_str(&BLANKS[..part]);
                left -= part;
            }
        }
        self.column = if self.at_line_start { blanks } else { self.column + blanks };
        self.spaces = 0;
        self.padding = 0;
        self.at_line_start = false;
        self.after_blank_line = false;
    }

    fn text(&mut self, text: &str) {
        self.before_text();
        self.out.push_str(text);
        self.column += width(text);
    }

    fn raw(&mut self, text: &str) {
        self.before_text();
        self.out.push_str(text);
        if text.contains('\n') {
            self.column = width(last_line(text));
        } else {
            self.column += width(text);
        }
    }

    fn suffix(&mut self, span: Span) {
        let ends_line = self.suffixes.last().is_some_and(|it| self.slice(*it).starts_with('#'));
        if ends_line || self.must_end_line {
            self.end_line();
        }
        if self.at_line_start {
            self.raw(self.slice(span));
            self.must_end_line = true;
        } else {
            self.suffixes.push(span);
        }
    }

    fn end_line(&mut self) {
        self.spaces = 0;
        self.padding = 0;
        if self.at_line_start {
            return;
        }
        for span in std::mem::take(&mut self.suffixes) {
            self.out.push(' ');
            self.out.push_str(self.slice(span));
        }
        self.out.push_str(self.style.line_end);
        for span in std::mem::take(&mut self.heredocs) {
            let lines = self.slice(span);
            self.out.push_str(lines);
            if !lines.ends_with('\n') {
                self.out.push_str(self.style.line_end);
            }
        }
        self.column = 0;
        self.at_line_start = true;
        self.must_end_line = false;
    }

    fn blank_line(&mut self) {
        if self.must_end_line {
            self.end_line();
        }
        if self.at_line_start && !self.after_blank_line && !self.out.is_empty() {
            self.out.push_str(self.style.line_end);
            self.after_blank_line = true;
        }
    }

    fn finish(mut self) -> Printed {
        // The end of a template's text is kept.
        if !matches!(self.document.elements.last(), Some(Element::Outside(_))) {
            self.end_line();
        }
        Printed { text: self.out, torn: self.torn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style { line_width: 10, indent_width: 2, tabs: false, line_end: "\n" };

    /// Adds a group of words in brackets: `[aaa, bbb]`.
    fn list<'s>(doc: &mut Builder<'s>, words: &[&'static str]) {
        doc.word("[");
        doc.group();
        doc.indent(1);
        doc.soft_line();
        for (index, word) in words.iter().enumerate() {
            if index > 0 {
                doc.word(",");
                doc.line();
            }
            doc.word(word);
        }
        doc.if_broken(",");
        doc.dedent();
        doc.soft_line();
        doc.end_group(None);
        doc.word("]");
    }

    fn printed(build: impl FnOnce(&mut Builder<'_>)) -> String {
        let mut doc = Builder::new("# comment");
        build(&mut doc);
        print(doc, STYLE).unwrap().text
    }

    #[test]
    fn a_group_is_on_one_line_if_it_fits_with_what_follows() {
        assert_eq!(printed(|doc| list(doc, &["aaa", "bbb"])), "[aaa, bbb]\n");
        let followed = |doc: &mut Builder<'_>| {
            list(doc, &["aaa", "bbb"]);
            doc.word(";");
        };
        assert_eq!(printed(followed), "[\n  aaa,\n  bbb,\n];\n");
    }

    #[test]
    fn a_comment_stands_behind_what_comes_to_stand_on_its_line() {
        let build = |doc: &mut Builder<'_>| {
            doc.word("a");
            doc.suffix((0, 9));
            doc.word(",");
            doc.hard_line();
            doc.word("b");
        };
        assert_eq!(printed(build), "a, # comment\nb\n");
    }

    #[test]
    fn a_comment_breaks_the_groups_around_it() {
        let build = |doc: &mut Builder<'_>| {
            doc.group();
            doc.word("a");
            doc.suffix((0, 9));
            doc.line();
            doc.word("b");
            doc.end_group(None);
        };
        assert_eq!(printed(build), "a # comment\nb\n");
    }

    #[test]
    fn blanks_align_only_what_is_broken() {
        let build = |doc: &mut Builder<'_>| {
            for broken in [false, true] {
                doc.group();
                doc.word("a");
                let cell = doc.mark();
                let pad = doc.pad(cell);
                doc.set_pad(pad, 3);
                doc.space();
                doc.word("b");
                if broken {
                    doc.force();
                }
                doc.end_group(None);
                doc.hard_line();
            }
        };
        assert_eq!(printed(build), "a b\na    b\n");
    }

    #[test]
    fn line_ends_in_a_row_are_one_and_blank_lines_too() {
        let build = |doc: &mut Builder<'_>| {
            doc.hard_line();
            doc.word("a");
            doc.hard_line();
            doc.hard_line();
            doc.blank_line();
            doc.blank_line();
            doc.word("b");
            doc.space();
        };
        assert_eq!(printed(build), "a\n\nb\n");
    }
}

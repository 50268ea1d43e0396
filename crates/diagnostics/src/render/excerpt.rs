//! The part of the sources that a report shows: some lines, cut to a window when they are long, and safe to print.
//!
//! codespan-reporting reads texts through `Files` by byte offset. Here it gets the shown lines only, with their own line
//! numbers: [`Excerpts`] translates offsets on the way in and positions on the way out, and no source is ever copied.

use std::ops::Range;

use codespan_reporting::files::{Error, Files, Location};
use marotte_text::{LineIndex, TextRange};

use crate::sources::{boundary, offset_of, positions};
use crate::{FileId, Sources, printable};

/// Lines with more characters than this are cut to a window.
const LONGEST_LINE: usize = 160;
/// The length of the window, and the part of it that precedes the marked place.
const WINDOW: usize = 120;
const BEFORE: usize = 40;
/// Marks on more lines than this are cut to their first line.
const TALLEST_MARK: u32 = 8;
const CUT: &str = "…";

/// A range to be marked.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub(super) file: FileId,
    pub(super) range: TextRange,
}

/// The excerpts of all files that a report shows.
pub(super) struct Excerpts(Vec<Excerpt>);

struct Excerpt {
    file: FileId,
    path: String,
    /// The shown lines joined, without line ends.
    text: String,
    /// The shown lines, in order.
    lines: Vec<ShownLine>,
    /// The start of each mark: its offset in `text` and its location in the source.
    starts: Vec<(usize, Location)>,
    /// The range of each mark in the source, and its range in `text`.
    marks: Vec<(TextRange, Range<usize>)>,
}

struct ShownLine {
    /// The line number, counted from 0.
    line: u32,
    /// The line's range in the excerpt's text.
    at: Range<usize>,
}

impl Excerpts {
    /// Collects the lines around the marks; the first mark decides where long lines are cut.
    pub(super) fn new(marks: &[Mark], sources: &dyn Sources) -> Self {
        let mut excerpts: Vec<Excerpt> = Vec::new();
        for mark in marks {
            if excerpts.iter().all(|excerpt| excerpt.file != mark.file) {
                let ranges = marks.iter().filter(|other| other.file == mark.file).map(|other| other.range);
                excerpts.push(Excerpt::new(mark.file, &ranges.collect::<Vec<_>>(), sources));
            }
        }
        Excerpts(excerpts)
    }

    /// The range of a mark in its file's excerpt.
    pub(super) fn shown(&self, mark: &Mark) -> Range<usize> {
        let excerpt = self.0.iter().find(|excerpt| excerpt.file == mark.file);
        let found = excerpt.and_then(|excerpt| excerpt.marks.iter().find(|(range, _)| *range == mark.range));
        found.map_or(0..0, |(_, shown)| shown.clone())
    }

    fn excerpt(&self, file: FileId) -> Result<&Excerpt, Error> {
        self.0.iter().find(|excerpt| excerpt.file == file).ok_or(Error::FileMissing)
    }
}

impl Excerpt {
    fn new(file: FileId, ranges: &[TextRange], sources: &dyn Sources) -> Self {
        let source = sources.text(file);
        let index = sources.line_index(file);
        let visible: Vec<Range<usize>> = ranges.iter().map(|range| visible(*range, source, index)).collect();

        let mut excerpt = Excerpt {
            file,
            path: printable::line(sources.path(file)).into_owned(),
            text: String::new(),
            lines: Vec::new(),
            starts: Vec::new(),
            marks: Vec::new(),
        };
        let windows: Vec<Window> = wanted_lines(&visible, index)
            .into_iter()
            .map(|line| {
                let bytes = line_bytes(line, source, index);
                let on_line = |offset: &usize| bytes.contains(offset) || *offset == bytes.end;
                let anchor = visible.iter().flat_map(|mark| [mark.start, mark.end]).find(on_line);
                let window = Window::new(source, bytes.clone(), anchor.unwrap_or(bytes.start));
                let start = excerpt.text.len();
                window.write(source, &mut excerpt.text);
                excerpt.lines.push(ShownLine { line, at: start..excerpt.text.len() });
                // Separates the ends of two lines: an offset belongs to one line only.
                excerpt.text.push('\n');
                window
            })
            .collect();

        let shown = |offset: usize| {
            let line = line_of(index, offset);
            let at = excerpt.lines.partition_point(|shown| shown.line < line);
            match (excerpt.lines.get(at), windows.get(at)) {
                (Some(shown), Some(window)) => {
                    (shown.at.start + window.shown(source, offset)).min(shown.at.end)
                }
                _ => 0,
            }
        };
        for (range, visible) in ranges.iter().zip(&visible) {
            let start = shown(visible.start);
            let (position, _) = positions(sources, file, *range);
            let location =
                Location { line_number: position.line as usize, column_number: position.column as usize };
            excerpt.starts.push((start, location));
            excerpt.marks.push((*range, start..shown(visible.end).max(start)));
        }
        excerpt
    }

    fn line(&self, line: usize) -> Result<&ShownLine, Error> {
        let max = self.lines.last().map_or(0, |last| last.line as usize);
        let found = self.lines.iter().find(|shown| shown.line as usize == line);
        found.ok_or(Error::LineTooLarge { given: line, max })
    }
}

/// The part of a range that is marked: inside the text, on character boundaries, without a trailing line end, and on few lines.
fn visible(range: TextRange, source: &str, index: &LineIndex) -> Range<usize> {
    let start = boundary(source, range.start());
    let end = boundary(source, range.end()).max(start);
    let end = start + source[start..end].trim_end_matches(['\n', '\r']).len();
    let line = line_of(index, start);
    if line_of(index, end) - line < TALLEST_MARK {
        start..end
    } else {
        start..line_bytes(line, source, index).end.max(start)
    }
}

/// Returns the lines of all marks, and single lines between them, which codespan shows too.
fn wanted_lines(visible: &[Range<usize>], index: &LineIndex) -> Vec<u32> {
    let mut lines: Vec<u32> =
        visible.iter().flat_map(|mark| line_of(index, mark.start)..=line_of(index, mark.end)).collect();
    lines.sort_unstable();
    lines.dedup();
    let between: Vec<u32> =
        lines.windows(2).filter(|pair| pair[1] - pair[0] == 2).map(|pair| pair[0] + 1).collect();
    lines.extend(between);
    lines.sort_unstable();
    lines
}

fn line_of(index: &LineIndex, offset: usize) -> u32 {
    index.line(offset_of(offset))
}

/// The bytes of a line without its line end.
fn line_bytes(line: u32, source: &str, index: &LineIndex) -> Range<usize> {
    let Some(range) = index.line_range(line) else { return source.len()..source.len() };
    let (start, end) = (usize::from(range.start()), usize::from(range.end()).min(source.len()));
    start..start + source[start..end].trim_end_matches(['\n', '\r']).len()
}

/// The shown part of a line.
struct Window {
    bytes: Range<usize>,
    cut_before: bool,
    cut_after: bool,
}

impl Window {
    fn new(source: &str, line: Range<usize>, anchor: usize) -> Self {
        let text = &source[line.clone()];
        if text.len() <= LONGEST_LINE || text.chars().nth(LONGEST_LINE).is_none() {
            return Window { bytes: line, cut_before: false, cut_after: false };
        }
        let anchor = anchor.clamp(line.start, line.end);
        let before = source[line.start..anchor].char_indices().rev().take(BEFORE).last();
        let start = before.map_or(anchor, |(at, _)| line.start + at);
        let end = source[start..line.end].char_indices().nth(WINDOW).map_or(line.end, |(at, _)| start + at);
        Window { cut_before: start > line.start, cut_after: end < line.end, bytes: start..end }
    }

    fn write(&self, source: &str, out: &mut String) {
        if self.cut_before {
            out.push_str(CUT);
        }
        write_shown(&source[self.bytes.clone()], out);
        if self.cut_after {
            out.push_str(CUT);
        }
    }

    /// The offset in the shown line that corresponds to an offset of the source; offsets in the removed parts map to the cut.
    fn shown(&self, source: &str, offset: usize) -> usize {
        if offset < self.bytes.start {
            return 0;
        }
        let mut before = String::new();
        if self.cut_before {
            before.push_str(CUT);
        }
        write_shown(&source[self.bytes.start..offset.min(self.bytes.end)], &mut before);
        before.len() + if offset > self.bytes.end { CUT.len() } else { 0 }
    }
}

/// Tabs are kept: codespan aligns them.
fn write_shown(text: &str, out: &mut String) {
    if printable::is_plain(text) {
        out.push_str(text);
        return;
    }
    for character in text.chars() {
        match printable::substitute(character) {
            Some(shown) => out.push_str(&shown),
            None => out.push(character),
        }
    }
}

impl<'a> Files<'a> for Excerpts {
    type FileId = FileId;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, file: FileId) -> Result<&'a str, Error> {
        Ok(&self.excerpt(file)?.path)
    }

    fn source(&'a self, file: FileId) -> Result<&'a str, Error> {
        Ok(&self.excerpt(file)?.text)
    }

    fn line_index(&'a self, file: FileId, offset: usize) -> Result<usize, Error> {
        let lines = &self.excerpt(file)?.lines;
        let at = lines.partition_point(|shown| shown.at.end < offset).min(lines.len().saturating_sub(1));
        Ok(lines.get(at).map_or(0, |shown| shown.line as usize))
    }

    fn location(&'a self, file: FileId, offset: usize) -> Result<Location, Error> {
        let excerpt = self.excerpt(file)?;
        let start = excerpt.starts.iter().find(|(start, _)| *start == offset);
        start
            .map(|(_, location)| *location)
            .ok_or(Error::IndexTooLarge { given: offset, max: excerpt.text.len() })
    }

    fn line_range(&'a self, file: FileId, line: usize) -> Result<Range<usize>, Error> {
        Ok(self.excerpt(file)?.line(line)?.at.clone())
    }
}

//! Selects the errors worth reporting: those that remain once the others are fixed.

use marotte_text::{TextRange, TextSize};

use crate::recover::foreign;
use crate::{SyntaxError, SyntaxErrorKind};

/// Joins the errors of lexer, grammar, builder and validation, without those that merely follow from an earlier one:
///
/// - after a string, comment, heredoc or tag that does not end, the rest of the text is misread;
/// - where a repair was needed for the grammar to continue, what the tree reports about that line or its enclosing
///   construct is a guess.
pub(crate) fn independent(
    source: &str,
    mut lexical: Vec<SyntaxError>,
    grammatical: Vec<SyntaxError>,
    structural: Vec<SyntaxError>,
) -> Vec<SyntaxError> {
    if let Some(from) = out_of_step(source, &mut lexical, &grammatical) {
        lexical.retain(|error| error.range.start() < from || is_unclosed_quote(error) || ends_late(error));
    }
    let unreadable_from = lexical.iter().filter_map(|error| loses_the_rest(source, error)).min();
    let readable = |error: &SyntaxError| unreadable_from.is_none_or(|from| error.range.end() < from);
    let is_read = |error: &SyntaxError| {
        !error.kind.runs_to_the_end()
            || loses_the_rest(source, error).is_none_or(|it| unreadable_from >= Some(it))
    };
    let mut errors: Vec<SyntaxError> = lexical.into_iter().filter(is_read).collect();
    // The block after an expression that is not a resource type is not a resource, whatever it contains.
    let misread: Vec<TextRange> = structural
        .iter()
        .filter(|error| error.kind == SyntaxErrorKind::NotAResource)
        .map(|error| block(source, error.range.end()))
        .collect();
    let guessed: Vec<(TextSize, TextRange)> = grammatical
        .iter()
        .map(|error| error.range.start())
        .map(|start| (start, line(source, start)))
        .collect();
    errors.extend(
        grammatical
            .into_iter()
            .filter(|error| readable(error) && !(unreadable_from.is_some() && is_unclosed(error)))
            .filter(|error| !misread.iter().any(|block| block.contains(error.range.start()))),
    );
    let structural = structural.into_iter().map(|it| foreign::instead(source, it));
    errors.extend(structural.filter(|error| {
        let doubtful = |&(start, line): &(TextSize, TextRange)| {
            error.range.contains(start) || line.contains_inclusive(error.range.start())
        };
        readable(error) && !guessed.iter().any(doubtful)
    }));
    errors.sort_by_key(|error| (error.range.start(), error.range.end()));
    errors.dedup();
    // `$(date)`: that a variable without a name is called says nothing more.
    let nameless: Vec<TextRange> = errors.iter().filter(|it| is_nameless(it)).map(|it| it.range).collect();
    errors.retain(|it| {
        !matches!(it.kind, SyntaxErrorKind::IllegalExpression { .. }) || !nameless.contains(&it.range)
    });
    errors
}

/// The offset from which quotes are out of step, if one is missing: usually where the lexer noticed it, but if the
/// grammar fails earlier, on a line with an odd number of such quotes, the start of that line.
fn out_of_step(source: &str, lexical: &mut [SyntaxError], grammatical: &[SyntaxError]) -> Option<TextSize> {
    let Some(error) = lexical.iter_mut().find(|it| is_unclosed_quote(it)) else {
        let late = lexical.iter().find(|it| ends_late(it))?;
        return Some(late.range.start());
    };
    let noticed = error.range.start();
    let SyntaxErrorKind::UnclosedQuote { culprit, .. } = &mut error.kind else { return None };
    let found = culprit.map_or(noticed, TextRange::start);
    let first = grammatical.iter().map(|it| it.range.start()).min();
    if let Some(line) = first.filter(|it| *it < found).map(|it| line(source, it)) {
        let written = &source[line];
        let odd = ['\'', '"'].into_iter().find(|quote| written.matches(*quote).count() % 2 == 1);
        let of_quote = odd.and_then(|quote| written.rmatch_indices(quote).next());
        *culprit = of_quote
            .or_else(|| open_interpolation(written))
            .map(|(at, part)| TextRange::at(line.start() + TextSize::of(&written[..at]), TextSize::of(part)))
            .or(*culprit);
    }
    Some(line(source, culprit.map_or(noticed, TextRange::start)).start())
}

/// The offset and text of the start of an unclosed interpolation, on a line with more opening braces than closing ones.
fn open_interpolation(line: &str) -> Option<(usize, &str)> {
    const START: &str = "${";
    if line.matches('{').count() <= line.matches('}').count() {
        return None;
    }
    let starts = || line.match_indices(START);
    let is_open = |(at, start): &(usize, &str)| {
        let rest = &line[at + start.len()..];
        !rest[..rest.find(START).unwrap_or(rest.len())].contains('}')
    };
    starts().find(is_open).or_else(|| starts().next())
}

fn is_nameless(error: &SyntaxError) -> bool {
    matches!(&error.kind, SyntaxErrorKind::IllegalVariableName(name) if name.is_empty())
}

fn ends_late(error: &SyntaxError) -> bool {
    matches!(error.kind, SyntaxErrorKind::StringEndsLate { .. })
}

fn is_unclosed_quote(error: &SyntaxError) -> bool {
    matches!(error.kind, SyntaxErrorKind::UnclosedQuote { .. })
}

/// The offset from which the text cannot be trusted, if the error is of such a kind.
fn loses_the_rest(source: &str, error: &SyntaxError) -> Option<TextSize> {
    let start = error.range.start();
    match &error.kind {
        // The quotes are out of step from the string that lacks its own quote.
        SyntaxErrorKind::UnclosedQuote { culprit, .. } => {
            Some(line(source, culprit.map_or(start, |culprit| culprit.start())).start())
        }
        SyntaxErrorKind::StringEndsLate { .. } => Some(line(source, start).start()),
        SyntaxErrorKind::UnclosedComment
        | SyntaxErrorKind::HeredocWithoutEnd { .. }
        | SyntaxErrorKind::HeredocUnclosedParenthesis
        | SyntaxErrorKind::HeredocInvalidSyntax
        | SyntaxErrorKind::HeredocInvalidEscape(_)
        | SyntaxErrorKind::HeredocMultipleEscapes(_)
        | SyntaxErrorKind::HeredocEmptyEndTag
        | SyntaxErrorKind::EppUnbalancedTag
        | SyntaxErrorKind::EppUnbalancedComment
        | SyntaxErrorKind::EppUnbalancedExpression => Some(start),
        _ => None,
    }
}

/// Whether a bracket is unclosed; its closer may be in a part that could not be read.
fn is_unclosed(error: &SyntaxError) -> bool {
    matches!(error.kind, SyntaxErrorKind::Unclosed { .. } | SyntaxErrorKind::Unexpected { found: None, .. })
}

/// The lines after that of an offset that are indented further.
fn block(source: &str, offset: TextSize) -> TextRange {
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let first = line(source, offset);
    let indentation = blanks(&source[first]);
    let rest = &source[usize::from(first.end())..];
    let inner =
        rest.split_inclusive('\n').skip(1).take_while(|it| it.trim().is_empty() || blanks(it) > indentation);
    let length = rest.find('\n').map_or(0, |it| it + 1) + inner.map(str::len).sum::<usize>();
    TextRange::at(first.end(), TextSize::new(length as u32))
}

/// The line that contains an offset, without its line end.
fn line(source: &str, offset: TextSize) -> TextRange {
    let (before, after) = source.split_at(usize::from(offset));
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let end = after.find('\n').map_or(source.len(), |newline| before.len() + newline);
    TextRange::new(TextSize::of(&source[..start]), TextSize::of(&source[..end]))
}

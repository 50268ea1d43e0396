//! Formatting a formatted text whose layout has been changed restores it.

use std::fmt::Write as _;

use marotte_format::{Error, Options, format};
use marotte_syntax::{Mode, TokenKind, Written, parse, written};

use crate::support::{corpus, difference, formatted};

/// The number of changed texts to format.
const MUTANTS: usize = 2_000;

/// The number of changes made to each text.
const CHANGES: usize = 12;

/// Pseudorandom numbers, the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        // xorshift64
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A token or a comment.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: usize,
    end: usize,
    /// None for a comment.
    kind: Option<TokenKind>,
}

/// The tokens and comments of the code itself, in order.
fn pieces(text: &str, written: &Written) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    let end_of_string = |at: &mut usize| {
        let mut depth = 0;
        while let (Some(kind), Some(place)) = (written.tokens.kind(*at), written.tokens.place(*at)) {
            *at += 1;
            depth += i32::from(kind == TokenKind::StringStart) - i32::from(kind == TokenKind::StringEnd);
            if depth == 0 {
                return usize::from(place.range().end());
            }
        }
        text.len()
    };
    while let (Some(kind), Some(place)) = (written.tokens.kind(at), written.tokens.place(at)) {
        let start = usize::from(place.range().start());
        let end = match kind {
            TokenKind::StringStart => end_of_string(&mut at),
            TokenKind::Heredoc => {
                at += 1;
                end_of_string(&mut at);
                usize::from(place.range().end())
            }
            _ => {
                at += 1;
                usize::from(place.range().end())
            }
        };
        pieces.push(Piece { start, end, kind: Some(kind) });
    }
    let is_part = |start: usize, pieces: &[Piece]| {
        let around = pieces.partition_point(|it| it.start <= start);
        pieces[..around].last().is_some_and(|it| start < it.end)
            || written.heredocs.iter().any(|it| it.lines.contains((start as u32).into()))
    };
    let comments = written.comments.iter().map(|it| std::ops::Range::<usize>::from(it.range));
    let comments: Vec<Piece> = comments
        .filter(|it| !is_part(it.start, &pieces))
        .map(|it| Piece { start: it.start, end: it.end, kind: None })
        .collect();
    pieces.extend(comments);
    pieces.sort_by_key(|it| it.start);
    pieces
}

/// Replaces the gap between two pieces by another one, if that only changes the layout.
fn other_gap(
    text: &str,
    written: &Written,
    before: Piece,
    after: Piece,
    random: &mut Random,
) -> Option<String> {
    let gap = text.get(before.end..after.start)?;
    let line_start = text[..before.end].rfind('\n').map_or(0, |at| at + 1);
    // Text after a header on its line moves the start of the heredoc's text.
    let has_heredoc = written.heredocs.iter().any(|it| {
        let header = usize::from(it.header.start());
        line_start <= header && header < after.start
    });
    let is_outside = written
        .texts
        .iter()
        .any(|it| usize::from(it.start()) < after.start && before.end < usize::from(it.end()));
    if has_heredoc || is_outside || !gap.bytes().all(|byte| byte.is_ascii_whitespace()) {
        return None;
    }
    let blanks = |random: &mut Random| random.pick(&[" ", "  ", "\t", "     ", " \t "]).to_owned();
    let is_bracket = matches!(
        after.kind,
        Some(TokenKind::LeftParen | TokenKind::LineParen | TokenKind::LeftBracket | TokenKind::ListStart)
    );
    let line_ends = gap.matches('\n').count();
    let is_comment = before.kind.is_none() || after.kind.is_none();
    match line_ends {
        0 if gap.is_empty() => {
            let may_have_blank = matches!(
                after.kind,
                Some(
                    TokenKind::Comma
                        | TokenKind::RightParen
                        | TokenKind::RightBracket
                        | TokenKind::Semicolon
                        | TokenKind::Colon
                )
            );
            may_have_blank.then(|| blanks(random))
        }
        0 if is_comment || is_bracket || random.below(2) == 0 => Some(blanks(random)),
        // An additional line end.
        0 => Some(format!("{}\n{}", random.pick(&["", " "]), blanks(random))),
        // A line end less.
        1 if !is_comment && !is_bracket && random.below(2) == 0 => Some(blanks(random)),
        // Different indentation, and blanks at the end of the line.
        1 => {
            Some(format!("{}\n{}", random.pick(&["", "  ", "\t"]), random.pick(&["", " ", "\t", "       "])))
        }
        // More blank lines.
        _ => Some(format!("\n{}\n{}", random.pick(&["", "\n", "  \n\n"]), random.pick(&["", "   "]))),
    }
}

fn mutant(text: &str, mode: Mode, random: &mut Random) -> String {
    let written = written(text, mode);
    let pieces = pieces(text, &written);
    let mut changes: Vec<(usize, usize, String)> = Vec::new();
    for _ in 0..CHANGES * 3 {
        if pieces.len() < 2 || changes.len() >= CHANGES {
            break;
        }
        let at = random.below(pieces.len() - 1);
        let (before, after) = (pieces[at], pieces[at + 1]);
        if !changes.iter().any(|(start, ..)| *start == before.end)
            && let Some(gap) = other_gap(text, &written, before, after, random)
        {
            changes.push((before.end, after.start, gap));
        }
    }
    changes.sort();
    let mut mutant = String::new();
    let mut copied = 0;
    for (start, end, gap) in changes {
        mutant += &text[copied..start];
        mutant += &gap;
        copied = end;
    }
    mutant + &text[copied..]
}

#[test]
fn formatted_texts_are_found_again_behind_any_layout() {
    let texts = corpus();
    if texts.is_empty() {
        return;
    }
    let options = Options::default();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut failures = String::new();
    let mut count = 0;
    while count < MUTANTS {
        let (path, text, mode) = &texts[random.below(texts.len())];
        let Ok(formatted) = format(text, *mode, &options) else { continue };
        // Code is kept as it is written where a suppression comment would leave its line.
        if formatted.contains("lint:ignore") {
            continue;
        }
        let mutant = mutant(&formatted, *mode, &mut random);
        if mutant == formatted {
            continue;
        }
        count += 1;
        match format(&mutant, *mode, &options) {
            Ok(again) if again == formatted => {}
            Ok(again) => {
                let _ = writeln!(failures, "{}: {}", path.display(), difference(&formatted, &again));
            }
            Err(error) => {
                let _ = writeln!(failures, "{}: {error}", path.display());
            }
        }
    }
    let examples: Vec<&str> = failures.lines().take(20).collect();
    assert!(failures.is_empty(), "{} of {MUTANTS}:\n{}", failures.lines().count(), examples.join("\n"));
}

/// Adds comments between tokens, wherever that is possible.
fn commented(text: &str, mode: Mode, random: &mut Random) -> String {
    let written = written(text, mode);
    let pieces = pieces(text, &written);
    let mut gaps: Vec<usize> = (0..3).map(|_| random.below(pieces.len())).collect();
    gaps.sort_unstable();
    gaps.dedup();
    let mut result = String::new();
    let mut copied = 0;
    for (number, gap) in gaps.into_iter().enumerate() {
        let Some(piece) = pieces.get(gap) else { continue };
        result += &text[copied..piece.end];
        let before = random.pick(&["", " ", "\n", "\n  "]);
        result += &match random.below(2) {
            0 => format!("{before} # c{number}\n"),
            _ => format!("{before}/* c{number} */{}", random.pick(&["", " ", "\n"])),
        };
        copied = piece.end;
    }
    result + &text[copied..]
}

#[test]
fn comments_at_any_place_stay_and_do_not_move_again() {
    let texts = corpus();
    let short: Vec<_> = texts.iter().filter(|(_, text, _)| text.len() < 4_000).collect();
    if short.is_empty() {
        return;
    }
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut failures, mut refused) = (String::new(), 0);
    for _ in 0..MUTANTS {
        let (path, text, mode) = short[random.below(short.len())];
        let text = commented(text, *mode, &mut random);
        let options = Options { line_width: random.pick(&[60, 140]), ..Options::default() };
        match formatted(&text, *mode, &options) {
            Ok(_) => {}
            // `@ /* c */ @user` is not `@@user`, the lines of a heredoc follow its header.
            Err(error) if [Error::Changed, Error::Entangled].iter().any(|it| it.to_string() == error) => {
                refused += 1;
            }
            Err(error) => _ = writeln!(failures, "{}: {error}\n{text}", path.display()),
        }
    }
    assert!(refused <= MUTANTS / 200, "{refused} of {MUTANTS} are refused");
    let examples: Vec<&str> = failures.lines().take(60).collect();
    assert!(failures.is_empty(), "{}", examples.join("\n"));
}

/// Adds suppression comments at the ends of lines, wherever that is possible.
fn suppressed(text: &str, mode: Mode, random: &mut Random) -> String {
    let written = written(text, mode);
    let pieces = pieces(text, &written);
    let ends_line = |it: &&Piece| it.kind.is_some() && text[it.end..].starts_with([' ', ',', ';', '\n']);
    let mut ends: Vec<usize> = pieces
        .iter()
        .filter(ends_line)
        .filter_map(|it| {
            let rest = &text[it.end..];
            let blanks = rest.len() - rest.trim_start_matches([' ', ',', ';']).len();
            rest[blanks..].starts_with('\n').then_some(it.end + blanks)
        })
        .collect();
    ends.dedup();
    let mut chosen: Vec<usize> = (0..4).filter_map(|_| ends.get(random.below(ends.len())).copied()).collect();
    chosen.sort_unstable();
    chosen.dedup();
    let mut result = String::new();
    let mut copied = 0;
    for (number, end) in chosen.into_iter().enumerate() {
        result += &text[copied..end];
        result += &format!(" # lint:ignore:c{number}");
        copied = end;
    }
    result + &text[copied..]
}

/// The code on the line of each suppression comment, without blanks.
fn code_on_lines(text: &str) -> impl Iterator<Item = (String, &str)> {
    let lines = text.lines().filter_map(|line| line.split_once("# lint:ignore"));
    lines.map(|(code, name)| (code.chars().filter(|it| !it.is_whitespace()).collect(), name))
}

/// Joins some lines, so that there is more to lay out.
fn joined(text: &str, mode: Mode, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..3 {
        let changed = mutant(&text, mode, random);
        if !parse(&changed, mode).errors.iter().any(|it| !it.kind.is_warning()) {
            text = changed;
        }
    }
    text
}

#[test]
fn suppression_comments_keep_the_code_on_their_lines() {
    let texts = corpus();
    let short: Vec<_> = texts.iter().filter(|(_, text, mode)| text.len() < 4_000 && !mode.template).collect();
    if short.is_empty() {
        return;
    }
    let mut random = Random(0x5851_f42d_4c95_7f2d);
    let mut failures = String::new();
    for _ in 0..MUTANTS {
        let (path, text, mode) = short[random.below(short.len())];
        let text = suppressed(&joined(text, *mode, &mut random), *mode, &mut random);
        let options = Options { line_width: random.pick(&[60, 140]), ..Options::default() };
        match formatted(&text, *mode, &options) {
            Ok(Some(formatted)) => {
                for ((before, name), (after, _)) in code_on_lines(&text).zip(code_on_lines(&formatted)) {
                    let is_covered = after.replace([',', ';'], "").contains(&before.replace([',', ';'], ""));
                    if !is_covered || before.is_empty() != after.is_empty() {
                        let _ = writeln!(failures, "{}: {name}: {before}: {after}\n{text}", path.display());
                    }
                }
            }
            Ok(None) => {}
            Err(error) => _ = writeln!(failures, "{}: {error}\n{text}", path.display()),
        }
    }
    let examples: Vec<&str> = failures.lines().take(60).collect();
    assert!(failures.is_empty(), "{}", examples.join("\n"));
}

//! The number of arguments that a function of the 3.x API accepts, as checked by its own first statements:
//! `raise(…) if arguments.size < 2`.

use crate::syntax::{Block, Source};

/// The least and the greatest number that a block's first statements accept.
pub(super) fn counts(source: &Source<'_>, block: &Block) -> (u64, Option<u64>) {
    let mut passing = Passing { least: 0, most: None };
    let Some([parameter]) = block.parameters.as_deref() else { return (0, None) };
    for statement in &block.body {
        let text = source.text_of(statement);
        match refused(text, parameter) {
            Some(refused) => passing.without(&refused),
            // A statement that returns early, or changes the arguments, affects the checks after it.
            None if mentions(text, parameter)
                || ["return", "next", "break"].iter().any(|it| mentions(text, it)) =>
            {
                break;
            }
            None => {}
        }
    }
    (passing.least, passing.most)
}

/// The numbers of arguments that a method accepts.
struct Passing {
    least: u64,
    most: Option<u64>,
}

/// The numbers of arguments that code rejects.
#[derive(Debug, PartialEq, Eq)]
enum Refused {
    Below(u64),
    Above(u64),
    /// All but this range.
    AllBut(u64, u64),
}

impl Passing {
    fn without(&mut self, refused: &[Refused]) {
        for it in refused {
            let (least, most) = match *it {
                Refused::Below(least) => (least, None),
                Refused::Above(most) => (0, Some(most)),
                Refused::AllBut(least, most) => (least, Some(most)),
            };
            self.least = self.least.max(least);
            self.most = [self.most, most].into_iter().flatten().min();
        }
    }
}

/// Returns the numbers of arguments that a statement rejects, if it only raises errors for numbers of arguments.
fn refused(text: &str, parameter: &str) -> Option<Vec<Refused>> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix("raise") {
        // After the last ` if `: messages may contain the word.
        let (_, condition) = rest.rsplit_once(" if ")?;
        return conditions(condition, parameter);
    }
    let (condition, body) = text.strip_prefix("if ")?.split_once('\n')?;
    let body = body.trim_end().strip_suffix("end")?.trim();
    let has_other =
        body.lines().any(|it| matches!(it.split_whitespace().next(), Some("else" | "elsif" | "end")));
    if !body.starts_with("raise") || has_other {
        return None;
    }
    conditions(condition.trim_end_matches(" then"), parameter)
}

/// Parses `a or b`, each a comparison; or several numbers of which none equals the number of arguments.
fn conditions(text: &str, parameter: &str) -> Option<Vec<Refused>> {
    let parts = |by: &'static str| text.split(by).map(|it| comparison(it, parameter));
    if text.contains("&&") {
        let but: Option<Vec<Refused>> = parts("&&").collect();
        let mut taken = Vec::new();
        for it in but? {
            let Refused::AllBut(one, other) = it else { return None };
            taken.extend(one..=other);
        }
        taken.sort_unstable();
        let (first, last) = (*taken.first()?, *taken.last()?);
        return Some(vec![Refused::AllBut(first, last)]);
    }
    let by = if text.contains("||") { "||" } else { " or " };
    parts(by).collect()
}

fn comparison(text: &str, parameter: &str) -> Option<Refused> {
    let text = text.trim().trim_start_matches('(').trim_end_matches(')').trim();
    let rest = text.strip_prefix(parameter)?.strip_prefix('.')?;
    if rest == "empty?" {
        return Some(Refused::Below(1));
    }
    let rest = ["size", "length", "count"].iter().find_map(|it| rest.strip_prefix(it))?.trim_start();
    let end = rest.find(|it: char| it.is_ascii_digit())?;
    let number: u64 = rest[end..].parse().ok()?;
    match rest[..end].trim() {
        "<" => Some(Refused::Below(number)),
        "<=" => Some(Refused::Below(number + 1)),
        ">" => Some(Refused::Above(number)),
        ">=" => Some(Refused::Above(number.checked_sub(1)?)),
        "!=" => Some(Refused::AllBut(number, number)),
        "==" if number == 0 => Some(Refused::Below(1)),
        _ => None,
    }
}

/// Whether a text contains a word as a whole.
fn mentions(text: &str, word: &str) -> bool {
    let is_of_word = |it: char| it.is_alphanumeric() || it == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_of_word) && !text[at + word.len()..].starts_with(is_of_word))
}

#[cfg(test)]
mod tests {
    use crate::function::read;

    fn counts(body: &str) -> (u64, Option<u64>) {
        let text = format!(
            "module Puppet::Parser::Functions\n  newfunction(:f, :type => :rvalue) do |args|\n{body}\n  end\nend\n"
        );
        let found = read(&text);
        let function = &found.legacy[0];
        (function.least, function.most)
    }

    #[test]
    fn statements_that_raise_say_how_many_there_are() {
        assert_eq!(
            counts("raise(Puppet::ParseError, \"f(): (#{args.size} for 2)\") if args.size < 2"),
            (2, None)
        );
        assert_eq!(counts("raise ArgumentError, 'none if empty' if args.empty?\nargs[0].upcase"), (1, None));
        assert_eq!(counts("raise(Puppet::ParseError, 'f') if args.length != 3"), (3, Some(3)));
        assert_eq!(
            counts(
                "raise(Puppet::ParseError, 'less') if args.empty?\nraise(Puppet::ParseError, 'more') if args.size > 2"
            ),
            (1, Some(2))
        );
        assert_eq!(counts("raise(E, 'x') if args.size < 1 || args.size > 3"), (1, Some(3)));
        assert_eq!(counts("raise(E, 'x') if (args.size != 1) && (args.size != 2)"), (1, Some(2)));
        assert_eq!(counts("if args.size < 2\n  raise E,\n    'x'\nend"), (2, None));
        assert_eq!(counts("function_deprecation([:f, 'old'])\nraise(E, 'x') if args.empty?"), (1, None));
    }

    #[test]
    fn what_is_decided_otherwise_is_unknown() {
        assert_eq!(counts("args << lookupvar('x')\nraise(E, 'x') if args.size < 2"), (0, None));
        assert_eq!(counts("return 1 if @x\nraise(E, 'x') if args.empty?"), (0, None));
        assert_eq!(counts("raise(E, 'x') if args.size < 2 && args[0]"), (0, None));
        assert_eq!(counts("raise(E, 'x') unless args.size > 2"), (0, None));
        assert_eq!(counts("raise(E, 'x') if args[0].empty?"), (0, None));
        assert_eq!(counts("if args.empty?\n  raise E\nelse\n  1\nend"), (0, None));
    }
}

//! The folding ranges of a file.

use marotte_db::{File, mode, source_text};
use marotte_hiera::Format;
use marotte_hiera::data::{Inner, Places};
use marotte_resolve::data_files::{HieraFileKind, document, hiera_file};
use marotte_syntax::{LexemeKind, lexemes};
use marotte_text::TextRange;

use crate::Db;
use crate::token::{is_code, slice};

/// A part of a file that can be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folding {
    /// The range from the first line, whose start stays visible, to the last.
    pub range: TextRange,
    /// The kind of the range.
    pub kind: FoldingKind,
}

/// A kind of [`Folding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoldingKind {
    /// The contents of brackets, or the value of a key.
    Code,
    /// A comment of several lines.
    Comment,
    /// The part between `# region` and `# endregion`.
    Region,
}

/// The parts of a file that can be folded: brackets, heredocs and comments of several lines; entries of data.
pub fn foldings(db: &dyn Db, file: File) -> Vec<Folding> {
    let mut found = Vec::new();
    let text = source_text(db, file).text();
    if let Some(hiera) = hiera_file(db, file) {
        let format = match hiera.kind {
            HieraFileKind::Data { format, .. } => format,
            HieraFileKind::Configuration => Format::Yaml,
        };
        if let Ok(document) = &**document(db, file, format) {
            entries(&document.places, None, &mut found);
        }
    } else if is_code(db, file) {
        brackets(text, mode(db, file), &mut found);
    }
    found.retain(|it| slice(text, it.range).trim_end().contains('\n'));
    found.sort_by_key(|it| (it.range.start(), std::cmp::Reverse(it.range.end()), it.kind));
    found.dedup_by_key(|it| it.range);
    found
}

fn entries(places: &Places, key: Option<TextRange>, found: &mut Vec<Folding>) {
    let range = key.map_or(places.range, |it| it.cover(places.range));
    match &places.inner {
        Inner::Scalar => {}
        Inner::Elements(all) => all.iter().for_each(|it| entries(it, None, found)),
        Inner::Entries(all) => all.iter().for_each(|(key, it)| entries(it, Some(*key), found)),
    }
    found.extend(key.map(|_| Folding { range, kind: FoldingKind::Code }));
}

fn brackets(text: &str, mode: marotte_syntax::Mode, found: &mut Vec<Folding>) {
    let mut open: Vec<TextRange> = Vec::new();
    let mut comment: Option<TextRange> = None;
    let mut regions: Vec<TextRange> = Vec::new();
    let mut add = |range, kind| found.push(Folding { range, kind });
    for it in lexemes(text, mode).all {
        let word = slice(text, it.range);
        match it.kind {
            LexemeKind::Punctuation if matches!(word, "{" | "(" | "[" | "<|" | "<<|") => open.push(it.range),
            LexemeKind::Punctuation if matches!(word, "}" | ")" | "]" | "|>" | "|>>") => {
                if let Some(start) = open.pop() {
                    add(start.cover(it.range), FoldingKind::Code);
                }
            }
            LexemeKind::String
            | LexemeKind::StringStart
            | LexemeKind::StringMiddle
            | LexemeKind::StringEnd => {
                add(it.range, FoldingKind::Code);
            }
            LexemeKind::Comment => {
                let words = word.trim_start_matches('#').trim();
                if words.starts_with("region") {
                    regions.push(it.range);
                } else if words.starts_with("endregion")
                    && let Some(start) = regions.pop()
                {
                    add(start.cover(it.range), FoldingKind::Region);
                }
                // Adjacent comment lines form one comment.
                comment = match comment {
                    Some(before) if is_joined(text, before, it.range) => Some(before.cover(it.range)),
                    Some(before) => {
                        add(before, FoldingKind::Comment);
                        Some(it.range)
                    }
                    None => Some(it.range),
                };
            }
            _ => {}
        }
    }
    comment.into_iter().for_each(|it| add(it, FoldingKind::Comment));
}

fn is_joined(text: &str, before: TextRange, next: TextRange) -> bool {
    let between = text.get(usize::from(before.end())..usize::from(next.start())).unwrap_or("x");
    between.trim().is_empty() && between.matches('\n').count() <= 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn texts(tree: &str, path: &str) -> Vec<String> {
        let fixture = Fixture::new(tree);
        let file = fixture.file(path);
        let text = source_text(fixture.db(), file).text();
        let all = foldings(fixture.db(), file).into_iter();
        all.map(|it| format!("{:?} {}", it.kind, slice(text, it.range).replace('\n', "|"))).collect()
    }

    #[test]
    fn brackets_and_comments_of_several_lines() {
        let tree = "# a\n# b\n\n# c\nif $x { }\nfile { 'a':\n  ensure => [\n  ],\n}\n";
        assert_eq!(
            texts(tree, "/manifests/site.pp"),
            [
                "Comment # a|# b",
                "Code {|  ensure => [|  ],|}".replacen("{|", "{ 'a':|", 1).as_str(),
                "Code [|  ]"
            ]
        );
    }

    #[test]
    fn entries_of_data() {
        let tree = "
            //- /hiera.yaml
            version: 5
            hierarchy: [{name: a, path: a.yaml}]
            //- /data/a.yaml
            a:
              b: 1
              c: 2
            d: 3
            ";
        assert_eq!(texts(tree, "/data/a.yaml"), ["Code a:|  b: 1|  c: 2|"]);
    }
}

//! Uses of a variable by names that are computed: `getvar($name)` in code, `scope[@name]` in templates.

use std::cell::OnceCell;

use marotte_check::semantics::{PossibleNames, computed_variables, parents};
use marotte_db::{Environment, File, source_text};
use marotte_hir::body::{Body, Expr, FrameId, Segment};
use marotte_hir::{ExprId, Item, ItemKind, items, places};
use marotte_ruby::erb::{TagKind, tags};
use marotte_text::{Str, TextRange, TextSize, normalized, unrooted};

use super::attributes::may_return_hashes;
use super::context::StringContext;
use super::elsewhere::{comments, is_line_comment, place, whole_names};
use super::{RefusedRename, TextEdit, refuse};
use crate::Db;
use crate::files::{code_files, hiera_files, naming_files, ruby_files};
use crate::hover::shown_path;
use crate::token::{Named, is_erb, tokens};
use crate::words::has_words;

/// A variable that may be read under a computed name.
pub(super) struct Renamed<'r, 'db> {
    pub(super) db: &'db dyn Db,
    pub(super) environment: Environment,
    /// The item that has the variable; None for the top scope.
    pub(super) item: Option<Item<'db>>,
    /// The frame of the item that has the variable.
    pub(super) frame: Option<FrameId>,
    pub(super) name: &'r Str,
    /// The changes so far.
    pub(super) edits: &'r [TextEdit],
    /// Where the name is written as a value.
    written: OnceCell<Option<(File, TextSize)>>,
}

impl<'r, 'db> Renamed<'r, 'db> {
    pub(super) fn new(
        db: &'db dyn Db,
        environment: Environment,
        item: Option<Item<'db>>,
        frame: Option<FrameId>,
        name: &'r Str,
        edits: &'r [TextEdit],
    ) -> Renamed<'r, 'db> {
        Renamed { db, environment, item, frame, name, edits, written: OnceCell::new() }
    }

    /// Refuses if code may read the variable under a computed name: one that is known to be its name, or any name if that of the
    /// variable is written somewhere.
    pub(super) fn not_computed(&self) -> Result<(), RefusedRename> {
        let db = self.db;
        let class = self.item.filter(|it| self.frame.is_none() && it.kind(db) == ItemKind::Class);
        let qualified = class.map(|it| normalized(it.name(db)));
        for file in code_files(db, self.environment) {
            if !has_words(db, *file, "getvar") && !has_words(db, *file, "defined") {
                continue;
            }
            for item in items(db, *file) {
                self.in_item(*item, qualified.as_deref())?;
            }
        }
        match qualified {
            Some(class) => self.in_ruby(&class),
            None => Ok(()),
        }
    }

    fn in_item(&self, item: Item<'db>, class: Option<&str>) -> Result<(), RefusedRename> {
        let db = self.db;
        let is_visible = match self.item {
            Some(own) => own == item || self.frame.is_none() && parents(db, item).contains(&own),
            None => true,
        };
        let body = item.body(db);
        let full = class.map(|it| format!("{it}::{}", self.name));
        for read in computed_variables(db, item) {
            let is_short = is_visible && read.names.may_be(self.name);
            let is_full = full.as_deref().is_some_and(|it| read.names.may_be(it));
            // A full name that is written somewhere is found without its reader.
            let is_plain = match &read.names {
                PossibleNames::Pattern(texts) => !texts.iter().any(|it| it.contains("::")),
                PossibleNames::Known(_) => false,
            };
            let is_built = || class.is_some_and(|it| builds_name(body, it));
            if !is_short && (!is_full || is_plain && !is_built()) {
                continue;
            }
            let file = item.file(db);
            let at = place(db, file, range(db, item, read.at).start());
            if !read.names.is_word_unknown() {
                return refuse(format!(
                    "the name of a variable is computed at {at}: it may be `{}`",
                    self.name
                ));
            }
            if let Some(written) = self.written() {
                return refuse(format!(
                    "`{}` at {written} may be the name of the variable that is computed at {at}",
                    self.name
                ));
            }
        }
        Ok(())
    }

    /// Refuses if Ruby puts full names of the class's variables together.
    fn in_ruby(&self, class: &str) -> Result<(), RefusedRename> {
        let prefix = format!("{class}::");
        for file in ruby_files(self.db, self.environment) {
            if !has_words(self.db, *file, class) {
                continue;
            }
            let text = source_text(self.db, *file).text();
            let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
            let mut found = text.match_indices(&*prefix).filter(|(at, _)| {
                let before = text[..*at].trim_end_matches("::");
                !before.ends_with(is_part) && text[at + prefix.len()..].starts_with(['#', '\'', '"'])
            });
            if let (Some((at, _)), Some(written)) = (found.next(), self.written()) {
                let at = place(self.db, *file, TextSize::try_from(at).unwrap_or_default());
                return refuse(format!(
                    "`{}` at {written} may be the name of the variable that is computed at {at}",
                    self.name
                ));
            }
        }
        Ok(())
    }

    /// Refuses if a template in ERB, or a function in Ruby, may read the variable under a computed name.
    pub(super) fn not_in_file(&self, file: File) -> Result<(), RefusedRename> {
        let text = source_text(self.db, file).text();
        // `scope['port' + @suffix]`
        let is_part = |at: &usize| reads(&text[..*at]) && !begins_with_literal(&text[at.saturating_sub(1)..]);
        if let Some(at) = whole_names(text, self.name).into_iter().find(is_part) {
            let at = place(self.db, file, TextSize::try_from(at).unwrap_or_default());
            return refuse(format!(
                "the name of a variable is computed at {at}, of which `{}` is a part",
                self.name
            ));
        }
        match if is_erb(self.db, file) { reads_computed_names(text) } else { computes_name(text) } {
            true => self.refuse_if_written(&shown_path(self.db, self.environment, file)),
            false => Ok(()),
        }
    }

    /// Refuses if a template that is written in code may read the variable under a computed name.
    pub(super) fn not_in_text(&self, text: &str, at: &str) -> Result<(), RefusedRename> {
        match reads_computed_names(text) || text.contains("getvar") {
            true => self.refuse_if_written(at),
            false => Ok(()),
        }
    }

    fn refuse_if_written(&self, reader: &str) -> Result<(), RefusedRename> {
        match self.written() {
            Some(written) => refuse(format!(
                "`{}` at {written} may be the name of the variable that `{reader}` computes",
                self.name
            )),
            None => Ok(()),
        }
    }

    /// The first place where a string, data or a function in Ruby contains the name.
    fn written(&self) -> Option<String> {
        let found = self.written.get_or_init(|| self.in_code().or_else(|| self.in_data()));
        found.map(|(file, at)| place(self.db, file, at))
    }

    fn in_code(&self) -> Option<(File, TextSize)> {
        let db = self.db;
        for file in code_files(db, self.environment).iter().filter(|it| has_words(db, **it, self.name)) {
            let known: Vec<TextRange> =
                tokens(db, *file).iter().filter(|it| is_no_value(&it.named)).map(|it| it.range).collect();
            for item in items(db, *file) {
                for (id, expr) in item.body(db).exprs() {
                    if !has_name(expr, self.name) {
                        continue;
                    }
                    let at = range(db, *item, id);
                    let is_known = known.iter().any(|it| at.contains_range(*it) && !it.is_empty())
                        || self.edits.iter().any(|it| {
                            it.place.file == *file
                                && matches!(expr, Expr::String(_))
                                && at.contains_range(it.place.range)
                        });
                    if !is_known && StringContext::of(db, *file, at.start()) != StringContext::Prose {
                        return Some((*file, at.start()));
                    }
                }
            }
        }
        None
    }

    fn in_data(&self) -> Option<(File, TextSize)> {
        let db = self.db;
        let all = hiera_files(db, self.environment).iter().chain(&naming_files(db, self.environment).files);
        for file in all.filter(|it| has_words(db, **it, self.name) && may_return_hashes(db, **it)) {
            let text = source_text(db, *file).text();
            let is_data = matches!(file.path(db).extension(), Some("yaml" | "eyaml" | "json"));
            let is_ruby = file.path(db).extension() == Some("rb");
            let comments = comments(db, *file);
            let found = whole_names(text, self.name).into_iter().find(|at| {
                let offset = TextSize::try_from(*at).unwrap_or_default();
                (is_data || is_ruby && text[..*at].ends_with(['\'', '"', ':']))
                    && !comments.iter().any(|it| it.contains(offset))
                    && !is_line_comment(*file, db, text, *at)
                    && !self.edits.iter().any(|it| it.place.file == *file && it.place.range.contains(offset))
            });
            if let Some(at) = found {
                return Some((*file, TextSize::try_from(at).unwrap_or_default()));
            }
        }
        None
    }
}

/// Whether a string consists of a name, or contains it as a word; or whether a text between interpolations is the name.
fn has_name(expr: &Expr, name: &str) -> bool {
    match expr {
        Expr::String(text) => !whole_names(text, name).is_empty(),
        Expr::Interpolated(segments) => segments.iter().any(|it| match it {
            Segment::Text(text) => text.trim().trim_start_matches(['$', ':']) == name,
            Segment::Expr(_) => false,
        }),
        _ => false,
    }
}

/// Whether a token is written as a string, but is no value that code can pass on.
fn is_no_value(named: &Named<'_>) -> bool {
    matches!(
        named,
        Named::ResourceType(_)
            | Named::Type(_)
            | Named::Function(_)
            | Named::Attribute { .. }
            | Named::TemplateParameter(..)
    )
}

/// Whether a body has a string that begins with the namespace of a class, and continues with a computed text.
fn builds_name(body: &Body, class: &str) -> bool {
    body.exprs().any(|(_, expr)| match expr {
        Expr::Interpolated(segments) => match segments.first() {
            Some(Segment::Text(text)) => {
                unrooted(text).strip_suffix("::").is_some_and(|it| normalized(it) == class)
            }
            _ => false,
        },
        _ => false,
    })
}

/// The expressions of Ruby before the name of a variable that is read.
const READERS: [&str; 5] = ["scope[", "self[", "lookupvar", "to_hash[", "instance_variable_get"];

/// Whether the code of a template in ERB reads variables of the scope by names other than literal ones.
fn reads_computed_names(text: &str) -> bool {
    tags(text).iter().any(|it| it.kind != TagKind::Comment && computes_name(it.code))
}

/// Whether code in Ruby reads variables by names other than literal ones.
fn computes_name(code: &str) -> bool {
    let mut readers = READERS.iter().flat_map(|it| code.match_indices(it));
    readers.any(|(at, it)| !begins_with_literal(&code[at + it.len()..]))
}

/// Whether code in Ruby before a name in quotes reads a variable.
pub(super) fn reads(before: &str) -> bool {
    let before = before.trim_end_matches("::").trim_end_matches(['\'', '"']).trim_end_matches([' ', '(']);
    READERS.iter().any(|it| before.ends_with(it))
}

/// Whether an argument is a string in quotes, as a whole.
fn begins_with_literal(code: &str) -> bool {
    let code = code.trim_start_matches(['(', ' ']);
    let Some(quote) = code.chars().next().filter(|it| matches!(it, '\'' | '"')) else { return false };
    let Some((text, rest)) = code[1..].split_once(quote) else { return false };
    let rest = rest.trim_start();
    !text.contains("#{") && (rest.is_empty() || !rest.starts_with(['+', '%', '.', '<']))
}

fn range(db: &dyn Db, item: Item<'_>, id: ExprId) -> TextRange {
    places(db, item).map.place(id).map(|it| it.range).unwrap_or_default()
}

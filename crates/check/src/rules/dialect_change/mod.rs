//! `dialect-change`: code that is written in another dialect of the language means something else in Puppet 8, or nothing.
//!
//! Each point is a row of the table of differences (D.6), and each asks the two dialects for their choices: nobody asks which
//! dialect it is. Only what is certain is told. Types that are merely wider than they were break nothing, and are left out.

mod conditions;
mod defaults;
mod names;
mod operators;
mod ranges;
mod regexps;

use marotte_db::{Settings, source_text};
use marotte_diagnostics::{Edit, Fix};
use marotte_hir::ExprId;
use marotte_pcore::dialect::Dialect;
use marotte_resolve::dialect;

use crate::context::{At, Context};

/// The dialect that the code is written in, and the one that it is to be read in.
#[derive(Clone, Copy)]
struct Dialects {
    written: &'static Dialect,
    today: &'static Dialect,
}

pub(super) fn check(context: &mut Context<'_, '_>) {
    let dialects = Dialects { written: Settings::get(context.db).dialect(context.db), today: dialect() };
    if dialects.written == dialects.today {
        return;
    }
    names::check(context, dialects);
    ranges::check(context, dialects);
    conditions::check(context, dialects);
    operators::check(context, dialects);
    regexps::check(context, dialects);
    defaults::check(context, dialects);
}

/// What stands for an expression in another dialect.
struct Replacement {
    at: ExprId,
    text: String,
    /// It means the same there for every value.
    safe: bool,
}

impl Replacement {
    /// What means the same.
    fn safe(at: ExprId, text: impl Into<String>) -> Replacement {
        Replacement { at, text: text.into(), safe: true }
    }

    /// What is probably meant, and what accepts other values, too.
    fn wider(at: ExprId, text: impl Into<String>) -> Replacement {
        Replacement { at, text: text.into(), safe: false }
    }
}

fn report(context: &mut Context<'_, '_>, at: At, message: String, replacement: Option<Replacement>) {
    let fix = replacement.map(|it| {
        let edit = Edit { range: context.range(At::Expr(it.at)), text: it.text };
        Fix { title: format!("replace with `{}`", edit.text), safe: it.safe, edits: vec![edit] }
    });
    let finding = context.report("dialect-change", at, message);
    finding.label = fix.as_ref().map(|it| it.title.clone());
    finding.fix = fix;
}

/// The source of an expression.
fn source(context: &Context<'_, '_>, id: ExprId) -> String {
    source_text(context.db, context.file).text()[context.range(At::Expr(id))].to_owned()
}

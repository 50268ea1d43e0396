//! `dialect-change`: code that is written for another dialect of the language, and has another meaning in Puppet 8, or none.
//!
//! Each check is a row of the table of differences (D.6), and compares the two dialects' choices rather than their identities.
//! Only certain differences are reported. Types that merely became wider break nothing, and are left out.

mod conditions;
mod defaults;
mod names;
mod operators;
mod ranges;
mod regexps;

use marotte_db::{Settings, source_text};
use marotte_diagnostics::{Edit, Fix, rules};
use marotte_hir::ExprId;
use marotte_pcore::dialect::Dialect;
use marotte_resolve::dialect;

use crate::context::{At, Context};

/// The dialect in which the code is written, and the one in which it will be evaluated.
#[derive(Clone, Copy)]
struct Dialects {
    written: &'static Dialect,
    today: &'static Dialect,
}

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
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

/// The replacement of an expression in another dialect.
struct Replacement {
    at: ExprId,
    text: String,
    /// It is equivalent for every value.
    safe: bool,
}

impl Replacement {
    /// An equivalent replacement.
    fn safe(at: ExprId, text: impl Into<String>) -> Replacement {
        Replacement { at, text: text.into(), safe: true }
    }

    /// A replacement that is probably intended, but accepts further values.
    fn wider(at: ExprId, text: impl Into<String>) -> Replacement {
        Replacement { at, text: text.into(), safe: false }
    }
}

fn report(context: &mut Context<'_, '_>, at: At, message: String, replacement: Option<Replacement>) {
    let fix = replacement.map(|it| {
        let edit = Edit { range: context.range(At::Expr(it.at)), text: it.text };
        Fix { title: format!("replace with `{}`", edit.text), safe: it.safe, edits: vec![edit] }
    });
    let finding = context.report(rules::DIALECT_CHANGE, at, message);
    finding.label = fix.as_ref().map(|it| it.title.clone());
    finding.fix = fix;
}

/// The source of an expression.
fn source(context: &Context<'_, '_>, id: ExprId) -> String {
    source_text(context.db, context.file).text()[context.range(At::Expr(id))].to_owned()
}

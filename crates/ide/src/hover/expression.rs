//! Hover texts of expressions that name no symbol: the parts of `$trusted`, and the groups of a match.

use marotte_check::semantics;
use marotte_db::{File, environment_of};
use marotte_hir::body::{Body, Expr, Variable};
use marotte_hir::{ExprId, Item, places};
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::globals::global_type;
use marotte_text::{Str, TextRange};

use super::{Hover, code, shown_type};
use crate::definition::item_at;
use crate::token::is_code;
use crate::{Db, FilePosition};

/// Returns the hover text of the key in `$trusted['key']`, or of `$1`, at a place.
pub(super) fn hover(db: &dyn Db, at: FilePosition) -> Option<Hover> {
    let item = item_at(db, at).filter(|_| is_code(db, at.file))?;
    let (body, map) = (item.body(db), places(db, item).map);
    let range = |id: ExprId| map.place(id).map(|it| it.range).filter(|it| it.contains_inclusive(at.offset));
    let hover = |range: TextRange, markdown| Hover { range, markdown, fact: None };
    body.exprs().find_map(|(id, expr)| match expr {
        Expr::Variable(it) => match **it {
            Variable::Group(number) => Some(hover(range(id)?, of_group(number))),
            _ => None,
        },
        Expr::Access { keys, .. } => {
            let range = keys.iter().find_map(|it| range(*it))?;
            Some(hover(range, of_trusted(db, item, id)?))
        }
        _ => None,
    })
}

/// `$1`: a group of the last match.
fn of_group(number: u32) -> String {
    const ORDINALS: [&str; 9] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
    let ordinal = ORDINALS.iter().zip(1..).find(|(_, it)| *it == number);
    let said = match (number, ordinal) {
        (0, _) => "The text of the last match.".to_owned(),
        (_, Some((ordinal, _))) => format!("The {ordinal} group of the last match."),
        (_, None) => format!("Group {number} of the last match."),
    };
    format!("{}\n\n{said}", code(&format!("${number}")))
}

/// `$trusted['certname']`, with its type.
fn of_trusted(db: &dyn Db, item: Item<'_>, id: ExprId) -> Option<String> {
    let path = trusted_path(item.body(db), id)?;
    let keys: String = path.iter().map(|it| format!("['{it}']")).collect();
    let head = code(&format!("$trusted{keys}"));
    Some(match type_of_trusted(db, item.file(db), &path).and_then(|it| shown_type(&it)) {
        Some(text) => format!("{head}\n\nA trusted fact: `{text}`"),
        None => format!("{head}\n\nA trusted fact."),
    })
}

/// The type of a part of `$trusted`.
fn type_of_trusted(db: &dyn Db, from: File, path: &[&Str]) -> Option<Type> {
    let whole = global_type(db, from, environment_of(db, from), "trusted")?;
    let (first, rest) = path.split_first()?;
    let TypeKind::Struct(parts) = whole.resolved().kind() else { return None };
    let part = parts.iter().find(|it| it.name == **first)?.value.clone();
    rest.iter().try_fold(part, |whole, key| semantics::element(&whole, key))
}

/// The keys of an access to `$trusted`, from the outermost to the innermost.
fn trusted_path(body: &Body, mut id: ExprId) -> Option<Vec<&Str>> {
    let mut path = Vec::new();
    loop {
        match body.expr(id) {
            Expr::Access { target, keys } => {
                let [key] = **keys else { return None };
                let Expr::String(key) = body.expr(key) else { return None };
                path.push(key);
                id = *target;
            }
            Expr::Variable(it) => {
                let (Variable::Local { name, .. } | Variable::Top(name)) = &**it else { return None };
                path.reverse();
                return (name == "trusted").then_some(path);
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Fixture, assert_text};

    fn shown(code: &str) -> Option<String> {
        let fixture = Fixture::new(code);
        crate::hover(fixture.db(), fixture.cursor()).map(|it| it.markdown)
    }

    #[track_caller]
    fn check(code: &str, head: &str, said: &str) {
        assert_text(&shown(code).unwrap_or_default(), &format!("```puppet\n{head}\n```\n\n{said}"));
    }

    #[test]
    fn parts_of_trusted() {
        let said = "A trusted fact: `Optional[String]`";
        check("notice($trusted['cert$0name'])", "$trusted['certname']", said);
        check("class c { notice(\"${trusted['cert$0name']}\") }", "$trusted['certname']", said);
        let role = "$trusted['extensions']['pp_role']";
        check("$x = $trusted['extensions']['pp_$0role']", role, "A trusted fact.");
        check("$x = $trusted['exten$0sions']['a']", "$trusted['extensions']", "A trusted fact: `Hash`");
        assert_eq!(shown("$x = { 'a' => 1 }\n$y = $x['a$0']"), None);
    }

    #[test]
    fn groups_of_a_match() {
        let first = "The first group of the last match.";
        check("if 'ab' =~ /(a)(b)/ { notice($$01) }", "$1", first);
        check("if 'ab' =~ /(a)(b)/ { notice(\"x ${$01}\") }", "$1", first);
        check("case 'a' { /a/: { notice($$00) } }", "$0", "The text of the last match.");
    }
}

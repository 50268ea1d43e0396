//! The tokens of templates in ERB.

use std::collections::BTreeMap;

use marotte_check::semantics::rendered_templates;
use marotte_db::{Environment, File, environment_of, source_text};
use marotte_hir::{Item, ItemKind, items};
use marotte_ruby::template::{TemplateNameKind, names};
use marotte_text::{Str, split_namespace, unrooted};

use super::{Access, Named, Token, part};
use crate::Db;
use crate::files::code_files;
use crate::words::has_words;

/// Whether a file is a template in ERB.
pub(crate) fn is_erb(db: &dyn Db, file: File) -> bool {
    file.path(db).extension() == Some("erb")
}

pub(super) fn tokens<'db>(db: &'db dyn Db, file: File) -> Vec<Token<'db>> {
    let mut found = Vec::new();
    let mut add = |range, named| found.push(Token { range, access: Access::Read, named, within: None });
    for it in names(source_text(db, file).text()) {
        let bare = unrooted(it.name);
        match (it.kind, split_namespace(bare)) {
            (TemplateNameKind::Function, _) => add(it.range, Named::Function(bare.into())),
            (TemplateNameKind::Variable, Some((class, name))) => {
                let root = it.name.len() - bare.len();
                add(part(it.range, root, root + class.len()), Named::Class(class.into()));
                let range = part(it.range, it.name.len() - name.len(), it.name.len());
                add(range, Named::Qualified(class.into(), name.into()));
            }
            (TemplateNameKind::Variable, None) if bare.len() < it.name.len() => {
                add(
                    part(it.range, it.name.len() - bare.len(), it.name.len()),
                    Named::Qualified(Str::new(), bare.into()),
                );
            }
            (TemplateNameKind::Variable, None) => add(it.range, Named::Rendered(bare.into())),
        }
    }
    found
}

/// The classes and defined types that certainly render a template, ordered by the paths of their files.
pub(crate) fn renderers<'db>(db: &'db dyn Db, template: File) -> &'db [Item<'db>] {
    rendered(db, environment_of(db, template)).get(&template).map_or(&[], |it| it)
}

/// The classes and defined types that render each template of an environment.
#[salsa::tracked(returns(ref))]
fn rendered<'db>(db: &'db dyn Db, environment: Environment) -> BTreeMap<File, Vec<Item<'db>>> {
    let mut all = BTreeMap::<File, Vec<Item<'db>>>::new();
    for file in code_files(db, environment) {
        if !has_words(db, *file, "template") {
            continue;
        }
        for (item, templates) in rendered_by(db, *file) {
            for template in templates {
                let renderers = all.entry(*template).or_default();
                if !renderers.contains(item) {
                    renderers.push(*item);
                }
            }
        }
    }
    all
}

/// The templates that each class and defined type of a file renders.
#[salsa::tracked(returns(deref))]
fn rendered_by<'db>(db: &'db dyn Db, file: File) -> Box<[(Item<'db>, Vec<File>)]> {
    let all = items(db, file).iter().filter(|it| matches!(it.kind(db), ItemKind::Class | ItemKind::Define));
    let rendered = all.map(|it| (*it, rendered_templates(db, *it).files));
    rendered.filter(|(_, files)| !files.is_empty()).collect()
}

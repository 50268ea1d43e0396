#![expect(missing_docs, reason = "the builders that salsa writes have no documentation")]

use std::sync::Arc;

use foldhash::HashMap;
use marotte_db::{Db, File, ParsedFile};
use marotte_text::{Str, TextRange};

use crate::body::Expr;
use crate::{Body, DefinitionKind, ExprId, Lowered, Privacy, Signature, SourceMap, items, lowered};

/// A definition of a file, or its top-level code.
///
/// # Identity
/// The file, kind, full name, and the occurrence among items that share these. An edit elsewhere in the file doesn't
/// change the identity; the signature and the body are compared separately.
#[salsa::tracked(debug)]
#[derive(PartialOrd, Ord)]
pub struct Item<'db> {
    /// The file that contains it.
    #[returns(copy)]
    pub file: File,

    /// The kind of the item.
    #[returns(copy)]
    pub kind: ItemKind,

    /// The full name as written. Empty for programs, templates and nodes.
    #[returns(ref)]
    pub name: Str,

    /// The index among items of the same kind and name, in the order of the text.
    #[returns(copy)]
    pub occurrence: u32,

    /// The interface of the item.
    #[tracked]
    #[returns(ref)]
    pub signature: Arc<Signature>,

    /// Whether and how it is marked as private to its module.
    #[tracked]
    #[returns(copy)]
    pub privacy: Option<Privacy>,

    /// The code that it evaluates.
    #[tracked]
    #[returns(ref)]
    pub body: Arc<Body>,
}

impl Item<'_> {
    /// Whether it is the top-level code of a manifest and contains only definitions.
    pub fn is_only_definitions(self, db: &dyn Db) -> bool {
        let body = self.body(db);
        let is_definition = |id: &ExprId| matches!(body.expr(*id), Expr::Definition);
        self.kind(db) == ItemKind::Program && body.statements.iter().all(is_definition)
    }
}

/// A kind of [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ItemKind {
    /// The top-level statements of a manifest.
    Program,
    /// The code of a template.
    Template,
    /// A class: `class name { … }`.
    Class,
    /// A defined type: `define name { … }`.
    Define,
    /// A function: `function name() { … }`.
    Function,
    /// A type alias: `type Name = …`.
    TypeAlias,
    /// A type mapping: `type Runtime[…] = …`.
    TypeMapping,
    /// A node. Names are matched against the first of its body's statements, as many as this number.
    Node(usize),
    /// A plan: `plan name() { … }`.
    Plan,
}

impl ItemKind {
    /// The noun for it in messages.
    pub fn noun(self) -> &'static str {
        match self {
            ItemKind::Program => "program",
            ItemKind::Template => "template",
            ItemKind::Class => "class",
            ItemKind::Define => "defined type",
            ItemKind::Function => "function",
            ItemKind::TypeAlias => "type alias",
            ItemKind::TypeMapping => "type mapping",
            ItemKind::Node(_) => "node",
            ItemKind::Plan => "plan",
        }
    }
}

impl From<&DefinitionKind> for ItemKind {
    fn from(kind: &DefinitionKind) -> ItemKind {
        match kind {
            DefinitionKind::Function => ItemKind::Function,
            DefinitionKind::TypeAlias => ItemKind::TypeAlias,
            DefinitionKind::TypeMapping => ItemKind::TypeMapping,
            DefinitionKind::Class(_) => ItemKind::Class,
            DefinitionKind::Define => ItemKind::Define,
            DefinitionKind::Node(matches) => ItemKind::Node(*matches),
            DefinitionKind::Plan => ItemKind::Plan,
        }
    }
}

/// Creates the items of a file from its lowered form.
pub(crate) fn items_of<'db>(
    db: &'db dyn Db,
    file: File,
    parsed: &ParsedFile,
    lowered: &Lowered,
) -> Box<[Item<'db>]> {
    let kind = if parsed.mode().template { ItemKind::Template } else { ItemKind::Program };
    let text = parsed.source().text();
    let main = Item::new(
        db,
        file,
        kind,
        Str::new(),
        0,
        Arc::clone(&lowered.main_signature),
        None,
        Arc::clone(&lowered.main),
    );
    let mut items = vec![main];
    let mut occurrences: HashMap<(ItemKind, &Str), u32> = HashMap::default();
    for it in &lowered.definitions {
        let kind = ItemKind::from(&it.kind);
        let next = occurrences.entry((kind, &it.name)).or_default();
        let occurrence = *next;
        *next += 1;
        let privacy =
            Privacy::of(&it.body, text.get(..usize::from(it.name_range.start())).unwrap_or_default());
        let (signature, body) = (Arc::clone(&it.signature), Arc::clone(&it.body));
        items.push(Item::new(db, file, kind, it.name.clone(), occurrence, signature, privacy, body));
    }
    items.into_boxed_slice()
}

/// The places of an item and its parts. They change whenever lines move: for callers that show positions.
#[derive(Clone, Debug)]
pub struct ItemPlaces {
    /// The places of the body's expressions.
    pub map: Arc<SourceMap>,
    /// The range of the name. `None` for programs and templates; the whole range of the node for nodes.
    pub name: Option<TextRange>,
    /// The range of the name of the class that a class inherits from.
    pub parent: Option<TextRange>,
}

/// Returns the places of an item and its parts.
pub fn places(db: &dyn Db, item: Item<'_>) -> ItemPlaces {
    let file = item.file(db);
    let lowered = lowered(db, file);
    let index = items(db, file).iter().position(|it| *it == item).unwrap_or_default();
    match index.checked_sub(1).and_then(|index| lowered.definitions.get(index)) {
        Some(it) => {
            ItemPlaces { map: Arc::clone(&it.map), name: Some(it.name_range), parent: it.parent_range }
        }
        None => ItemPlaces { map: Arc::clone(&lowered.main_map), name: None, parent: None },
    }
}

#![expect(missing_docs, reason = "the builders that salsa writes have no documentation")]

use std::sync::Arc;

use foldhash::HashMap;
use marotte_db::{Db, File, ParsedFile};
use marotte_text::{Str, TextRange};

use crate::body::Expr;
use crate::{Body, DefinitionKind, ExprId, Lowered, Privacy, Signature, SourceMap, items, lowered};

/// What a file defines, or evaluates by itself.
///
/// # Identity
/// File, kind, full name, and which of those that are the same. An edit elsewhere in the file leaves it what it is; its
/// signature and its body are compared apart.
#[salsa::tracked(debug)]
#[derive(PartialOrd, Ord)]
pub struct Item<'db> {
    /// Where it is.
    #[returns(copy)]
    pub file: File,

    /// What it is.
    #[returns(copy)]
    pub kind: ItemKind,

    /// Its full name as written. Programs, templates and nodes have none.
    #[returns(ref)]
    pub name: Str,

    /// Which of the same kind and name, in the order of the text.
    #[returns(copy)]
    pub occurrence: u32,

    /// What others see of it.
    #[tracked]
    #[returns(ref)]
    pub signature: Arc<Signature>,

    /// Whether it is its module's alone.
    #[tracked]
    #[returns(copy)]
    pub privacy: Option<Privacy>,

    /// What it evaluates.
    #[tracked]
    #[returns(ref)]
    pub body: Arc<Body>,
}

impl Item<'_> {
    /// Whether it is what a manifest evaluates by itself, and that is nothing but definitions.
    pub fn is_only_definitions(self, db: &dyn Db) -> bool {
        let body = self.body(db);
        let is_definition = |id: &ExprId| matches!(body.expr(*id), Expr::Definition);
        self.kind(db) == ItemKind::Program && body.statements.iter().all(is_definition)
    }
}

/// A kind of [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ItemKind {
    /// The statements of a manifest outside of definitions.
    Program,
    /// A template.
    Template,
    /// A class.
    Class,
    /// A resource type.
    Define,
    /// A function.
    Function,
    /// A type alias.
    TypeAlias,
    /// A type mapping.
    TypeMapping,
    /// A node; the first of its body's statements, as many as this, are what names are matched with.
    Node(usize),
    /// A plan.
    Plan,
}

impl ItemKind {
    /// The word for it in messages.
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

/// What a file holds, from what it was lowered to.
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

/// Where an item and its parts stand. Changes whenever lines move: for those who show something.
#[derive(Clone, Debug)]
pub struct ItemPlaces {
    /// The expressions of the body.
    pub map: Arc<SourceMap>,
    /// The name. None for programs and templates; all of it for nodes.
    pub name: Option<TextRange>,
    /// The name of the class that a class inherits from.
    pub parent: Option<TextRange>,
}

/// Where an item and its parts stand.
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

//! Renames over a control repository leave its catalogs as they are, up to the names.
#![expect(clippy::disallowed_methods, reason = "tests read the example")]
#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_db::{File, MemorySystem, System, source_text};
use marotte_host::{CodeTree, Facts, Node, NodeInput, Policy, evaluate_once};
use marotte_ide::{FilePosition, Rename, rename};
use marotte_project::{ChangeBatch, Fleet, Project, ProjectDatabase, ProjectOptions};
use marotte_text::TextSize;

const ROOT: &str = "/environment";

/// The ends of new names: nothing else in the example contains them.
const ENDS: [&str; 2] = ["_zz9", "Zz9"];

/// The files of the example, by path.
type Texts = BTreeMap<Utf8PathBuf, String>;

fn example() -> Texts {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/control-repo");
    let (mut open, mut texts) = (vec![root.clone()], Texts::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => {
                    let below = path.strip_prefix(&root).unwrap().to_str().unwrap();
                    texts.insert(format!("{ROOT}/{below}").into(), std::fs::read_to_string(&path).unwrap());
                }
            }
        }
    }
    texts
}

/// The catalogs of all nodes of a tree, without places in files and the ends of new names: a line for each resource and edge.
fn catalogs(texts: &Texts) -> Vec<String> {
    let system = Arc::new(MemorySystem::new());
    texts.iter().for_each(|(path, text)| system.write_file(path, text.as_str()));
    let tree = CodeTree::of_environment(&*system, Some(ROOT.into()));
    let facts: Vec<Facts> = texts
        .keys()
        .filter(|it| it.starts_with(format!("{ROOT}/facts")))
        .map(|it| {
            let facts = Facts::read(&*system, it).unwrap();
            Facts { name: facts.name.or_else(|| it.file_stem().map(Into::into)), ..facts }
        })
        .collect();
    assert!(facts.len() > 2, "nodes of the example");
    let manifests = [Utf8PathBuf::from(format!("{ROOT}/manifests/site.pp"))];
    let db = ProjectDatabase::new(system as Arc<dyn System>);
    let fleet = Fleet::new(db, &tree, &manifests, Policy::default(), 1);
    let nodes: Vec<Node> = facts.into_iter().map(|it| fleet.add(NodeInput::new(it))).collect();
    nodes.iter().flat_map(|it| catalog(&fleet, *it)).collect()
}

fn catalog(fleet: &Fleet, node: Node) -> Vec<String> {
    let compiled = evaluate_once(fleet.db(), node).compiled;
    assert!(compiled.errors.is_empty(), "{:?}", compiled.errors);
    let catalog = compiled.catalog.unwrap();
    assert!(catalog.resources.len() > 5, "{catalog:?}");
    let old = |text: String| ENDS.iter().fold(text, |text, end| text.replace(end, ""));
    let resources = catalog.resources.iter().map(|it| {
        let parameters = it.parameters.iter().map(|it| old(format!("{it:?}")));
        let parameters: std::collections::BTreeSet<String> = parameters.collect();
        old(format!("{} {parameters:?}", it.reference))
    });
    let edges = catalog.edges.iter().map(|it| old(format!("{it:?}")));
    resources.chain(edges).collect()
}

fn apply(db: &ProjectDatabase, texts: &Texts, plan: &Rename) -> Texts {
    let mut texts = texts.clone();
    for edit in plan.edits.iter().rev() {
        let text = texts.get_mut(edit.place.file.path(db)).unwrap();
        text.replace_range(std::ops::Range::<usize>::from(edit.place.range), &edit.text);
    }
    for it in &plan.moves {
        let text = texts.remove(&it.from).unwrap();
        texts.insert(it.to.clone(), text);
    }
    texts
}

/// The first place of each word in a text.
fn words(text: &str) -> Vec<usize> {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let starts = text.char_indices().scan(false, |within, (at, letter)| {
        let starts = !*within && is_part(letter);
        *within = is_part(letter);
        Some(starts.then_some(at))
    });
    starts.flatten().collect()
}

/// Renames the symbol at each word of the code, one at a time.
#[test]
fn renames_leave_the_catalogs_as_they_are() {
    let texts = example();
    let system = Arc::new(MemorySystem::new());
    texts.iter().for_each(|(path, text)| system.write_file(path, text.as_str()));
    let db = ProjectDatabase::new(system as Arc<dyn System>);
    let mut project = Project::new(db, &[ROOT.into()], ProjectOptions::default());
    project.apply(&ChangeBatch::new());
    let expected = catalogs(&texts);
    let db = project.db();
    let code: Vec<File> =
        project.files().filter(|it| matches!(it.path(db).extension(), Some("pp" | "epp" | "yaml"))).collect();
    let mut done: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in code {
        let text = source_text(db, file).text();
        for start in words(text) {
            let at = FilePosition { file, offset: TextSize::try_from(start).unwrap() };
            let Ok((_, old)) = marotte_ide::prepare_rename(db, at) else { continue };
            let old = old.trim_start_matches("::");
            let end = ENDS[usize::from(old.starts_with(|it: char| it.is_ascii_uppercase()))];
            let Ok(plan) = rename(db, at, &format!("{old}{end}")) else { continue };
            let place =
                format!("{}: {}", file.path(db), source_text(db, file).line_index().position(at.offset).line);
            let key = format!("{:?}", plan.edits.iter().map(|it| it.place).collect::<Vec<_>>());
            let places = done.entry(key).or_default();
            places.push(place);
            if places.len() > 1 {
                continue;
            }
            let new = catalogs(&apply(db, &texts, &plan));
            let differs: Vec<_> =
                expected.iter().zip(&new).filter(|(one, other)| one != other).take(3).collect();
            assert!(
                differs.is_empty() && new.len() == expected.len(),
                "{places:?} to {old}{end}: {differs:#?}, {} and {} parts",
                expected.len(),
                new.len()
            );
        }
    }
    assert!(done.len() > 20, "{} things were renamed", done.len());
}

use std::error::Error;
use std::path::Path;

use marotte_catalog::Catalog;
use marotte_catalog::read::from_json;
use serde_json::{Map, Value as Json, json};

use crate::workspace;

/// The reference's catalog of a manifest with the facts of one operating system.
#[derive(Debug)]
pub struct Recorded {
    /// The facts, by the name of their file.
    pub system: String,
    /// The catalog. Long texts in it are replaced by their digests.
    pub catalog: Catalog,
}

/// Reads a record: the headers of its catalogs, the words of tags, lists of tags, then resources. Numbers refer to the
/// parts that follow.
///
/// # Errors
/// If it isn't a valid record.
pub fn read_record(path: &Path) -> Result<Vec<Recorded>, Box<dyn Error>> {
    let text = workspace::read(path)?;
    let lines: Vec<Json> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let (heads, lines): (Vec<&Json>, Vec<&Json>) = lines.iter().partition(|line| line.is_object());
    let (words, heads): (Vec<&Json>, Vec<&Json>) =
        heads.into_iter().partition(|line| line.get("words").is_some());
    let words = words.first().and_then(|line| line["words"].as_array()).ok_or("a record without words")?;
    let (resources, tags): (Vec<&Json>, Vec<&Json>) = lines.into_iter().partition(|line| line[0].is_string());
    let spelled = |list: &Json| {
        numbers(list)?.into_iter().map(|it| words.get(it).cloned().ok_or("a word is missing")).collect()
    };
    let tags: Vec<Json> = tags.into_iter().map(spelled).collect::<Result<_, _>>()?;
    heads.into_iter().map(|head| recorded(head, &tags, &resources)).collect()
}

fn number(it: &Json) -> Result<usize, &'static str> {
    it.as_u64().and_then(|it| usize::try_from(it).ok()).ok_or("a number is missing")
}

fn numbers(it: &Json) -> Result<Vec<usize>, &'static str> {
    it.as_array().ok_or("a list is missing")?.iter().map(number).collect()
}

fn recorded(head: &Json, tags: &[Json], resources: &[&Json]) -> Result<Recorded, Box<dyn Error>> {
    let tags_of = |it: &Json| tags.get(number(it)?).cloned().ok_or("tags are missing");
    let mut written = Vec::new();
    let mut names = Vec::new();
    for place in numbers(&head["resources"])? {
        let row = resources.get(place).ok_or("a resource is missing")?;
        let mut resource = match row.get(4) {
            Some(Json::Object(others)) => others.clone(),
            _ => Map::new(),
        };
        names.push(format!(
            "{}[{}]",
            row[0].as_str().unwrap_or_default(),
            row[1].as_str().unwrap_or_default()
        ));
        resource.insert("type".to_owned(), row[0].clone());
        resource.insert("title".to_owned(), row[1].clone());
        resource.insert("tags".to_owned(), tags_of(&row[2])?);
        resource.insert("parameters".to_owned(), row[3].clone());
        resource.entry("exported").or_insert(Json::Bool(false));
        resource.entry("kind").or_insert_with(|| "compilable_type".into());
        written.push(Json::Object(resource));
    }
    let name = |it: usize| names.get(it).cloned().ok_or("an edge leads nowhere");
    let edges = numbers(&head["edges"])?;
    let edges: Vec<Json> = edges
        .chunks_exact(2)
        .map(|pair| Ok(json!({"source": name(pair[0])?, "target": name(pair[1])?})))
        .collect::<Result<_, &str>>()?;
    let catalog = json!({
        "name": head["name"],
        "environment": head["environment"],
        "tags": tags_of(&head["tags"])?,
        "classes": head["classes"],
        "resources": written,
        "edges": edges,
    });
    let system = head["system"].as_str().ok_or("a head without its system")?.to_owned();
    Ok(Recorded { system, catalog: from_json(&catalog.to_string())? })
}

//! Answers of the outside world, written to a file and read from it: the output of commands, files outside of the tree,
//! results of workers. With such a record, an evaluation needs no permission, and has the same result everywhere.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use marotte_catalog::read;
use marotte_catalog::rich_data::rich_data;
use marotte_db::System;
use marotte_db::system::{Entry, EntryKind, Found, FoundFiles, RecordedSystem};
use marotte_eval::{CommandError, StoredResource};
use marotte_pcore::binary::{Binary, BinaryFormat};
use marotte_pcore::value::Value;
use marotte_text::Str;
use serde_json::{Map, Value as Json, json};

use crate::Store;
use crate::pool::{Digest, Outward, Trace, hex};
use crate::store::RecordedStore;

/// The version of the format.
const VERSION: u64 = 1;

/// The largest record, in bytes.
const LIMIT: u64 = 256 << 20;

/// The answers of one record.
pub struct Answers {
    /// The path of the file.
    path: Utf8PathBuf,
    replays: bool,
    commands: Mutex<BTreeMap<Vec<String>, Result<String, String>>>,
    /// The answers of PuppetDB, by the text of the query.
    queries: Mutex<BTreeMap<String, (Json, Json)>>,
    /// The resources that other nodes export, by the text of the question. None if there was no store of them.
    exported: Mutex<Option<BTreeMap<String, (Json, Json)>>>,
    /// The results of workers: the name and the traces of each computation, by its digest.
    computed: Mutex<BTreeMap<String, (String, Vec<Json>)>>,
    files: Arc<Mutex<FoundFiles>>,
    /// The names of computations with results that cannot be recorded, each with the reason.
    unrecorded: Mutex<BTreeMap<String, &'static str>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Answers {
    fn new(path: &Utf8Path, replays: bool) -> Answers {
        Answers {
            path: path.to_owned(),
            replays,
            commands: Mutex::default(),
            queries: Mutex::default(),
            exported: Mutex::default(),
            computed: Mutex::default(),
            files: Arc::default(),
            unrecorded: Mutex::default(),
        }
    }

    /// Creates an empty record, to be saved at an absolute path.
    pub fn recording(path: &Utf8Path) -> Answers {
        Answers::new(path, false)
    }

    /// Reads the record at an absolute path.
    ///
    /// # Errors
    /// If it cannot be read, or is not a record: a sentence.
    pub fn replaying(system: &dyn System, path: &Utf8Path) -> Result<Answers, String> {
        let bytes = system.read(path, LIMIT).map_err(|error| format!("{path} cannot be read: {error}"))?;
        let json = serde_json::from_slice(&bytes).map_err(|error| format!("{path} is not JSON: {error}"))?;
        let mut answers = Answers::new(path, true);
        answers.read(&json).map_err(|part| format!("{path} is not a record of answers: {part}"))?;
        Ok(answers)
    }

    /// Returns the path of the record.
    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// Whether it answers from a record, rather than adding to one.
    pub fn replays(&self) -> bool {
        self.replays
    }

    /// Returns the paths outside of the tree that may be read, because they are answered from the record.
    pub fn readable(&self) -> Vec<Utf8PathBuf> {
        match self.replays {
            true => {
                let files = locked(&self.files);
                // The content of a folder whose entries weren't listed is unknown.
                let known = files.iter().filter(|(_, it)| !matches!(it, Found::Folder(None)));
                known.map(|(path, _)| path.clone()).collect()
            }
            false => Vec::new(),
        }
    }

    /// Returns a system that records everything read below `allowed`, or answers from the record.
    pub fn around(&self, system: Arc<dyn System>, allowed: &[Utf8PathBuf]) -> Arc<dyn System> {
        let files = Arc::clone(&self.files);
        match self.replays {
            true => Arc::new(RecordedSystem::replaying(system, files)),
            false if allowed.is_empty() => system,
            false => Arc::new(RecordedSystem::recording(system, allowed.to_vec(), files)),
        }
    }

    /// Returns the recorded answer of a command. A command that runs again during a recording returns the same answer.
    pub(crate) fn command(&self, command: &[&str]) -> Option<Result<String, CommandError>> {
        let words: Vec<String> = command.iter().map(|it| (*it).to_owned()).collect();
        locked(&self.commands).get(&words).cloned().map(|it| it.map_err(CommandError::Failed))
    }

    pub(crate) fn note_command(&self, command: &[&str], result: &Result<String, CommandError>) {
        let result = match result {
            Ok(text) => Ok(text.clone()),
            Err(CommandError::Failed(error)) => Err(error.clone()),
            Err(CommandError::NotAllowed(_)) => return,
        };
        let words = command.iter().map(|it| (*it).to_owned()).collect();
        locked(&self.commands).entry(words).or_insert(result);
    }

    /// Returns a store whose answers are recorded, or the recorded one.
    pub fn around_store(self: &Arc<Answers>, store: Option<Arc<dyn Store>>) -> Option<Arc<dyn Store>> {
        let mut exported = locked(&self.exported);
        if !self.replays && store.is_some() {
            exported.get_or_insert_default();
        }
        let is_one = exported.is_some();
        is_one.then(|| Arc::new(RecordedStore { answers: Arc::clone(self), store }) as Arc<dyn Store>)
    }

    pub(crate) fn exported(&self, question: &Json) -> Option<Arc<[StoredResource]>> {
        let exported = locked(&self.exported);
        let (_, rows) = exported.as_ref()?.get(&question.to_string())?;
        rows.as_array()?.iter().map(read_exported).collect()
    }

    pub(crate) fn note_exported(&self, question: Json, found: &[StoredResource]) {
        let rows = found.iter().map(written_exported).collect();
        let mut exported = locked(&self.exported);
        exported.get_or_insert_default().entry(question.to_string()).or_insert((question, rows));
    }

    /// Returns the recorded answer to a query of PuppetDB.
    pub(crate) fn query(&self, query: &Value) -> Option<Value> {
        let queries = locked(&self.queries);
        let (_, rows) = queries.get(&rich_data(query).to_string())?;
        read::value(rows, 0)
    }

    pub(crate) fn note_query(&self, query: &Value, answer: &Value) {
        let query = rich_data(query);
        locked(&self.queries).entry(query.to_string()).or_insert((query, rich_data(answer)));
    }

    /// Returns the recorded results of a computation.
    pub(crate) fn traces(&self, digest: &Digest, outside: &dyn Outward) -> Vec<Trace> {
        let computed = locked(&self.computed);
        let traces = computed.get(&hex(digest)).map(|it| it.1.clone()).unwrap_or_default();
        traces.iter().filter_map(|it| Trace::from_json(it, outside)).collect()
    }

    /// Notes that a result of a computation cannot be recorded.
    pub(crate) fn note_unrecorded(&self, name: &str, reason: &'static str) {
        if !self.replays {
            locked(&self.unrecorded).entry(name.to_owned()).or_insert(reason);
        }
    }

    /// Returns the names of the computations with results that are not in the record, each with the reason: a sentence without
    /// its end.
    pub fn unrecorded(&self) -> Vec<(String, &'static str)> {
        locked(&self.unrecorded).iter().map(|(name, reason)| (name.clone(), *reason)).collect()
    }

    pub(crate) fn note_trace(&self, digest: &Digest, name: &str, trace: &Trace, outside: &dyn Outward) {
        let Some(trace) = trace.to_json(outside) else {
            self.note_unrecorded(name, "it reads or returns a Sensitive value");
            return;
        };
        let mut computed = locked(&self.computed);
        let (_, traces) = computed.entry(hex(digest)).or_insert_with(|| (name.to_owned(), Vec::new()));
        if !traces.contains(&trace) {
            traces.push(trace);
        }
    }

    /// Writes the record if it was created to be recorded. `real` is its path without links.
    ///
    /// # Errors
    /// If it cannot be written: a sentence.
    pub fn save(&self, system: &dyn System, real: &Utf8Path) -> Result<(), String> {
        if self.replays {
            return Ok(());
        }
        let text = format!("{:#}\n", sorted(self.written()));
        let written = system.write_direct(real, None, text.as_bytes());
        written.map_err(|error| format!("{} cannot be written: {error}", self.path))
    }

    fn written(&self) -> Json {
        let commands = locked(&self.commands);
        let commands = commands.iter().map(|(command, result)| match result {
            Ok(output) => json!({ "command": command, "output": output }),
            Err(error) => json!({ "command": command, "failed": error }),
        });
        let queries = locked(&self.queries);
        let queries = queries.values().map(|(query, rows)| json!({ "query": query, "rows": rows }));
        let exported = locked(&self.exported);
        let exported = exported.as_ref().map(|all| {
            let all = all.values().map(|(question, rows)| json!({ "question": question, "rows": rows }));
            all.collect::<Vec<Json>>()
        });
        let computed = locked(&self.computed);
        let computed = computed.iter().map(|(digest, (name, traces))| {
            let mut traces = traces.clone();
            traces.sort_by_key(Json::to_string);
            json!({ "digest": digest, "name": name, "results": traces })
        });
        let files = locked(&self.files);
        let files = files.iter().map(|(path, found)| (path.to_string(), written_file(found)));
        json!({
            "version": VERSION,
            "commands": commands.collect::<Vec<Json>>(),
            "exported": exported,
            "files": files.collect::<Map<String, Json>>(),
            "queries": queries.collect::<Vec<Json>>(),
            "ruby": computed.collect::<Vec<Json>>(),
        })
    }

    /// Reads a record. The error names the part that is malformed.
    fn read(&mut self, json: &Json) -> Result<(), &'static str> {
        if json.get("version").and_then(Json::as_u64) != Some(VERSION) {
            return Err("its `version` is not 1");
        }
        let list = |key| json.get(key).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
        let text = |it: &Json, key: &str| it.get(key).and_then(Json::as_str).map(str::to_owned);
        for it in list("commands") {
            let words = it.get("command").and_then(Json::as_array).ok_or("commands")?;
            let words: Option<Vec<String>> = words.iter().map(|it| it.as_str().map(str::to_owned)).collect();
            let result = match (text(it, "output"), text(it, "failed")) {
                (Some(output), _) => Ok(output),
                (None, failed) => Err(failed.ok_or("commands")?),
            };
            locked(&self.commands).insert(words.ok_or("commands")?, result);
        }
        for it in list("queries") {
            let query = it.get("query").ok_or("queries")?;
            let rows = it.get("rows").filter(|it| read::value(it, 0).is_some()).ok_or("queries")?;
            locked(&self.queries).insert(query.to_string(), (query.clone(), rows.clone()));
        }
        if json.get("exported").is_some_and(Json::is_array) {
            let mut exported = BTreeMap::new();
            for it in list("exported") {
                let question = it.get("question").ok_or("exported")?;
                let rows = it.get("rows").ok_or("exported")?;
                let is_read =
                    rows.as_array().is_some_and(|it| it.iter().all(|it| read_exported(it).is_some()));
                if !is_read {
                    return Err("exported");
                }
                exported.insert(question.to_string(), (question.clone(), rows.clone()));
            }
            *locked(&self.exported) = Some(exported);
        }
        for it in list("ruby") {
            let digest = text(it, "digest").ok_or("ruby")?;
            let results = it.get("results").and_then(Json::as_array).ok_or("ruby")?;
            let entry = (text(it, "name").unwrap_or_default(), results.clone());
            locked(&self.computed).insert(digest, entry);
        }
        for (path, found) in json.get("files").and_then(Json::as_object).into_iter().flatten() {
            let found = read_file(found).ok_or("files")?;
            locked(&self.files).insert(path.into(), found);
        }
        Ok(())
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers").field("path", &self.path).finish_non_exhaustive()
    }
}

fn written_exported(it: &StoredResource) -> Json {
    let parameters = it.parameters.iter().map(|(name, value)| json!([name.as_str(), rich_data(value)]));
    let parameters: Vec<Json> = parameters.collect();
    json!({ "certname": it.certname.as_str(), "title": it.title.as_str(), "parameters": parameters })
}

fn read_exported(json: &Json) -> Option<StoredResource> {
    let text = |key: &str| json.get(key).and_then(Json::as_str).map(Str::from);
    let parameter = |it: &Json| Some((it.get(0)?.as_str()?.into(), read::value(it.get(1)?, 0)?));
    let parameters = json.get("parameters")?.as_array()?.iter().map(parameter).collect::<Option<_>>()?;
    Some(StoredResource { certname: text("certname")?, title: text("title")?, parameters })
}

/// The kinds of entries, as they are written.
const KINDS: [(EntryKind, &str); 5] = [
    (EntryKind::File, "file"),
    (EntryKind::Directory, "folder"),
    (EntryKind::Link, "link"),
    (EntryKind::Other, "other"),
    (EntryKind::NotUtf8, "not-utf8"),
];

fn written_file(found: &Found) -> Json {
    match found {
        Found::Nothing => json!({ "kind": "nothing" }),
        Found::File(size, None) => json!({ "kind": "file", "size": size }),
        Found::File(_, Some(bytes)) => match str::from_utf8(bytes) {
            Ok(text) => json!({ "kind": "file", "text": text }),
            Err(_) => json!({ "kind": "file", "base64": Binary::from(bytes.clone()).to_base64() }),
        },
        Found::Folder(None) => json!({ "kind": "folder" }),
        Found::Folder(Some(entries)) => {
            let kind = |kind| KINDS.iter().find(|it| it.0 == kind).map_or("other", |it| it.1);
            let entries = entries.iter().map(|it| (it.name.clone(), Json::from(kind(it.kind))));
            json!({ "kind": "folder", "entries": entries.collect::<Map<String, Json>>() })
        }
        Found::Link(target) => json!({ "kind": "link", "target": target.as_str() }),
        Found::Unreadable(reason) => json!({ "kind": "unreadable", "reason": reason }),
    }
}

fn read_file(json: &Json) -> Option<Found> {
    let text = |key: &str| json.get(key).and_then(Json::as_str);
    Some(match text("kind")? {
        "nothing" => Found::Nothing,
        "file" => match (text("text"), text("base64")) {
            (Some(text), _) => Found::File(text.len() as u64, Some(text.as_bytes().to_vec())),
            (None, Some(digits)) => {
                let bytes = Binary::decode(digits, BinaryFormat::Relaxed).ok()?.bytes().to_vec();
                Found::File(bytes.len() as u64, Some(bytes))
            }
            (None, None) => Found::File(json.get("size")?.as_u64()?, None),
        },
        "folder" => Found::Folder(match json.get("entries") {
            None => None,
            Some(entries) => Some(
                entries
                    .as_object()?
                    .iter()
                    .map(|(name, kind)| {
                        let kind = KINDS.iter().find(|it| Some(it.1) == kind.as_str())?.0;
                        Some(Entry { name: name.clone(), kind })
                    })
                    .collect::<Option<_>>()?,
            ),
        }),
        "link" => Found::Link(text("target")?.into()),
        "unreadable" => Found::Unreadable(text("reason")?.to_owned()),
        _ => return None,
    })
}

/// Sorts the keys of all objects in JSON.
fn sorted(json: Json) -> Json {
    match json {
        Json::Array(elements) => elements.into_iter().map(sorted).collect(),
        // The order of entries in Puppet values matters. They occur in the messages of workers.
        Json::Object(map) => {
            let mut entries: Vec<(String, Json)> = map.into_iter().collect();
            entries.sort_by(|(one, _), (other, _)| one.cmp(other));
            let keeps = |key: &str| matches!(key, "end" | "question" | "query" | "rows");
            Json::Object(
                entries
                    .into_iter()
                    .map(|(key, it)| {
                        let it = if keeps(&key) { it } else { sorted(it) };
                        (key, it)
                    })
                    .collect(),
            )
        }
        other => other,
    }
}

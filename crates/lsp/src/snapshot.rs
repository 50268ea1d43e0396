//! The state of one folder at one point in time, from which requests are answered.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use camino::{Utf8Path, Utf8PathBuf};
use crossbeam_channel::Sender;
use indexmap::IndexSet;
use lsp_types::{Location, Position, Range, Uri};
use marotte_db::{Db as _, File, FileStatus, Source, System, source_text};
use marotte_diagnostics::Diagnostic;
use marotte_project::{ProjectDatabase, fetched_modules};
use marotte_text::{TextRange, TextSize};

use crate::answers::tokens::Sent;
use crate::client::Client;
use crate::event::Event;
use crate::message::ResponseError;
use crate::position::Lines;
use crate::settings::{FolderSettings, ServerSettings};
use crate::uri::{path_of, uri_of};

/// The result of a request handler.
pub(crate) type Answer<T> = Result<T, ResponseError>;

/// An open document: the client's URI, and the version of the text in the snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opened {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
}

/// The state of one folder. While a snapshot exists, its code cannot change: a change first cancels the computations that hold
/// one.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) db: ProjectDatabase,
    /// The outside world including open documents, in its current state: it may be ahead of the database if an edit arrives
    /// meanwhile.
    pub(crate) system: Arc<dyn System>,
    /// The files to check, by path.
    pub(crate) files: Arc<IndexSet<File>>,
    /// The files that may have findings, although they are not among those to check.
    pub(crate) support: Arc<[File]>,
    pub(crate) client: Arc<Client>,
    pub(crate) settings: Arc<FolderSettings>,
    pub(crate) server: Arc<ServerSettings>,
    /// The open documents, by path.
    pub(crate) opened: Arc<BTreeMap<Utf8PathBuf, Opened>>,
    /// The semantic tokens that the client has.
    pub(crate) tokens: Arc<Sent>,
    /// The root of the folder; None for documents outside of all folders.
    pub(crate) root: Option<Utf8PathBuf>,
    /// The folders of the modules that Puppetfiles fetch, once they were requested.
    pub(crate) fetched: Arc<OnceLock<Vec<Utf8PathBuf>>>,
    /// The findings about modules as a whole, from the last check of all files.
    pub(crate) of_modules: Arc<BTreeMap<File, Vec<Arc<Diagnostic>>>>,
    pub(crate) events: Sender<Event>,
}

/// A file's text with its line index.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    source: Arc<Source>,
    pub(crate) lines: Arc<Lines>,
}

impl Text {
    pub(crate) fn as_str(&self) -> &str {
        self.source.text()
    }
}

impl Snapshot {
    /// The file of a document.
    pub(crate) fn file(&self, uri: &Uri) -> Answer<File> {
        let path = path_of(uri).ok_or_else(|| no_document(uri))?;
        let file = self.db.files().file(&self.db, &path);
        match file.status(&self.db) {
            FileStatus::Exists => Ok(file),
            FileStatus::Folder | FileStatus::Special | FileStatus::Missing | FileStatus::Unsearchable => {
                Err(no_document(uri))
            }
        }
    }

    /// Whether findings of a file are shown: those of the files to check, and of open Puppet files that are excluded from the
    /// project.
    pub(crate) fn is_checked(&self, file: File) -> bool {
        let path = file.path(&self.db);
        self.files.contains(&file)
            || matches!(path.extension(), Some("pp" | "epp")) && self.opened.contains_key(path)
    }

    /// Whether findings of a file are left to others: it is in a module that the Puppetfile fetches, and isn't open.
    pub(crate) fn is_of_others(&self, file: File) -> bool {
        let path = file.path(&self.db);
        if self.settings.third_party || self.opened.contains_key(path) {
            return false;
        }
        let fetched = self.fetched.get_or_init(|| {
            let mut folders = fetched_modules(&self.db);
            folders.retain(|it| self.root.as_ref().is_some_and(|root| !root.starts_with(it)));
            folders
        });
        fetched.iter().any(|it| path.starts_with(it))
    }

    /// Shows a message to the user. A handler calls this after its last query: a query may be cancelled, and the handler run
    /// again.
    pub(crate) fn note(&self, message: String) {
        // The receiver is gone once the session has ended.
        let _ = self.events.send(Event::Note { message });
    }

    /// The text of a file.
    pub(crate) fn text(&self, file: File) -> Text {
        Text {
            source: Arc::clone(source_text(&self.db, file)),
            lines: Arc::clone(line_starts(&self.db, file)),
        }
    }

    /// The offset of a position in a file.
    pub(crate) fn offset(&self, file: File, position: Position) -> Answer<TextSize> {
        let text = self.text(file);
        let offset = text.lines.offset(text.as_str(), position, self.client.encoding);
        offset.and_then(|it| TextSize::try_from(it).ok()).ok_or_else(|| outside(position, &text))
    }

    /// A range of the text of a file.
    pub(crate) fn text_range(&self, file: File, range: Range) -> Answer<TextRange> {
        let text = self.text(file);
        let found = text.lines.text_range(text.as_str(), range, self.client.encoding);
        found.ok_or_else(|| outside(range.end, &text))
    }

    /// Converts a range of a text to the protocol's.
    pub(crate) fn range(&self, text: &Text, range: TextRange) -> Range {
        text.lines.range(text.as_str(), range, self.client.encoding)
    }

    /// Converts a place in a file to the protocol's.
    pub(crate) fn location(&self, file: File, range: TextRange) -> Location {
        Location::new(self.uri(file.path(&self.db)), self.range(&self.text(file), range))
    }

    /// The client's URI of a file.
    pub(crate) fn uri(&self, path: &Utf8Path) -> Uri {
        self.opened.get(path).map_or_else(|| uri_of(path), |it| it.uri.clone())
    }

    /// The client's version of a file's text, if it is open.
    pub(crate) fn version(&self, path: &Utf8Path) -> Option<i32> {
        self.opened.get(path).map(|it| it.version)
    }
}

/// The line starts of a file's text: a request may convert thousands of its positions.
#[salsa::tracked(returns(ref))]
fn line_starts(db: &dyn marotte_db::Db, file: File) -> Arc<Lines> {
    Arc::new(Lines::new(source_text(db, file).text()))
}

fn no_document(uri: &Uri) -> ResponseError {
    ResponseError::invalid_params(format!("there is no document `{}`", uri.0))
}

fn outside(position: Position, text: &Text) -> ResponseError {
    let Position { line, character } = position;
    let lines = text.lines.count();
    ResponseError::invalid_params(format!(
        "there is no place at line {line}, character {character} in a text of {lines} lines"
    ))
}

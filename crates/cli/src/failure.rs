use std::any::Any;
use std::fmt;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};

/// The reason why a run cannot continue.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Invalid arguments, in clap's form.
    Usage(clap::Error),
    /// Any other error, described in one sentence.
    Message(String),
    /// The path has no main manifest.
    NoManifest(Utf8PathBuf),
    /// Input or output failed.
    Io(io::Error),
}

impl Failure {
    /// Creates the failure for an argument that names a missing folder.
    pub(crate) fn no_folder(path: &Utf8Path) -> Self {
        Failure::Message(format!("there is no folder `{path}`"))
    }

    /// Creates the failure for an argument that names a missing file.
    pub(crate) fn no_file(path: &Utf8Path) -> Self {
        Failure::Message(format!("there is no file `{path}`"))
    }

    /// Creates the failure for an argument that names a missing file or folder.
    pub(crate) fn no_path(path: &Utf8Path) -> Self {
        Failure::Message(format!("there is no file or folder `{path}`"))
    }

    /// Converts a panic that is not related to a file.
    pub(crate) fn bug(panic: &(dyn Any + Send)) -> Self {
        let message = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        Failure::Message(format!("a bug in marotte: {message}"))
    }

    /// Whether the reader of the output has closed it, which is not reported.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Io(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(error) => error.fmt(f),
            Failure::Message(message) => f.write_str(message),
            Failure::NoManifest(path) => write!(
                f,
                "no main manifest was found at {path}: name a control repository with `--environment-dir`, or a manifest with `--manifest`"
            ),
            Failure::Io(error) => error.fmt(f),
        }
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        Failure::Usage(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(error)
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure::Message(message)
    }
}

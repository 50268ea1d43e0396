//! Runs the binary in a folder of its own.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A temporary folder with files.
pub(crate) struct Folder(tempfile::TempDir);

/// The outcome of a run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    /// Creates a folder with these files.
    pub(crate) fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (path, bytes) in files {
            folder.write(path, bytes);
        }
        folder
    }

    #[expect(clippy::disallowed_methods, reason = "tests make their own files")]
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        fs::rename(self.0.path().join(from), self.0.path().join(to)).unwrap();
    }

    /// The absolute path of a file in the folder.
    pub(crate) fn path(&self, path: &str) -> String {
        self.0.path().join(path).to_str().unwrap().to_owned()
    }

    #[expect(clippy::disallowed_methods, reason = "tests look at files themselves")]
    pub(crate) fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.0.path().join(path)).unwrap()
    }

    /// Returns the names in a folder, in order.
    #[expect(clippy::disallowed_methods, reason = "tests look at files themselves")]
    pub(crate) fn names(&self, path: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.path().join(path)).unwrap();
        let mut names: Vec<_> = entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The binary with these arguments, in this folder, independent of the user's own settings.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_marotte"));
        command.args(arguments).current_dir(self.0.path());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("MAROTTE_") {
                command.env_remove(name);
            }
        }
        // Each run is the first one. Tests of the cache name a folder for it.
        command.env("MAROTTE_NO_CACHE", if arguments.contains(&"--cache") { "false" } else { "true" });
        command
    }

    pub(crate) fn marotte(&self, arguments: &[&str]) -> Run {
        self.run(arguments, b"", &[])
    }

    pub(crate) fn marotte_with_input(&self, arguments: &[&str], input: &[u8]) -> Run {
        self.run(arguments, input, &[])
    }

    pub(crate) fn run(&self, arguments: &[&str], input: &[u8], environment: &[(&str, &str)]) -> Run {
        let mut command = self.command(arguments);
        command.envs(environment.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A run that does not read its input may have ended already.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        Run {
            status: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

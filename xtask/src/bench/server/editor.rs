//! A minimal editor, as a client of the server.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::{Result, files};

pub(super) struct Editor {
    server: Child,
    input: ChildStdin,
    /// The messages of the server, or the reason why there are no more.
    messages: Receiver<std::result::Result<Value, String>>,
    next: i64,
    /// The last version of each URI for which findings were published.
    told: BTreeMap<String, i64>,
    /// The last published findings of each URI: lines, from 1, and rules.
    findings: BTreeMap<String, Vec<(u64, String)>>,
}

impl Editor {
    /// Starts a server, and a session in a folder.
    pub(super) fn start(program: &Path, folder: &Path) -> Result<Editor> {
        let mut command = Command::new(program);
        let mut server = command.arg("server").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = server.stdin.take().ok_or("no pipe")?;
        let mut output = BufReader::new(server.stdout.take().ok_or("no pipe")?);
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            loop {
                let message = receive(&mut output).map_err(|error| error.to_string());
                let is_last = message.is_err();
                if sender.send(message).is_err() || is_last {
                    break;
                }
            }
        });
        let mut editor =
            Editor { server, input, messages, next: 0, told: BTreeMap::new(), findings: BTreeMap::new() };
        let params = json!({
            "processId": std::process::id(), "rootUri": null,
            "workspaceFolders": [{ "uri": uri(folder), "name": "tree" }],
            "capabilities": {
                "textDocument": { "publishDiagnostics": { "versionSupport": true } },
                "workspace": { "workspaceEdit": { "documentChanges": true, "resourceOperations": ["rename"] } },
            },
            "initializationOptions": { "watcher": "client" },
        });
        editor.request("initialize", params)?;
        editor.notify("initialized", json!({}))?;
        Ok(editor)
    }

    pub(super) fn open(&mut self, path: &Path, text: &str) -> Result<()> {
        let document = json!({ "uri": uri(path), "languageId": "puppet", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }))
    }

    pub(super) fn replace(&mut self, path: &Path, version: i64, text: &str) -> Result<()> {
        let document = json!({ "uri": uri(path), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        self.notify("textDocument/didChange", params)
    }

    /// Waits until the findings of a version of the open document are published.
    pub(super) fn wait_for_findings(&mut self, version: i64) -> Result<()> {
        while !self.told.values().any(|it| *it >= version) {
            self.receive()?;
        }
        Ok(())
    }

    /// Waits until the findings of a file that isn't open are published.
    pub(super) fn wait_for_findings_of(&mut self, path: &Path) -> Result<()> {
        let uri = uri(path);
        while !self.told.contains_key(&uri) {
            self.receive()?;
        }
        Ok(())
    }

    pub(super) fn request(&mut self, method: &str, params: Value) -> Result<Value> {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        loop {
            let message = self.receive()?;
            if message["id"] == id && message.get("method").is_none() {
                return match message.get("error") {
                    Some(error) => Err(format!("`{method}`: {error}").into()),
                    None => Ok(message["result"].clone()),
                };
            }
        }
    }

    /// Returns the resident memory in megabytes.
    pub(super) fn memory(&self) -> Result<f64> {
        let status = files::read(&PathBuf::from(format!("/proc/{}/status", self.server.id())))?;
        let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:")).ok_or("no memory is told")?;
        let kilobytes: f64 = line.trim().trim_end_matches(" kB").trim().parse()?;
        Ok(kilobytes / 1e3)
    }

    pub(super) fn end(mut self) -> Result<()> {
        self.request("shutdown", Value::Null)?;
        self.notify("exit", Value::Null)?;
        let status = self.server.wait()?;
        if status.success() { Ok(()) } else { Err(format!("the server ended with {status}").into()) }
    }

    fn notify(&mut self, method: &str, params: Value) -> Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        Ok(self.input.flush()?)
    }

    fn receive(&mut self) -> Result<Value> {
        let message = self.messages.recv().map_err(|_| "the server has ended")??;
        self.keep(&message);
        Ok(message)
    }

    /// Receives messages until there were none for this long.
    pub(super) fn settle(&mut self, quiet: Duration) -> Result<()> {
        loop {
            match self.messages.recv_timeout(quiet) {
                Ok(message) => self.keep(&message?),
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Err(RecvTimeoutError::Disconnected) => return Err("the server has ended".into()),
            }
        }
    }

    /// The last published findings: files, lines from 1, and rules, sorted.
    pub(super) fn findings(&self) -> Vec<(String, u64, String)> {
        let of_file = |(uri, all): (&String, &Vec<(u64, String)>)| {
            let path = uri.trim_start_matches("file://").to_owned();
            all.iter().map(move |(line, rule)| (path.clone(), *line, rule.clone())).collect::<Vec<_>>()
        };
        let mut found: Vec<_> = self.findings.iter().flat_map(of_file).collect();
        found.sort();
        found
    }

    /// Tells the server that files have changed on disk.
    pub(super) fn touched(&mut self, paths: &[(PathBuf, FileEvent)]) -> Result<()> {
        let change = |(path, event): &(PathBuf, FileEvent)| json!({ "uri": uri(path), "type": *event as u8 });
        let changes: Vec<Value> = paths.iter().map(change).collect();
        self.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }))
    }

    fn keep(&mut self, message: &Value) {
        if message["method"] == "textDocument/publishDiagnostics" {
            let params = &message["params"];
            let uri = params["uri"].as_str().unwrap_or_default().to_owned();
            self.told.insert(uri.clone(), params["version"].as_i64().unwrap_or_default());
            let finding = |it: &Value| {
                let line = it["range"]["start"]["line"].as_u64().unwrap_or_default() + 1;
                (line, it["code"].as_str().unwrap_or_default().to_owned())
            };
            let findings = params["diagnostics"].as_array().into_iter().flatten().map(finding).collect();
            self.findings.insert(uri, findings);
        }
    }
}

/// A change of a file, as the protocol numbers them.
#[derive(Clone, Copy, Debug)]
pub(super) enum FileEvent {
    Created = 1,
    Changed = 2,
    Deleted = 3,
}

/// Reads a message of the server.
fn receive(output: &mut BufReader<ChildStdout>) -> Result<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line)? == 0 {
            return Err("the server has ended".into());
        }
        match line.trim() {
            "" => break,
            line => {
                if let Some(value) = line.strip_prefix("Content-Length: ") {
                    length = value.parse()?;
                }
            }
        }
    }
    let mut text = vec![0; length];
    output.read_exact(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}

impl Drop for Editor {
    fn drop(&mut self) {
        // Errors for a process that has already ended are ignored.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Returns the URI of a path in the generated tree, which has no characters that need escaping.
pub(super) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

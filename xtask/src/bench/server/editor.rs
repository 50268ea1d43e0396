//! A minimal editor.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::{Result, files};

pub(super) struct Editor {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: i64,
    /// The last version of each URI for which findings were published.
    told: BTreeMap<String, i64>,
}

impl Editor {
    /// Starts a server, and a session in a folder.
    pub(super) fn start(program: &Path, folder: &Path) -> Result<Editor> {
        let mut command = Command::new(program);
        let mut server = command.arg("server").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = server.stdin.take().ok_or("no pipe")?;
        let output = BufReader::new(server.stdout.take().ok_or("no pipe")?);
        let mut editor = Editor { server, input, output, next: 0, told: BTreeMap::new() };
        let params = json!({
            "processId": std::process::id(), "rootUri": null,
            "workspaceFolders": [{ "uri": uri(folder), "name": "tree" }],
            "capabilities": { "textDocument": { "publishDiagnostics": { "versionSupport": true } } },
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
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
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
        self.output.read_exact(&mut text)?;
        let message: Value = serde_json::from_slice(&text)?;
        if message["method"] == "textDocument/publishDiagnostics" {
            let uri = message["params"]["uri"].as_str().unwrap_or_default().to_owned();
            self.told.insert(uri, message["params"]["version"].as_i64().unwrap_or_default());
        }
        Ok(message)
    }
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

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

fn server() -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_marotte"));
    command.arg("server").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The server's answer to an input stream that ends after these bytes.
fn fed(bytes: &[u8]) -> Output {
    let mut server = server();
    server.stdin.take().unwrap().write_all(bytes).unwrap();
    server.wait_with_output().unwrap()
}

fn framed(messages: &[&str]) -> Vec<u8> {
    messages.iter().flat_map(|it| format!("Content-Length: {}\r\n\r\n{it}", it.len()).into_bytes()).collect()
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
const SHUTDOWN: &str = r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#;
const EXIT: &str = r#"{"jsonrpc":"2.0","method":"exit"}"#;

#[test]
fn a_session_that_is_shut_down_ends_well() {
    let output = fed(&framed(&[INITIALIZE, SHUTDOWN, EXIT]));
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(r#""serverInfo":{"name":"marotte""#), "{text}");
    assert!(text.ends_with(r#"{"jsonrpc":"2.0","id":2,"result":null}"#), "{text}");
}

#[test]
fn a_stream_that_ends_ends_the_server() {
    assert_eq!(fed(&framed(&[INITIALIZE])).status.code(), Some(1));
    assert_eq!(fed(b"").status.code(), Some(1));
    assert_eq!(fed(&framed(&[INITIALIZE, SHUTDOWN])).status.code(), Some(0));
}

#[test]
fn bytes_that_are_no_messages_are_answered() {
    let mut bytes = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec();
    bytes.extend(framed(&["{", INITIALIZE, SHUTDOWN, EXIT]));
    let output = fed(&bytes);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("-32700").count(), 2, "{text}");
}

#[cfg(unix)]
#[test]
fn the_server_ends_with_the_process_that_started_it() {
    let mut parent = Command::new("sleep").arg("60").spawn().unwrap();
    let initialize =
        INITIALIZE.replace("\"capabilities\"", &format!("\"processId\":{},\"capabilities\"", parent.id()));
    let mut server = server();
    // The pipe is kept open.
    let mut input = server.stdin.take().unwrap();
    input.write_all(&framed(&[&initialize])).unwrap();
    let mut first = [0; 14];
    server.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    parent.kill().unwrap();
    parent.wait().unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(1));
}

#[cfg(unix)]
#[test]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn nothing_is_formatted_without_a_list_of_layouts_that_is_there() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.pp"), "$a=1\n").unwrap();
    let list = folder.path().join(".editorconfig");
    let uri = format!("file://{}/a.pp", folder.path().canonicalize().unwrap().to_str().unwrap());
    let open = format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{{"textDocument":{{"uri":"{uri}","languageId":"puppet","version":1,"text":"$a=1\n"}}}}}}"#
    );
    let format = format!(
        r#"{{"jsonrpc":"2.0","id":3,"method":"textDocument/formatting","params":{{"textDocument":{{"uri":"{uri}"}},"options":{{"tabSize":2,"insertSpaces":true}}}}}}"#
    );
    let initialized = r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#;
    let answer = || {
        let mut server = server();
        let mut input = server.stdin.take().unwrap();
        input.write_all(&framed(&[INITIALIZE, initialized, &open, &format])).unwrap();
        let mut output = std::io::BufReader::new(server.stdout.take().unwrap());
        let answer = loop {
            let text = String::from_utf8(message(&mut output)).unwrap();
            if text.is_empty() || text.contains(r#""id":3"#) {
                break text;
            }
        };
        input.write_all(&framed(&[SHUTDOWN, EXIT])).unwrap();
        server.wait().unwrap();
        answer
    };
    let formatted = answer();
    assert!(formatted.contains(r#""newText":"$a = 1\n""#), "{formatted}");
    std::os::unix::fs::symlink("/dev/zero", list).unwrap();
    let refused = answer();
    assert!(refused.contains("this document is not formatted: "), "{refused}");
    assert!(refused.contains("/.editorconfig cannot be read: it is not a regular file"), "{refused}");
}

/// The files on which the settings and the choice of files depend are outside of the folder.
#[cfg(unix)]
#[test]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn a_server_that_watches_files_itself_notices_those_above_the_folder() {
    let folder = TempDir::new().unwrap();
    let base = folder.path().canonicalize().unwrap();
    let write = |path: &str, text: &str| {
        std::fs::create_dir_all(base.join(path).parent().unwrap()).unwrap();
        std::fs::write(base.join(path), text).unwrap();
    };
    write("tree/a.pp", "$a = = 1\n");
    write("out/conf.toml", "\n");
    write("tree/marotte.toml", "extends = '../out/conf.toml'\n");
    let root = format!("\"rootUri\":\"file://{}\",\"capabilities\"", base.join("tree").display());
    let mut server = server();
    let mut input = server.stdin.take().unwrap();
    let initialized = r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#;
    input.write_all(&framed(&[&INITIALIZE.replace("\"capabilities\"", &root), initialized])).unwrap();
    let mut output = std::io::BufReader::new(server.stdout.take().unwrap());
    let (sender, messages) = std::sync::mpsc::channel();
    std::thread::spawn(move || while sender.send(message(&mut output)).is_ok() {});
    let until = |is: &dyn Fn(usize) -> bool| {
        loop {
            let text = messages.recv_timeout(std::time::Duration::from_secs(60)).unwrap();
            let message: serde_json::Value = serde_json::from_slice(&text).unwrap();
            let of = &message["params"];
            if of["uri"].as_str().is_some_and(|it| it.ends_with("/a.pp"))
                && of["diagnostics"].as_array().is_some_and(|it| is(it.len()))
            {
                break;
            }
        }
    };
    until(&|it| it > 0);
    let ignore = "ignore = ['syntax-error']\n";
    write("out/conf.toml", ignore);
    until(&|it| it == 0);
    write("out/conf.toml", "\n");
    until(&|it| it > 0);
    std::fs::remove_file(base.join("tree/marotte.toml")).unwrap();
    write("marotte.toml", ignore);
    until(&|it| it == 0);
    write("marotte.toml", "\n");
    until(&|it| it > 0);
    write(".ignore", "a.pp\n");
    until(&|it| it == 0);
    server.kill().unwrap();
    server.wait().unwrap();
}

/// Reads a message of the server.
#[cfg(unix)]
fn message(output: &mut impl std::io::BufRead) -> Vec<u8> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        match line.trim_end().strip_prefix("Content-Length: ") {
            Some(number) => length = number.parse().unwrap(),
            None if line == "\r\n" || line.is_empty() => break,
            None => {}
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).unwrap();
    bytes
}

#[test]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn a_dump_has_what_the_server_says() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.pp");
    std::fs::write(&file, "file { '/a': ensure = file }\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_marotte")).arg("ide-dump").arg(&file).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> = text.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    let of = |method: &str| lines.iter().find(|it| it["method"] == method).unwrap();
    assert_eq!(of("textDocument/diagnostic")["result"]["items"][0]["code"], "syntax-error");
    assert_eq!(of("textDocument/codeAction")["result"][0]["title"], "Replace `=` with `=>`");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn a_dump_of_very_many_words_is_about_some_of_them() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.pp");
    std::fs::write(&file, format!("class a {{\n  $x = 1\n{}}}\n", "  f($x)\n".repeat(1_000))).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_marotte")).arg("ide-dump").arg(&file).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> = text.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    let words = &lines.iter().find(|it| it["method"] == "words").unwrap()["result"];
    assert_eq!((words["all"].as_u64(), words["asked"].as_u64()), (Some(2_004), Some(96)));
    let places: Vec<u64> = lines.iter().filter_map(|it| it["at"]["line"].as_u64()).collect();
    assert!(places.iter().min() < Some(&20) && places.iter().max() > Some(&990), "{places:?}");
    assert!(text.len() < 50 << 20, "{}", text.len());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn a_dump_of_another_encoding_has_the_findings_of_a_check() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.pp");
    std::fs::write(&file, b"\xFF\xFEn\0o\0").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_marotte")).arg("ide-dump").arg(&file).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines().map(|it| serde_json::from_str::<serde_json::Value>(it).unwrap());
    let findings = lines.find(|it| it["method"] == "textDocument/diagnostic").unwrap();
    assert_eq!(findings["result"]["items"][0]["code"], "illegal-bom");
}

use serde_json::json;

use crate::{Session, cold, told, uri};

const MODULE: [(&str, &str); 5] = [
    ("/m/environment.conf", ""),
    (
        "/m/modules/m/metadata.json",
        r#"{"name": "a-m", "version": "1.0.0", "author": "a", "license": "MIT", "source": "", "dependencies": []}"#,
    ),
    ("/m/modules/m/manifests/init.pp", "class m {\n  include m::late\n}\n"),
    ("/m/modules/m/manifests/used.pp", "class m::used(Integer $port) {\n  notice($port)\n}\n"),
    ("/m/modules/m/types/port.pp", "type M::Port = Integer[1, 65535]\n"),
];

const TYPED: &str = r#"# What is typed.
class m::late(
  M::Port $port = 80,
  Array[String] $names = ['é', "a ${port} b"],
) {
  $names.each |$name| {
    file { "/tmp/${name}":
      ensure  => file,
      content => upcase($name),
    }
  }
  class { 'm::used': port => $port }
  if $port == 80 { notice(nothing($names)) } else { fail('x') }
}
"#;

fn position(text: &str, at: usize) -> serde_json::Value {
    let at = marotte_lsp::Lines::new(text).position(text, at, marotte_lsp::Encoding::Utf16);
    json!(at)
}

#[test]
fn what_is_told_after_each_pause_is_what_a_new_process_finds() {
    let path = "/m/modules/m/manifests/late.pp";
    let mut session = Session::start(&MODULE);
    session.open(path, "");
    let mut text = String::new();
    for (count, character) in TYPED.chars().enumerate() {
        let at = position(&text, text.len());
        session.change(path, json!([{ "range": { "start": at, "end": at }, "text": character }]));
        text.push(character);
        if count % 17 == 0 || text.len() == TYPED.len() {
            session.rules(path);
            let (_, diagnostics) = &session.peer.diagnostics[&uri(path)];
            assert_eq!(told(diagnostics), cold(&session.system, path, &text), "{text}");
        }
    }
    assert_eq!(told(&session.peer.diagnostics[&uri(path)].1), [("unresolved-function".to_owned(), 12)]);
}

#[test]
fn random_edits_end_where_a_new_process_is() {
    let path = "/m/modules/m/manifests/late.pp";
    let mut session = Session::start(&MODULE);
    let mut text = TYPED.to_owned();
    session.open(path, &text);
    let mut state: u64 = 7;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        usize::try_from(state >> 33).unwrap() % below.max(1)
    };
    let pieces = ["", "}", "{", "'", "\n", "$", "é", "m::used", " => ", "\u{1f600}", "\r\n"];
    for round in 0..60 {
        let boundaries: Vec<usize> = (0..=text.len()).filter(|it| text.is_char_boundary(*it)).collect();
        let from = random(boundaries.len());
        let to = (from + random(12)).min(boundaries.len() - 1);
        let (start, end) = (boundaries[from], boundaries[to]);
        let piece = pieces[random(pieces.len())];
        // In the middle of a line end there is no position.
        let is_split = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
        if is_split(start) || is_split(end) {
            continue;
        }
        let range = json!({ "start": position(&text, start), "end": position(&text, end) });
        session.change(path, json!([{ "range": range, "text": piece }]));
        text.replace_range(start..end, piece);
        if round % 6 == 5 {
            session.rules(path);
            let (_, diagnostics) = &session.peer.diagnostics[&uri(path)];
            assert_eq!(told(diagnostics), cold(&session.system, path, &text), "{text}");
        }
    }
}

//! Configurations from pseudorandom choices: keys and values that are almost right, and any bytes. `MAROTTE_SEEDS=10000` tries
//! more of them.

use camino::Utf8Path;
use marotte_db::MemorySystem;
use serde_json::{Map, Value, json};

use super::{Config, FORMAT_KEYS, IMPACT_KEYS, KEYS, OVERRIDE_KEYS, from_json, parse, read};

/// The number of seeds, unless the variable has another one.
const SEEDS: u64 = 2000;

/// Words that are right for some of the keys, and others.
const WORDS: [&str; 26] = [
    "all",
    "style",
    "unresolved-class",
    "types",
    "nonsense",
    "",
    "full",
    "json",
    "always",
    "space",
    "tab",
    "lf",
    "16 MiB",
    "8",
    "spec",
    "puppet8",
    "other.toml",
    "../x.toml",
    "marotte.toml",
    "a/**",
    "[",
    "{a",
    "!b",
    "é",
    "\n",
    "File[a]::mode",
];

struct Choices(u64);

impl Choices {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn choose<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    fn value(&mut self) -> Value {
        match self.below(8) {
            0 | 1 => json!(self.choose(&WORDS)),
            2 | 3 => json!((0..self.below(4)).map(|_| self.choose(&WORDS)).collect::<Vec<_>>()),
            4 => json!(self.below(2) == 0),
            5 => json!(self.below(100_000)),
            6 => json!(-1.5),
            _ => json!([1, self.choose(&WORDS)]),
        }
    }

    fn table(&mut self, keys: &[&str]) -> Map<String, Value> {
        let mut table = Map::new();
        for _ in 0..self.below(4) {
            table.insert(self.choose(keys).to_owned(), self.value());
        }
        table
    }

    /// A configuration.
    fn configuration(&mut self) -> Map<String, Value> {
        let mut table = self.table(&KEYS);
        if self.below(4) == 0 {
            table.insert("format".to_owned(), Value::Object(self.table(&FORMAT_KEYS)));
        }
        if self.below(4) == 0 {
            table.insert("impact".to_owned(), Value::Object(self.table(&IMPACT_KEYS)));
        }
        if self.below(4) == 0 {
            let overrides = (0..self.below(3)).map(|_| Value::Object(self.table(&OVERRIDE_KEYS)));
            table.insert("overrides".to_owned(), Value::Array(overrides.collect()));
        }
        table
    }
}

fn seeds() -> u64 {
    std::env::var("MAROTTE_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(SEEDS)
}

/// Reads a text; an error has a place in it, and one sentence.
fn parsed(text: &str) -> Option<Config> {
    match parse(text, Utf8Path::new("/a")) {
        Ok(config) => Some(config),
        Err(problem) => {
            assert!(text.get(problem.offset..).is_some(), "{} in {text:?}", problem.offset);
            assert!(!problem.message.trim().is_empty(), "{text:?}");
            let (line, _) = problem.place(text);
            assert!(
                (1..=text.matches('\n').count() + 1).contains(&usize::try_from(line).unwrap()),
                "{text:?}"
            );
            None
        }
    }
}

#[test]
fn a_configuration_is_the_same_from_an_editor() {
    let (mut right, mut wrong) = (0, 0);
    for seed in 0..seeds() {
        let table = Choices(seed).configuration();
        let Ok(text) = toml::to_string(&table) else { continue };
        let of_file = parsed(&text);
        let of_editor = from_json(&table, Utf8Path::new("/a"));
        assert_eq!(of_file.is_some(), of_editor.is_ok(), "{text}: {of_editor:?}");
        match of_file {
            Some(_) => right += 1,
            None => wrong += 1,
        }
    }
    assert!(right > 100 && wrong > 100, "{right} are right, {wrong} are wrong");
}

#[test]
fn any_text_is_read_or_refused() {
    for seed in 0..seeds() {
        let mut choices = Choices(seed);
        let table = choices.configuration();
        let mut bytes = toml::to_string(&table).unwrap_or_default().into_bytes();
        for _ in 0..=choices.below(6) {
            let byte = b"[]={}\"'\\\n\r#,.\xc3\xa9\x00\x7f-0"[choices.below(19)];
            match (choices.below(3), bytes.len()) {
                (0, length) => bytes.insert(choices.below(length + 1), byte),
                (_, 0) => {}
                (1, length) => bytes[choices.below(length)] = byte,
                (_, length) => {
                    bytes.remove(choices.below(length));
                }
            }
        }
        parsed(&String::from_utf8_lossy(&bytes));
        let system = MemorySystem::with_files([("/a/other.toml", "extends = 'marotte.toml'\n")]);
        system.write_file("/a/marotte.toml", &bytes);
        if let Err(refused) = read(&system, Utf8Path::new("/a/marotte.toml")) {
            assert!(!refused.to_string().is_empty());
        }
    }
}

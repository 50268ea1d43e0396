//! Documents as Ruby's Psych writes them.

use std::rc::Rc;

use crate::{Host, Value, Vm, World};

struct Nothing;

impl Host for Nothing {}

/// Values in JSON, and their `to_yaml` by Ruby 3.1.
const DOCUMENTS: &[(&str, &str)] = &[
    ("null", "---\n"),
    ("true", "--- true\n"),
    ("\"\"", "--- ''\n"),
    ("\"a\"", "--- a\n"),
    ("\"yes\"", "--- 'yes'\n"),
    ("\"null\"", "--- 'null'\n"),
    ("\"~\"", "--- \"~\"\n"),
    ("\"1\"", "--- '1'\n"),
    ("\"1.5\"", "--- '1.5'\n"),
    ("\"0x1f\"", "--- '0x1f'\n"),
    ("\"08\"", "--- '08'\n"),
    ("\"1_000\"", "--- '1_000'\n"),
    ("\"1e3\"", "--- 1e3\n"),
    ("\"12:30\"", "--- '12:30'\n"),
    ("\"2020-01-01\"", "--- '2020-01-01'\n"),
    ("\"2020-02-31\"", "--- 2020-02-31\n"),
    ("\"2020-01-01 25:00:00\"", "--- 2020-01-01 25:00:00\n"),
    ("\"a: b\"", "--- 'a: b'\n"),
    ("\"a #b\"", "--- 'a #b'\n"),
    ("\"- a\"", "--- \"- a\"\n"),
    ("\"?\"", "--- \"?\"\n"),
    ("\"*a\"", "--- \"*a\"\n"),
    ("\"it's\"", "--- it's\n"),
    ("\"\\\"q\\\"\"", "--- '\"q\"'\n"),
    ("\"é😀\"", "--- \"é\\U0001F600\"\n"),
    ("\"a\\tb\"", "--- \"a\\tb\"\n"),
    ("\"a\\nb\"", "--- |-\n  a\n  b\n"),
    ("\"a\\nb\\n\"", "--- |\n  a\n  b\n"),
    ("\"a\\n\\n\"", "--- \"a\\n\\n\"\n"),
    ("\" a\\nb\"", "--- |2-\n   a\n  b\n"),
    ("\"a \\nb\"", "--- \"a \\nb\"\n"),
    ("\"y\"", "--- \"y\"\n"),
    ("\"Y\"", "--- Y\n"),
    ("\"=\"", "--- \"=\"\n"),
    ("\"<<\"", "--- !!str '<<'\n"),
    ("\"---\"", "--- \"---\"\n"),
    ("\"\u{2028}\"", "--- \"\\L\"\n"),
    (
        "\"word word word word word word word word word word word word word word word word word word word word end\"",
        "--- word word word word word word word word word word word word word word word word\n  word word word word end\n",
    ),
    (
        "\"'word word word word word word word word word word word word word word word word word word word word end\"",
        "--- \"'word word word word word word word word word word word word word word word word\n  word word word word end\"\n",
    ),
    ("\":sym\"", "--- \":sym\"\n"),
    ("\"-1\"", "--- \"-1\"\n"),
    ("[]", "--- []\n"),
    ("{}", "--- {}\n"),
    ("[[],{}]", "---\n- []\n- {}\n"),
    ("{\"a\":null,\"b\":[1,{\"c\":[]}],\"\":{}}", "---\na:\nb:\n- 1\n- c: []\n'': {}\n"),
    ("[[1,[2]],[{\"a\":1,\"b\":2}]]", "---\n- - 1\n  - - 2\n- - a: 1\n    b: 2\n"),
    (
        "{\"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\":1,\"a\\nb\":2}",
        "---\n? kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\n: 1\n? |-\n  a\n  b\n: 2\n",
    ),
];

#[test]
fn documents_are_written_as_psych_writes_them_and_read_again() {
    let mut host = Nothing;
    let mut vm = Vm::new(Rc::new(World::new()), &mut host);
    let class = |vm: &Vm<'_>, name: &str| Value::Class(Rc::clone(vm.world.class(name)));
    let (json, psych) = (class(&vm, "JSON"), class(&vm, "Psych"));
    let text = |value: Value| if let Value::String(it) = value { it.lossy() } else { String::new() };
    for (document, expected) in DOCUMENTS {
        let value = vm.call(&json, "parse", &[Value::from(*document)]).expect("JSON");
        let written = vm.call(&value, "to_yaml", &[]).expect("a document");
        assert_eq!(text(written.clone()), *expected, "{document}");
        let written_again = vm.call(&value, "to_json", &[]).expect("JSON");
        assert_eq!(text(written_again), *document);
        if !expected.contains(['\u{2028}', '2']) {
            let read = vm.call(&psych, "load", &[written]).expect("YAML");
            let read = vm.call(&json, "generate", &[read]).expect("JSON");
            assert_eq!(text(read), *document);
        }
    }
}

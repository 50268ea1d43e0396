//! No function panics, at any offset of any text; and every result refers to the existing text.

use std::sync::Arc;

use camino::Utf8Path;
use marotte_db::{Db as _, File, MemorySystem, source_text};
use marotte_ide::*;
use marotte_project::{Project, ProjectDatabase, ProjectOptions};
use marotte_text::{TextRange, TextSize};
use proptest::prelude::*;

/// Pieces of code, valid and broken.
const CODE: [&str; 40] = [
    "class ntp(Integer $port = 1) inherits ntp::params {",
    "define ntp::key(Enum['a', 'b'] $type) {",
    "function ntp::f($a, *$b) >> String {",
    "type Ntp::Port = Integer[0, 1]",
    "node 'a', /b/ {",
    "}",
    "{",
    ")",
    "(",
    "]",
    "[",
    "|$x, $y|",
    "file { '/etc/motd': ensure => file, source => 'puppet:///modules/ntp/a' }",
    "ntp::key { 'k':",
    "type => 'a',",
    "* => $h,",
    "=>",
    "include ntp, 'ntp::params'",
    "Class['ntp'] -> File['/etc/motd'] ~> Ntp::Key[k]",
    "File <| title == 'a' |> { mode => '1' }",
    "$x = epp('ntp/t.epp', { 'port' => 1 })",
    "$port",
    "${ntp::port}",
    "\"a ${x['b'].each |$z| { $z }} ü $y",
    "'it''s",
    "@(\"END\")\n  ${port} 'x\n  | END\n",
    "$facts['os']['family']",
    "lookup('ntp::port', { default_value => 1 })",
    "[1, 2].map |$i| { $i + 1 }",
    "if $a =~ /x(y)/ { $1 } elsif",
    "case $x { 'a': { } default: { } }",
    "$a ? { 1 => 2, default => 3 }",
    "ntp::f(1,",
    "# comment ü",
    "/* open",
    "::",
    "$",
    ":",
    "<% <%= $port %> <%# x %> %>",
    "\u{1F600}",
];

/// Pieces of data.
const DATA: [&str; 14] = [
    "ntp::port: 1",
    "lookup_options:\n  ntp::port: {merge: first}",
    "  - a",
    "x: \"%{lookup('ntp::port')}\"",
    "y: '%{facts.os.family} %{::ntp::port} %{",
    "classes: [ntp, 'ntp::params']",
    "\"quoted::key\": [1, {a: b}]",
    ": :",
    "*alias",
    "&a [*a]",
    "ntp::",
    "# ü",
    "\t",
    "- - -",
];

/// Pieces of templates in ERB.
const ERB: [&str; 14] = [
    "<%= @port %>",
    "<% if @port -%>",
    "<%# @port %>",
    "<%% @port",
    "<%= scope['ntp::port'] %>",
    "<%= scope.lookupvar('::ntp::",
    "<%= scope.call_function('upcase', [@port]) %>",
    "\"#{@port",
    "<%= @",
    "%>",
    "ü",
    "'",
    "# @port",
    "<% has_variable?(\"port\")",
];

/// Pieces of metadata, of a `Puppetfile`, and of an `environment.conf`.
const SETTINGS: [&str; 16] = [
    "{",
    "}",
    "[",
    "]",
    "\"name\": \"a-b\"",
    "\"dependencies\": [{\"name\": \"",
    "\"version_requirement\": \"",
    "\"ü\\\"",
    ",",
    "mod 'a-b', '",
    "mod \"",
    "moduledir",
    "# ü",
    "modulepath = ",
    "manifest",
    "\u{1F600}",
];

fn text_of(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
    let piece = (prop::sample::select(pieces), prop::sample::select(&[" ", "\n", ""][..]), 0..40_usize);
    prop::collection::vec(piece, 0..10).prop_map(|all| {
        let cut = |(text, gap, cut): (&str, &str, usize)| {
            // Many pieces are truncated.
            let end = if cut < text.len() && cut % 3 == 0 { cut } else { text.len() };
            let end = (0..=end).rev().find(|it| text.is_char_boundary(*it)).unwrap_or_default();
            format!("{}{gap}", &text[..end])
        };
        all.into_iter().map(cut).collect()
    })
}

fn ask_everything(db: &ProjectDatabase, file: File) {
    let text = source_text(db, file).text();
    let whole = TextRange::up_to(TextSize::of(text));
    let is_text = |range: TextRange| {
        assert!(text.get(std::ops::Range::<usize>::from(range)).is_some(), "{range:?} of {text:?}");
    };
    document_symbols(db, file).iter().for_each(|it| is_text(it.range));
    foldings(db, file).iter().for_each(|it| is_text(it.range));
    let mut before = TextSize::new(0);
    for it in semantic_tokens(db, file, None) {
        is_text(it.range);
        assert!(before <= it.range.start(), "{it:?} of {text:?}");
        before = it.range.end();
    }
    inlay_hints(db, file, whole).iter().for_each(|it| is_text(TextRange::empty(it.at)));
    links(db, file).iter().for_each(|it| is_text(it.range));
    for lens in code_lenses(db, file) {
        is_text(lens.range);
        let _ = resolve_code_lens(db, FilePosition { file, offset: lens.range.start() });
    }
    for offset in 0..=text.len() + 2 {
        let at = FilePosition { file, offset: TextSize::try_from(offset).unwrap_or_default() };
        let _ = (declaration(db, at), type_definition(db, at), implementations(db, at));
        for it in definition(db, at) {
            let of = source_text(db, it.full.file).text();
            assert!(of.get(std::ops::Range::<usize>::from(it.full.range)).is_some());
            assert!(it.full.range.contains_range(it.selection));
        }
        if let Some(it) = hover(db, at) {
            is_text(it.range);
        }
        for it in references(db, at).unwrap_or_default() {
            let of = source_text(db, it.place.file).text();
            assert!(of.get(std::ops::Range::<usize>::from(it.place.range)).is_some());
        }
        for range in [
            TextRange::empty(at.offset),
            whole.intersect(TextRange::at(at.offset, TextSize::new(7))).unwrap_or_default(),
        ] {
            for it in assists(db, FileRange { file, range }) {
                it.edits.iter().for_each(|it| is_text(it.place.range));
            }
        }
        highlights(db, at).iter().for_each(|it| is_text(it.range));
        completions(db, at).items.iter().for_each(|it| is_text(it.replace));
        let _ = signature_help(db, at);
        let mut inner = TextRange::empty(at.offset);
        for range in selection_ranges(db, at) {
            is_text(range);
            assert!(range.contains_range(inner), "{range:?} around {inner:?} of {text:?}");
            inner = range;
        }
        linked_editing(db, at).iter().for_each(|it| is_text(*it));
        let _ = (call_hierarchy(db, at), incoming_calls(db, at), outgoing_calls(db, at));
        let _ = (type_hierarchy(db, at), supertypes(db, at), subtypes(db, at));
        if let Ok((range, _)) = prepare_rename(db, at) {
            is_text(range);
        }
        for name in ["other", "ntp::other", "Ntp::Other"] {
            if let Ok(plan) = rename(db, at, name) {
                for pair in plan.edits.windows(2) {
                    let (one, next) = (pair[0].place, pair[1].place);
                    assert!(one.file != next.file || one.range.end() <= next.range.start(), "{plan:?}");
                }
            }
        }
    }
    let _ = workspace_symbols(db, "ntp", 10);
}

const SETTING_FILES: [&str; 3] = ["/e/environment.conf", "/e/Puppetfile", "/e/modules/ntp/metadata.json"];

fn project(path: &str, text: &str) -> (Project, File) {
    let system = MemorySystem::with_files([
        ("/e/environment.conf", "modulepath = modules\n"),
        ("/e/hiera.yaml", "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n"),
        ("/e/data/a.yaml", "ntp::port: 2\n"),
        ("/e/modules/ntp/manifests/params.pp", "class ntp::params { $port = 3 }\n"),
        (
            "/e/modules/ntp/manifests/init.pp",
            "class ntp(Integer $port = 1) { notice(template('ntp/u.erb'), $port) }\n",
        ),
        ("/e/modules/ntp/templates/t.epp", "<%- | $port | -%>\n<%= $port %>\n"),
        ("/e/modules/ntp/files/a", "a\n"),
    ]);
    system.write_file(path, text);
    let project =
        Project::new(ProjectDatabase::new(Arc::new(system)), &["/e".into()], ProjectOptions::default());
    let file = project.db().files().file(project.db(), Utf8Path::new(path));
    (project, file)
}

/// More cases with `PROPTEST_CASES`.
fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(24);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn manifests_are_answered(text in text_of(&CODE)) {
        let (project, file) = project("/e/manifests/site.pp", &text);
        ask_everything(project.db(), file);
    }

    #[test]
    fn classes_are_answered(text in text_of(&CODE)) {
        let (project, file) = project("/e/modules/ntp/manifests/init.pp", &text);
        ask_everything(project.db(), file);
    }

    #[test]
    fn templates_are_answered(text in text_of(&CODE)) {
        let (project, file) = project("/e/modules/ntp/templates/t.epp", &text);
        ask_everything(project.db(), file);
    }

    #[test]
    fn templates_in_erb_are_answered(text in text_of(&ERB)) {
        let (project, file) = project("/e/modules/ntp/templates/u.erb", &text);
        ask_everything(project.db(), file);
    }

    #[test]
    fn settings_are_answered(text in text_of(&SETTINGS), path in prop::sample::select(&SETTING_FILES[..])) {
        let (project, file) = project(path, &text);
        ask_everything(project.db(), file);
    }

    #[test]
    fn data_is_answered(text in text_of(&DATA)) {
        let (project, file) = project("/e/data/a.yaml", &text);
        ask_everything(project.db(), file);
    }
}

#[test]
fn configurations_are_answered() {
    let text = "version: 5\nhierarchy:\n  - {name: a, path: \"%{facts.os.family}/%{::ntp::port}.yaml\"}\n";
    let (project, file) = project("/e/hiera.yaml", text);
    ask_everything(project.db(), file);
}

//! One bad file never ends a run.

use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_db::system::ReadError;
use marotte_db::testing::FragileSystem;
use marotte_db::{MemorySystem, System};
use marotte_diagnostics::{Diagnostic, Sources as _};
use marotte_project::{Project, ProjectDatabase, ProjectOptions};

const METADATA: &str = r#"{"name": "a-m", "version": "1.0.0", "author": "a", "license": "MIT", "source": "", "dependencies": []}"#;

/// Files of which one makes the reader panic and one vanishes right before it is read.
fn fragile(memory: MemorySystem) -> FragileSystem {
    FragileSystem::new(memory, |path| match path.file_name() {
        Some("panic.pp") => panic!("no way to read this"),
        Some("gone.pp") => Some(ReadError::NotFound),
        _ => None,
    })
}

fn findings(
    system: impl System + 'static,
    paths: &[&str],
    options: ProjectOptions,
) -> Vec<(String, Arc<Diagnostic>)> {
    let db = ProjectDatabase::frozen(Arc::new(system));
    let paths: Vec<_> = paths.iter().map(Utf8PathBuf::from).collect();
    let project = Project::new(db, &paths, options);
    let report = project.check(&());
    let path = |finding: &Diagnostic| project.sources().path(finding.file).to_owned();
    report.findings.into_iter().map(|finding| (path(&finding), finding)).collect()
}

#[test]
fn a_panic_is_a_finding_and_the_other_files_are_checked() {
    let files = [("/a.pp", b"\xff".as_slice()), ("/panic.pp", b""), ("/z.pp", b"\xff")];
    let memory = MemorySystem::new();
    for (path, bytes) in files {
        memory.write_file(path, bytes);
    }
    let findings = findings(fragile(memory), &["/"], ProjectOptions::default());
    let rules: Vec<_> = findings.iter().map(|(path, finding)| (path.as_str(), finding.rule.name)).collect();
    assert_eq!(rules, [("a.pp", "invalid-utf8"), ("panic.pp", "internal-error"), ("z.pp", "invalid-utf8")]);
    assert_eq!(findings[1].1.message, "marotte failed on this file: no way to read this");
}

/// What a template compiles to is Ruby; whoever renders it learns only then that it is none.
#[test]
fn a_template_with_a_syntax_error_is_a_finding() {
    let check = |template: &[u8]| {
        let memory = MemorySystem::new();
        memory.write_file("/m/metadata.json", METADATA);
        memory.write_file("/m/templates/a.erb", template);
        // Another program's.
        memory.write_file("/m/files/a.erb", b"<% if %>");
        let findings = findings(memory, &["/m"], ProjectOptions::default());
        findings
            .into_iter()
            .map(|(path, it)| format!("{path} {}: {}", it.rule.name, it.message))
            .collect::<Vec<_>>()
    };
    let open = "m/templates/a.erb invalid-ruby: invalid Ruby: something is still open at the end, which lacks an `end` or a bracket";
    assert_eq!(check(b"<% if @a -%>\na\n"), [open]);
    assert_eq!(check(b"<% @a.each do |it| -%>\n<%= it %>\n<% end -%>\n<% end %>\n").len(), 1);
    assert_eq!(check(b"<%= @a['b' %>\n").len(), 1);
    for right in [
        "<% if @a -%>\na\n<% else %>b<% end %>\n",
        "<%# if -%>\n<%% if %%>\n% if\n",
        "<%- @a.each do |it| -%>\n<%= it %>\n<%- end -%>\n",
        "<% case @a\n   when 'b' -%>\nc\n<% end -%>",
        "<%= scope['a::b'].map { |it| \"#{it}\" }.join(',') -%>",
        "",
    ] {
        assert!(check(right.as_bytes()).is_empty(), "{right}");
    }
    // What surrounds the code may be in another encoding, which is told, too.
    let latin = |offset: &str| format!("m/templates/a.erb invalid-utf8: {offset}");
    let not_utf8 = latin("this template is not UTF-8: byte 0xE9 is not valid here");
    assert_eq!(check(b"caf\xe9 <% if @a -%>\na\n"), [open.to_owned(), not_utf8.clone()]);
    assert_eq!(check(b"<% if @a # \xe9\n end %>"), [not_utf8]);
    let marked = "it starts with a UTF-16 byte order mark (FF FE)";
    assert_eq!(check(b"\xff\xfe<\0"), [latin(&format!("this file cannot be read: {marked}"))]);
}

#[test]
fn syntax_errors_of_ruby_are_where_ruby_has_them() {
    let check = |puppetfile: &str| {
        let files =
            [("/m/environment.conf", ""), ("/m/manifests/site.pp", ""), ("/m/Puppetfile", puppetfile)];
        let findings = findings(MemorySystem::with_files(files), &["/m"], ProjectOptions::default());
        let told = |it: &Diagnostic| format!("{} {}", &puppetfile[it.range], it.message);
        findings.iter().map(|(_, it)| told(it)).collect::<Vec<_>>()
    };
    assert_eq!(check("mod 'a/b', '9.0.0' end\n"), ["end invalid Ruby: `end` is not expected here"]);
    assert_eq!(check("mod 'a/b',\n  :git => 'x' 'y',\n  ]\n"), ["] invalid Ruby: `]` is not expected here"]);
    let open = " invalid Ruby: something is still open at the end, which lacks an `end` or a bracket";
    assert_eq!(check("mod 'a/b', {\n"), [open]);
}

/// The operating system lists these files, and does not let the user read them.
#[test]
fn a_file_beside_the_code_that_cannot_be_read_is_a_finding() {
    let paths = ["/m/plans/p.yaml", "/m/tasks/t.json", "/m/templates/t.erb"];
    let memory =
        MemorySystem::with_files([("/m/metadata.json", METADATA), ("/m/manifests/init.pp", "class m { }\n")]);
    paths.into_iter().for_each(|it| memory.write_file(it, "{}"));
    let system = FragileSystem::new(memory, |path| {
        matches!(path.file_stem(), Some("p" | "t")).then_some(ReadError::PermissionDenied)
    });
    let findings = findings(system, &["/m"], ProjectOptions::default());
    let found: Vec<_> = findings.iter().map(|(path, it)| (path.as_str(), it.rule.name)).collect();
    let path = |index: usize| paths[index].trim_start_matches('/');
    assert_eq!(found, [0, 1, 2].map(|it| (path(it), "unreadable-file")));
}

#[test]
fn a_compiled_policy_is_no_code() {
    let memory = MemorySystem::new();
    memory.write_file("/m/metadata.json", METADATA);
    memory.write_file("/m/files/policy.pp", b"\x8f\xff\x7c\xf9\x01\0\0\0");
    memory.write_file("/m/files/broken.pp", b"\x8f\xff");
    let findings = findings(memory, &["/m"], ProjectOptions::default());
    let rules: Vec<_> = findings.iter().map(|(path, finding)| (path.as_str(), finding.rule.name)).collect();
    assert_eq!(rules, [("m/files/broken.pp", "invalid-utf8")]);
}

/// A `Puppetfile` that Ruby refuses silences the rules about its modules, so that has to be reported.
#[test]
fn a_puppetfile_with_a_syntax_error_is_a_finding() {
    let check = |puppetfile: &str| {
        let memory = MemorySystem::with_files([("/r/environment.conf", ""), ("/r/manifests/site.pp", "")]);
        memory.write_file("/r/Puppetfile", puppetfile);
        let findings = findings(memory, &["/r"], ProjectOptions::default());
        findings.iter().map(|(path, it)| (path.clone(), it.rule.name, it.notes.clone())).collect::<Vec<_>>()
    };
    let note = "`unlisted-module` and `unused-module` report nothing about such a file".to_owned();
    assert_eq!(
        check("mod 'puppetlabs-stdlib',\n  '1.0.0'\nmod 'x', {\n"),
        [("r/Puppetfile".to_owned(), "invalid-ruby", vec![note])]
    );
    assert_eq!(check("mod 'puppetlabs-stdlib',\n  '1.0.0'\n%w[a b].each { |it| mod it }\n"), []);
}

#[test]
fn a_file_deleted_while_the_run_goes_on_is_a_finding() {
    let memory = MemorySystem::with_files([("/gone.pp", ""), ("/stays.pp", "")]);
    let findings = findings(fragile(memory), &["/"], ProjectOptions::default());
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].0.as_str(), findings[0].1.rule.name), ("gone.pp", "unreadable-file"));
}

#[test]
fn a_file_beyond_the_limit_is_a_finding() {
    let memory = MemorySystem::with_files([("/large.pp", "$a = 1")]);
    let options = ProjectOptions { max_file_size: 5, ..ProjectOptions::default() };
    let findings = findings(memory, &["/"], options);
    assert_eq!(findings[0].1.rule.name, "file-too-large");
    assert_eq!(findings[0].1.message, "the file is too large: it has 6 bytes, the limit is 5");
}

#[test]
fn a_path_without_anything_is_a_finding() {
    let findings = findings(
        MemorySystem::with_files([("/a.pp", "")]),
        &["/missing", "/a.pp"],
        ProjectOptions::default(),
    );
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].0.as_str(), findings[0].1.rule.name), ("missing", "unreadable-file"));
}

#[test]
fn a_byte_of_windows_1252_is_named() {
    let memory = MemorySystem::new();
    memory.write_file("/a.pp", b"# caf\xe9");
    let findings = findings(memory, &["/"], ProjectOptions::default());
    assert_eq!(u32::from(findings[0].1.range.start()), 5);
    assert!(findings[0].1.notes[0].contains("`é`"), "{:?}", findings[0].1.notes);
}

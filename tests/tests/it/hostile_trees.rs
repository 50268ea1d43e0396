//! Small trees that double, chain, nest and repeat: each is checked quickly, and what can't be computed quickly is unknown.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use camino::Utf8Path;
use marotte_db::{Db as _, MemorySystem};
use marotte_infer::inference::program_types;
use marotte_pcore::types::TypeKind;
use marotte_project::{ChangeBatch, Project, ProjectDatabase, ProjectOptions};
use marotte_tests::hostile::{Tree, families, family};

/// The stack size of all threads of marotte.
const STACK: usize = 16 << 20;
/// The size of the largest trees here. Those of 16 KiB are for `cargo xtask bench hostile`, which runs the release build.
const SIZE: usize = 4 << 10;
/// The time limit of a check. An optimized build on an idle processor needs at most a tenth of a second.
const TIME: Duration = Duration::from_secs(20);

/// Returns the processor time of this thread, which doesn't include other threads.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Creates an in-memory project of these files.
fn project(tree: &Tree) -> Project {
    let files: Vec<(String, String)> =
        tree.files.iter().map(|(path, text)| (format!("/{path}"), text.clone())).collect();
    let system = MemorySystem::with_files(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let options = ProjectOptions::default();
    Project::new(ProjectDatabase::frozen(Arc::new(system)), &["/".into()], options)
}

/// Returns the rules of the findings in a tree, and the processor time of the check.
fn checked(tree: &Tree) -> (Vec<String>, Duration) {
    let tree = tree.clone();
    let check = move || {
        let project = project(&tree);
        let db = project.db();
        assert!(project.files().next().is_some(), "nothing is checked");
        // On this thread, whose time is measured.
        let findings = project.files().flat_map(|it| marotte_project::check_one(db, it));
        let rules = findings.map(|it| it.rule.to_string()).collect();
        (rules, processor_time())
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(check).expect("a thread");
    thread.join().expect("no panic")
}

#[test]
fn all_families_are_checked_soon() {
    let mut slow = Vec::new();
    for family in families() {
        let (rules, time) = checked(&family.at_most(SIZE));
        assert!(!rules.iter().any(|it| it == "internal-error"), "{}: {rules:?}", family.name);
        if time > TIME {
            slow.push(format!("{}: {time:?}", family.name));
        }
    }
    assert!(slow.is_empty(), "\n{}", slow.join("\n"));
}

/// A chain of lines, each computed from the one before.
fn chain(first: &str, count: usize, next: impl Fn(usize, usize) -> String) -> String {
    let lines: Vec<String> = (0..count).map(|it| next(it, it + 1)).collect();
    format!("{first}\n{}\n", lines.join("\n"))
}

/// The smallest texts that exhausted memory.
#[test]
fn what_doubles_is_checked_soon() {
    let aliases = chain("", 24, |a, b| format!("type X::A{a} = Variant[X::A{b}, Array[X::A{b}]]"));
    let class =
        |next: fn(usize, usize) -> String| format!("class x($a) {{ {} }}", chain("$x0 = 1", 40, next));
    let texts = [
        chain("$x0 = [1]", 24, |a, b| format!("$x{b} = $x{a} + $x{a}")),
        chain("$x0 = [1]", 30, |a, b| format!("$x{b} = [$x{a}, $x{a}]")),
        chain("$x0 = 'a'", 59, |a, b| format!("$x{b} = \"${{x{a}}}${{x{a}}}\"")),
        class(|a, b| {
            format!("$x{b} = $a ? {{ {b} => [$x{a}, $x{a}], default => {{a => $x{a}, b => $x{a}}} }}")
        }),
        class(|a, b| {
            format!("if $a == {b} {{ $x{b} = [$x{a}, $x{a}] }} else {{ $x{b} = {{a => $x{a}, b => $x{a}}} }}")
        }),
        format!("{aliases}type X::A24 = Integer\nclass x(X::A0 $p = [[['a']]]) {{ $y = $p }}"),
    ];
    for text in texts {
        let (_, time) = checked(&Tree::manifest(text.clone()));
        assert!(time < TIME, "{time:?} for {text}");
    }
}

/// Returns the inferred type of a variable of a program.
fn variable(text: &str, name: &str) -> Option<marotte_pcore::types::Type> {
    let system = MemorySystem::with_files([("/site.pp", text)]);
    let db = ProjectDatabase::frozen(Arc::new(system));
    let file = db.files().file(&db, Utf8Path::new("/site.pp"));
    let types = program_types(&db, file).expect("a program");
    types.variables.into_iter().find(|(it, _)| it == name)?.1
}

#[test]
fn what_is_too_large_is_unknown_and_the_rest_is_not() {
    let text = chain("$x0 = [1]", 40, |a, b| format!("$x{b} = [$x{a}, $x{a}]")) + "$last = 'known'\n";
    assert!(variable(&text, "x5").is_some());
    // An array is known to be one, whatever its elements are.
    let sizes: Vec<usize> =
        (0..=40).filter_map(|it| Some(variable(&text, &format!("x{it}"))?.extent().size())).collect();
    assert!(sizes.iter().all(|it| *it < 1 << 20), "{sizes:?}");
    assert!(variable(&text, "last").is_some());
    // Literals are known, however long.
    let entries: Vec<String> = (0..5_000).map(|it| format!("'k{it}' => {{ 'a' => [{it}, 'b'] }}")).collect();
    let known = variable(&format!("$x = {{ {} }}\n", entries.join(", ")), "x").expect("a type");
    assert!(matches!(known.kind(), TypeKind::Struct(elements) if elements.len() == 5_000));
}

#[test]
fn circles_of_dependencies_are_found_however_long_they_are() {
    let count = 2_000;
    let ring = |at: usize| format!("notify {{ 'r{at}': require => Notify['r{}'] }}\n", (at + 1) % count);
    let (rules, time) = checked(&Tree::manifest((0..count).map(ring).collect::<String>()));
    assert_eq!(rules, ["dependency-cycle"]);
    assert!(time < 2 * TIME, "{time:?}");
    // Two unrelated cycles are two findings.
    let two = "notify { 'a': require => Notify['b'] }\nnotify { 'b': require => Notify['a'] }\n\
               notify { 'c': require => Notify['d'] }\nnotify { 'd': require => Notify['c'] }\n";
    assert_eq!(checked(&Tree::manifest(two)).0, ["dependency-cycle"; 2]);
}

/// Trees that once took a time that grew with the square of their size.
#[test]
fn what_is_long_is_checked_soon() {
    let sizes =
        [("requires", 4_000), ("require-cycle", 4_000), ("inherits", 4_000), ("case-options", 133_000)];
    for (name, count) in sizes {
        let family = family(name).expect("a family");
        let (_, time) = checked(&family.tree(count));
        assert!(time < TIME, "{count} of {name}: {time:?}");
    }
}

#[test]
fn misspelled_words_are_found_however_many_they_are() {
    let count = 1_000;
    let words = family("misspelled-case-words").expect("a family");
    let (rules, time) = checked(&words.tree(count));
    assert_eq!(rules.iter().filter(|it| *it == "impossible-match").count(), count);
    assert!(time < TIME, "{time:?}");
}

#[test]
fn integers_of_too_many_digits_are_refused() {
    let tree = |digits: usize| {
        Tree::default()
            .with("environment.conf", "modulepath = modules\n")
            .with("hiera.yaml", "---\nversion: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n")
            .with("data/common.yaml", format!("---\na: {}\n", "9".repeat(digits)))
    };
    assert!(checked(&tree(2_000_000)).0.contains(&"invalid-data-file".to_owned()));
    assert!(!checked(&tree(10_000)).0.contains(&"invalid-data-file".to_owned()));
}

/// Bodies that depend on each other are inferred, and later revalidated, on a stack of limited size. Nothing is known of what is
/// too far away.
#[test]
fn a_long_chain_of_calls_is_checked_and_checked_again_after_an_edit() {
    const COUNT: usize = 4_000;
    const NEAR: usize = COUNT - 400;
    let text = |last: &str| {
        let calls: String = (0..COUNT).map(|it| format!("function f{it}() {{ f{}() }}\n", it + 1)).collect();
        format!(
            "class t(Integer $a, Integer $b) {{ }}\nclass {{ 't': a => f{NEAR}(), b => f0() }}\n\
             {calls}function f{COUNT}() {{ {last} }}\n"
        )
    };
    let check = move || {
        let system = Arc::new(MemorySystem::with_files([("/site.pp", text("'x'").as_str())]));
        let db = ProjectDatabase::new(system.clone());
        let options = ProjectOptions { threads: 1, ..ProjectOptions::default() };
        let mut project = Project::new(db, &["/".into()], options);
        assert_eq!(project.update(&ChangeBatch::default()).findings, 1);
        for (last, count) in [("1", 0), ("f0()", 0), ("'x'", 1)] {
            system.write_file("/site.pp", text(last).as_str());
            assert_eq!(project.update(&["/site.pp"].into_iter().collect()).findings, count, "{last}");
        }
    };
    thread::Builder::new().stack_size(STACK).spawn(check).expect("a thread").join().expect("no panic");
}

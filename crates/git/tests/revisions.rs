//! Trees of revisions, kind ones and hostile ones, written with git itself.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "tests make their own files")]

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::system::{ReadError, System, UserExcludes, resolve};
use marotte_db::{DiskSystem, MemorySystem};
use marotte_git::{GitError, Repository, RevisionSystem};

struct Fixture {
    _folder: tempfile::TempDir,
    root: Utf8PathBuf,
}

impl Fixture {
    fn new() -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let fixture = Fixture { _folder: folder, root };
        fixture.git(&["init", "--quiet", "--initial-branch=main"], b"");
        fixture
    }

    /// What git prints.
    fn git(&self, arguments: &[&str], input: &[u8]) -> String {
        let mut git = Command::new("git");
        git.current_dir(&self.root).args(arguments).env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", "nothing");
        for role in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{role}_NAME"), "nobody")
                .env(format!("GIT_{role}_EMAIL"), "nobody@example.com");
        }
        let mut child =
            git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn blob(&self, bytes: &[u8]) -> String {
        self.git(&["hash-object", "-w", "--stdin"], bytes)
    }

    /// A tree of entries, which git itself may refuse to write: mode, name, object.
    fn tree(&self, entries: &[(&str, &[u8], &str)]) -> String {
        let mut bytes = Vec::new();
        for (mode, name, id) in entries {
            bytes.extend_from_slice(format!("{mode} ").as_bytes());
            bytes.extend_from_slice(name);
            bytes.push(0);
            let digits = id.as_bytes().chunks(2).map(|it| std::str::from_utf8(it).unwrap());
            bytes.extend(digits.map(|it| u8::from_str_radix(it, 16).unwrap()));
        }
        self.git(&["hash-object", "-t", "tree", "--literally", "-w", "--stdin"], &bytes)
    }

    fn commit(&self, tree: &str) -> String {
        self.git(&["commit-tree", tree, "-m", "a"], b"")
    }

    fn system(&self, commit: &str) -> Result<RevisionSystem, GitError> {
        self.system_on(Arc::new(DiskSystem::new().unwrap()), commit)
    }

    fn system_on(&self, disk: Arc<dyn System>, commit: &str) -> Result<RevisionSystem, GitError> {
        let repository = Repository::around(&*disk, &self.root)?;
        repository.system(&repository.revision(commit)?, disk)
    }

    /// Why a tree cannot be read.
    fn refused(&self, tree: &str) -> String {
        self.system(&self.commit(tree)).unwrap_err().to_string()
    }

    fn path(&self, path: &str) -> Utf8PathBuf {
        self.root.join(path)
    }
}

fn names(system: &dyn System, folder: &Utf8Path) -> Vec<String> {
    system.list(folder).unwrap().into_iter().map(|it| it.name).collect()
}

#[test]
fn the_working_tree_has_the_files_of_the_revision() {
    let it = Fixture::new();
    let (a, b) = (it.blob(b"a\n"), it.blob(b"b\n"));
    let inner = it.tree(&[("100644", b"b", &b)]);
    let commit = it.commit(&it.tree(&[("100644", b"a", &a), ("40000", b"inner", &inner)]));
    std::fs::write(it.path("new"), "new").unwrap();
    let system = it.system(&commit).unwrap();
    assert_eq!(system.read(&it.path("a"), 9), Ok(b"a\n".to_vec()));
    assert_eq!(system.read(&it.path("inner/b"), 9), Ok(b"b\n".to_vec()));
    assert_eq!(system.read(&it.path("inner/b"), 1), Err(ReadError::TooLarge { size: 2, limit: 1 }));
    assert_eq!(system.read(&it.path("inner"), 9), Err(ReadError::NotAFile));
    for missing in ["new", "inner/a", "a/b", "inner/../new"] {
        assert_eq!(system.read(&it.path(missing), 9), Err(ReadError::NotFound), "{missing}");
    }
    assert_eq!(names(&system, &it.root), [".git", "a", "inner"]);
    assert!(system.is_directory(&it.path("inner")) && !system.is_file(&it.path("new")));
    assert!(system.write_atomically(&it.path("a"), b"x").is_err());
    assert!(system.run(&["/bin/true"]).is_err());
}

#[test]
fn what_git_leaves_alone_is_that_of_the_disk() {
    let it = Fixture::new();
    let commit = it.commit(&it.tree(&[("100644", b"a", &it.blob(b"a"))]));
    for (path, text) in
        [(".gitignore", "/modules/*\n!/modules/own\n"), ("modules/x/f", "x"), ("modules/own/f", "o")]
    {
        std::fs::create_dir_all(it.path(path).parent().unwrap()).unwrap();
        std::fs::write(it.path(path), text).unwrap();
    }
    let system = it.system(&commit).unwrap();
    assert_eq!(system.read(&it.path("modules/x/f"), 9), Ok(b"x".to_vec()));
    assert!(system.is_on_disk(&it.path("modules/x")));
    assert_eq!(system.read(&it.path("modules/own/f"), 9), Err(ReadError::NotFound));
    assert_eq!(system.read(&it.path(".gitignore"), 9), Err(ReadError::NotFound));
    // What is in the index is git's, whatever its name.
    it.git(&["add", "--force", "modules/x/f"], b"");
    assert_eq!(it.system(&commit).unwrap().read(&it.path("modules/x/f"), 9), Err(ReadError::NotFound));
}

/// A folder that is ignored may have files that git tracks: the rest of it is that of the disk all the same.
#[test]
fn ignored_folders_may_have_files_of_the_revision() {
    for pattern in ["/modules/", "modules", "/modules/*", "/modules/x", "modules/x/", "modules/x/*"] {
        let it = Fixture::new();
        for (path, text) in [
            (".gitignore", pattern),
            ("modules/.keep", ""),
            ("modules/x/README", "r"),
            ("modules/x/deep/f", "f"),
        ] {
            std::fs::create_dir_all(it.path(path).parent().unwrap()).unwrap();
            std::fs::write(it.path(path), text).unwrap();
        }
        it.git(&["add", "--force", "modules/.keep", "modules/x/README"], b"");
        let system = it.system(&it.commit(it.git(&["write-tree"], b"").trim())).unwrap();
        assert_eq!(system.read(&it.path("modules/x/deep/f"), 9), Ok(b"f".to_vec()), "{pattern}");
        std::fs::write(it.path("modules/x/README"), "changed").unwrap();
        assert_eq!(system.read(&it.path("modules/x/README"), 9), Ok(b"r".to_vec()), "{pattern}");
        let names: Vec<String> =
            system.entries(&it.path("modules/x")).unwrap().into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["README", "deep"], "{pattern}");
    }
}

/// The machine, whose user ignores `/modules/x` in all repositories.
#[derive(Debug)]
struct Ignoring(DiskSystem);

impl marotte_db::system::Layer for Ignoring {
    fn base(&self) -> &dyn System {
        &self.0
    }

    fn user_excludes(&self) -> Option<UserExcludes> {
        Some(UserExcludes { path: "/home/u/ignore".into(), patterns: b"/modules/x\n".to_vec() })
    }
}

#[test]
fn what_the_user_ignores_everywhere_is_that_of_the_disk() {
    let it = Fixture::new();
    let commit = it.commit(&it.tree(&[("100644", b"a", &it.blob(b"a"))]));
    for path in ["modules/x/f", "modules/y/f", "in/modules/x/f"] {
        std::fs::create_dir_all(it.path(path).parent().unwrap()).unwrap();
        std::fs::write(it.path(path), "f").unwrap();
    }
    let system = it.system_on(Arc::new(Ignoring(DiskSystem::new().unwrap())), &commit).unwrap();
    assert_eq!(system.read(&it.path("modules/x/f"), 9), Ok(b"f".to_vec()));
    for path in ["modules/y/f", "in/modules/x/f"] {
        assert_eq!(system.read(&it.path(path), 9), Err(ReadError::NotFound), "{path}");
    }
}

#[test]
fn links_lead_where_they_lead_in_the_working_tree() {
    let it = Fixture::new();
    let link = |target: &str| it.blob(target.as_bytes());
    let inner = it.tree(&[("100644", b"f", &it.blob(b"f"))]);
    let tree = it.tree(&[
        ("120000", b"absolute", &link(&format!("{}/inner/f", it.root))),
        ("120000", b"folder", &link("inner")),
        ("40000", b"inner", &inner),
        ("120000", b"long", &link(&"x/".repeat(3000))),
        ("120000", b"loop", &link("loop")),
        ("120000", b"out", &link("../../../../../../../../../etc/passwd")),
    ]);
    let system = it.system(&it.commit(&tree)).unwrap();
    for path in ["inner/f", "folder/f", "absolute", "folder/../inner/f"] {
        assert_eq!(system.read(&it.path(path), 9), Ok(b"f".to_vec()), "{path}");
    }
    assert!(system.read(&it.path("loop"), 9).is_err() && system.read(&it.path("long"), 9).is_err());
    // Whoever confines the system sees that it leads out.
    assert_eq!(resolve(&system, &it.path("out")).real, "/etc/passwd");
    assert_eq!(system.canonicalize(&it.path("folder/f")).unwrap(), it.path("inner/f"));
}

#[test]
fn hostile_trees_are_refused() {
    let it = Fixture::new();
    let blob = it.blob(b"x");
    for name in ["..", ".", ".git", ".GIT", "a/b"] {
        let why = it.refused(&it.tree(&[("100644", name.as_bytes(), &blob)]));
        assert!(why.contains("is not that of a file"), "{name}: {why}");
    }
    let why = it.refused(&it.tree(&[("100644", b"a/\xff", &blob)]));
    assert!(why.contains("is not that of a file"), "{why}");
    let why = it.refused(&it.tree(&[("100644", &[b'n'; 300], &blob)]));
    assert!(why.contains("is not that of a file"), "{why}");
    // Ten folders in each of ten, seven times: ten million files.
    let mut tree = it.tree(&[("100644", b"f", &blob)]);
    for _ in 0..7 {
        let entries =
            ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"].map(|name| ("40000", name.as_bytes(), &*tree));
        tree = it.tree(&entries);
    }
    assert!(it.refused(&tree).contains("more than 1000000 files"), "{}", it.refused(&tree));
    let mut tree = it.tree(&[("100644", b"f", &blob)]);
    for _ in 0..200 {
        tree = it.tree(&[("40000", b"d", &tree)]);
    }
    assert!(it.refused(&tree).contains("folders lie in each other"), "{}", it.refused(&tree));
    let missing = "0123456789012345678901234567890123456789";
    assert!(it.refused(&it.tree(&[("40000", b"d", missing)])).contains("cannot be read"));
    let system = it.system(&it.commit(&it.tree(&[("100644", b"f", missing)]))).unwrap();
    assert!(matches!(system.read(&it.path("f"), 9), Err(ReadError::Other(_))));
    assert!(system.is_file(&it.path("f")), "a file that cannot be read is not a missing file");
    let module = it.tree(&[("160000", b"m", missing)]);
    assert!(it.refused(&module).contains("has a submodule at m"));
}

#[test]
fn names_that_are_not_utf_8_are_told_and_not_read() {
    let it = Fixture::new();
    let tree = it.tree(&[("100644", b"a", &it.blob(b"a")), ("100644", b"\xff", &it.blob(b"b"))]);
    let system = it.system(&it.commit(&tree)).unwrap();
    assert_eq!(names(&system, &it.root), [".git", "a"]);
    assert_eq!(system.entries(&it.root).unwrap().len(), 3);
}

#[test]
fn without_a_repository_there_are_no_revisions() {
    let memory = MemorySystem::with_files([("/a/b", "")]);
    let error = Repository::around(&memory, "/a".into()).unwrap_err();
    assert_eq!(error, GitError::NoRepository("/a".into()));
    let it = Fixture::new();
    let disk = DiskSystem::new().unwrap();
    let repository = Repository::around(&disk, &it.root).unwrap();
    assert!(matches!(repository.revision("HEAD"), Err(GitError::NoRevision(..))));
    assert_eq!(repository.range(None).unwrap_err(), GitError::NoMainBranch);
}

/// Opening a pipe would wait for a writer.
#[test]
fn a_repository_with_a_pipe_is_refused() {
    for name in ["HEAD", "config", "packed-refs", "refs/heads/other", "objects/pack/pack-x.idx"] {
        let it = Fixture::new();
        let path = it.path(&format!(".git/{name}"));
        let _gone = std::fs::remove_file(&path);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let system = DiskSystem::new().unwrap();
        let refused = Repository::around(&system, &it.root).unwrap_err();
        assert!(matches!(&refused, GitError::Unreadable(_, why) if why.contains(name)), "{name}: {refused}");
    }
}

#[test]
fn a_damaged_tag_is_no_commit() {
    let it = Fixture::new();
    let tree = it.tree(&[]);
    let commit = it.commit(&tree);
    let tag =
        |text: &str| it.git(&["hash-object", "-t", "tag", "--literally", "-w", "--stdin"], text.as_bytes());
    let to =
        |id: &str, kind: &str| tag(&format!("object {id}\ntype {kind}\ntag a\ntagger a <a> 1 +0000\n\na\n"));
    let repository = Repository::around(&DiskSystem::new().unwrap(), &it.root).unwrap();
    assert!(repository.revision(&to(&to(&commit, "commit"), "tag")).is_ok());
    for (id, why) in
        [(tag("object 12\n"), "is damaged"), (to(&tree, "tree"), "is a tree"), (tree, "is a tree")]
    {
        let error = repository.revision(&id).unwrap_err().to_string();
        assert!(error.contains("is not a commit") && error.contains(why), "{error}");
    }
}

#[test]
fn a_damaged_list_of_missing_parents_is_an_error() {
    let it = Fixture::new();
    let commit = it.commit(&it.tree(&[("100644", b"a", &it.blob(b"a"))]));
    std::fs::write(it.path(".git/shallow"), "0".repeat(65)).unwrap();
    let repository = Repository::around(&DiskSystem::new().unwrap(), &it.root).unwrap();
    for name in [commit.clone(), format!("{commit}~1")] {
        let error = repository.revision(&name).unwrap_err();
        assert!(matches!(error, GitError::Unreadable(..)), "{error}");
    }
}

//! Objects of git: commits, trees, tags and blobs, loose and in packs, of any bytes.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::DiskSystem;
use marotte_db::system::{EntryKind, System};
use marotte_git::Repository;
use marotte_tests::arbitrary::Choices;
use sha1::{Digest as _, Sha1};
use zlib_rs::{DeflateConfig, compress_bound, compress_slice};

type Id = [u8; 20];

/// The most that is read of a file, and the number of files that are looked at.
const LARGEST: u64 = 4 << 20;
const FILES: usize = 2_000;

/// Reads a repository whose objects bytes choose.
///
/// # Panics
/// If a path is listed that is not below the working tree.
pub fn check(bytes: &[u8]) {
    let Ok(folder) = tempfile::Builder::new().prefix("marotte-fuzz").tempdir_in(memory()) else { return };
    let Some(root) = Utf8Path::from_path(folder.path()) else { return };
    write(folder.path(), bytes);
    let disk: Arc<dyn System> = Arc::new(DiskSystem::at(root));
    let Ok(repository) = Repository::around(&*disk, root) else { return };
    for range in [None, Some("main"), Some("HEAD~1..main"), Some("tag...HEAD")] {
        let range = match repository.range(range) {
            Ok(range) => range,
            Err(error) => {
                assert!(!error.to_string().is_empty(), "a message");
                continue;
            }
        };
        for revision in [Some(range.base), range.head].into_iter().flatten() {
            match repository.system(&revision, Arc::clone(&disk)) {
                Ok(system) => walk(&system, root),
                Err(error) => assert!(!error.to_string().is_empty(), "a message"),
            }
        }
    }
}

/// A folder in memory, if there is one.
fn memory() -> &'static Path {
    let shared = Path::new("/dev/shm");
    if shared.is_dir() { shared } else { Path::new("/tmp") }
}

fn walk(system: &dyn System, root: &Utf8Path) {
    let mut open: Vec<Utf8PathBuf> = vec![root.to_owned()];
    let mut left = FILES;
    while let Some(folder) = open.pop() {
        for entry in system.entries(&folder).unwrap_or_default() {
            let Some(less) = left.checked_sub(1) else { return };
            left = less;
            let path = folder.join(&entry.name);
            assert_eq!(path.parent(), Some(&*folder), "a name is one part of a path");
            if entry.name == ".git" {
                continue;
            }
            let _ = system.metadata(&path);
            match entry.kind {
                EntryKind::Directory => open.push(path),
                EntryKind::File => {
                    let read = system.read(&path, LARGEST);
                    assert!(read.is_err() || read.is_ok_and(|it| it.len() as u64 <= LARGEST), "too large");
                }
                EntryKind::Link => {
                    let _ = system.canonicalize(&path);
                }
                EntryKind::NotUtf8 | EntryKind::Other => {}
            }
        }
    }
}

/// An object: its type, and its content.
struct Object {
    kind: u8,
    content: Vec<u8>,
}

const KINDS: [&str; 5] = ["", "commit", "tree", "blob", "tag"];

impl Object {
    fn header(&self) -> Vec<u8> {
        format!("{} {}\0", KINDS[usize::from(self.kind)], self.content.len()).into_bytes()
    }

    fn id(&self) -> Id {
        Sha1::new_with_prefix(self.header()).chain_update(&self.content).finalize().into()
    }
}

fn hex(id: &Id) -> String {
    id.iter().map(|it| format!("{it:02x}")).collect()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut buffer = vec![0; compress_bound(bytes.len())];
    compress_slice(&mut buffer, bytes, DeflateConfig::new(9)).0.to_vec()
}

/// Writes a repository. Whatever cannot be written is missing.
fn write(root: &Path, bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let is_pack = choices.one_in(2);
    let objects = objects(&mut choices);
    let last = |kind: u8| objects.iter().rev().find(|it| it.kind == kind).map_or([0; 20], Object::id);
    let file = |path: &str, bytes: &[u8]| {
        let path = root.join(".git").join(path);
        let _ = path.parent().map(fs::create_dir_all);
        let _ = fs::write(path, bytes);
    };
    file("HEAD", b"ref: refs/heads/main\n");
    file("refs/heads/main", format!("{}\n", hex(&last(1))).as_bytes());
    file("refs/tags/tag", format!("{}\n", hex(&last(4))).as_bytes());
    file("objects/info/none", b"");
    if is_pack {
        let (pack, index) = pack(&objects, &mut choices);
        file("objects/pack/pack-0123456789012345678901234567890123456789.pack", &pack);
        file("objects/pack/pack-0123456789012345678901234567890123456789.idx", &index);
    } else {
        for object in &objects {
            let id = hex(&object.id());
            let mut bytes = packed(&[object.header(), object.content.clone()].concat());
            damage(&mut bytes, &mut choices);
            file(&format!("objects/{}/{}", &id[..2], &id[2..]), &bytes);
        }
    }
    for _ in 0..choices.below(3) {
        let path = choices.choose(&[
            "packed-refs",
            "config",
            "index",
            "shallow",
            "objects/info/alternates",
            "objects/info/commit-graph",
            "objects/pack/multi-pack-index",
            "HEAD",
            "info/exclude",
        ]);
        let text = choices.choose(&[
            "",
            "[core]\n\tbare = true\n",
            "[include]\n\tpath = config\n",
            "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n",
            "DIRC\0\0\0\x02\x7f\x7f\x7f\x7f",
            "CGPH\x01\x01\x04\0",
            "MIDX\x01\x01\x04\0\0\0\0\x01",
            "../objects\n",
            "ref: HEAD\n",
            "ref: refs/heads/main/../../HEAD\n",
            "# pack-refs with: peeled fully-peeled sorted \n^0000000000000000000000000000000000000000\n",
        ]);
        let more: Vec<u8> = (0..choices.below(64)).map(|_| choices.below(256) as u8).collect();
        file(path, &[text.as_bytes(), &more].concat());
    }
}

fn damage(bytes: &mut Vec<u8>, choices: &mut Choices<'_>) {
    if choices.one_in(16) && !bytes.is_empty() {
        let at = (choices.below(256) * 256 + choices.below(256)) % bytes.len();
        match choices.below(3) {
            0 => bytes.truncate(at),
            _ => bytes[at] ^= choices.below(256) as u8,
        }
    }
}

fn objects(choices: &mut Choices<'_>) -> Vec<Object> {
    let mut objects = vec![Object { kind: 3, content: b"text\n".to_vec() }];
    for _ in 0..choices.below(24) {
        let any = |choices: &mut Choices<'_>, objects: &[Object]| match choices.below(16) {
            0 => [choices.below(256) as u8; 20],
            _ => objects[objects.len() - 1 - choices.below(objects.len())].id(),
        };
        let object = match choices.below(8) {
            0 => {
                let text = choices.choose(&["a", "../..", "/etc/passwd", "loop", "d/d", "é", "\0", ""]);
                Object { kind: 3, content: text.repeat(1 + choices.below(4)).into_bytes() }
            }
            1 => Object { kind: 3, content: vec![b'a'; choices.below(256) << choices.below(16)] },
            2..5 => {
                let mut content = Vec::new();
                for _ in 0..choices.below(8) {
                    let mode =
                        choices.choose(&["100644", "40000", "120000", "160000", "100755", "0", "x", ""]);
                    let name =
                        choices.choose(&["a", "b", "d", "loop", "..", ".", ".git", "x/y", "", "\u{fe}", "a"]);
                    content.extend_from_slice(format!("{mode} {name}").as_bytes());
                    content.push(if choices.one_in(32) { 0xfe } else { 0 });
                    content.extend_from_slice(&any(choices, &objects));
                }
                Object { kind: 2, content }
            }
            5 => {
                let id = hex(&any(choices, &objects));
                let kind = KINDS[choices.below(KINDS.len())];
                let text = format!("object {id}\ntype {kind}\ntag tag\ntagger a <a> 1 +0000\n\na\n");
                Object { kind: 4, content: text.into_bytes() }
            }
            _ => {
                let trees: Vec<&Object> = objects.iter().filter(|it| it.kind == 2).collect();
                let tree = trees.last().map_or([0; 20], |it| it.id());
                let mut text = format!("tree {}\n", hex(&tree));
                for _ in 0..choices.below(3) {
                    text += &format!("parent {}\n", hex(&any(choices, &objects)));
                }
                let time = choices.choose(&["1 +0000", "-1 +9999", "99999999999999999999 +0", ""]);
                text += &format!("author a <a> {time}\ncommitter a <a> {time}\n");
                text += choices.choose(&["\na\n", "encoding x\n\n", "gpgsig\n a\n\nb", "", "mergetag x"]);
                Object { kind: 1, content: text.into_bytes() }
            }
        };
        let mut object = object;
        damage(&mut object.content, choices);
        objects.push(object);
    }
    objects
}

/// A pack with its index. Some entries are deltas, whose lengths may be wrong.
fn pack(objects: &[Object], choices: &mut Choices<'_>) -> (Vec<u8>, Vec<u8>) {
    let mut pack = b"PACK\0\0\0\x02".to_vec();
    pack.extend((objects.len() as u32).to_be_bytes());
    let mut places: Vec<(Id, u32)> = Vec::new();
    for object in objects {
        let at = pack.len();
        let base = places.get(choices.below(places.len().max(1))).copied();
        match (choices.below(4), base) {
            (kind @ (0 | 1), Some((id, place))) => {
                let delta = delta(object, choices);
                let length = if choices.one_in(8) { usize::MAX >> choices.below(64) } else { delta.len() };
                entry_header(&mut pack, if kind == 0 { 6 } else { 7 }, length);
                match kind {
                    0 => offset(&mut pack, at - place as usize),
                    _ => pack.extend_from_slice(&id),
                }
                pack.extend(packed(&delta));
            }
            _ => {
                let length =
                    if choices.one_in(16) { usize::MAX >> choices.below(64) } else { object.content.len() };
                entry_header(&mut pack, object.kind, length);
                pack.extend(packed(&object.content));
            }
        }
        places.push((object.id(), at as u32));
    }
    damage(&mut pack, choices);
    let digest: Id = Sha1::digest(&pack).into();
    pack.extend_from_slice(&digest);
    places.sort_unstable();
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    for first in 0..=255_u8 {
        let count = places.iter().filter(|it| it.0[0] <= first).count() as u32;
        index.extend(count.to_be_bytes());
    }
    places.iter().for_each(|it| index.extend_from_slice(&it.0));
    places.iter().for_each(|_| index.extend([0; 4]));
    places.iter().for_each(|it| index.extend(it.1.to_be_bytes()));
    damage(&mut index, choices);
    index.extend_from_slice(&digest);
    let own: Id = Sha1::digest(&index).into();
    index.extend_from_slice(&own);
    (pack, index)
}

/// The type and the length of an entry of a pack.
fn entry_header(out: &mut Vec<u8>, kind: u8, length: usize) {
    let mut rest = length >> 4;
    let more = |rest: usize| if rest > 0 { 0x80 } else { 0 };
    out.push(more(rest) | kind << 4 | (length & 15) as u8);
    while rest > 0 {
        let low = (rest & 0x7f) as u8;
        rest >>= 7;
        out.push(more(rest) | low);
    }
}

/// How far back the base of a delta is.
fn offset(out: &mut Vec<u8>, mut back: usize) {
    let mut bytes = vec![(back & 0x7f) as u8];
    while back > 0x7f {
        back = (back >> 7) - 1;
        bytes.push(0x80 | (back & 0x7f) as u8);
    }
    out.extend(bytes.iter().rev());
}

/// A delta that inserts an object's content, or copies parts of the base many times, which may not be there.
fn delta(object: &Object, choices: &mut Choices<'_>) -> Vec<u8> {
    let size = |out: &mut Vec<u8>, mut size: usize| {
        while size > 0x7f {
            out.push(0x80 | (size & 0x7f) as u8);
            size >>= 7;
        }
        out.push(size as u8);
    };
    let mut delta = Vec::new();
    size(&mut delta, if choices.one_in(4) { usize::MAX >> choices.below(64) } else { 5 });
    let copies = choices.below(5) * choices.below(64);
    let length = object.content.len() + copies * 5;
    size(&mut delta, if choices.one_in(4) { usize::MAX >> choices.below(64) } else { length });
    for part in object.content.chunks(100) {
        delta.push(part.len() as u8);
        delta.extend_from_slice(part);
    }
    for _ in 0..copies {
        match choices.below(8) {
            0 => delta.push(choices.below(256) as u8),
            1 => delta.extend([0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff]),
            _ => delta.extend([0x90, 5]),
        }
    }
    delta
}

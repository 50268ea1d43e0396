//! URIs of documents, and paths.

use camino::{Utf8Path, Utf8PathBuf};
use lsp_types::Uri;
use marotte_db::system::normalize;
use url::Url;

/// The virtual folder of documents that aren't files: nothing on disk is there.
const NO_FILES: &str = "/dev/null/documents";

/// The path of a document. None if the URI is invalid.
///
/// A document of another scheme, such as an unsaved one, has a path where no file can be.
pub fn path_of(uri: &Uri) -> Option<Utf8PathBuf> {
    let url = Url::parse(&uri.0).ok()?;
    if url.scheme() == "file" {
        let path = Utf8PathBuf::from_path_buf(url.to_file_path().ok()?).ok()?;
        return Some(normalize(&path));
    }
    let name: String =
        uri.0.chars().map(|it| if it.is_alphanumeric() || "._-".contains(it) { it } else { '_' }).collect();
    let name = if name.ends_with(".pp") || name.ends_with(".epp") { name } else { name + ".pp" };
    Some(Utf8Path::new(NO_FILES).join(name))
}

/// Whether a path belongs to a document that isn't a file.
pub(crate) fn is_no_file(path: &Utf8Path) -> bool {
    path.starts_with(NO_FILES)
}

/// The URI of an absolute path.
pub fn uri_of(path: &Utf8Path) -> Uri {
    Uri(Url::from_file_path(path).map_or_else(|()| format!("file://{path}"), String::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_back_as_they_went() {
        for path in ["/a/b.pp", "/with blank/ü#?%.pp"] {
            assert_eq!(path_of(&uri_of(path.into())).as_deref(), Some(Utf8Path::new(path)));
        }
        assert_eq!(uri_of("/a b".into()).0, "file:///a%20b");
    }

    #[test]
    fn editors_escape_what_they_like() {
        assert_eq!(path_of(&"file:///a%2Fb%3Ac.pp".into()).unwrap(), "/a/b:c.pp");
        assert_eq!(path_of(&"file:///a/../b.pp".into()).unwrap(), "/b.pp");
        assert_eq!(path_of(&"no uri".into()), None);
        assert_eq!(path_of(&"file://elsewhere/a.pp".into()), None);
    }

    #[test]
    fn what_is_no_file_has_a_path_of_its_own() {
        let path = path_of(&"untitled:Untitled-1".into()).unwrap();
        assert!(is_no_file(&path) && path.extension() == Some("pp"));
        assert!(!is_no_file("/a.pp".into()));
    }
}

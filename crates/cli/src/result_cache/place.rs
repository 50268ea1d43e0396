use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_cache::{Bucket, Cache, Credentials, Folder, Key, Store};
use marotte_db::System;

use crate::args::CacheArgs;
use crate::failure::Failure;

/// The size of a folder, unless the user sets another one.
const SIZE: u64 = 2 << 30;

/// The largest file with a secret.
const SECRET: u64 = 64 << 10;

/// The cache that arguments name. None if none is named, and the user has no folder of caches.
///
/// The configuration of a tree has no part in it: who writes a tree does not decide what is written elsewhere. Nor does it decide
/// what is read: a folder in the repository of one of `roots`, the code that is looked at, needs a key.
pub(super) fn cache(
    args: &CacheArgs,
    roots: &[Option<&Utf8Path>],
    disk: Arc<dyn System>,
) -> Result<Option<Cache>, Failure> {
    let key = args.cache_key_file.as_deref().map(|it| key(&*disk, it)).transpose()?;
    let variable = |name: &str| std::env::var(name).ok().filter(|it| !it.is_empty());
    let is_open =
        |path: &Utf8Path| key.is_none() && roots.iter().flatten().any(|it| is_beside(&*disk, path, it));
    let folder = |path: &Utf8Path| {
        let limit = args.cache_size.map_or(SIZE, |it| it.0);
        Box::new(Folder::new(Arc::clone(&disk), disk.absolute(path), limit))
    };
    let store: Box<dyn Store> = match args.cache.as_deref() {
        Some(place) if place.contains("://") => Box::new(bucket(place, &variable)?),
        Some(place) if is_open(Utf8Path::new(place)) => {
            let message = format!(
                "the cache `{place}` is in the repository of the code, whose authors could forge results: name a folder outside \
                 of it, or a key with `--cache-key-file`"
            );
            return Err(Failure::Message(message));
        }
        Some(place) => folder(Utf8Path::new(place)),
        None => match default_folder(&variable) {
            Some(path) if !is_open(&path) => folder(&path),
            _ => return Ok(None),
        },
    };
    Ok(Some(Cache::new(store, key)))
}

/// Whether a folder is in the repository of some code, or in its folder if it is in none.
fn is_beside(disk: &dyn System, folder: &Utf8Path, root: &Utf8Path) -> bool {
    let folder = disk.absolute(folder);
    let has_repository = |it: &&Utf8Path| disk.metadata(&it.join(".git")).is_ok();
    let top = root.ancestors().find(has_repository).unwrap_or(root);
    // A link in it is its authors', wherever it leads.
    folder.starts_with(top) || real(disk, &folder).starts_with(real(disk, top))
}

/// A path without symbolic links, as far as it exists.
fn real(disk: &dyn System, path: &Utf8Path) -> Utf8PathBuf {
    let found = path.ancestors().find_map(|it| {
        let rest = path.strip_prefix(it).ok()?;
        Some(disk.canonicalize(it).ok()?.join(rest))
    });
    found.unwrap_or_else(|| path.to_owned())
}

fn key(disk: &dyn System, path: &Utf8Path) -> Result<Key, Failure> {
    let secret =
        disk.read(&disk.absolute(path), SECRET).map_err(|error| format!("cannot read {path}: {error}"))?;
    let key = Key::of_secret(&secret);
    Ok(key.ok_or_else(|| format!("the secret in {path} is shorter than {} bytes", Key::LEAST))?)
}

/// The value of a variable of the environment. None if it is not set, or empty.
type Variables<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// The folder in the user's folder of caches.
fn default_folder(variable: &Variables<'_>) -> Option<Utf8PathBuf> {
    let absolute = |name: &str| variable(name).map(Utf8PathBuf::from).filter(|it| it.is_absolute());
    let caches = absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("LOCALAPPDATA"))
        .or_else(|| absolute("HOME").map(|it| it.join(".cache")))?;
    Some(caches.join("marotte"))
}

/// The bucket of an address such as `s3://bucket/prefix`.
fn bucket(place: &str, variable: &Variables<'_>) -> Result<Bucket, Failure> {
    let (scheme, rest) = place.split_once("://").unwrap_or((place, ""));
    let (name, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let required = |names: [&str; 2]| {
        let found = names.iter().find_map(|it| variable(it));
        found.ok_or_else(|| format!("`{place}` needs {}, a variable of the environment", names[0]))
    };
    let (endpoint, region, credentials) = match scheme {
        "s3" => {
            let region = variable("AWS_REGION").or_else(|| variable("AWS_DEFAULT_REGION"));
            let region = region.unwrap_or_else(|| "us-east-1".to_owned());
            let named = variable("AWS_ENDPOINT_URL_S3").or_else(|| variable("AWS_ENDPOINT_URL"));
            let credentials = Credentials {
                key: required(["AWS_ACCESS_KEY_ID"; 2])?,
                secret: required(["AWS_SECRET_ACCESS_KEY"; 2])?,
                token: variable("AWS_SESSION_TOKEN"),
            };
            (named.unwrap_or_else(|| format!("https://s3.{region}.amazonaws.com")), region, credentials)
        }
        "gs" => {
            let credentials = Credentials {
                key: required(["GS_ACCESS_KEY_ID", "AWS_ACCESS_KEY_ID"])?,
                secret: required(["GS_SECRET_ACCESS_KEY", "AWS_SECRET_ACCESS_KEY"])?,
                token: None,
            };
            let named = variable("GS_ENDPOINT_URL");
            (
                named.unwrap_or_else(|| "https://storage.googleapis.com".to_owned()),
                "auto".to_owned(),
                credentials,
            )
        }
        _ => {
            let message =
                format!("`{place}` is neither a folder nor an address that starts with `s3://` or `gs://`");
            return Err(Failure::Message(message));
        }
    };
    if name.is_empty() {
        return Err(Failure::Message(format!("`{place}` names no bucket")));
    }
    Ok(Bucket::new(&endpoint, &region, name, prefix, credentials)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_that_of_the_user() {
        let folder = |set: &[(&str, &str)]| {
            let found = |name: &str| set.iter().find(|it| it.0 == name).map(|it| it.1.to_owned());
            default_folder(&found).map(Utf8PathBuf::into_string)
        };
        assert_eq!(folder(&[("HOME", "/home/a")]).as_deref(), Some("/home/a/.cache/marotte"));
        assert_eq!(folder(&[("HOME", "/home/a"), ("XDG_CACHE_HOME", "/c")]).as_deref(), Some("/c/marotte"));
        assert_eq!(folder(&[("XDG_CACHE_HOME", "relative")]), None);
    }

    #[test]
    fn a_bucket_needs_keys_and_a_private_connection() {
        let made = |place: &str, set: &[(&str, &str)]| {
            let found = |name: &str| set.iter().find(|it| it.0 == name).map(|it| it.1.to_owned());
            bucket(place, &found).map(|_| ()).map_err(|it| it.to_string())
        };
        let keys = [("AWS_ACCESS_KEY_ID", "a"), ("AWS_SECRET_ACCESS_KEY", "b")];
        assert_eq!(made("s3://bucket/x", &keys), Ok(()));
        assert_eq!(made("gs://bucket", &keys), Ok(()));
        assert!(made("s3://bucket", &keys[..1]).is_err_and(|it| it.contains("AWS_SECRET_ACCESS_KEY")));
        assert!(made("s3:///x", &keys).is_err_and(|it| it.contains("no bucket")));
        assert!(made("ftp://bucket", &keys).is_err());
        let readable = [keys[0], keys[1], ("AWS_ENDPOINT_URL", "http://example.com")];
        assert!(made("s3://bucket", &readable).is_err_and(|it| it.contains("https")));
        let local = [keys[0], keys[1], ("AWS_ENDPOINT_URL", "http://127.0.0.1:9000")];
        assert_eq!(made("s3://bucket", &local), Ok(()));
    }
}

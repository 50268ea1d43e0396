use std::fmt;
use std::str::FromStr;

use camino::Utf8PathBuf;

/// What a program may do outside of its tree of code, beyond nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// It may run commands.
    pub exec: bool,
    /// It may read what is in these folders, and these files, by absolute paths or from the current folder.
    pub read: Vec<Utf8PathBuf>,
}

/// One permission, as it is written: `exec`, `read=PATH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Permission {
    /// `exec`.
    Exec,
    /// `read=PATH`.
    Read(Utf8PathBuf),
}

/// A text is no permission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermissionError(String);

impl fmt::Display for PermissionError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is no permission; there are `exec` and `read=PATH`", self.0)
    }
}

impl std::error::Error for PermissionError {}

impl FromStr for Permission {
    type Err = PermissionError;

    fn from_str(text: &str) -> Result<Permission, PermissionError> {
        match text.split_once('=') {
            None if text == "exec" => Ok(Permission::Exec),
            Some(("read", path)) if !path.is_empty() => Ok(Permission::Read(path.into())),
            _ => Err(PermissionError(text.to_owned())),
        }
    }
}

impl FromIterator<Permission> for Permissions {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Permissions {
        let mut all = Permissions::default();
        for permission in permissions {
            match permission {
                Permission::Exec => all.exec = true,
                Permission::Read(path) => all.read.push(path),
            }
        }
        all
    }
}

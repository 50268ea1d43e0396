use std::fmt;
use std::str::FromStr;

use camino::Utf8PathBuf;

/// A program's permissions outside of its code tree; none by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// Running commands.
    pub exec: bool,
    /// Reading these files and the contents of these folders; absolute paths, or relative to the current folder.
    pub read: Vec<Utf8PathBuf>,
    /// Running functions and templates in processes of this `ruby`, a name or a path.
    pub ruby: Option<String>,
}

/// The program that `ruby` without a path refers to.
const RUBY: &str = "ruby";

/// One permission, as written on the command line: `exec`, `read=PATH`, `ruby`, `ruby=PATH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Permission {
    /// `exec`.
    Exec,
    /// `read=PATH`.
    Read(Utf8PathBuf),
    /// `ruby`, `ruby=PATH`.
    Ruby(String),
}

/// The error for a text that isn't a permission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermissionError(String);

impl fmt::Display for PermissionError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is not a permission; there are `exec`, `read=PATH`, `ruby` and `ruby=PATH`", self.0)
    }
}

impl std::error::Error for PermissionError {}

impl FromStr for Permission {
    type Err = PermissionError;

    fn from_str(text: &str) -> Result<Permission, PermissionError> {
        match text.split_once('=') {
            None if text == "exec" => Ok(Permission::Exec),
            None if text == "ruby" => Ok(Permission::Ruby(RUBY.to_owned())),
            Some(("ruby", path)) if !path.is_empty() => Ok(Permission::Ruby(path.to_owned())),
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
                Permission::Ruby(program) => all.ruby = Some(program),
            }
        }
        all
    }
}

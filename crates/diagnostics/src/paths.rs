//! Patterns of paths, as configurations have them.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// Files that patterns name. Those below a folder that a pattern names are meant, too.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    globs: Vec<Glob>,
    set: GlobSet,
}

impl PartialEq for Paths {
    fn eq(&self, other: &Paths) -> bool {
        self.globs == other.globs
    }
}

impl Eq for Paths {}

impl Paths {
    /// The files below an absolute folder that one of the patterns names. A pattern without `/` in it names files and folders
    /// of any depth; any other starts at the folder. `*` is any part of a name, `**` any folders.
    ///
    /// # Errors
    /// The number of the first pattern that is none, and why.
    pub fn new(folder: &str, patterns: &[String]) -> Result<Paths, (usize, String)> {
        let root = globset::escape(folder.trim_end_matches('/'));
        let mut globs = Vec::new();
        for (index, pattern) in patterns.iter().enumerate() {
            let inner = pattern.trim_end_matches('/').trim_start_matches("./");
            let between = if inner.contains('/') { "" } else { "**/" };
            let path = format!("{root}/{between}{}", inner.trim_start_matches('/'));
            for pattern in [path.clone(), format!("{path}/**")] {
                let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
                globs.push(glob.map_err(|error| (index, error.kind().to_string()))?);
            }
        }
        Paths::of(globs).map_err(|error| (0, error.kind().to_string()))
    }

    fn of(globs: Vec<Glob>) -> Result<Paths, globset::Error> {
        let mut set = GlobSetBuilder::new();
        for glob in &globs {
            set.add(glob.clone());
        }
        Ok(Paths { set: set.build()?, globs })
    }

    /// Whether the file at an absolute path is one of them.
    pub fn contains(&self, path: &str) -> bool {
        !self.globs.is_empty() && self.set.is_match(path)
    }

    /// Combines two sets of patterns. If the result would be too large, `other` is ignored.
    #[must_use]
    pub fn and(self, other: Paths) -> Paths {
        let globs = self.globs.iter().chain(&other.globs).cloned().collect();
        Paths::of(globs).unwrap_or(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(pattern: &str, path: &str) -> bool {
        Paths::new("/site", &[pattern.to_owned()]).unwrap().contains(path)
    }

    #[test]
    fn a_name_is_meant_anywhere_and_a_path_from_the_folder() {
        assert!(contains("vendor", "/site/vendor/a.pp"));
        assert!(contains("vendor", "/site/modules/b/vendor/c/a.pp"));
        assert!(!contains("vendor", "/site/vendors/a.pp"));
        assert!(contains("*.epp", "/site/a/b.epp"));
        assert!(contains("modules/vendor/", "/site/modules/vendor/a.pp"));
        assert!(!contains("modules/vendor", "/site/x/modules/vendor/a.pp"));
        assert!(contains("modules/*/spec", "/site/modules/a/spec/b.pp"));
        assert!(!contains("modules/*/spec", "/site/modules/a/b/spec/c.pp"));
        assert!(contains("modules/**/spec", "/site/modules/a/b/spec/c.pp"));
        assert!(!contains("vendor", "/other/vendor/a.pp"));
    }

    #[test]
    fn a_folder_may_have_signs_of_patterns_in_its_name() {
        let paths = Paths::new("/si[te]", &["a".to_owned()]).unwrap();
        assert!(paths.contains("/si[te]/a/b.pp") && !paths.contains("/sit/a/b.pp"));
    }

    #[test]
    fn a_pattern_that_is_none_is_told() {
        let error = Paths::new("/", &["a".to_owned(), "b[".to_owned()]).unwrap_err();
        assert_eq!(error.0, 1);
    }

    #[test]
    fn several_are_joined() {
        let one = Paths::new("/a", &["x".to_owned()]).unwrap();
        let both = one.and(Paths::new("/b", &["y".to_owned()]).unwrap());
        assert!(both.contains("/a/x/1.pp") && both.contains("/b/y") && !both.contains("/a/y"));
    }
}

use std::collections::HashSet;

/// The report about the evaluation of a node.
#[derive(Clone, Debug, Default, Hash)]
pub(crate) struct NodeReport {
    /// The messages of the program.
    pub(crate) messages: Vec<u8>,
    /// The findings of the files that the node loads, one by one: they are the same for every node that loads them.
    pub(crate) files: Vec<Vec<u8>>,
    /// The errors of the evaluation, and the unknown parts of the catalog.
    pub(crate) own: Vec<u8>,
}

impl NodeReport {
    /// Creates a report that consists of one text.
    pub(crate) fn of(text: String) -> NodeReport {
        NodeReport { own: text.into_bytes(), ..NodeReport::default() }
    }

    /// Returns the whole report.
    pub(crate) fn whole(&self) -> Vec<u8> {
        let files = self.files.iter().flatten();
        self.messages.iter().chain(files).chain(&self.own).copied().collect()
    }
}

/// The reports about several nodes, in which each finding of a file is shown once.
#[derive(Default)]
pub(crate) struct Reports {
    /// The findings of files that were shown.
    shown: HashSet<Vec<u8>>,
    /// The nodes without a catalog whose findings were already shown for another node.
    repeated: Vec<String>,
}

impl Reports {
    /// Returns the parts of the report about a node that were not yet shown. `failed` is the name of the node if it has no
    /// catalog.
    pub(crate) fn add(&mut self, report: &NodeReport, failed: Option<&str>) -> Vec<u8> {
        let mut new = report.messages.clone();
        let mut is_new = !report.own.is_empty() || report.files.is_empty();
        for finding in &report.files {
            if self.shown.insert(finding.clone()) {
                new.extend_from_slice(finding);
                is_new = true;
            }
        }
        new.extend_from_slice(&report.own);
        self.repeated.extend(failed.filter(|_| !is_new).map(str::to_owned));
        new
    }

    /// Returns the line about the nodes that have no catalog because of findings that were shown for another. None if there are
    /// no such nodes.
    pub(crate) fn repeated(&self) -> Option<String> {
        /// The maximum number of nodes that are named.
        const NAMED: usize = 3;
        let (named, more) = self.repeated.split_at(self.repeated.len().min(NAMED));
        let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
        match named {
            [] => None,
            [one] if more.is_empty() => {
                Some(format!("error: {one} has no catalog because of findings that are shown above"))
            }
            several => {
                let (count, names) = (self.repeated.len(), several.join(", "));
                Some(format!(
                    "error: {count} more nodes have no catalog because of findings that are shown above: {names}{more}"
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(files: &[&str], own: &str) -> NodeReport {
        let files = files.iter().map(|it| it.as_bytes().to_vec()).collect();
        NodeReport { files, ..NodeReport::of(own.to_owned()) }
    }

    #[test]
    fn a_finding_of_a_file_is_shown_once() {
        let mut reports = Reports::default();
        assert_eq!(reports.add(&report(&["a", "b"], "1"), None), b"ab1");
        assert_eq!(reports.add(&report(&["b", "c"], "2"), None), b"c2");
        assert_eq!(reports.repeated(), None);
    }

    #[test]
    fn nodes_without_anything_new_are_named() {
        let mut reports = Reports::default();
        for (node, shown) in [("n1", "a"), ("n2", ""), ("n3", ""), ("n4", ""), ("n5", "")] {
            assert_eq!(reports.add(&report(&["a"], ""), Some(node)), shown.as_bytes());
        }
        reports.add(&report(&["a"], "its own"), Some("n6"));
        let line = reports.repeated().unwrap();
        assert!(line.contains("4 more nodes") && line.ends_with("n2, n3, n4 and 1 more"), "{line}");
    }
}

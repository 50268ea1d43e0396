//! Points of the language that comments and tests cite, such as (C19), are in `docs/language-index.md`.

use std::collections::BTreeSet;
use std::path::Path;

use crate::{Result, files};

/// The page that lists the points, one to a row of a table.
const PAGE: &str = "docs/language-index.md";

/// Citations of points that the page does not have.
pub(super) fn unknown(repository: &Path) -> Result<Vec<String>> {
    let page = files::read(&repository.join(PAGE))?;
    let known: BTreeSet<&str> = page.lines().filter_map(|line| line.split('"').nth(1)).collect();
    let mut complaints = Vec::new();
    for path in files::own_files(repository, &["rs"])? {
        let text = files::read(&repository.join(&path))?;
        for (number, line) in text.lines().enumerate() {
            let comment = line.split_once("//").map_or("", |(_, comment)| comment);
            for point in cited(comment).filter(|it| !known.contains(it.to_lowercase().as_str())) {
                complaints.push(format!("{}:{}: {PAGE} has no {point}", path.display(), number + 1));
            }
        }
    }
    Ok(complaints)
}

/// The points in the parentheses of a text that hold nothing else: `C14` and `I9` of `(C14, I9)`.
fn cited(text: &str) -> impl Iterator<Item = &str> {
    let in_parentheses = text.split('(').skip(1).filter_map(|it| Some(it.split_once(')')?.0));
    in_parentheses.filter(|it| it.split(", ").all(is_point)).flat_map(|it| it.split(", "))
}

fn is_point(text: &str) -> bool {
    let Some(number) = text.strip_prefix(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'X']) else {
        return false;
    };
    !number.is_empty() && number.len() <= 3 && number.bytes().all(|it| it.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_stand_alone_in_parentheses() {
        let cited = |text| cited(text).collect::<Vec<_>>();
        assert_eq!(cited("as the reference has it (C14, I9); see (X113)"), ["C14", "I9", "X113"]);
        assert!(cited("a call (see C14), f(A), (A1 and B2), (A1").is_empty());
    }
}

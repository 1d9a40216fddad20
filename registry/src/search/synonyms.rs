//! Names that mean the same: the table that capability names and words of a question pass through.

use std::collections::HashMap;

use super::text;

const DEFAULT: &str = include_str!("synonyms.txt");

/// A line of a synonym file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct SynonymError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// Groups of names that mean the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synonyms {
    groups: Vec<Vec<String>>,
    group_of: HashMap<String, usize>,
}

impl Default for Synonyms {
    /// The table that comes with the program.
    fn default() -> Self {
        Self::parse(DEFAULT).expect("a test reads the table that comes with the program")
    }
}

impl Synonyms {
    /// A table without any group.
    #[must_use]
    pub fn none() -> Self {
        Self {
            groups: Vec::new(),
            group_of: HashMap::new(),
        }
    }

    /// Reads a table: one group a line, names separated by commas, `#` begins a comment.
    /// Case does not matter, and spaces, `-` and `_` inside a name are the same.
    ///
    /// # Errors
    /// The first line that holds fewer than two names, or a name that stands in two groups.
    pub fn parse(file: &str) -> Result<Self, SynonymError> {
        let mut table = Self::none();
        for (index, line) in file.lines().enumerate() {
            let refuse = |reason: String| SynonymError {
                line: index + 1,
                reason,
            };
            let line = line.split('#').next().unwrap_or_default();
            if line.trim().is_empty() {
                continue;
            }
            let names: Vec<String> = line.split(',').map(text::key).collect();
            if names.len() < 2 || names.iter().any(String::is_empty) {
                return Err(refuse(
                    "a group is two or more names with commas between them".to_owned(),
                ));
            }
            for name in &names {
                if table
                    .group_of
                    .insert(name.clone(), table.groups.len())
                    .is_some()
                {
                    return Err(refuse(format!("{name:?} stands in the table already")));
                }
            }
            table.groups.push(names);
        }
        Ok(table)
    }

    /// The first name of the group that a name belongs to, when it is another one.
    #[must_use]
    pub fn best_known(&self, name: &str) -> Option<&str> {
        let key = text::key(name);
        let first = self.groups[*self.group_of.get(&key)?].first()?;
        (*first != key).then_some(first)
    }

    /// The key of a name and of all its synonyms, its own first.
    #[must_use]
    pub fn of(&self, name: &str) -> Vec<String> {
        let key = text::key(name);
        let others = self
            .group_of
            .get(&key)
            .map_or(&[][..], |group| &self.groups[*group]);
        let others: Vec<_> = others
            .iter()
            .filter(|other| **other != key)
            .cloned()
            .collect();
        std::iter::once(key).chain(others).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_program_reads() {
        let table = Synonyms::parse(DEFAULT).unwrap();
        assert!(table.groups.len() >= 40, "{}", table.groups.len());
        assert!(table.of("Translate").contains(&"translation".to_owned()));
    }

    #[test]
    fn a_bad_line_is_named() {
        let line = |file| Synonyms::parse(file).map_err(|e| e.line);
        assert_eq!(
            line("# words\n\na, b # and\n").map(|t| t.of("B")),
            Ok(vec!["b".to_owned(), "a".to_owned()])
        );
        assert_eq!(line("a, b\nc\n"), Err(2));
        assert_eq!(line("a, b\n\nc, A\n"), Err(3));
        assert_eq!(line("a,,b"), Err(1));
    }

    #[test]
    fn a_name_of_no_group_is_alone() {
        assert_eq!(Synonyms::none().of("Code Review"), ["code-review"]);
    }
}

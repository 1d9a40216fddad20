//! Which methods a path takes, read off the document: 405 must say so (RFC 9110, 15.5.6).

use serde_json::Value;

/// Path patterns with their methods.
#[derive(Debug, Clone)]
pub(super) struct Allow(Vec<(Vec<String>, String)>);

impl Allow {
    /// Reads the finished document.
    pub(super) fn of_document(document: &str) -> Self {
        // The document is our own JSON.
        let document: Value = serde_json::from_str(document).unwrap_or_default();
        let paths = document["paths"].as_object().into_iter().flatten();
        let pattern = |(path, item): (&String, &Value)| {
            let methods: Vec<_> = item
                .as_object()
                .into_iter()
                .flatten()
                .map(|(method, _)| method.to_uppercase())
                .collect();
            (
                path.split('/').map(str::to_owned).collect(),
                methods.join(", "),
            )
        };
        // The document does not speak of itself and its page.
        let own = ["/openapi.json", "/docs"].map(|path| {
            (
                path.split('/').map(str::to_owned).collect(),
                "GET".to_owned(),
            )
        });
        Self(paths.map(pattern).chain(own).collect())
    }

    /// The methods of a path, as the header lists them.
    pub(super) fn at(&self, path: &str) -> Option<&str> {
        let wanted: Vec<&str> = path.split('/').collect();
        let fits = |pattern: &[String]| {
            let same = |(have, want): (&String, &&str)| have.starts_with('{') || have == want;
            pattern.len() == wanted.len() && pattern.iter().zip(&wanted).all(same)
        };
        self.0
            .iter()
            .find(|(pattern, _)| fits(pattern))
            .map(|(_, methods)| methods.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_takes_the_methods_of_its_pattern() {
        let allow =
            Allow::of_document(r#"{"paths":{"/a/{id}":{"get":{},"delete":{}},"/a":{"post":{}}}}"#);
        assert_eq!(allow.at("/a/x"), Some("GET, DELETE"));
        assert_eq!(allow.at("/a"), Some("POST"));
        assert_eq!(allow.at("/b"), None);
    }
}

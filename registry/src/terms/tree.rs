//! A JSON value whose numbers and strings keep their text, so that what nobody touched goes out as it came in.

use std::borrow::Cow;

use super::parse::{self, TreeError};

/// A JSON value; numbers are text and members keep their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Tree<'a> {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as written.
    Number(Cow<'a, str>),
    /// A string.
    String(Text<'a>),
    /// An array.
    Array(Vec<Tree<'a>>),
    /// An object; no name occurs twice.
    Object(Vec<Member<'a>>),
}

/// A member of an object: its name and its value.
pub type Member<'a> = (Text<'a>, Tree<'a>);

/// A JSON string: as written between the quotes, and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<'a> {
    raw: Cow<'a, str>,
    /// Only where the text has escapes and so differs from `raw`.
    value: Option<Box<str>>,
}

impl<'a> Text<'a> {
    /// A text as it stood in a document, with what it says where that differs.
    pub(super) const fn parsed(raw: &'a str, value: Option<Box<str>>) -> Self {
        Self {
            raw: Cow::Borrowed(raw),
            value,
        }
    }

    /// What the string says.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.value.as_deref().unwrap_or(&self.raw)
    }

    fn into_owned(self) -> Text<'static> {
        Text {
            raw: Cow::Owned(self.raw.into_owned()),
            value: self.value,
        }
    }
}

impl From<&str> for Text<'static> {
    fn from(value: &str) -> Self {
        let mut raw = String::with_capacity(value.len());
        for character in value.chars() {
            match character {
                '"' => raw.push_str("\\\""),
                '\\' => raw.push_str("\\\\"),
                '\n' => raw.push_str("\\n"),
                '\r' => raw.push_str("\\r"),
                '\t' => raw.push_str("\\t"),
                control if u32::from(control) < 0x20 => {
                    raw.push_str(&format!("\\u{:04x}", u32::from(control)));
                }
                plain => raw.push(plain),
            }
        }
        let differs = raw != value;
        Self {
            raw: Cow::Owned(raw),
            value: differs.then(|| value.into()),
        }
    }
}

impl<'a> Tree<'a> {
    /// Reads one JSON document of at most 64 levels.
    ///
    /// # Errors
    /// [`TreeError`] with the position of the first mistake; a repeated member is one.
    pub fn parse(text: &'a str) -> Result<Self, TreeError> {
        parse::document(text)
    }

    /// A string value.
    #[must_use]
    pub fn text(value: &str) -> Tree<'static> {
        Tree::String(Text::from(value))
    }

    /// A number value from a text that is known to be one.
    #[must_use]
    pub(super) fn number(text: impl Into<String>) -> Tree<'static> {
        Tree::Number(Cow::Owned(text.into()))
    }

    /// What a string value says.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Tree::String(text) => Some(text.as_str()),
            _ => None,
        }
    }

    /// The members of an object.
    #[must_use]
    pub fn members(&self) -> Option<&[Member<'a>]> {
        match self {
            Tree::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The member with that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Tree<'a>> {
        find(self.members()?, name).map(|(_, value)| value)
    }

    /// The member or item at a place inside its container.
    #[must_use]
    pub(super) fn child(&self, place: usize) -> Option<&Tree<'a>> {
        match self {
            Tree::Array(items) => items.get(place),
            Tree::Object(members) => members.get(place).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub(super) fn child_mut(&mut self, place: usize) -> Option<&mut Tree<'a>> {
        match self {
            Tree::Array(items) => items.get_mut(place),
            Tree::Object(members) => members.get_mut(place).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value at a path of places.
    #[must_use]
    pub(super) fn at(&self, path: &[usize]) -> Option<&Tree<'a>> {
        path.iter().try_fold(self, |tree, &place| tree.child(place))
    }

    /// Compact JSON: no white space between tokens, each token as it was written.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Tree::Null => out.push_str("null"),
            Tree::Bool(true) => out.push_str("true"),
            Tree::Bool(false) => out.push_str("false"),
            Tree::Number(text) => out.push_str(text),
            Tree::String(text) => quote(text, out),
            Tree::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Tree::Object(members) => {
                out.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    quote(name, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }

    /// How many values there are, itself and all below it.
    #[must_use]
    pub(super) fn count(&self) -> u64 {
        match self {
            Tree::Array(items) => 1 + items.iter().map(Tree::count).sum::<u64>(),
            Tree::Object(members) => {
                1 + members.iter().map(|(_, value)| value.count()).sum::<u64>()
            }
            _ => 1,
        }
    }

    /// A copy that borrows nothing.
    #[must_use]
    pub fn into_owned(self) -> Tree<'static> {
        match self {
            Tree::Null => Tree::Null,
            Tree::Bool(value) => Tree::Bool(value),
            Tree::Number(text) => Tree::Number(Cow::Owned(text.into_owned())),
            Tree::String(text) => Tree::String(text.into_owned()),
            Tree::Array(items) => Tree::Array(items.into_iter().map(Tree::into_owned).collect()),
            Tree::Object(members) => Tree::Object(
                members
                    .into_iter()
                    .map(|(name, value)| (name.into_owned(), value.into_owned()))
                    .collect(),
            ),
        }
    }
}

/// The member with that name.
pub(super) fn find<'m, 'a>(members: &'m [Member<'a>], name: &str) -> Option<&'m Member<'a>> {
    members.iter().find(|(known, _)| known.as_str() == name)
}

/// The place of the member with that name.
pub(super) fn place(members: &[Member<'_>], name: &str) -> Option<usize> {
    members.iter().position(|(known, _)| known.as_str() == name)
}

fn quote(text: &Text<'_>, out: &mut String) {
    out.push('"');
    out.push_str(&text.raw);
    out.push('"');
}

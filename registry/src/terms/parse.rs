//! Reads JSON into a [`Tree`] without ever turning a number into anything but its text.

use std::borrow::Cow;
use std::collections::HashSet;

use super::tree::{Member, Text, Tree};

/// The deepest nesting that is read; `[[1]]` has depth 2.
pub const MAX_DEPTH: usize = 64;

/// From this many members on, repeated names are looked up in a set.
const MANY: usize = 16;

/// Why a text is no acceptable JSON document, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at byte {offset}")]
pub struct TreeError {
    /// Bytes before the mistake.
    pub offset: usize,
    /// A short phrase for people.
    pub reason: &'static str,
}

/// Reads the whole text as one document.
pub(super) fn document(text: &str) -> Result<Tree<'_>, TreeError> {
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: 0,
    };
    let tree = reader.value(0)?;
    reader.space();
    if reader.at < text.len() {
        return Err(reader.wrong("more text after the document"));
    }
    Ok(tree)
}

/// Whether the text is a JSON number by the grammar of RFC 8259, and nothing else.
#[must_use]
pub(super) fn is_number(text: &str) -> bool {
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: 0,
    };
    reader.number().is_ok() && reader.at == text.len()
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    const fn wrong(&self, reason: &'static str) -> TreeError {
        TreeError {
            offset: self.at,
            reason,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.at += 1;
        }
        found
    }

    fn value(&mut self, depth: usize) -> Result<Tree<'a>, TreeError> {
        self.space();
        match self.peek() {
            Some(b'{') => self.object(depth + 1),
            Some(b'[') => self.array(depth + 1),
            Some(b'"') => Ok(Tree::String(self.string()?)),
            Some(b'-' | b'0'..=b'9') => Ok(Tree::Number(Cow::Borrowed(self.number()?))),
            Some(b't') => self.word("true", Tree::Bool(true)),
            Some(b'f') => self.word("false", Tree::Bool(false)),
            Some(b'n') => self.word("null", Tree::Null),
            Some(_) => Err(self.wrong("no JSON value")),
            None => Err(self.wrong("the text ends where a value was expected")),
        }
    }

    fn word(&mut self, word: &str, tree: Tree<'a>) -> Result<Tree<'a>, TreeError> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(tree);
        }
        Err(self.wrong("no JSON value"))
    }

    fn array(&mut self, depth: usize) -> Result<Tree<'a>, TreeError> {
        self.open(depth)?;
        let mut items = Vec::new();
        self.space();
        if self.take(b']') {
            return Ok(Tree::Array(items));
        }
        loop {
            items.push(self.value(depth)?);
            self.space();
            if self.take(b']') {
                return Ok(Tree::Array(items));
            }
            if !self.take(b',') {
                return Err(self.wrong("a comma or ']' was expected"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Tree<'a>, TreeError> {
        self.open(depth)?;
        self.space();
        if self.take(b'}') {
            return Ok(Tree::Object(Vec::new()));
        }
        // Most objects have few members, and growing by doubling would move them several times.
        let mut members: Vec<Member<'a>> = Vec::with_capacity(8);
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.wrong("a member name was expected"));
            }
            let name = self.string()?;
            if members.len() < MANY && members.iter().any(|(known, _)| same(known, &name)) {
                return Err(self.wrong("a member is named twice"));
            }
            self.space();
            if !self.take(b':') {
                return Err(self.wrong("a colon was expected"));
            }
            let value = self.value(depth)?;
            members.push((name, value));
            self.space();
            if self.take(b'}') {
                self.distinct(&members)?;
                return Ok(Tree::Object(members));
            }
            if !self.take(b',') {
                return Err(self.wrong("a comma or '}' was expected"));
            }
        }
    }

    /// Large objects are compared once at their end, so that many members stay cheap.
    fn distinct(&self, members: &[Member<'a>]) -> Result<(), TreeError> {
        if members.len() <= MANY {
            return Ok(());
        }
        let names: HashSet<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
        if names.len() == members.len() {
            return Ok(());
        }
        Err(self.wrong("a member is named twice"))
    }

    fn open(&mut self, depth: usize) -> Result<(), TreeError> {
        if depth > MAX_DEPTH {
            return Err(self.wrong("nested deeper than 64 levels"));
        }
        self.at += 1;
        Ok(())
    }

    fn number(&mut self) -> Result<&'a str, TreeError> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.wrong("a number does not begin with 0"));
        }
        Ok(&self.text[start..self.at])
    }

    fn digits(&mut self) -> Result<(), TreeError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.wrong("a digit was expected"));
        }
        Ok(())
    }

    fn string(&mut self) -> Result<Text<'a>, TreeError> {
        self.at += 1;
        let start = self.at;
        let mut said: Option<String> = None;
        let mut plain_from = start;
        loop {
            match self.peek() {
                Some(b'"') => {
                    let raw = &self.text[start..self.at];
                    if let Some(said) = said.as_mut() {
                        said.push_str(&self.text[plain_from..self.at]);
                    }
                    self.at += 1;
                    return Ok(Text::parsed(raw, said.map(String::into_boxed_str)));
                }
                Some(b'\\') => {
                    let said = said.get_or_insert_default();
                    said.push_str(&self.text[plain_from..self.at]);
                    said.push(self.escape()?);
                    plain_from = self.at;
                }
                Some(0..=0x1f) => return Err(self.wrong("a control character in a string")),
                Some(_) => self.at += 1,
                None => return Err(self.wrong("the text ends inside a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, TreeError> {
        self.at += 1;
        let character = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err(self.wrong("no such escape")),
        };
        self.at += 1;
        Ok(character)
    }

    fn unicode(&mut self) -> Result<char, TreeError> {
        self.at += 1;
        let first = self.hex4()?;
        let code = if (0xd800..0xdc00).contains(&first) {
            if !(self.take(b'\\') && self.take(b'u')) {
                return Err(self.wrong("half a surrogate pair"));
            }
            let second = self.hex4()?;
            if !(0xdc00..0xe000).contains(&second) {
                return Err(self.wrong("half a surrogate pair"));
            }
            0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
        } else {
            first
        };
        char::from_u32(code).ok_or_else(|| self.wrong("half a surrogate pair"))
    }

    fn hex4(&mut self) -> Result<u32, TreeError> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.wrong("four hexadecimal digits were expected"));
            };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }
}

fn same(known: &Text<'_>, name: &Text<'_>) -> bool {
    known.as_str() == name.as_str()
}

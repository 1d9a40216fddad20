//! A strict reader for the three structured fields (RFC 9651) that a signed request carries.
//!
//! It takes only the canonical way of writing: what stands in `Signature-Input` can then go into the
//! signature base to the letter, and nothing has two readings.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::Refusal;

pub(super) const INPUT: &str = "signature-input";
pub(super) const SIGNATURE: &str = "signature";
pub(super) const DIGEST: &str = "content-digest";

/// How many components may be covered.
const MAX_COMPONENTS: usize = 32;

/// One member of `Signature-Input`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Input<'a> {
    pub(super) label: &'a str,
    pub(super) components: Vec<&'a str>,
    /// The inner list with its parameters, as it goes into the base.
    pub(super) params: &'a str,
    pub(super) created: Option<u64>,
    pub(super) expires: Option<u64>,
    pub(super) nonce: Option<&'a str>,
    pub(super) keyid: Option<&'a str>,
    pub(super) alg: Option<&'a str>,
    pub(super) tag: Option<&'a str>,
}

/// Reads `label=("…" …);created=…;…`, exactly one member.
pub(super) fn input(line: &str) -> Result<Input<'_>, Refusal> {
    let mut cursor = Cursor::new(line);
    let label = cursor.key().ok_or(Refusal::Malformed(INPUT))?;
    cursor.eat(b'=').ok_or(Refusal::Malformed(INPUT))?;
    let start = cursor.at;
    let components = cursor.components().ok_or(Refusal::Malformed(INPUT))?;
    let mut read = Input {
        label,
        components,
        params: "",
        created: None,
        expires: None,
        nonce: None,
        keyid: None,
        alg: None,
        tag: None,
    };
    while cursor.eat(b';').is_some() {
        parameter(&mut cursor, &mut read)?;
    }
    read.params = line.get(start..cursor.at).unwrap_or_default();
    cursor.end(INPUT)?;
    Ok(read)
}

fn parameter<'a>(cursor: &mut Cursor<'a>, read: &mut Input<'a>) -> Result<(), Refusal> {
    let malformed = Refusal::Malformed(INPUT);
    let name = cursor.key().ok_or(malformed)?;
    let fresh = match name {
        "created" | "expires" => {
            let place = if name == "created" {
                &mut read.created
            } else {
                &mut read.expires
            };
            let number = cursor.eat(b'=').and_then(|()| cursor.integer());
            place.replace(number.ok_or(malformed)?).is_none()
        }
        "nonce" | "keyid" | "alg" | "tag" => {
            let place = match name {
                "nonce" => &mut read.nonce,
                "keyid" => &mut read.keyid,
                "alg" => &mut read.alg,
                _ => &mut read.tag,
            };
            let text = cursor.eat(b'=').and_then(|()| cursor.string());
            place.replace(text.ok_or(malformed)?).is_none()
        }
        _ => false,
    };
    if fresh {
        Ok(())
    } else {
        Err(Refusal::ParameterUnknown)
    }
}

/// Reads `label=:…:`, exactly one member of 64 bytes.
pub(super) fn signature(line: &str) -> Result<(&str, [u8; 64]), Refusal> {
    let mut cursor = Cursor::new(line);
    let read = cursor
        .key()
        .and_then(|label| cursor.eat(b'=').map(|()| label))
        .and_then(|label| Some((label, cursor.bytes()?)))
        .ok_or(Refusal::Malformed(SIGNATURE))?;
    cursor.end(SIGNATURE)?;
    let (label, bytes) = read;
    let bytes = bytes
        .try_into()
        .map_err(|_| Refusal::Malformed(SIGNATURE))?;
    Ok((label, bytes))
}

/// Reads `sha-256=:…:` among digests of any kind (RFC 9530, section 2).
pub(super) fn sha256(line: &str) -> Result<[u8; 32], Refusal> {
    let malformed = Refusal::Malformed(DIGEST);
    let mut cursor = Cursor::new(line);
    let mut found = None;
    loop {
        let name = cursor.key().ok_or(malformed)?;
        cursor.eat(b'=').ok_or(malformed)?;
        let bytes = cursor.bytes().ok_or(malformed)?;
        if name == "sha-256" {
            let bytes = bytes.try_into().map_err(|_| malformed)?;
            if found.replace(bytes).is_some() {
                return Err(malformed);
            }
        }
        if cursor.is_done() {
            return found.ok_or(Refusal::DigestMissing);
        }
        cursor.comma().ok_or(malformed)?;
    }
}

/// A place in a line.
struct Cursor<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn new(line: &'a str) -> Self {
        Self { line, at: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.line.as_bytes().get(self.at).copied()
    }

    fn is_done(&self) -> bool {
        self.at >= self.line.len()
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    /// Goes on while the test holds, and gives what was passed.
    fn run(&mut self, test: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&test) {
            self.at += 1;
        }
        // Whatever the tests let pass is ASCII, so both ends lie between letters.
        self.line.get(start..self.at).unwrap_or_default()
    }

    /// RFC 9651, section 3.1.2.
    fn key(&mut self) -> Option<&'a str> {
        let first = self.peek()?;
        if !first.is_ascii_lowercase() && first != b'*' {
            return None;
        }
        Some(self.run(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-.*".contains(&byte)
        }))
    }

    /// A string (section 3.3.3) without escapes: none of our texts needs one.
    fn string(&mut self) -> Option<&'a str> {
        self.eat(b'"')?;
        let text = self.run(|byte| (b' '..=b'~').contains(&byte) && !b"\"\\".contains(&byte));
        self.eat(b'"')?;
        Some(text)
    }

    /// An integer (section 3.3.1) of at most 15 digits, no sign, no zeros in front.
    fn integer(&mut self) -> Option<u64> {
        let digits = self.run(|byte| byte.is_ascii_digit());
        if digits.len() > 15 || (digits.len() > 1 && digits.starts_with('0')) {
            return None;
        }
        digits.parse().ok()
    }

    /// A byte sequence (section 3.3.5), padded.
    fn bytes(&mut self) -> Option<Vec<u8>> {
        self.eat(b':')?;
        let text = self.run(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
        self.eat(b':')?;
        STANDARD.decode(text).ok()
    }

    /// `("one" "two")`; components with parameters of their own are not taken.
    fn components(&mut self) -> Option<Vec<&'a str>> {
        self.eat(b'(')?;
        let mut names = Vec::new();
        if self.eat(b')').is_some() {
            return Some(names);
        }
        loop {
            names.push(self.string()?);
            if names.len() > MAX_COMPONENTS {
                return None;
            }
            if self.eat(b')').is_some() {
                return Some(names);
            }
            self.eat(b' ')?;
        }
    }

    /// The comma between members, with white space around it, and something behind it.
    fn comma(&mut self) -> Option<()> {
        self.run(is_blank);
        self.eat(b',')?;
        self.run(is_blank);
        (!self.is_done()).then_some(())
    }

    /// The end of the line. A further member is a second signature.
    fn end(&mut self, header: &'static str) -> Result<(), Refusal> {
        if self.is_done() {
            Ok(())
        } else if self.comma().is_some() {
            Err(Refusal::SeveralSignatures)
        } else {
            Err(Refusal::Malformed(header))
        }
    }
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

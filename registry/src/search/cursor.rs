//! Where a page ended: opaque to callers, bound to one question.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::agent::AgentId;
use crate::clock::Millis;
use crate::error::{Invalid, InvalidKind};

/// A caller may forge one; it then only gets another page of its own question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Cursor {
    /// The digest of the question.
    #[serde(rename = "q")]
    pub(super) question: String,
    /// The last hit's score in ten-thousandths.
    #[serde(rename = "s")]
    pub(super) units: u32,
    /// The last hit's id.
    #[serde(rename = "i")]
    pub(super) id: AgentId,
    /// Which state of the index it was read from.
    #[serde(rename = "g")]
    pub(super) generation: u64,
    /// Which words were relaxed.
    #[serde(rename = "r")]
    pub(super) relaxed: u32,
    /// The time of the first page, by which liveness goes.
    #[serde(rename = "n")]
    pub(super) now: Millis,
}

impl Cursor {
    pub(super) fn write(&self) -> String {
        // Strings and numbers always serialise.
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).unwrap_or_default())
    }

    /// # Errors
    /// [`Invalid`] of kind `Cursor` when the text is not ours, or belongs to another question.
    pub(super) fn read(text: &str, question: &str) -> Result<Self, Invalid> {
        let refuse = |reason: &'static str| Invalid::of(InvalidKind::Cursor, "/cursor", reason);
        let bytes = URL_SAFE_NO_PAD
            .decode(text)
            .map_err(|_| refuse("not a cursor of this directory"))?;
        let cursor: Self =
            serde_json::from_slice(&bytes).map_err(|_| refuse("not a cursor of this directory"))?;
        if cursor.question != question {
            return Err(refuse("the cursor belongs to another question"));
        }
        Ok(cursor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_survives_and_sticks_to_its_question() {
        let id = AgentId::lookup("eip155:1:0xab:7").unwrap();
        let cursor = Cursor {
            question: "q".into(),
            units: 5,
            id,
            generation: 1,
            relaxed: 2,
            now: 3,
        };
        let text = cursor.write();
        assert_eq!(Cursor::read(&text, "q"), Ok(cursor));
        for (text, question) in [
            (text.as_str(), "other"),
            ("", "q"),
            ("%", "q"),
            ("e30", "q"),
        ] {
            assert_eq!(
                Cursor::read(text, question).unwrap_err().kind,
                InvalidKind::Cursor,
                "{text}"
            );
        }
    }
}

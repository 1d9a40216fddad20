//! Signing a request: everything that does not change is written once.

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};

use super::{ALGORITHM, COMPONENTS, ContentDigest, Target};
use crate::signature::jwk::SigningKey;

/// The label of the only signature.
const LABEL: &str = "sig1";

/// Signs requests with one key. What is the same for all of them is kept ready.
#[derive(Debug, Clone)]
pub struct Signer {
    key: SigningKey,
    /// The covered components, up to the number of `created`.
    before_created: String,
    /// How long a signature is good, when it says so.
    lifetime: Option<u64>,
    /// From behind the nonce to the end of the parameters.
    after_nonce: String,
}

/// A text that cannot stand in a header field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a tag is visible ASCII without quotation marks and backslashes")]
pub struct TextError;

/// The headers of one signed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Headers {
    /// `Content-Digest`.
    pub content_digest: String,
    /// `Signature-Input`.
    pub signature_input: String,
    /// `Signature`.
    pub signature: String,
}

impl Signer {
    /// A signer for a key; the key's name becomes `keyid`. A tag says what the signatures are for
    /// (RFC 9421, section 2.3).
    ///
    /// # Errors
    /// [`TextError`] for a tag that cannot be written.
    pub fn new(key: SigningKey, tag: Option<&str>) -> Result<Self, TextError> {
        let plain = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'"' && byte != b'\\';
        if tag.is_some_and(|tag| !tag.bytes().all(plain)) {
            return Err(TextError);
        }
        let components = COMPONENTS.map(|name| format!("\"{name}\"")).join(" ");
        let tag = tag.map_or_else(String::new, |tag| format!(";tag=\"{tag}\""));
        Ok(Self {
            before_created: format!("({components});created="),
            after_nonce: format!("\";keyid=\"{}\";alg=\"{ALGORITHM}\"{tag}", key.kid()),
            lifetime: None,
            key,
        })
    }

    /// The same signer, whose signatures say that they expire so many seconds after they were made.
    #[must_use]
    pub fn with_lifetime(mut self, seconds: u64) -> Self {
        self.lifetime = Some(seconds);
        self
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> &SigningKey {
        &self.key
    }

    /// Signs one request. `created` is in Unix seconds; the nonce is to be random, and never the same
    /// twice.
    #[must_use]
    pub fn sign(
        &self,
        target: &Target,
        digest: &ContentDigest,
        created: u64,
        nonce: &[u8; 16],
    ) -> Headers {
        let mut base = String::with_capacity(target.lines().len() + 384);
        for part in [
            target.lines(),
            "\"content-digest\": ",
            digest.as_str(),
            "\n",
        ] {
            base.push_str(part);
        }
        base.push_str("\"@signature-params\": ");
        let params = base.len();
        base.push_str(&self.before_created);
        base.push_str(&created.to_string());
        if let Some(lifetime) = self.lifetime {
            base.push_str(";expires=");
            base.push_str(&created.saturating_add(lifetime).to_string());
        }
        base.push_str(";nonce=\"");
        URL_SAFE_NO_PAD.encode_string(nonce, &mut base);
        base.push_str(&self.after_nonce);
        let signature = self.key.sign(base.as_bytes());
        // What stands behind the name of the last line is the header, to the letter.
        base.replace_range(..params, "=");
        base.insert_str(0, LABEL);
        Headers {
            content_digest: digest.as_str().to_owned(),
            signature_input: base,
            signature: format!("{LABEL}=:{}:", STANDARD.encode(signature)),
        }
    }
}

impl Headers {
    /// The three headers with their names in lower case.
    #[must_use]
    pub fn pairs(&self) -> [(&'static str, &str); 3] {
        [
            ("content-digest", &self.content_digest),
            ("signature-input", &self.signature_input),
            ("signature", &self.signature),
        ]
    }
}

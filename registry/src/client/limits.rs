//! One table of limits for everything that leaves the program.

use std::time::Duration;

/// Why a request is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// An agent card at a URL that somebody named.
    CardImport,
    /// A caller's question to an agent.
    Call,
    /// Our own question, to see whether an agent answers.
    Probe,
    /// A registration or feedback file that a chain names.
    RegistrationFile,
    /// A push notification.
    Webhook,
}

/// What a request may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From the first byte of the request to the last of the answer.
    pub total: Duration,
    /// Between two pieces of the answer.
    pub idle: Duration,
    /// Bytes of the answer's body.
    pub body: usize,
    /// Redirects that are followed, each checked like the first address.
    pub redirects: u8,
}

/// How long a connection may take to stand.
pub(super) const CONNECT: Duration = Duration::from_secs(5);
const MIB: usize = 1024 * 1024;

impl Purpose {
    /// The limits of this purpose; a call's are set by the operator and the caller.
    #[must_use]
    pub const fn limits(self) -> Limits {
        let seconds = Duration::from_secs;
        match self {
            Self::CardImport => Limits {
                total: seconds(10),
                idle: seconds(5),
                body: MIB,
                redirects: 3,
            },
            // A redirected POST would send the caller's words where nobody agreed to.
            Self::Call => Limits {
                total: seconds(30),
                idle: seconds(600),
                body: 10 * MIB,
                redirects: 0,
            },
            Self::Probe => Limits {
                total: seconds(15),
                idle: seconds(10),
                body: MIB,
                redirects: 0,
            },
            Self::RegistrationFile => Limits {
                total: seconds(20),
                idle: seconds(10),
                body: MIB,
                redirects: 3,
            },
            Self::Webhook => Limits {
                total: seconds(20),
                idle: seconds(10),
                body: 64 * 1024,
                redirects: 0,
            },
        }
    }
}

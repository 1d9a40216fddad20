//! Time, handed in: everything that expires or orders by time takes a [`Clock`].

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Milliseconds since 1970-01-01T00:00:00Z.
pub type Millis = i64;

/// A source of the current time.
pub trait Clock: Send + Sync + 'static {
    /// Now, in milliseconds since 1970.
    fn now(&self) -> Millis;
}

/// The clock of the machine.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Millis {
        // A clock before 1970 reads as 1970: nothing of ours is that old.
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |elapsed| {
                i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX)
            })
    }
}

/// A clock that only moves when it is told to.
#[derive(Debug, Default, Clone)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// A clock that stands at `now`.
    #[must_use]
    pub fn at(now: Millis) -> Self {
        Self(Arc::new(AtomicI64::new(now)))
    }

    /// Moves the clock forward.
    pub fn advance(&self, millis: Millis) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Millis {
        self.0.load(Ordering::SeqCst)
    }
}

/// `millis` as RFC 3339 in UTC with milliseconds, e.g. `2026-12-01T00:00:00.000Z`.
#[must_use]
pub fn rfc3339(millis: Millis) -> String {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000)
        .ok()
        .and_then(|when| when.format(&Rfc3339).ok())
        .map_or_else(String::new, with_milliseconds)
}

/// The time that a text of RFC 3339 names; `None` when it names none.
#[must_use]
pub fn millis_of_rfc3339(text: &str) -> Option<Millis> {
    let when = OffsetDateTime::parse(text, &Rfc3339).ok()?;
    i64::try_from(when.unix_timestamp_nanos() / 1_000_000).ok()
}

/// RFC 3339 drops trailing zeros of the fraction; a fixed width sorts as text.
fn with_milliseconds(text: String) -> String {
    let Some(body) = text.strip_suffix('Z') else {
        return text;
    };
    let (seconds, fraction) = body.split_once('.').unwrap_or((body, ""));
    format!("{seconds}.{fraction:0<3}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_fixed_width() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(rfc3339(1_764_547_200_120), "2025-12-01T00:00:00.120Z");
        assert_eq!(
            millis_of_rfc3339("2025-12-01T00:00:00.120Z"),
            Some(1_764_547_200_120)
        );
        assert_eq!(
            millis_of_rfc3339("2025-12-01T02:00:00.12+02:00"),
            Some(1_764_547_200_120)
        );
        assert_eq!(millis_of_rfc3339("soon"), None);
    }

    #[test]
    fn a_manual_clock_moves_only_when_told() {
        let clock = ManualClock::at(5);
        assert_eq!(clock.now(), 5);
        clock.advance(10);
        assert_eq!(clock.now(), 15);
    }
}

//! What the demo agents do by chance, which comes from the text itself: the same words, the same answer.

/// Dice such as `2d6`; the same text throws the same dice.
pub(super) fn dice(text: &str) -> String {
    let text = text.trim().to_lowercase();
    let (many, sides) = text.split_once('d').unwrap_or(("1", "6"));
    let (Ok(many @ 1..=20), Ok(sides @ 2..=1_000)) =
        (many.trim().parse::<u64>(), sides.trim().parse::<u64>())
    else {
        return "Say it like `2d6`: at most 20 dice of at most 1000 sides.".to_owned();
    };
    let throws: Vec<u64> = (0..many)
        .map(|n| hash(&format!("{text}#{n}")) % sides + 1)
        .collect();
    let shown: Vec<String> = throws.iter().map(u64::to_string).collect();
    format!(
        "{} = {} (the same words throw the same dice)",
        shown.join(" + "),
        throws.iter().sum::<u64>()
    )
}

/// A forecast that is made up, and says so.
pub(super) fn weather(text: &str) -> String {
    const SKIES: [&str; 6] = [
        "clear sky",
        "light clouds",
        "showers",
        "steady rain",
        "fog",
        "snow",
    ];
    let place = text.trim();
    if place.is_empty() {
        return "Say a place.".to_owned();
    }
    let seed = hash(&place.to_lowercase());
    let sky = SKIES.get((seed % 6) as usize).copied().unwrap_or_default();
    let degrees = if sky == "snow" {
        -((seed / 6 % 9) as i64)
    } else {
        (seed / 6 % 28) as i64 + 3
    };
    format!("{place}: {sky}, {degrees} °C (an invented forecast)")
}

/// A checksum (FNV-1a, 64 bits).
pub(super) fn checksum(text: &str) -> String {
    format!("fnv1a64 {:016x} over {} bytes", hash(text), text.len())
}

/// FNV-1a: short, and the same on every machine.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_have_the_same_answer() {
        // Pinned: a second demo over the same data must not contradict the first.
        assert_eq!(
            weather("Lisbon"),
            "Lisbon: clear sky, 26 °C (an invented forecast)"
        );
        assert_eq!(
            dice("2d6"),
            "3 + 4 = 7 (the same words throw the same dice)"
        );
        assert_eq!(dice(" 2D6 "), dice("2d6"));
        assert_eq!(checksum("a"), "fnv1a64 af63dc4c8601ec8c over 1 bytes");
    }

    #[test]
    fn nonsense_is_answered_with_help() {
        for answer in [dice("0d6"), dice("2d1"), dice("dd"), weather(" ")] {
            assert!(answer.starts_with("Say "), "{answer}");
        }
    }
}

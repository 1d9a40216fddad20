//! The formula: how the parts of a match become one score that anybody can recompute.

use serde_json::{Value, json};

use crate::clock::Millis;

/// The name of this formula; it changes with every change that can move a score.
pub const POLICY_VERSION: &str = "match-1";

/// One, in the ten-thousandths that parts and scores are counted in.
pub(super) const ONE: u32 = 10_000;
/// A call within this time tells whether an agent is alive.
pub(super) const RECENT: Millis = 24 * 60 * 60 * 1000;

/// The text score that counts as half of the best possible.
const HALF: f64 = 10.0;

/// How much more a word counts by where and how it matched.
pub(super) mod boost {
    pub(in crate::search) const WHOLE_NAME: f32 = 3.0;
    pub(in crate::search) const NAME: f32 = 4.0;
    pub(in crate::search) const KEYS: f32 = 2.5;
    pub(in crate::search) const PROSE: f32 = 1.0;
    pub(in crate::search) const SYNONYM: f32 = 1.0;
    pub(in crate::search) const PREFIX: f32 = 0.5;
    pub(in crate::search) const TYPO: f32 = 0.4;
}

/// What a capability of weight 1, 2 and 3 counts.
pub(super) const BY_WEIGHT: [u32; 3] = [9_600, 9_800, 10_000];

/// The parts of one hit's score, each from 0 to 1 in ten-thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    pub(super) capabilities: Option<u32>,
    pub(super) text: Option<u32>,
    pub(super) liveness: u32,
    /// The words of the question, by bit, for which prefixes and typos were allowed.
    pub(super) relaxed: u32,
}

/// A part of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct Contribution {
    /// `capabilities`, `text`, `liveness` or `listed`.
    pub part: &'static str,
    /// From 0 to 1, with four decimals.
    pub value: f64,
    /// In percent; the weights of all contributions are a hundred together.
    pub weight: u32,
    /// `value * weight`, exactly; the match score is the sum of these.
    pub points: f64,
}

/// The weights of a question in percent, by what it asks for: always a hundred together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights {
    capabilities: u32,
    text: u32,
    liveness: u32,
    listed: u32,
}

const BOTH: Weights = Weights {
    capabilities: 60,
    text: 35,
    liveness: 5,
    listed: 0,
};
const CAPABILITIES_ONLY: Weights = Weights {
    capabilities: 95,
    text: 0,
    liveness: 5,
    listed: 0,
};
const TEXT_ONLY: Weights = Weights {
    capabilities: 0,
    text: 90,
    liveness: 10,
    listed: 0,
};
const NEITHER: Weights = Weights {
    capabilities: 0,
    text: 0,
    liveness: 50,
    listed: 50,
};

impl Weights {
    pub(super) const fn new(capabilities: bool, text: bool) -> Self {
        match (capabilities, text) {
            (true, true) => BOTH,
            (true, false) => CAPABILITIES_ONLY,
            (false, true) => TEXT_ONLY,
            (false, false) => NEITHER,
        }
    }

    /// The match score without the text part, in ten-thousandths.
    pub(super) const fn without_text(self, capabilities: u32, liveness: u32) -> u32 {
        capabilities * self.capabilities + liveness * self.liveness + ONE * self.listed
    }

    /// The points of the text part, in ten-thousandths.
    pub(super) const fn text(self, value: u32) -> u32 {
        value * self.text
    }

    /// A text score below which the text part cannot have `points`.
    pub(super) fn least_text(self, points: u32) -> f32 {
        let Some(value) = points
            .checked_div(self.text)
            .and_then(|value| value.checked_sub(1))
        else {
            return f32::MIN;
        };
        let value = f64::from(value);
        let one = f64::from(ONE);
        if value >= one {
            return f32::MAX;
        }
        // A hair lower, because the index adds up in less precise numbers than we do.
        (HALF * value / (one - value) * 0.999) as f32
    }
}

/// The text part of a text score, in ten-thousandths: half of it at [`HALF`], never one.
pub(super) fn text_value(score: f64) -> u32 {
    (f64::from(ONE) * score / (score + HALF)).round() as u32
}

/// One for an agent whose last recent call was answered, zero where it was not, half where nothing is known.
pub(super) fn liveness(ok_at: Millis, failed_at: Millis, now: Millis) -> u32 {
    if ok_at.max(failed_at) <= now.saturating_sub(RECENT).max(0) {
        return ONE / 2;
    }
    if ok_at >= failed_at { ONE } else { 0 }
}

/// Ten-thousandths as a number with four decimals.
pub(super) fn decimal(units: u32) -> f64 {
    f64::from(units) / f64::from(ONE)
}

impl Parts {
    fn weights(&self) -> Weights {
        Weights::new(self.capabilities.is_some(), self.text.is_some())
    }

    /// The match score in ten-thousandths, from 0 to a million.
    pub(super) fn units(&self) -> u32 {
        let weights = self.weights();
        weights.without_text(self.capabilities.unwrap_or(0), self.liveness)
            + weights.text(self.text.unwrap_or(0))
    }

    /// The match score, from 0 to 100 with four decimals.
    #[must_use]
    pub fn match_score(&self) -> f64 {
        decimal(self.units())
    }

    /// What each part contributes to the match score.
    #[must_use]
    pub fn contributions(&self) -> Vec<Contribution> {
        let weights = self.weights();
        let contribution = |part, value, weight| Contribution {
            part,
            value: decimal(value),
            weight,
            points: decimal(value * weight),
        };
        let mut list = Vec::with_capacity(3);
        list.extend(
            self.capabilities
                .map(|value| contribution("capabilities", value, weights.capabilities)),
        );
        list.extend(
            self.text
                .map(|value| contribution("text", value, weights.text)),
        );
        list.push(contribution("liveness", self.liveness, weights.liveness));
        if weights.listed > 0 {
            list.push(contribution("listed", ONE, weights.listed));
        }
        list
    }
}

/// The formula as published.
#[must_use]
pub fn policy() -> Value {
    let weights = |weights: Weights| {
        let all = [
            ("capabilities", weights.capabilities),
            ("text", weights.text),
            ("liveness", weights.liveness),
            ("listed", weights.listed),
        ];
        all.into_iter()
            .filter(|(_, weight)| *weight > 0)
            .map(|(part, weight)| (part.to_owned(), json!(weight)))
            .collect::<Value>()
    };
    json!({
        "version": POLICY_VERSION,
        "score": "the sum of value * weight over the parts",
        "range": [0, 100],
        "order": ["match_score descending", "agent id ascending"],
        "weights": {
            "query and required_capabilities": weights(BOTH),
            "required_capabilities": weights(CAPABILITIES_ONLY),
            "query": weights(TEXT_ONLY),
            "neither": weights(NEITHER)
        },
        "parts": {
            "capabilities": {
                "value": "for each capability asked that the agent has, itself or a synonym, what its weight counts; summed, divided by the number asked, with 4 decimals",
                "counts_by_weight": {"1": decimal(BY_WEIGHT[0]), "2": decimal(BY_WEIGHT[1]), "3": decimal(BY_WEIGHT[2])},
                "without_capabilities": "an agent that names no capabilities is taken by its skills and tags, at weight 1"
            },
            "text": {
                "value": format!("s / (s + {HALF}) with 4 decimals, s being the sum of BM25 over matching words and fields, each times its boost"),
                "boosts": boosts(),
                "relaxed": "the last word as a prefix (from 2 letters) and one edit in words from 4 letters: for words that fewer agents than the limit have, and for all words where fewer hits than the limit come out"
            },
            "liveness": {"value": "1 when the last call within 24 hours was answered, 0 when it was not, 0.5 when there was none"},
            "listed": {"value": "1"}
        },
        "filters": "query: any word; required_capabilities: any or all by mode; skills and tags: every one given; settlement_rail, input_modes, output_modes: any one given. Other filters never change a score",
        "unrated": "agents without any history are ranked by what was asked alone, never as zero"
    })
}

fn boosts() -> Value {
    json!({
        "name": boost::NAME,
        "skills": boost::KEYS,
        "capabilities": boost::KEYS,
        "tags": boost::KEYS,
        "org_name": boost::KEYS,
        "description": boost::PROSE,
        "specialty": boost::PROSE,
        "whole name or id": boost::WHOLE_NAME,
        "synonym in skills, capabilities, tags, org_name": boost::SYNONYM,
        "prefix": boost::PREFIX,
        "typo": boost::TYPO
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_points_add_up_to_the_score() {
        for (capabilities, text) in [
            (None, None),
            (Some(3_333), None),
            (None, Some(7_001)),
            (Some(9_999), Some(1)),
        ] {
            let parts = Parts {
                capabilities,
                text,
                liveness: 5_000,
                relaxed: 0,
            };
            let list = parts.contributions();
            let weights: u32 = list.iter().map(|c| c.weight).sum();
            assert_eq!(weights, 100);
            let points: f64 = list.iter().map(|c| c.value * f64::from(c.weight)).sum();
            assert!((points - parts.match_score()).abs() < 1e-9, "{list:?}");
            assert!(
                list.iter()
                    .all(|c| (c.points - c.value * f64::from(c.weight)).abs() < 1e-9),
                "{list:?}"
            );
        }
    }

    #[test]
    fn the_best_is_a_hundred() {
        for (capabilities, text) in [
            (None, None),
            (Some(ONE), None),
            (None, Some(ONE)),
            (Some(ONE), Some(ONE)),
        ] {
            assert_eq!(
                Parts {
                    capabilities,
                    text,
                    liveness: ONE,
                    relaxed: 0
                }
                .match_score(),
                100.0
            );
        }
    }

    #[test]
    fn the_least_text_never_cuts_off_a_score_that_suffices() {
        let weights = Weights::new(true, true);
        for step in 0..4_000_u32 {
            let score = f64::from(step) * 0.05;
            let points = weights.text(text_value(score));
            assert!(
                f64::from(weights.least_text(points)) < score.max(0.001),
                "{score}"
            );
        }
    }

    #[test]
    fn liveness_is_what_was_seen_lately() {
        let now = 10 * RECENT;
        assert_eq!(liveness(0, 0, now), ONE / 2);
        assert_eq!(liveness(0, 0, 5), ONE / 2);
        assert_eq!(liveness(now - 10, now - 20, now), ONE);
        assert_eq!(liveness(now - 20, now - 10, now), 0);
        assert_eq!(liveness(now - 2 * RECENT, 0, now), ONE / 2);
    }

    #[test]
    fn more_capabilities_win_over_weight_and_liveness() {
        for asked in 2..=10_u32 {
            let some = Parts {
                capabilities: Some((asked - 1) * ONE / asked),
                text: None,
                liveness: ONE,
                relaxed: 0,
            };
            let all = Parts {
                capabilities: Some(BY_WEIGHT[0]),
                text: None,
                liveness: ONE,
                relaxed: 0,
            };
            assert!(all.units() > some.units(), "{asked}");
        }
    }
}

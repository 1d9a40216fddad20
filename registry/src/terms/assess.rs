//! Judges one site: the difference, and the exact correction or the reason why there is none.

use super::convert::{self, Converted};
use super::dates::{self, DateFormat, Gap};
use super::decimal::{Decimal, NumberError};
use super::edit::{Change, Edit};
use super::mismatch::{Amount, Mismatch, Reason};
use super::pointer;
use super::rates::RateTable;
use super::rule::{Measure, Rule};
use super::show::{cut, scalar_text, short, shown};
use super::tree::Tree;
use super::units::{self, Dimension};
use super::walk::{self, Given, Site};
use crate::clock::Millis;

/// What came of a site: a difference, if it is one, and the changes that mend it.
pub(super) type Verdict = (Option<Mismatch>, Vec<Edit>);

/// What a judgement needs besides the site.
pub(super) struct Judge<'j> {
    pub tree: &'j Tree<'j>,
    pub rates: &'j RateTable,
    pub now: Millis,
}

impl Judge<'_> {
    /// Judges a site.
    pub fn judge(&self, site: &Site<'_>) -> Verdict {
        if walk::fits(site.rule, site.value, &site.given) {
            // Only the caller's terms knew the unit: it is written down, so that the suggestion stands alone.
            return (None, write_unit(site));
        }
        let mut mismatch = self.blank(site);
        let solved = match site.rule.date() {
            Some(format) => self.date(site, format, &mut mismatch),
            None => self.number(site, &mut mismatch),
        };
        match solved {
            Ok(edits) => (Some(mismatch), edits),
            Err((reason, words)) => {
                let correction = format!("{}: {words}.", shown(&mismatch.pointer));
                mismatch.refuse(reason, correction);
                (Some(mismatch), Vec::new())
            }
        }
    }

    fn blank(&self, site: &Site<'_>) -> Mismatch {
        let pointer = pointer::of_path(self.tree, &site.path);
        let field = site
            .rule
            .key
            .map_or_else(|| pointer::last_name(&pointer), str::to_owned);
        let (code, caller_value) = match site.rule.dimension {
            Dimension::Date => ("date_format_mismatch", short(site.value)),
            Dimension::Money => ("currency_mismatch", given_unit(site)),
            _ => ("unit_mismatch", given_unit(site)),
        };
        Mismatch {
            code,
            pointer,
            field,
            dimension: Some(site.rule.dimension),
            caller_value,
            receiver_expects: Tree::text(&site.rule.text),
            from: None,
            to: None,
            factor: None,
            rounding: None,
            rate: None,
            lossless: None,
            correction: String::new(),
            cannot_convert: None,
            schema: None,
        }
    }

    fn number(
        &self,
        site: &Site<'_>,
        mismatch: &mut Mismatch,
    ) -> Result<Vec<Edit>, (Reason, String)> {
        let rule = site.rule;
        let unit = unit_text(site)?;
        let sent = scalar_text(site.value);
        if sent.is_some() {
            mismatch.from = Some(Amount {
                value: sent.map(cut).unwrap_or_default(),
                unit: Some(cut(&unit)),
            });
        }
        let measure = self.measure(rule, &unit)?;
        let number = read_number(site.value, sent)?;
        let (converted, same) = if same(rule, &unit, &measure) {
            (convert::unchanged(number, rule)?, true)
        } else {
            let converted =
                convert::number(&number, (&unit, &measure), rule, self.rates, self.now)?;
            (converted, false)
        };
        self.correct(site, mismatch, &unit, converted, same)
    }

    /// Fills the entry in and lists the changes.
    fn correct(
        &self,
        site: &Site<'_>,
        mismatch: &mut Mismatch,
        unit: &str,
        converted: Converted,
        same: bool,
    ) -> Result<Vec<Edit>, (Reason, String)> {
        let rule = site.rule;
        let sent = scalar_text(site.value).unwrap_or_default();
        let result = if same {
            // The very text that was sent: only the unit's spelling differs.
            sent.to_owned()
        } else {
            converted.value.to_string()
        };
        let mut edits = write_unit(site);
        if !same {
            let value = match site.value {
                Tree::Number(_) => Tree::number(result.clone()),
                _ => Tree::text(&result),
            };
            edits.push(Edit::set(site.path.clone(), value));
        }
        mismatch.correction = self.words(site, unit, &result, &converted, same);
        mismatch.to = Some(Amount {
            value: result,
            unit: Some(rule.text.to_string()),
        });
        mismatch.factor = converted.factor;
        mismatch.rounding = converted.rounding;
        mismatch.rate = converted.rate;
        mismatch.lossless = Some(converted.lossless);
        Ok(edits)
    }

    fn words(
        &self,
        site: &Site<'_>,
        unit: &str,
        result: &str,
        converted: &Converted,
        same: bool,
    ) -> String {
        let pointer = pointer::of_path(self.tree, &site.path);
        let (at, wanted) = (shown(&pointer), &site.rule.text);
        let sent = scalar_text(site.value).unwrap_or_default();
        let unit_change = self.unit_words(site);
        if same {
            return format!("{at}: {unit:?} is {wanted:?} in another spelling{unit_change}.");
        }
        let value = match site.value {
            Tree::Number(_) => result.to_owned(),
            _ => format!("{result:?}"),
        };
        let how = match (&converted.rate, &converted.factor) {
            (Some(rate), _) => format!(" at {} ({}, {})", rate.rate, rate.source, rate.as_of),
            (None, Some(factor)) => format!(" (factor {factor})"),
            (None, None) => String::new(),
        };
        let cut = match converted.rounding {
            Some((scale, rule)) if !converted.lossless => {
                format!(", rounded {} to {scale} digits", rule.as_str())
            }
            _ => String::new(),
        };
        format!("{at}: {sent} {unit} is {result} {wanted}{how}{cut}; send {value}{unit_change}.")
    }

    /// The part of the sentence that speaks of the unit's member.
    fn unit_words(&self, site: &Site<'_>) -> String {
        let wanted = &site.rule.text;
        match &site.given {
            Given::Member(path, _) => {
                let pointer = pointer::of_path(self.tree, path);
                format!(", and set {} to {wanted:?}", shown(&pointer))
            }
            Given::Caller(_, Some((path, name))) => {
                let object = pointer::of_path(self.tree, path);
                format!(", and add {object}{} with {wanted:?}", pointer::step(name))
            }
            _ => String::new(),
        }
    }

    fn measure(&self, rule: &Rule, unit: &str) -> Result<Measure, (Reason, String)> {
        match rule.measure_of(unit) {
            Some((dimension, measure)) if dimension == rule.dimension => Ok(measure),
            Some((dimension, _)) => Err((
                Reason::DimensionMismatch,
                format!(
                    "{unit:?} measures {}, and {} in {:?} is expected",
                    dimension.as_str(),
                    rule.dimension.as_str(),
                    rule.text
                ),
            )),
            None => {
                let better = units::hint(unit)
                    .map_or_else(String::new, |better| format!("; do you mean {better}"));
                let words = format!(
                    "{:?} is no unit of the table{better}; send the value in {:?}",
                    cut(unit),
                    rule.text
                );
                Err((Reason::UnknownUnit, words))
            }
        }
    }

    fn date(
        &self,
        site: &Site<'_>,
        wanted: DateFormat,
        mismatch: &mut Mismatch,
    ) -> Result<Vec<Edit>, (Reason, String)> {
        let pointer = pointer::of_path(self.tree, &site.path);
        let at = shown(&pointer);
        let sent = scalar_text(site.value).ok_or_else(|| {
            let words = format!("a date in {} is expected", wanted.as_str());
            (Reason::UnsupportedField, words)
        })?;
        let own = match &site.given {
            Given::Caller(rule, _) => rule.date(),
            _ => None,
        };
        mismatch.from = Some(Amount {
            value: cut(sent),
            unit: own.map(|format| format.as_str().to_owned()),
        });
        let readings = match own.and_then(|own| own.read(site.value).map(|moment| (own, moment))) {
            Some(reading) => vec![reading],
            None => dates::readings(site.value),
        };
        let (format, moment) = match readings.as_slice() {
            [one] => one,
            [] => {
                let words = format!(
                    "{:?} is a date in no format that is known; send it in {}",
                    cut(sent),
                    wanted.as_str()
                );
                return Err((Reason::AmbiguousDate, words));
            }
            several => {
                let words = format!(
                    "{sent:?} may be read as {}; send it in {}, or declare your date_format",
                    dates::list(several),
                    wanted.as_str()
                );
                return Err((Reason::AmbiguousDate, words));
            }
        };
        let value = wanted
            .write(moment)
            .map_err(|gap| gap_words(gap, sent, wanted))?;
        let text = scalar_text(&value).unwrap_or_default().to_owned();
        mismatch.correction = format!(
            "{at}: {sent:?} ({}) is {} in {}; send {}.",
            format.as_str(),
            text,
            wanted.as_str(),
            value.to_json()
        );
        mismatch.from = Some(Amount {
            value: cut(sent),
            unit: Some(format.as_str().to_owned()),
        });
        mismatch.to = Some(Amount {
            value: text,
            unit: Some(wanted.as_str().to_owned()),
        });
        mismatch.lossless = Some(true);
        Ok(vec![Edit::set(site.path.clone(), value)])
    }
}

fn gap_words(gap: Gap, sent: &str, wanted: DateFormat) -> (Reason, String) {
    let wanted = wanted.as_str();
    match gap {
        Gap::Unknown => (
            Reason::AmbiguousDate,
            format!(
                "{sent:?} lacks the time of day or the time zone that {wanted} needs, and none is invented; send it whole"
            ),
        ),
        Gap::Loss => (
            Reason::PrecisionExceeded,
            format!("{sent:?} is finer than {wanted} can say; send it in {wanted}"),
        ),
    }
}

fn unit_text(site: &Site<'_>) -> Result<String, (Reason, String)> {
    let wanted = &site.rule.text;
    match &site.given {
        Given::Member(_, node) => node.as_str().map(str::to_owned).ok_or_else(|| {
            let words = format!("the unit beside it is no text; {wanted:?} is expected");
            (Reason::UnsupportedField, words)
        }),
        Given::Caller(rule, _) => Ok(rule.text.to_string()),
        Given::Fixed => Ok(wanted.to_string()),
        Given::Missing(name) => Err((
            Reason::MissingUnit,
            format!(
                "no unit is named; send the value in {wanted:?} and say so in {name:?} beside it, or declare your own terms"
            ),
        )),
        Given::Orphan => Err((
            Reason::UnsupportedField,
            format!(
                "a unit other than {wanted:?} that stands beside no value it could be the unit of; send the values in {wanted:?}"
            ),
        )),
    }
}

fn read_number(value: &Tree<'_>, sent: Option<&str>) -> Result<Decimal, (Reason, String)> {
    let sent = sent
        .filter(|_| !matches!(value, Tree::Bool(_)))
        .ok_or_else(|| {
            let reason = if matches!(value, Tree::Bool(_)) {
                Reason::NonNumericValue
            } else {
                Reason::UnsupportedField
            };
            (reason, "a number is expected".to_owned())
        })?;
    Decimal::parse(sent).map_err(|error| match error {
        NumberError::NotANumber => (
            Reason::NonNumericValue,
            format!(
                "{:?} is no number; send digits alone, as in 12.5",
                cut(sent)
            ),
        ),
        NumberError::TooManyDigits => (
            Reason::PrecisionExceeded,
            "the number has more than 38 digits".to_owned(),
        ),
    })
}

fn same(rule: &Rule, unit: &str, measure: &Measure) -> bool {
    match (measure, &rule.measure) {
        (Measure::Pack(_), Measure::Pack(_)) => units::same_name(unit, &rule.text),
        (one, other) => one == other,
    }
}

/// The change that names the receiver's unit, where a member names one or should.
fn write_unit(site: &Site<'_>) -> Vec<Edit> {
    let unit = Tree::text(&site.rule.text);
    match &site.given {
        Given::Member(path, _) => vec![Edit::set(path.clone(), unit)],
        Given::Caller(_, Some((path, name))) => vec![Edit {
            path: path.clone(),
            change: Change::Insert(name.clone(), unit),
        }],
        _ => Vec::new(),
    }
}

fn given_unit(site: &Site<'_>) -> Tree<'static> {
    match &site.given {
        Given::Member(_, node) => short(node),
        Given::Caller(rule, _) => Tree::text(&rule.text),
        Given::Orphan => short(site.value),
        Given::Fixed => Tree::text(&site.rule.text),
        Given::Missing(_) => Tree::Null,
    }
}

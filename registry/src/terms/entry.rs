//! Reads one entry of `terms[]`.

use num_rational::BigRational;

use super::decimal::{MAX_DIGITS, Rounding};
use super::declare::{CompileCode, CompileError, Direction, Field, expected};
use super::pointer::{self, Pattern};
use super::rule::Rule;
use super::tree::Tree;
use super::units::{self, Dimension};

/// The most entries of one list.
const MAX_ENTRIES: usize = 64;

/// The longest unit text.
const MAX_UNIT: usize = 64;

const KNOWN: [&str; 8] = [
    "pointer",
    "dimension",
    "unit",
    "unit_pointer",
    "scale",
    "rounding",
    "factors",
    "applies_to",
];

/// Reads a list of entries; no list is an empty one.
pub(super) fn list(text: Option<&str>, at: &str) -> Result<Vec<Field>, CompileError> {
    let Some(text) = text else {
        return Ok(Vec::new());
    };
    let wrong = |reason: String| CompileError::new(CompileCode::WrongType, at, reason);
    let tree = Tree::parse(text).map_err(|error| wrong(error.to_string()))?;
    let items = match &tree {
        Tree::Array(items) => items,
        Tree::Null => return Ok(Vec::new()),
        _ => return Err(wrong("terms are a list of entries".to_owned())),
    };
    if items.len() > MAX_ENTRIES {
        let reason = format!("at most {MAX_ENTRIES} entries");
        return Err(CompileError::new(CompileCode::TooLarge, at, reason));
    }
    let mut fields: Vec<Field> = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let field = Entry {
            item,
            at: format!("{at}/{index}"),
        }
        .read()?;
        let twice = fields.iter().any(|known| {
            known.pattern == field.pattern
                && (known.direction.covers(field.direction)
                    || field.direction.covers(known.direction))
        });
        if twice {
            let place = format!("{at}/{index}/pointer");
            let reason = "another entry has this pointer";
            return Err(CompileError::new(CompileCode::Duplicate, place, reason));
        }
        fields.push(field);
    }
    Ok(fields)
}

struct Entry<'t> {
    item: &'t Tree<'t>,
    at: String,
}

impl<'t> Entry<'t> {
    fn read(&self) -> Result<Field, CompileError> {
        let members = self.item.members().ok_or_else(|| {
            CompileError::new(CompileCode::WrongType, &self.at, "an entry is an object")
        })?;
        for (name, _) in members {
            if !KNOWN.contains(&name.as_str()) {
                let place = format!("{}{}", self.at, pointer::step(name.as_str()));
                let reason = format!("no such member; known are {}", KNOWN.join(", "));
                return Err(CompileError::new(CompileCode::UnknownMember, place, reason));
            }
        }
        let pattern = self.pattern("pointer", self.needed("pointer")?)?;
        let dimension = self.needed("dimension")?;
        let dimension = Dimension::parse(dimension).ok_or_else(|| {
            let known: Vec<_> = Dimension::ALL.iter().map(|one| one.as_str()).collect();
            let reason = format!("one of {}", known.join(", "));
            self.wrong(CompileCode::UnknownDimension, "dimension", &reason)
        })?;
        let packs = self.factors(dimension)?;
        let unit = self.needed("unit")?;
        if unit.len() > MAX_UNIT || unit.is_empty() {
            return Err(self.wrong(CompileCode::BadValue, "unit", "1 to 64 bytes"));
        }
        let (text, measure) = expected(unit, dimension, &packs, &format!("{}/unit", self.at))?;
        Ok(Field {
            unit_at: self.unit_at(&pattern, dimension)?,
            rule: Rule {
                key: None,
                dimension,
                text,
                measure,
                scale: self.scale(dimension)?,
                rounding: self.rounding()?,
                packs,
            },
            direction: self.direction()?,
            pattern,
        })
    }

    /// A member that is there and not null.
    fn get(&self, name: &str) -> Option<&'t Tree<'t>> {
        self.item
            .get(name)
            .filter(|value| !matches!(value, Tree::Null))
    }

    fn text(&self, name: &str) -> Result<Option<&'t str>, CompileError> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => match value.as_str() {
                Some(text) => Ok(Some(text)),
                None => Err(self.wrong(CompileCode::WrongType, name, "a string")),
            },
        }
    }

    fn needed(&self, name: &str) -> Result<&'t str, CompileError> {
        self.text(name)?
            .ok_or_else(|| self.wrong(CompileCode::Missing, name, "is missing"))
    }

    fn pattern(&self, name: &str, text: &str) -> Result<Pattern, CompileError> {
        Pattern::parse(text).map_err(|reason| self.wrong(CompileCode::BadPointer, name, reason))
    }

    fn unit_at(
        &self,
        pattern: &Pattern,
        dimension: Dimension,
    ) -> Result<Option<Pattern>, CompileError> {
        let Some(text) = self.text("unit_pointer")? else {
            return Ok(None);
        };
        if dimension == Dimension::Date {
            let reason = "a date format is fixed: no member of the payload names it";
            return Err(self.wrong(CompileCode::BadPointer, "unit_pointer", reason));
        }
        let unit_at = self.pattern("unit_pointer", text)?;
        if unit_at == *pattern {
            let reason = "a value is not its own unit";
            return Err(self.wrong(CompileCode::BadPointer, "unit_pointer", reason));
        }
        if unit_at.stars() > pattern.stars() || !unit_at.follows(pattern) {
            let reason = "each * of unit_pointer stands for the same item as in pointer";
            return Err(self.wrong(CompileCode::BadPointer, "unit_pointer", reason));
        }
        Ok(Some(unit_at))
    }

    fn scale(&self, dimension: Dimension) -> Result<Option<u8>, CompileError> {
        let Some(value) = self.get("scale") else {
            return Ok(None);
        };
        let refused = |reason| Err(self.wrong(CompileCode::BadValue, "scale", reason));
        let Tree::Number(text) = value else {
            return Err(self.wrong(CompileCode::WrongType, "scale", "a whole number"));
        };
        match (text.parse::<u8>(), dimension) {
            (_, Dimension::Date) => refused("a date has no scale"),
            (Ok(1..), Dimension::Count) => refused("a count is whole: its scale is 0"),
            (Ok(scale), _) if usize::from(scale) < MAX_DIGITS => Ok(Some(scale)),
            _ => refused("a whole number from 0 to 37"),
        }
    }

    fn rounding(&self) -> Result<Rounding, CompileError> {
        let Some(text) = self.text("rounding")? else {
            return Ok(Rounding::default());
        };
        Rounding::parse(text).ok_or_else(|| {
            let known: Vec<_> = Rounding::ALL.iter().map(|rule| rule.as_str()).collect();
            let reason = format!("one of {}", known.join(", "));
            self.wrong(CompileCode::BadValue, "rounding", &reason)
        })
    }

    fn direction(&self) -> Result<Direction, CompileError> {
        match self.text("applies_to")? {
            None | Some("both") => Ok(Direction::Both),
            Some("request") => Ok(Direction::Request),
            Some("reply") => Ok(Direction::Reply),
            Some(_) => {
                let reason = "one of request, reply, both";
                Err(self.wrong(CompileCode::BadValue, "applies_to", reason))
            }
        }
    }

    /// `{"pallet": "480"}`: how many each one of them is.
    fn factors(&self, dimension: Dimension) -> Result<Vec<(Box<str>, BigRational)>, CompileError> {
        let Some(value) = self.get("factors") else {
            return Ok(Vec::new());
        };
        let members = value
            .members()
            .filter(|members| dimension == Dimension::Count && members.len() <= MAX_ENTRIES)
            .ok_or_else(|| {
                let reason = "factors are an object of at most 64, and only for counts";
                self.wrong(CompileCode::BadValue, "factors", reason)
            })?;
        let mut packs = Vec::with_capacity(members.len());
        for (name, value) in members {
            let text = match value {
                Tree::Number(text) => text.as_ref(),
                Tree::String(text) => text.as_str(),
                _ => "",
            };
            let factor = super::decimal::Decimal::parse(text)
                .ok()
                .filter(|factor| factor.is_positive() && factor.is_whole());
            let fixed = units::find(name.as_str()).is_some_and(|unit| unit.factor.is_some());
            match factor {
                Some(factor) if !fixed => packs.push((name.as_str().into(), factor.exact())),
                _ => {
                    let place = format!("factors{}", pointer::step(name.as_str()));
                    let reason = "a whole number above zero, for a name that has no factor yet";
                    return Err(self.wrong(CompileCode::BadValue, &place, reason));
                }
            }
        }
        Ok(packs)
    }

    fn wrong(&self, code: CompileCode, name: &str, reason: &str) -> CompileError {
        CompileError::new(code, format!("{}/{name}", self.at), reason)
    }
}

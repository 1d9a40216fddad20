//! Changes to a tree, collected first and applied together, so that no change hides another.

use std::collections::BTreeMap;

use super::tree::{Text, Tree};

/// One change at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    /// The value becomes another.
    Set(Tree<'static>),
    /// The object gets a further member.
    Insert(String, Tree<'static>),
    /// The member gets another name.
    Rename(String),
}

/// A change and the path of places where it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub path: Vec<usize>,
    pub change: Change,
}

impl Edit {
    pub const fn set(path: Vec<usize>, value: Tree<'static>) -> Self {
        Self {
            path,
            change: Change::Set(value),
        }
    }
}

/// What is changed at one place.
type Slot = (Vec<usize>, u8, String);

/// Changes that do not contradict each other.
#[derive(Debug, Default)]
pub(super) struct Edits(BTreeMap<Slot, Change>);

impl Edits {
    /// Takes all of the changes, or none when one of them contradicts an earlier one.
    pub fn take(&mut self, edits: Vec<Edit>) -> bool {
        let clash = edits.iter().any(|edit| {
            self.0
                .get(&slot(edit))
                .is_some_and(|known| *known != edit.change)
        });
        if !clash {
            self.0
                .extend(edits.into_iter().map(|edit| (slot(&edit), edit.change)));
        }
        !clash
    }

    /// Makes all changes. New members go last, so that no place moves under another change.
    pub fn apply(self, tree: &mut Tree<'static>) {
        for ((path, _, _), change) in self.0 {
            match change {
                Change::Set(value) => {
                    if let Some(target) = find(tree, &path) {
                        *target = value;
                    }
                }
                Change::Insert(name, value) => {
                    if let Some(Tree::Object(members)) = find(tree, &path)
                        && super::tree::find(members, &name).is_none()
                    {
                        members.push((Text::from(name.as_str()), value));
                    }
                }
                Change::Rename(name) => rename(tree, &path, &name),
            }
        }
    }
}

fn rename(tree: &mut Tree<'static>, path: &[usize], name: &str) {
    let Some((place, parent)) = path.split_last() else {
        return;
    };
    if let Some(Tree::Object(members)) = find(tree, parent)
        && super::tree::find(members, name).is_none()
        && let Some((old, _)) = members.get_mut(*place)
    {
        *old = Text::from(name);
    }
}

fn slot(edit: &Edit) -> Slot {
    match &edit.change {
        Change::Set(_) => (edit.path.clone(), 0, String::new()),
        Change::Rename(_) => (edit.path.clone(), 1, String::new()),
        Change::Insert(name, _) => (edit.path.clone(), 2, name.clone()),
    }
}

fn find<'t>(tree: &'t mut Tree<'static>, path: &[usize]) -> Option<&'t mut Tree<'static>> {
    path.iter().try_fold(tree, |at, &place| at.child_mut(place))
}

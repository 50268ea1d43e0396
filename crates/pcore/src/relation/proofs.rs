//! Assignability of recursive types, with each comparison decided once.

use foldhash::HashMap;

use crate::types::{Type, TypeKind};

/// The known and assumed answers for pairs of types.
///
/// A recursive comparison is assumed to be positive until it is refuted; conclusions from a refuted assumption are
/// discarded. Each pair is refuted at most once, so the number of comparisons is polynomial in the number of types.
#[derive(Default)]
pub(super) struct Proofs {
    answers: HashMap<(Type, Type), bool>,
    /// The pairs with a positive answer, in order: later pairs may depend on earlier ones.
    assumed: Vec<(Type, Type)>,
    steps: usize,
}

/// The maximum number of comparisons, after which the answer is no.
const MOST_STEPS: usize = 50_000;

/// The state of a comparison at its start.
pub(super) enum Begun {
    /// The answer is known.
    Known(bool),
    /// The answer is unknown, and assumed to be yes until it is decided. The number is the index of the assumption.
    Assumed(usize),
}

impl Proofs {
    /// Whether a comparison can lead to many others, or to infinitely many.
    pub(super) fn is_worth_it(this: &Type, that: &Type) -> bool {
        let is_alias = |it: &Type| matches!(it.kind(), TypeKind::Alias(_));
        is_alias(this) || is_alias(that) || this.extent().depth() > 0 && that.extent().depth() > 0
    }

    /// Starts the comparison of two types.
    pub(super) fn begin(&mut self, this: &Type, that: &Type) -> Begun {
        let pair = (this.clone(), that.clone());
        if let Some(answer) = self.answers.get(&pair) {
            return Begun::Known(*answer);
        }
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Begun::Known(false);
        }
        self.answers.insert(pair.clone(), true);
        self.assumed.push(pair);
        Begun::Assumed(self.assumed.len() - 1)
    }

    /// Records the answer of a comparison.
    pub(super) fn end(&mut self, mark: usize, accepts: bool) {
        if accepts {
            return;
        }
        let mut refuted = self.assumed.drain(mark..);
        let pair = refuted.next();
        for it in refuted {
            self.answers.remove(&it);
        }
        if let Some(pair) = pair {
            self.answers.insert(pair, false);
        }
    }
}

//! Whether recursive types accept each other, with each question answered once.

use foldhash::HashMap;

use crate::types::{Type, TypeKind};

/// What is known, and what is assumed, of pairs of types.
///
/// A question that leads back to itself is answered with yes, as long as nothing is found that speaks against it; what was
/// concluded from that is forgotten if something is. Each pair is refused at most once, so that the number of questions is
/// a polynomial of the number of types.
#[derive(Default)]
pub(super) struct Proofs {
    answers: HashMap<(Type, Type), bool>,
    /// The pairs whose answer is yes, in order: what stands behind a pair may rest on it.
    assumed: Vec<(Type, Type)>,
    steps: usize,
}

/// How many questions are asked before the answer is no.
const MOST_STEPS: usize = 50_000;

/// What is known of a question that is asked.
pub(super) enum Begun {
    /// The answer.
    Known(bool),
    /// Nothing: until it is found out, it is yes. The number is that of the assumption.
    Assumed(usize),
}

impl Proofs {
    /// Whether a question can lead to others without end, or to many.
    pub(super) fn is_worth_it(this: &Type, that: &Type) -> bool {
        let is_alias = |it: &Type| matches!(it.kind(), TypeKind::Alias(_));
        is_alias(this) || is_alias(that) || this.extent().depth() > 0 && that.extent().depth() > 0
    }

    /// Asks whether a type accepts another.
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

    /// Says what the answer is.
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

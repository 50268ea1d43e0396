//! Variable lookup in a body: decides whether a name refers to a variable of a lambda, of the function, or of the scope.

use foldhash::HashMap;
use marotte_hir::body::{Body, Expr, FrameId, LambdaId, Parameter, TargetKind, Variable, When, parts};
use marotte_hir::{ExprId, Item};
use marotte_text::Str;

use crate::Db;

/// The frames of a body: the innermost frame around each expression, and the places where each variable is set.
pub(crate) struct Frames<'b> {
    body: &'b Body,
    /// The surroundings of each expression, by its index; None for expressions that aren't visited.
    around: Vec<Option<Around>>,
    outer: HashMap<FrameId, Around>,
    /// The expression that contains each expression, and the branch of it.
    whole: Vec<Option<(ExprId, Option<usize>)>>,
    /// The expressions after which a variable of a frame is set.
    set: HashMap<(Around, Str), Vec<ExprId>>,
}

/// The innermost frame, if there is one.
type Around = Option<FrameId>;

impl<'b> Frames<'b> {
    pub(crate) fn of(body: &'b Body) -> Frames<'b> {
        let count = body.exprs().count();
        let (around, whole) = (vec![None; count], vec![None; count]);
        let mut frames = Frames { body, around, outer: HashMap::default(), whole, set: HashMap::default() };
        frames.walk();
        frames
    }

    fn walk(&mut self) {
        let body = self.body;
        let mut open: Vec<ExprId> = Vec::new();
        self.parameters(&body.parameters, body.frame, &mut open);
        for it in body.return_type.iter().chain(&body.statements) {
            self.visit(*it, body.frame, &mut open);
        }
        while let Some(id) = open.pop() {
            let frame = self.frame(id);
            let expr = body.expr(id);
            // The contents of a lambda are in its frame, and therefore visited before the other parts.
            if let Some(lambda) = lambda_of(expr).map(|it| body.lambda(it)) {
                self.outer.insert(lambda.frame, frame);
                self.parameters(&lambda.parameters, Some(lambda.frame), &mut open);
                for it in &lambda.statements {
                    self.visit(*it, Some(lambda.frame), &mut open);
                    self.whole[it.index()] = Some((id, None));
                }
            }
            if let Expr::Assign { target, .. } = expr {
                for (at, name) in target.variables() {
                    self.place(at, frame);
                    self.set.entry((frame, name.clone())).or_default().push(id);
                }
            }
            parts(body, expr, &mut |part, when| {
                self.visit(part, frame, &mut open);
                let branch = match when {
                    When::Sometimes(number) => Some(number),
                    When::Always | When::Called(_) => None,
                };
                self.whole[part.index()].get_or_insert((id, branch));
            });
        }
    }

    fn parameters(&mut self, parameters: &[Parameter], frame: Around, open: &mut Vec<ExprId>) {
        for it in parameters {
            self.place(it.at, frame);
            self.set.entry((frame, it.name.clone())).or_default().push(it.at);
            for part in it.type_expr.into_iter().chain(it.default) {
                self.visit(part, frame, open);
            }
        }
    }

    fn visit(&mut self, id: ExprId, frame: Around, open: &mut Vec<ExprId>) {
        if self.place(id, frame) {
            open.push(id);
        }
    }

    /// Records the frame of an expression. Returns whether it is visited for the first time.
    fn place(&mut self, id: ExprId, frame: Around) -> bool {
        match self.around.get_mut(id.index()) {
            Some(around @ None) => {
                *around = Some(frame);
                true
            }
            _ => false,
        }
    }

    fn frame(&self, at: ExprId) -> Around {
        self.around.get(at.index()).copied().flatten().flatten()
    }

    /// The frame of a variable that is set here; None for the scope.
    pub(crate) fn set_in(&self, at: ExprId) -> Option<FrameId> {
        self.frame(at)
    }

    /// The frames around an expression, the innermost first.
    pub(crate) fn around(&self, at: ExprId) -> Vec<FrameId> {
        let mut found = Vec::new();
        let mut frame = self.frame(at);
        while let Some(it) = frame {
            found.push(it);
            frame = self.outer.get(&it).copied().flatten();
        }
        found
    }

    /// Whether a frame, or the scope, has a variable.
    pub(crate) fn has(&self, frame: Option<FrameId>, name: &str) -> bool {
        self.set.contains_key(&(frame, name.into()))
    }

    /// Whether the scope sets a variable, but only after this place.
    pub(crate) fn is_set_later(&self, at: ExprId, name: &Str) -> bool {
        let set = self.set.get(&(None, name.clone()));
        set.is_some_and(|all| all.iter().all(|it| *it > at || self.exclude(*it, at)))
    }

    /// Whether two expressions are never evaluated together because they are on different branches.
    fn exclude(&self, one: ExprId, other: ExprId) -> bool {
        let branches = |id: ExprId| {
            let mut found = HashMap::default();
            let mut at = id;
            while let Some((whole, branch)) = self.whole.get(at.index()).copied().flatten() {
                found.extend(branch.map(|it| (whole, it)));
                at = whole;
            }
            found
        };
        let (one, other): (HashMap<ExprId, usize>, _) = (branches(one), branches(other));
        let is_choice =
            |id: &ExprId| matches!(self.body.expr(*id), Expr::If(_) | Expr::Unless(_) | Expr::Case(_));
        // Tests have even numbers, and the blocks that follow from them odd ones; the `else` block has the last number.
        let is_test = |id: &ExprId, number: usize| {
            let last = match self.body.expr(*id) {
                Expr::If(it) | Expr::Unless(it) => 2 * it.arms.len(),
                _ => usize::MAX,
            };
            number.is_multiple_of(2) && number != last
        };
        let mut shared = one.iter().filter(|(id, _)| is_choice(id));
        shared.any(|(id, number)| {
            other.get(id).is_some_and(|it| it != number && !is_test(id, *it) && !is_test(id, *number))
        })
    }

    /// The frame of a variable that is read here by its short name; None for the scope.
    pub(crate) fn read_in(&self, at: ExprId, variable: &Variable) -> Option<FrameId> {
        let Variable::Local { name, candidates } = variable else { return None };
        let mut frames = Vec::new();
        let mut frame = self.frame(at);
        let mut up = 0;
        for candidate in candidates {
            while up < candidate.up {
                frame = frame.and_then(|it| self.outer.get(&it).copied().flatten());
                up += 1;
            }
            frames.extend(frame);
        }
        let is_set_before = |frame: Option<FrameId>| {
            self.set.get(&(frame, name.clone())).is_some_and(|all| all.iter().any(|it| *it < at))
        };
        let set = frames.iter().copied().find(|it| is_set_before(Some(*it)));
        let in_scope = || self.set.contains_key(&(None, name.clone()));
        set.or_else(|| frames.first().copied().filter(|_| !in_scope()))
    }
}

fn lambda_of(expr: &Expr) -> Option<LambdaId> {
    match expr {
        Expr::Call(it) => it.lambda,
        Expr::MethodCall(it) => it.lambda,
        Expr::Apply(_, it) => Some(*it),
        _ => None,
    }
}

/// Whether an item's scope has a variable of this name: a parameter, or one that its statements set.
pub(crate) fn scope_has(db: &dyn Db, item: Item<'_>, name: &str) -> bool {
    let body = item.body(db);
    body.frame.is_none()
        && (body.parameters.iter().any(|it| it.name == name)
            || body.exprs().any(|(_, it)| match it {
                Expr::Assign { target, .. } => sets(&target.kind, name),
                _ => false,
            }))
}

fn sets(target: &TargetKind, name: &str) -> bool {
    match target {
        TargetKind::Variable(it, None) => it == name,
        TargetKind::Several(all) => all.iter().any(|it| sets(&it.kind, name)),
        TargetKind::Variable(_, Some(_)) | TargetKind::Other => false,
    }
}

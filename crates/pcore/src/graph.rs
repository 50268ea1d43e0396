//! Graphs of points that are numbered from 0.

/// Returns the strongly connected components of more than one point (Tarjan's algorithm, without recursion). `after` returns
/// the points that directly follow a point.
///
/// ```
/// # use marotte_pcore::graph::components;
/// let after: [&[usize]; 4] = [&[1], &[0, 2], &[2], &[]];
/// assert_eq!(components(4, |point| after[point]), [[0, 1]]);
/// ```
pub fn components<'g>(count: usize, after: impl Fn(usize) -> &'g [usize]) -> Vec<Vec<usize>> {
    let (mut order, mut low, mut on_stack) = (vec![usize::MAX; count], vec![0; count], vec![false; count]);
    let (mut stack, mut components, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..count {
        if order[root] != usize::MAX {
            continue;
        }
        let mut open = vec![(root, 0)];
        while let Some((point, edge)) = open.pop() {
            if edge == 0 {
                (order[point], low[point], on_stack[point]) = (next, next, true);
                next += 1;
                stack.push(point);
            }
            if let Some(target) = after(point).get(edge).copied() {
                open.push((point, edge + 1));
                if order[target] == usize::MAX {
                    open.push((target, 0));
                } else if on_stack[target] {
                    low[point] = low[point].min(order[target]);
                }
                continue;
            }
            if let Some((parent, _)) = open.last() {
                low[*parent] = low[*parent].min(low[point]);
            }
            if low[point] == order[point] {
                let start = stack.iter().rposition(|it| *it == point).unwrap_or_default();
                let component: Vec<usize> = stack.split_off(start);
                for it in &component {
                    on_stack[*it] = false;
                }
                if component.len() > 1 {
                    components.push(component);
                }
            }
        }
    }
    components
}

#[cfg(test)]
mod tests {
    use super::components;

    fn sorted(after: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let mut all = components(after.len(), |it| &after[it]);
        all.iter_mut().for_each(|it| it.sort_unstable());
        all.sort();
        all
    }

    #[test]
    fn components_are_strongly_connected() {
        assert_eq!(sorted(&[vec![1], vec![2], vec![0, 3], vec![3]]), [[0, 1, 2]]);
        assert_eq!(sorted(&[vec![1], vec![0, 2], vec![3], vec![2]]), [[0, 1], [2, 3]]);
        assert!(sorted(&[vec![1, 2], vec![2], vec![]]).is_empty());
        assert_eq!(sorted(&[vec![1, 2], vec![3], vec![3], vec![0, 4], vec![]]), [[0, 1, 2, 3]]);
    }

    #[test]
    fn a_long_path_takes_no_stack() {
        let count = 200_000;
        let ring: Vec<Vec<usize>> = (0..count).map(|it| vec![(it + 1) % count]).collect();
        assert_eq!(components(count, |it| &ring[it])[0].len(), count);
    }
}

use foldhash::{HashMap, HashMapExt as _};
use marotte_catalog::Reference;

/// Returns a smallest set of resources that have to move so that two lists of the same resources are in the same order: all
/// except a longest increasing subsequence.
pub(crate) fn moved<'a>(before: &[&'a Reference], after: &[&'a Reference]) -> Vec<&'a Reference> {
    let mut numbers: HashMap<&Reference, usize> = HashMap::with_capacity(after.len());
    numbers.extend(after.iter().enumerate().map(|(number, it)| (*it, number)));
    let places: Vec<usize> = before.iter().filter_map(|it| numbers.get(it).copied()).collect();
    let mut stays = vec![false; places.len()];
    // `ends[n]` is where the best subsequence of n + 1 elements ends, `previous` what comes before an element in its own.
    let (mut ends, mut previous): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), vec![None; places.len()]);
    for (index, place) in places.iter().enumerate() {
        let length = ends.partition_point(|it| places[*it] < *place);
        previous[index] = length.checked_sub(1).map(|it| ends[it]);
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut next = ends.last().copied();
    while let Some(index) = next {
        stays[index] = true;
        next = previous[index];
    }
    before.iter().zip(stays).filter(|(_, stays)| !stays).map(|(it, _)| *it).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_few_as_possible_move() {
        let all: Vec<Reference> = ["a", "b", "c", "d", "e"].map(|it| Reference::new("notify", it)).into();
        let list = |order: &[usize]| order.iter().map(|it| &all[*it]).collect::<Vec<_>>();
        let moved = |after: &[usize]| {
            moved(&list(&[0, 1, 2, 3, 4]), &list(after)).iter().map(|it| &*it.title).collect::<Vec<_>>()
        };
        assert!(moved(&[0, 1, 2, 3, 4]).is_empty());
        assert_eq!(moved(&[4, 0, 1, 2, 3]), ["e"]);
        assert_eq!(moved(&[1, 2, 3, 4, 0]), ["a"]);
        assert_eq!(moved(&[4, 3, 2, 1, 0]).len(), 4);
    }
}

'use strict';
const names = JSON.parse(document.getElementById('names').textContent);
const lower = names.map((it) => it.toLowerCase());
// The numbers of nodes, of which ranges are written as `first-last`.
const numbers = (text) => text.split(',').filter(Boolean).flatMap((it) => {
  const [first, last = first] = it.split('-').map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
});
const sections = Array.from(document.querySelectorAll('section'), (it) => ({
  it,
  nodes: numbers(it.dataset.nodes),
  cause: it.querySelector(':scope > .cause')?.textContent.toLowerCase() ?? '',
  changes: Array.from(it.querySelectorAll('.change'), (it) => [it, it.textContent.toLowerCase(), it.dataset]),
}));
for (const { it, nodes } of sections) {
  const list = it.querySelector('details');
  // Lists may be long: they are made when somebody wants to see them.
  list.addEventListener('toggle', () => {
    const place = list.querySelector('.names');
    if (list.open && !place.textContent) place.textContent = nodes.map((it) => names[it]).join(', ');
  });
}
const [node, inClass, type, text] = ['node', 'class', 'type', 'text'].map((it) => document.getElementById(it));
const count = document.getElementById('count');
function update() {
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const name = node.value.trim().toLowerCase();
  let shown = 0;
  for (const { it, nodes, cause, changes } of sections) {
    const hasNode = !name || nodes.some((it) => lower[it].includes(name));
    let any = false;
    for (const [change, content, own] of changes) {
      const fits = (!type.value || own.type === type.value) && (!inClass.value || own.class === inClass.value) && words.every((word) => content.includes(word) || cause.includes(word));
      change.hidden = !fits;
      any ||= fits;
    }
    it.hidden = !(hasNode && any);
    shown += it.hidden ? 0 : 1;
  }
  count.textContent = `${shown} of ${sections.length} groups shown`;
}
document.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
for (const it of [node, inClass, type, text]) it.addEventListener('input', update);
for (const it of document.querySelectorAll('.graph [data-class]')) {
  it.addEventListener('click', () => {
    inClass.value = it.dataset.class;
    update();
    inClass.scrollIntoView({ behavior: 'smooth' });
  });
}
for (const it of document.querySelectorAll('.graph [data-group]')) {
  it.addEventListener('click', () => {
    for (const field of [node, inClass, type, text]) field.value = '';
    update();
    document.getElementById(`group-${it.dataset.group}`)?.scrollIntoView({ behavior: 'smooth' });
  });
}
update();

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
// Errors and unknown parts have neither a type nor a class: they may concern any.
const isOf = (wanted, given) => !wanted || given === undefined || given === wanted;
function update() {
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const name = node.value.trim().toLowerCase();
  let shown = 0;
  for (const { it, nodes, cause, changes } of sections) {
    const hasNode = !name || nodes.some((it) => lower[it].includes(name));
    let any = false;
    for (const [change, content, own] of changes) {
      const fits = isOf(type.value, own.type) && isOf(inClass.value, own.class) && words.every((word) => content.includes(word) || cause.includes(word));
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
// Boxes of the graph are buttons, for the mouse and for the keyboard.
function button(it, press) {
  it.addEventListener('click', press);
  it.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    press();
  });
}
for (const it of document.querySelectorAll('.graph [data-class]')) {
  button(it, () => {
    inClass.value = it.dataset.class;
    update();
    inClass.scrollIntoView({ behavior: 'smooth' });
    inClass.focus({ preventScroll: true });
  });
}
for (const it of document.querySelectorAll('.graph [data-group]')) {
  button(it, () => {
    for (const field of [node, inClass, type, text]) field.value = '';
    update();
    const group = document.getElementById(`group-${it.dataset.group}`);
    group?.scrollIntoView({ behavior: 'smooth' });
    group?.querySelector('summary')?.focus({ preventScroll: true });
  });
}
update();

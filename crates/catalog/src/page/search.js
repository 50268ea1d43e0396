'use strict';
const all = Array.from(document.querySelectorAll('details'), (it) => [it, it.textContent.toLowerCase()]);
const search = document.getElementById('search');
const count = document.getElementById('count');
function update() {
  const words = search.value.toLowerCase().split(/\s+/);
  let shown = 0;
  for (const [it, text] of all) {
    it.hidden = !words.every((word) => text.includes(word));
    shown += it.hidden ? 0 : 1;
  }
  count.textContent = `${shown} shown`;
}
function open() {
  const it = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (it) {
    it.hidden = false;
    it.open = true;
    it.scrollIntoView();
  }
}
search.addEventListener('input', update);
window.addEventListener('hashchange', open);
update();
open();

// Compares the grammar with the server's own tokens: node test/grammar.mjs PROGRAM FOLDER [MANIFESTS]
// Each token of the server is looked up in what the grammar says of its first character.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL, fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { Registry, parseRawGrammar, INITIAL } = require('vscode-textmate');
const oniguruma = require('vscode-oniguruma');
const here = path.dirname(fileURLToPath(import.meta.url));
const [program = '../../target/debug/marotte', folder = '../../tests', most = '200'] = process.argv.slice(2);

await oniguruma.loadWASM(fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer);
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const file = path.join(here, '..', 'syntaxes', scope === 'text.epp' ? 'epp.tmLanguage.json' : 'puppet.tmLanguage.json');
    return parseRawGrammar(fs.readFileSync(file, 'utf8'), file);
  },
});
const grammar = await registry.loadGrammar('source.puppet');

// What the grammar has to say of each kind of token. Names are told apart by meaning alone, which a grammar does not know.
const EXPECTED = {
  comment: /^comment/,
  string: /^(string|entity\.name|variable\.parameter|support\.function|constant\.language|punctuation\.definition\.heredoc)/,
  variable: /^variable\.other/,
  parameter: /^(variable\.other|variable\.parameter)/,
  number: /^(constant\.numeric|string\.unquoted)/,
  keyword: /^(keyword|storage|support\.function|string\.unquoted|constant)/,
  regexp: /^string\.regexp/,
};

function* manifests(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* manifests(file);
    else if (entry.name.endsWith('.pp')) yield file;
  }
}

const server = spawn(program, ['server'], { stdio: ['pipe', 'pipe', 'inherit'] });
let buffer = Buffer.alloc(0);
const waiting = new Map();
server.stdout.on('data', (data) => {
  buffer = Buffer.concat([buffer, data]);
  for (;;) {
    const end = buffer.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/.exec(buffer.subarray(0, end).toString())[1]);
    if (buffer.length < end + 4 + length) return;
    const message = JSON.parse(buffer.subarray(end + 4, end + 4 + length).toString());
    buffer = buffer.subarray(end + 4 + length);
    if (message.id !== undefined && !message.method) waiting.get(message.id)?.(message.result);
  }
});
const send = (message) => {
  const text = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  server.stdin.write(`Content-Length: ${text.length}\r\n\r\n`);
  server.stdin.write(text);
};
let next = 0;
const request = (method, params) => new Promise((resolve) => {
  waiting.set(++next, resolve);
  send({ id: next, method, params });
});

const { capabilities } = await request('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
const legend = capabilities.semanticTokensProvider.legend.tokenTypes;
const counts = {};
const examples = [];
let files = 0;
for (const file of manifests(folder)) {
  if (files++ >= Number(most)) break;
  const text = fs.readFileSync(file, 'utf8');
  const uri = pathToFileURL(path.resolve(file)).href;
  send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'puppet', version: 1, text } } });
  const { data } = await request('textDocument/semanticTokens/full', { textDocument: { uri } });
  send({ method: 'textDocument/didClose', params: { textDocument: { uri } } });
  let stack = INITIAL;
  const lines = text.split(/\r\n|\r|\n/).map((line) => {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    return { line, tokens: result.tokens };
  });
  let row = 0;
  let column = 0;
  for (let at = 0; at < data.length; at += 5) {
    column = data[at] === 0 ? column + data[at + 1] : data[at + 1];
    row += data[at];
    const kind = legend[data[at + 3]];
    const expected = EXPECTED[kind];
    if (!expected || !lines[row]) continue;
    const token = lines[row].tokens.find((it) => it.startIndex <= column && column < it.endIndex);
    const scopes = token?.scopes ?? [];
    const count = (counts[kind] ??= { same: 0, other: 0 });
    if (scopes.some((it) => expected.test(it))) count.same += 1;
    else {
      count.other += 1;
      if (examples.length < 15) examples.push(`${file}:${row + 1}:${column + 1} ${kind}: ${scopes.at(-1)}: ${lines[row].line.trim().slice(0, 80)}`);
    }
  }
}
await request('shutdown', null);
send({ method: 'exit' });
let same = 0;
let all = 0;
for (const [kind, count] of Object.entries(counts)) {
  same += count.same;
  all += count.same + count.other;
  console.log(`${kind}: ${count.same} the same, ${count.other} not`);
}
examples.forEach((it) => console.log(it));
console.log(`${files} manifests, ${((same / all) * 100).toFixed(2)} % of ${all} tokens`);
process.exitCode = same / all > 0.995 ? 0 : 1;

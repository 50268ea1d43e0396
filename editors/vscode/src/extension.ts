// The client of `marotte server`: finds the program, starts it, and shows what its commands give.

import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from 'vscode-languageclient/node';

/** What a command of the server gives. */
interface Shown {
  text: string;
  language: string;
  messages: string;
}

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const register = (name: string, run: (...args: any[]) => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  register('marotte.restart', async () => {
    await client?.stop();
    await start(context);
  });
  register('marotte.showReferences', (uri: string, at: any, locations: any[]) => {
    const converter = client!.protocol2CodeConverter;
    const places = locations.map((it) => converter.asLocation(it));
    return vscode.commands.executeCommand('editor.action.showReferences', vscode.Uri.parse(uri), converter.asPosition(at), places);
  });
  register('marotte.ui.showCatalog', showCatalog);
  register('marotte.ui.previewTemplate', () => show('marotte.previewTemplate', {}));
  register('marotte.ui.evaluate', evaluate);
  register('marotte.ui.explainLookup', explainLookup);
  context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider('marotte', { provideTextDocumentContent }));
  await start(context);
}

export function deactivate(): Thenable<void> | undefined {
  return client?.stop();
}

async function start(context: vscode.ExtensionContext): Promise<void> {
  const command = program(context);
  const server: ServerOptions = { command, args: ['server'] };
  const patterns = ['**/*.{yaml,yml,eyaml}', '**/metadata.json', '**/Puppetfile', '**/environment.conf', '**/*.erb'];
  const options: LanguageClientOptions = {
    documentSelector: [
      { language: 'puppet' },
      { language: 'epp' },
      ...patterns.map((pattern) => ({ scheme: 'file', pattern })),
    ],
    initializationOptions: settings(),
    synchronize: { configurationSection: 'marotte' },
  };
  client = new LanguageClient('marotte', 'Marotte', server, options);
  // Pages of rules are documents that only the server has.
  client.registerFeature({
    fillClientCapabilities: (capabilities: any) => {
      capabilities.workspace = { ...capabilities.workspace, textDocumentContent: {} };
    },
    initialize: () => {},
    getState: () => ({ kind: 'static' }),
    clear: () => {},
  });
  try {
    await client.start();
  } catch (error) {
    const choice = await vscode.window.showErrorMessage(`\`${command} server\` cannot be started: ${error}`, 'Settings');
    if (choice) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'marotte.server.path');
    }
  }
}

/** The program: the one that is set, the one in the extension, or the first on the path. */
function program(context: vscode.ExtensionContext): string {
  const set = vscode.workspace.getConfiguration('marotte').get<string>('server.path');
  if (set) {
    return set;
  }
  const name = process.platform === 'win32' ? 'marotte.exe' : 'marotte';
  const bundled = path.join(context.extensionPath, 'bin', name);
  return fs.existsSync(bundled) ? bundled : name;
}

/** What the server is told when the session begins. Later it asks. */
function settings(): Record<string, unknown> {
  const all = vscode.workspace.getConfiguration('marotte');
  const names = ['select', 'ignore', 'warn', 'error', 'modulePath', 'dialect', 'tasks', 'baseline', 'facts', 'rulePages'];
  return Object.fromEntries(names.map((name) => [name, all.get(name)]));
}

async function provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
  const result = await client?.sendRequest<{ text: string }>('workspace/textDocumentContent', { uri: uri.toString() });
  return result?.text ?? '';
}

async function run(command: string, argument: object): Promise<Shown | undefined> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (!client || !uri) {
    await vscode.window.showInformationMessage('Open a file of the code first.');
    return undefined;
  }
  const params = { command, arguments: [{ uri: client.code2ProtocolConverter.asUri(uri), ...argument }] };
  try {
    return await client.sendRequest<Shown>('workspace/executeCommand', params);
  } catch (error) {
    await vscode.window.showErrorMessage(String((error as Error).message));
    return undefined;
  }
}

async function show(command: string, argument: object): Promise<void> {
  const shown = await run(command, argument);
  if (!shown) {
    return;
  }
  const content = shown.messages ? `${shown.text}\n\n${shown.messages}` : shown.text;
  const document = await vscode.workspace.openTextDocument({ content, language: shown.language });
  await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside, true);
}

async function showCatalog(): Promise<void> {
  const node = await vscode.window.showInputBox({ prompt: 'The name of the node; empty for that of its facts' });
  if (node === undefined) {
    return;
  }
  const shown = await run('marotte.showCatalog', { node: node || undefined, format: 'html' });
  if (!shown) {
    return;
  }
  const panel = vscode.window.createWebviewPanel('marotte.catalog', `Catalog ${node}`, vscode.ViewColumn.Beside, { enableScripts: true });
  panel.webview.html = shown.text;
}

async function evaluate(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const selection = editor?.selection;
  const text = selection && !selection.isEmpty ? editor.document.getText(selection) : undefined;
  await show('marotte.evaluate', { text });
}

async function explainLookup(): Promise<void> {
  const key = await vscode.window.showInputBox({ prompt: 'The key' });
  if (key) {
    await show('marotte.explainLookup', { key });
  }
}

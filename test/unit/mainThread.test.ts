import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What runs in the main thread: the service, the operators' commands, and the activities that the service starts. */
const mains = ['src/main.ts', 'src/cli.ts'];

/** Modules and packages that take texts of customers apart. Only threads may load them. */
const parsers = [
  'src/sites/html/',
  'src/sites/checks/',
  'src/sites/pages/pagesCalls.ts',
  'src/sites/pages/sitemap.ts',
  'src/sites/pages/slots.ts',
  'src/sites/pages/editedTexts.ts',
  'src/sites/pages/textChanges.ts',
  'src/sites/pages/targets.ts',
  'src/sites/pages/listPages.ts',
  'src/agents/rules/',
  'src/agents/text/',
  'src/agents/tools/textsCalls.ts',
  'src/agents/tools/slotText.ts',
  'src/agents/tools/sourceFilter.ts',
  ...['parse5', 'yaml', 'diff', 'magic-string', 'jsonc-parser'],
];
/** Files of those folders that take nothing apart but names of files, and messages of ours. */
const harmless = [
  'src/sites/html/htmlPaths.ts',
  'src/sites/html/text.ts',
  'src/sites/checks/checkPages.ts',
  'src/sites/checks/namedFaults.ts',
  'src/agents/rules/agent.ts',
  'src/agents/text/longest.ts',
];

const isParser = (module: string) =>
  !harmless.includes(module) &&
  parsers.some((name) => module === name || (name.endsWith('/') && module.startsWith(name)));

/** The modules that a file loads: static and dynamic imports, and re-exports, but none of types alone. */
function importsOf(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const add = (module: ts.Expression | undefined) => {
    if (module && ts.isStringLiteralLike(module)) found.push(module.text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && !isTypeOnly(node.importClause)) add(node.moduleSpecifier);
    if (ts.isExportDeclaration(node) && !node.isTypeOnly) add(node.moduleSpecifier);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.map((module) =>
    module.startsWith('.') ? relative(root, resolve(root, dirname(path), module)) : module,
  );
}

/** `import type`, or nothing but types by name. */
function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause || clause.isTypeOnly) return clause !== undefined;
  const { namedBindings: names } = clause;
  return !clause.name && !!names && ts.isNamedImports(names) && names.elements.every(({ isTypeOnly }) => isTypeOnly);
}

/** Every module that is loaded with some others, and the way to it. */
function reachable(entries: string[]): Map<string, string> {
  const ways = new Map(entries.map((entry) => [entry, entry]));
  for (const [module, way] of ways)
    if (/\.[jt]s$/.test(module) && existsSync(join(root, module)))
      for (const next of importsOf(module)) if (!ways.has(next)) ways.set(next, `${way} -> ${next}`);
  return ways;
}

/** Modules that are started as threads: `new URL('./xWorker.ts', import.meta.url)`. */
function workersOf(modules: Iterable<string>): string[] {
  return [...modules].flatMap((module) =>
    module.startsWith('src/')
      ? [
          ...readFileSync(join(root, module), 'utf8').matchAll(/new URL\('(\.[^']*Worker\.ts)', import\.meta\.url\)/g),
        ].map(([, worker]) => relative(root, resolve(root, dirname(module), worker!)))
      : [],
  );
}

describe('The main thread', () => {
  const loaded = reachable(mains);

  it('loads nothing that parses texts of customers', () => {
    expect([...loaded].filter(([module]) => isParser(module)).map(([, way]) => way)).to.deep.equal([]);
  });

  it('leaves that to threads, which load all of it', () => {
    expect(loaded).to.include.keys('activities/commitChanges.ts', 'src/api/app.ts', 'src/agents/tools/editing.ts');
    const workers = workersOf(loaded.keys());
    expect(workers).to.have.members([
      'src/sites/pages/pagesWorker.ts',
      'src/agents/rules/rulesWorker.ts',
      'src/agents/tools/textsWorker.ts',
    ]);
    const inThreads = reachable(workers);
    for (const parser of parsers)
      expect(
        [...inThreads.keys()].some((module) => module.startsWith(parser)),
        parser,
      ).to.equal(true);
  });
});

import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { formatNames } from '../../src/sites/formats/paths.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/**
 * What runs in the main thread: the service, the operators' commands, and the activities that the
 * service starts.
 */
const mains = ['src/main.ts', 'src/cli.ts'];

/**
 * What the main thread has in common with the threads that parse texts of customers: names of
 * files, addresses, messages of ours, and types with their schemas.
 */
const shared = [
  'joi',
  'jsonc-parser', // finds the place in a request's body where JSON.parse failed, of 2 MB at most
  'lru-cache',
  'tldts',
  'src/agents/model/page/answerForm.ts',
  'src/agents/model/page/answerProblems.ts', // our sentences about an answer
  'src/agents/shared/text/junkNames.ts',
  'src/agents/shared/tools/pageNotFound.ts',
  'src/agents/rules/prompt/instructionErrors.ts',
  'src/agents/shared/text/cleanQuestion.ts', // a model's question, which its limits cut
  'src/agents/shared/text/searchLimit.ts',
  'src/agents/shared/text/cleanModelText.ts', // what a language model says it did, of which 4,000 characters are read
  'src/agents/shared/tools/toolArguments.ts',
  'src/agents/shared/tools/resolveSiteLinkTarget.ts',
  'src/agents/shared/tools/linksAndImages.ts',
  'src/agents/shared/tools/describeText.ts',
  'src/agents/shared/texts/slotReplacement.ts',
  // schemas of requests, and what reads small ones in the main thread
  'src/api/batches/csvProblems.ts', // our sentences about a table
  'src/api/batches/rowList.ts',
  'src/api/cursors.ts',
  'src/sites/files/parseJson.ts',
  'src/api/middleware/validate.ts',
  'src/api/routes/batches/batches.schema.ts',
  'src/api/routes/tasks/tasks.schema.ts',
  'src/api/slugSchemas.ts',
  'src/api/textSchema.ts',
  // reads each character of a text of JSON once, before JSON.parse sees it
  'src/contract/text/boundedJson.ts',
  'src/contract/batches/batch.ts',
  'src/contract/committedContent.ts',
  'src/contract/withoutUndefined.ts',
  'src/contract/mapById.ts',
  'src/contract/notes/mergeNotes.ts', // joins texts of notes, and takes none apart
  'src/contract/text/nameRule.ts',
  'src/contract/notes/noteFacts.ts', // what notes of a kind allow
  'src/contract/notes/noteKinds.ts',
  'src/contract/reviews/pageReviews.ts',
  'src/contract/reviews/reviewKinds.ts', // kinds of marks, and the verdict of several
  'src/contract/normalizeText.ts', // linear, for 2 MB at most
  'src/contract/task.ts',
  'src/contract/text/summaries.ts',
  'src/contract/text/taskTitles.ts',
  'src/contract/text/removeInvisible.ts',
  'src/errors.ts',
  'src/boundedJoi.ts', // refuses what is too large before it looks at it
  'src/contract/text/parseUrl.ts', // refuses a host that is too long before it parses it
  'src/sites/checks/namedViolations.ts',
  'src/sites/checks/violationMessage.ts', // our sentences about a page
  'src/sites/dataFiles/entryPaths.ts', // paths of files, and keys of entries
  'src/sites/files/proofFiles.ts',
  'src/sites/git/refNames.ts',
  ...formatNames.map((name) => `src/sites/formats/${name}/${name}Paths.ts`),
  'src/sites/pages/sitemap/derivedFiles.ts',
  'src/sites/pages/listing/fileNames.ts',
  'src/sites/pages/listing/pageExists.ts', // our sentence about a page
  'src/sites/formats/lostPartNames.ts', // our sentences about a page
  'src/sites/formats/datedName.ts', // a pattern for the name of a file
  'src/sites/formats/pageParts.ts',
  'src/sites/formats/paths.ts',
  'src/sites/pages/calledFile.ts',
  'src/sites/pages/generators/configurationFiles.ts', // names of files
  'src/sites/pages/generators/urlPatterns.ts', // names of folders
  'src/sites/pages/urls/urlHosts.ts',
  'src/sites/pages/links/resolveLinkTarget.ts',
  'src/sites/pages/urls/servedFiles.ts',
  'src/sites/pages/urls/servedPaths.ts',
  'src/sites/pages/texts/shownTexts.ts', // only lettersOf is called there, for 200 characters of a text
  'src/sites/pages/urls/slug.ts',
  'src/sites/pages/urls/urls.ts',
  // the embedded host finds the redirect of a request among rules that a thread has read
  'src/sites/redirects/hostFileNames.ts',
  'src/sites/redirects/redirects.ts',
  'src/text/text.ts',
  'src/threads/threadAnswer.ts',
  'src/threads/sharedValues.ts',
];

/**
 * Other packages of the main thread. None of them gets a prompt, a context, a page or a file of a
 * site to parse. Those of language models put them into a request as they are, and read a
 * provider's answer: a stream of JSON, of 8 MB at most. That of assistants gets messages that were
 * parsed before, of 2 MB at most.
 */
const packages = [
  'ai',
  '@ai-sdk/anthropic',
  '@ai-sdk/openai',
  '@ai-sdk/google',
  '@ai-sdk/openai-compatible',
  '@modelcontextprotocol/server',
  'koa',
  '@koa/router',
  'koa-body',
  'koa-compress', // in the threads of libuv
  'marked', // only our own documents, each once
  'marked-gfm-heading-id',
  'ipaddr.js',
  'rate-limiter-flexible',
  'mime-types',
  'entities', // in a title of 1,000 characters at most
  'undici',
  // ids, codes and numbers only: see src/tracing/cleanSpans.ts
  ...['api', 'context-async-hooks', 'core', 'exporter-trace-otlp-proto', 'resources'].map(
    (name) => `@opentelemetry/${name}`,
  ),
  '@opentelemetry/sdk-trace-base',
  '@temporalio/activity',
  '@temporalio/client',
  '@temporalio/client/lib/helpers.js',
  '@temporalio/common',
  '@temporalio/common/lib/internal-non-workflow/index.js',
  '@temporalio/common/lib/time.js',
  '@temporalio/envconfig',
  '@temporalio/interceptors-opentelemetry',
  '@temporalio/proto',
  '@temporalio/worker',
  'kysely',
  'pg',
  '@electric-sql/pglite',
  'kysely-pglite-dialect',
  'async-mutex',
  'standardwebhooks',
  'structured-headers',
  'typebox', // only what builds the schemas of answers, without any value
  'better-auth',
  'better-auth/api',
  'better-auth/cookies',
  'better-auth/crypto',
  '@better-auth/oauth-provider',
  'openid-client',
  'nodemailer',
  'commander',
  'pino',
  'prom-client',
  'piscina',
  'package.json',
];

/**
 * Where customers' texts pass. The other folders read settings, and what operators and our own
 * programs say.
 */
const rooms = [
  'activities/',
  'workflows/',
  ...['agents', 'api', 'callbacks', 'editor', 'hosting', 'sites'].map((room) => `src/${room}/`),
];

/**
 * The modules there that take texts apart in the main thread, by what they read: each was found
 * linear and short.
 */
const short: Record<string, string[]> = {
  'headers, hosts, addresses and parameters of a request': [
    'src/api/middleware/hosts.ts',
    'src/api/middleware/logging.ts',
    'src/api/middleware/tracing.ts',
    'src/api/middleware/body.ts',
    'src/api/middleware/authenticate.ts',
    'src/api/middleware/editorSession.ts',
    'src/api/middleware/knownBrowsers.ts',
    'src/api/middleware/errorPages.ts',
    'src/api/middleware/otherMethods.ts',
    'src/api/routes/account/account.schema.ts',
    'src/api/routes/account/auth.ts',
    'src/api/routes/sites/deployments.schema.ts',
    'src/api/routes/organization/keys.schema.ts',
    'src/api/routes/sites/siteHost.schema.ts',
    'src/api/routes/sites/siteSettings.schema.ts',
    'src/api/routes/tasks/taskEvents.ts',
    'src/api/routes/tasks/taskLists.schema.ts',
    'src/api/routes/organization/usage.schema.ts',
    'src/hosting/embedded/fileAnswer.ts',
    'src/hosting/embedded/requestConditions.ts',
    'src/hosting/embedded/requestRecipient.ts',
    'src/api/app.ts',
    'src/api/candidateRepository.ts',
    'src/api/context.ts',
    'src/api/timeCursors.ts',
    'src/callbacks/repositoryHosts.ts',
    'src/sites/git/remote/remoteAccess.ts',
    'src/sites/git/remote/connector.ts',
    'src/api/errorField.ts',
    'src/callbacks/callbackPolicy.ts',
    'src/editor/editUrl.ts',
    'src/editor/grants.ts',
    'src/sites/git/remote/repositoryUrl.ts',
    'src/hosting/external/hostUrls.ts',
    'src/hosting/external/expectedPages.ts',
  ],
  "names and ids of a language model's calls, and what its provider says of an error": [
    'src/agents/model/calls/modelErrors.ts',
    'src/agents/model/calls/providerModels.ts',
    'src/agents/model/calls/cleanProviderMessage.ts',
    'src/agents/model/prompt/readModelTurn.ts',
  ],
  'the first bytes and the paths of pictures': ['src/agents/shared/site/taskPictures.ts'],
  'texts of ours': [
    'src/api/openapi.ts',
    'src/api/openapi/errors.ts',
    'src/api/openapi/patterns.ts',
    'src/api/reference/renderDocument.ts',
    'src/api/routes/editing/editor.frame.ts',
    'src/agents/shared/tools/copiedReferences.ts',
  ],
  "git's words, of 64 KB at most, and its ids": [
    'src/sites/git/history/ancestry.ts',
    'src/sites/git/history/handEdits.ts',
    'src/sites/git/remote/credentialFilter.ts',
    'src/sites/git/clones/objectReader.ts',
    'src/sites/git/remote/checkedOutBranch.ts',
    'src/sites/git/command/gitFailure.ts',
    'src/sites/git/remote/fetchRef.ts',
    'src/sites/git/history/commits.ts',
    'src/sites/git/remote/ownRefs.ts',
    'src/sites/git/remote/push.ts',
    'src/sites/git/trees/readTree.ts',
    'src/sites/git/command/checkGit.ts',
  ],
  "git's lists of branches, of 1 MB at most, and of changed files, of 4 MB at most, in turns": [
    'src/sites/git/remote/remoteBranches.ts',
    'src/sites/git/history/readLog.ts',
    'src/sites/git/history/lastChanges.ts',
  ],
  'names that are cut to a few hundred characters': [
    'src/agents/shared/tools/menuEntries.ts',
    'src/agents/model/tools/listFilesTool.ts',
  ],
  'what a model is sent at once, of 30,000 characters at most, where it has the mark around it': [
    'src/agents/model/prompt/promptInstructions.ts',
  ],
  'addresses that somebody typed, of 2,000 characters at most': ['src/editor/linksAndImages.ts'],
  "an answer of a forge, and texts that a thread took from a page of a team's host, once each": [
    'src/hosting/external/checkDeployment.ts',
    'src/hosting/external/pullRequestBody.ts',
    'src/api/hostCheck.ts',
  ],
  'slugs of our own': ['src/sites/pages/links/linkPage.ts'],
  'names of files, a thousand at a time, and those of a commit': [
    'src/agents/shared/site/pageSlugs.ts', // of each commit once
    'src/sites/git/trees/treeListing.ts',
    'src/sites/git/trees/writeObjects.ts',
  ],
  'a list that a thread made': ['src/sites/pages/listing/sitePages.ts'],
};

/** Sources that stand in for files, by path. */
type Overlay = Record<string, string>;

const isOurs = (module: string) => /^(src|activities|workflows)\//.test(module);
const isPackage = (module: string) => !isOurs(module) && !module.startsWith('node:');

const texts = new Map<string, string>();
function readText(path: string, overlay: Overlay): string {
  const text = overlay[path] ?? texts.get(path) ?? readFileSync(join(root, path), 'utf8');
  if (overlay[path] === undefined) texts.set(path, text);
  return text;
}

/** By their texts, so that a module that stays the same is parsed once. */
const sources = new Map<string, ts.SourceFile>();
function parse(path: string, text: string): ts.SourceFile {
  const source = sources.get(text) ?? ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  sources.set(text, source);
  return source;
}

/** What a module's text says. It is asked for again and again, and remembered with the text. */
function remembered<T>(ask: (path: string, source: ts.SourceFile) => T) {
  const known = new Map<string, { text: string; value: T }>();
  return (path: string, overlay: Overlay): T => {
    const text = readText(path, overlay);
    const last = known.get(path);
    const value = last?.text === text ? last.value : ask(path, parse(path, text));
    if (overlay[path] === undefined) known.set(path, { text, value });
    return value;
  };
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/**
 * The modules that a file loads: static and dynamic imports, and re-exports, but none of types
 * alone.
 */
const importsOf = remembered((path, source): string[] => {
  const found: string[] = [];
  const add = (module: ts.Expression | undefined) => {
    if (module && ts.isStringLiteralLike(module)) found.push(module.text);
  };
  walk(source, (node) => {
    if (ts.isImportDeclaration(node) && !isTypeOnly(node.importClause)) add(node.moduleSpecifier);
    if (ts.isExportDeclaration(node) && !node.isTypeOnly) add(node.moduleSpecifier);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0]);
  });
  return found.map((module) =>
    module.startsWith('.') ? relative(root, resolve(root, dirname(path), module)) : module,
  );
});

/** `import type`, or nothing but types by name. */
function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause || clause.isTypeOnly) return clause !== undefined;
  const { namedBindings: names } = clause;
  return (
    !clause.name &&
    !!names &&
    ts.isNamedImports(names) &&
    names.elements.every(({ isTypeOnly }) => isTypeOnly)
  );
}

/** Every module that is loaded with some others, and the way to it. */
function reachable(entries: string[], overlay: Overlay = {}): Map<string, string> {
  const ways = new Map(entries.map((entry) => [entry, entry]));
  for (const [module, way] of ways)
    if (/\.[jt]s$/.test(module) && (module in overlay || existsSync(join(root, module))))
      for (const next of importsOf(module, overlay))
        if (!ways.has(next)) ways.set(next, `${way} -> ${next}`);
  return ways;
}

/** Modules that are started as threads: `new URL('./xWorker.ts', import.meta.url)`. */
function workersOf(modules: Iterable<string>, overlay: Overlay = {}): string[] {
  return [...modules]
    .filter(isOurs)
    .flatMap((module) =>
      [
        ...readText(module, overlay).matchAll(
          /new URL\('(\.[^']*Worker\.ts)', import\.meta\.url\)/g,
        ),
      ].map(([, worker]) => relative(root, resolve(root, dirname(module), worker!))),
    );
}

/** Calls by which texts are taken apart, beside regular expressions. */
const taking =
  /^(split|match|matchAll|exec|search|replace|replaceAll|charAt|charCodeAt|codePointAt)$/;

/** Whether a module has a regular expression, or a call that takes a text apart. */
const takesTextApart = remembered((_path, source): boolean => {
  let found = false;
  walk(source, (node) => {
    found ||=
      ts.isRegularExpressionLiteral(node) ||
      (ts.isIdentifier(node) && node.text === 'RegExp') ||
      (ts.isCallExpression(node) &&
        ts.isPropertyAccessExpression(node.expression) &&
        taking.test(node.expression.name.text));
  });
  return found;
});

/**
 * What the main thread loads and has in common with threads, its other packages, and what takes
 * texts apart there.
 */
function derive(overlay: Overlay = {}) {
  const loaded = reachable(mains, overlay);
  const inThreads = reachable(workersOf(loaded.keys(), overlay), overlay);
  const modules = [...loaded.keys()].filter((module) => !module.startsWith('node:'));
  const own = modules.filter((module) => !inThreads.has(module));
  return {
    shared: modules.filter((module) => inThreads.has(module)),
    packages: own.filter(isPackage),
    takers: own.filter(
      (module) => rooms.some((room) => module.startsWith(room)) && takesTextApart(module, overlay),
    ),
    wayTo: (module: string) => loaded.get(module)!,
  };
}

/** What nobody has looked at yet: the way to each such module. */
function unknown(overlay: Overlay = {}): string[] {
  const { wayTo, ...derived } = derive(overlay);
  const known = new Set([...shared, ...packages, ...Object.values(short).flat()]);
  return Object.values(derived)
    .flat()
    .filter((module) => !known.has(module))
    .map(wayTo);
}

describe('The main thread', () => {
  it('loads nothing that may parse texts of customers: no module of the threads, no parser of its own', () => {
    expect(unknown()).to.deep.equal([]);
  });

  it('has no more exceptions than it needs', () => {
    const derived = derive();
    expect([...shared].sort()).to.deep.equal(derived.shared.sort());
    expect([...packages].sort()).to.deep.equal(derived.packages.sort());
    expect(Object.values(short).flat().sort()).to.deep.equal(derived.takers.sort());
  });

  it('leaves parsing to threads, which load all parsers', () => {
    const workers = workersOf(reachable(mains).keys());
    expect(workers).to.have.members([
      'src/sites/pages/pagesWorker.ts',
      'src/agents/model/page/pageWorker.ts',
      'src/agents/rules/rulesWorker.ts',
      'src/agents/shared/texts/textsWorker.ts',
      'src/api/batches/batchWorker.ts',
    ]);
    const inThreads = reachable(workers);
    for (const parser of [
      'parse5',
      'yaml',
      'diff',
      'magic-string',
      'jsonc-parser',
      '@csstools/css-tokenizer',
      'postcss',
    ])
      expect(inThreads.has(parser), parser).to.equal(true);
  });

  const host = 'src/sites/pages/listing/countPages.ts';
  const added = 'src/sites/pages/listing/added.ts';
  const mistakes: Record<string, [overlay: Overlay, found: string]> = {
    'a package that parses': [{ [host]: "import { load } from 'cheerio';" }, 'cheerio'],
    "a package of the threads'": [{ [host]: "export * from 'parse5';" }, 'parse5'],
    "a module of the threads'": [
      { [host]: "import '../sitemap/updateSitemap.ts';" },
      'src/sites/pages/sitemap/updateSitemap.ts',
    ],
    'one that is loaded late': [
      { [host]: "await import('../../formats/html/document.ts');" },
      'src/sites/formats/html/document.ts',
    ],
    'a new module with an expression': [
      {
        [host]: "import './added.ts';",
        [added]: 'export const isPrice = (text: string) => /\\d+ EUR/.test(text);',
      },
      added,
    ],
    'a new module that splits': [
      {
        [host]: "export { lines } from './added.ts';",
        [added]: "export const lines = (text) => text.split('\\n');",
      },
      added,
    ],
    'a new module that goes through the characters': [
      {
        [host]: "import './added.ts';",
        [added]: 'export const first = (text) => text.charCodeAt(0) === 60;',
      },
      added,
    ],
    'an old module that takes texts apart by now': [
      { [host]: "export const a = 'x'.match('y');" },
      host,
    ],
  };
  for (const [what, [overlay, found]] of Object.entries(mistakes))
    it(`would be reported with ${what}`, () => {
      const ways = unknown(overlay);
      expect(ways.map((way) => way.split(' -> ').at(-1))).to.include(found);
      expect(ways.every((way) => mains.some((main) => way.startsWith(main)))).to.equal(true);
    });
});

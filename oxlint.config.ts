import { readdirSync } from 'node:fs';
import { defineConfig, type OxlintOverride } from 'oxlint';

/**
 * Who may import whom (CONTRIBUTING.md, "Who imports whom"): by room, the other rooms that its
 * files may import. Every arrow that is not here is an error, whether it is for values or for
 * types.
 */
const arrows = {
  'src/contract': '',
  'src/errors.ts': '',
  'src/mapConcurrently.ts': '',
  'src/log.ts': '',
  'src/boundedJoi.ts': '',
  'src/childEnvironment.ts': '',
  'src/text': 'src/contract',
  'src/trustedProxies.ts': '',
  'src/config.ts': 'src/contract src/errors.ts src/trustedProxies.ts',

  'src/metrics': 'src/contract src/errors.ts',
  'src/copyToOwnMemory.ts': '',
  'src/waitCounters.ts': '',
  'src/backgroundRounds.ts': '',
  'src/singleFlight.ts': '',
  'src/fairQueue.ts': 'src/waitCounters.ts',
  'src/threads': 'src/errors.ts src/fairQueue.ts',

  'src/sites':
    'src/contract src/childEnvironment.ts src/errors.ts src/fairQueue.ts src/backgroundRounds.ts src/singleFlight.ts src/text src/threads src/waitCounters.ts',
  'src/storage': 'src/contract src/errors.ts',
  'src/callbacks': 'src/contract src/errors.ts src/forges',
  'src/forges':
    'src/contract src/errors.ts src/boundedJoi.ts src/copyToOwnMemory.ts src/singleFlight.ts',
  'src/accounts':
    'src/contract src/errors.ts src/boundedJoi.ts src/fairQueue.ts src/storage src/organizations',
  'src/organizations': 'src/contract src/errors.ts src/storage',
  'src/agents':
    'src/contract src/errors.ts src/boundedJoi.ts src/fairQueue.ts src/singleFlight.ts src/text src/threads src/waitCounters.ts src/sites',
  'src/agents/shared':
    'src/contract src/errors.ts src/boundedJoi.ts src/fairQueue.ts src/text src/threads src/sites',
  'src/agents/shared/text': 'src/contract src/errors.ts src/text src/sites',
  'src/agents/shared/facts': 'src/contract src/errors.ts src/text src/sites src/agents/shared/text',
  'src/agents/shared/context':
    'src/contract src/errors.ts src/text src/sites src/agents/shared/text src/agents/shared/facts',
  'src/agents/shared/page':
    'src/contract src/errors.ts src/text src/sites src/agents/shared/agentTypes.ts src/agents/shared/text src/agents/shared/facts src/agents/shared/context',
  'src/agents/rules':
    'src/contract src/errors.ts src/boundedJoi.ts src/fairQueue.ts src/singleFlight.ts src/waitCounters.ts src/text src/threads src/sites src/agents/agentPorts.ts src/agents/workspace.ts src/agents/shared',
  'src/agents/model':
    'src/contract src/errors.ts src/boundedJoi.ts src/fairQueue.ts src/waitCounters.ts src/text src/threads src/sites src/agents/agentPorts.ts src/agents/shared',
  'src/hosting':
    'src/contract src/errors.ts src/copyToOwnMemory.ts src/singleFlight.ts src/forges src/sites src/storage',
  'src/editor':
    'src/contract src/errors.ts src/mapConcurrently.ts src/threads src/sites src/hosting src/bundle src/browser',
  'src/editor/browser': 'src/contract src/browser src/editor/protocol.ts',

  workflows: 'src/contract src/errors.ts activities',
  activities:
    'src/contract src/errors.ts src/text src/waitCounters.ts src/threads src/sites src/agents src/hosting src/callbacks',
  'src/temporal':
    'src/contract src/childEnvironment.ts src/errors.ts src/log.ts src/backgroundRounds.ts src/fairQueue.ts src/mapConcurrently.ts src/singleFlight.ts src/waitCounters.ts src/storage activities',
  'src/tracing': 'src/contract src/errors.ts src/temporal/temporalTracing.ts',
  'src/tasks':
    'src/contract src/errors.ts src/threads src/sites src/agents/modelAssignment.ts src/hosting src/organizations src/editor src/temporal',
  'src/api':
    'src/contract src/errors.ts src/boundedJoi.ts src/log.ts src/trustedProxies.ts src/text src/threads src/sites src/agents/modelAssignment.ts src/accounts src/callbacks src/forges src/hosting src/organizations src/editor src/bundle src/tasks src/temporal package.json',
  'src/api/reference': '',
  'src/mcp':
    'src/contract src/errors.ts src/boundedJoi.ts src/waitCounters.ts src/threads src/tasks src/api package.json',

  'src/bundle': 'src/childEnvironment.ts',
  'src/browser': 'src/contract',
  'src/console': 'src/contract src/bundle src/browser',
  'src/console/browser': 'src/contract src/browser',

  'src/cli': 'src/contract src/errors.ts src/accounts src/forges src/sites src/organizations',
  'src/demo': 'src/contract src/errors.ts src/sites src/organizations',
  'src/stores.ts':
    'src/config.ts src/contract src/errors.ts src/log.ts src/metrics src/threads src/callbacks src/cli src/forges src/sites src/storage src/accounts src/organizations src/hosting src/api/siteSettings.ts',
  'src/service': 'src activities',
  'src/service.ts': 'src activities',
  'src/welcome.ts': 'src/service.ts',
  'src/main.ts': 'src',
  'src/cli.ts': 'src',
};

/** Rooms that nothing outside imports from, but for their entries: every page format. */
const formats = 'src/sites/formats';
const closedFormats = Object.fromEntries(
  readdirSync(formats, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [
      `${formats}/${name}`,
      {
        entries: [`${formats}/${name}/${name}.ts`, `${formats}/${name}/${name}Paths.ts`],
        from: [`${formats}/formats.ts`, `${formats}/paths.ts`],
      },
    ]),
);
const hosting = 'src/hosting';
const closedHosts = Object.fromEntries(
  readdirSync(hosting, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [
      `${hosting}/${name}`,
      { entries: [`${hosting}/${name}/${name}.ts`], from: [`${hosting}/hosts.ts`] },
    ]),
);
const forges = 'src/forges';
const closedForges = Object.fromEntries(
  readdirSync(forges, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [
      `${forges}/${name}`,
      { entries: [`${forges}/${name}/${name}.ts`], from: [`${forges}/forges.ts`] },
    ]),
);
const closed = { ...closedFormats, ...closedHosts, ...closedForges };
/** The tests of what is inside, and the one that makes texts hostile to every reader. */
const closedToTests = Object.fromEntries(
  Object.keys(closedFormats).map((room) => [
    room,
    {
      entries: [room],
      from: [
        room.replace('src', 'test/unit'),
        'test/endurance/hostileTexts.test.ts',
        'test/endurance/markdownSites.test.ts',
      ],
    },
  ]),
);
/** The embedded agent, which others know by its port. */
const closedRules = {
  'src/agents/rules': {
    entries: ['src/agents/rules/rulesAgent.ts', 'src/agents/rules/checks'],
    from: ['src/service'],
  },
};
const rooms = readdirSync('src').map((name) => [`src/${name}`, '']);

const inNode = ['src/**/*.ts', 'activities/**/*.ts', 'workflows/**/*.ts'];
const inBrowsers = ['browser', 'editor/browser', 'api/reference', 'console/browser'].map(
  (name) => `src/${name}/**`,
);
const domains = [
  'accounts',
  'sites',
  'agents',
  'hosting',
  'callbacks',
  'forges',
  'organizations',
  'storage',
  'editor',
];

/** Only these files call Temporal as its clients do. */
const temporalClients = [
  'connection',
  'cleanUpSchedule',
  'searchAttributes',
  'readiness',
  'temporalTracing',
  'tasks/*',
  'batches/*',
].map((name) => `src/temporal/${name}.ts`);

interface Restriction {
  group: string[];
  message: string;
  allowTypeImports?: boolean;
}

const theClient: Restriction = {
  group: ['@temporalio/client'],
  message: `Only ${temporalClients.join(', ')} call Temporal.`,
};
const servers: Restriction = {
  group: ['koa', '@koa/*', '@temporalio/*'],
  message: 'Domains know neither HTTP nor Temporal.',
};
const outside: Restriction = {
  group: [
    'node:*',
    'fs',
    'crypto',
    'path',
    '@temporalio/client',
    '@temporalio/worker',
    '@temporalio/activity',
    '@temporalio/interceptors-opentelemetry',
    '@opentelemetry/*',
  ],
  message: 'Workflows are replayed: they reach the outside by activities.',
};
const activitiesAsValues: Restriction = {
  group: ['**/activities/**'],
  allowTypeImports: true,
  message: 'Activities are imported as types only.',
};
const contractAsValues: Restriction = {
  group: [
    '**/contract/**',
    '!**/contract/{contextPlaces,normalizeText,passwordLength}.ts',
    '!**/contract/reviews/reviewKinds.ts',
    '!**/contract/notes/{noteFacts,noteKinds}.ts',
  ],
  allowTypeImports: true,
  message:
    'The browser gets types of the contract only, `contextPlaces`, `normalizeText`, `passwordLength`, `noteFacts` and `verdictOfMarks`.',
};
/**
 * The packages take 0.3 s to load: they are imported late, and only where a model is configured.
 */
const modelPackages: Restriction = {
  group: ['ai', '@ai-sdk/*', '**/model/calls/modelCaller.ts'],
  allowTypeImports: true,
  message: 'Import it by `await import()` in src/agents/model/, where a model is configured.',
};

/** The packages are large: they are loaded only if a receiver of traces is configured. */
const tracePackages: Restriction = {
  group: ['@opentelemetry/*', '@temporalio/interceptors-opentelemetry'],
  message: 'Call `Traces` of src/contract/traces.ts. src/main.ts loads src/tracing by `import()`.',
};

/**
 * Addresses of this host are made in one place, and sent from one: no text from outside leads to
 * another one.
 */
const pathsOnly = {
  name: 'encodeURIComponent',
  message: 'Use `hostPath` of src/browser/hostPath.ts, or a query.',
};
const sender = 'src/browser/sendRequest.ts';
const inTheirPlace = `Use what is in ${sender}.`;
const requests = ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket', 'WebTransport', 'Request'];
const sendingAs = (object: string) =>
  requests.map((property) => ({ object, property, message: inTheirPlace }));

/** The SDK's internals may change with any version. */
const internals: Restriction = {
  group: ['@temporalio/*/lib/**'],
  message: 'Use what src/temporal/sdkInternals.ts has, whose test fails with an upgrade.',
};

/** Of several restrictions for a file, the last counts. */
const refuse = (files: string[], ...patterns: Restriction[]): OxlintOverride => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
});

export default defineConfig({
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: 'error' },
  plugins: ['typescript'],
  jsPlugins: ['./.ci/lint/plugin.ts', 'eslint-plugin-regexp'],
  categories: { correctness: 'off' },
  ignorePatterns: [
    'data',
    '.cache',
    'src/demo/site',
    'src/demo/notes',
    'test/helpers/siteGenerators/astro',
    'client/src/types.ts',
  ],
  rules: {
    'own/no-cycle': 'error',
    'own/no-format-ignore': 'error',
    'own/no-literal-spread': 'error',
    'own/type-names': 'error',
    'typescript/await-thenable': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/consistent-type-imports': 'error',
    'no-array-constructor': 'error',
    'typescript/no-array-delete': 'error',
    'typescript/no-base-to-string': 'error',
    'typescript/no-duplicate-enum-values': 'error',
    'typescript/no-duplicate-type-constituents': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-extra-non-null-assertion': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-for-in-array': 'error',
    'typescript/no-implied-eval': 'error',
    'typescript/no-misused-new': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-non-null-asserted-optional-chain': 'error',
    'typescript/no-redundant-type-constituents': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-this-alias': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-declaration-merging': 'error',
    'typescript/no-unsafe-enum-comparison': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/no-unsafe-unary-minus': 'error',
    'no-unused-expressions': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    'typescript/no-wrapper-object-types': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-as-const': 'error',
    'typescript/prefer-namespace-keyword': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/require-await': 'error',
    'typescript/restrict-plus-operands': 'error',
    'typescript/triple-slash-reference': 'error',
    'typescript/unbound-method': 'error',
    'max-params': ['error', { max: 4 }],
    'max-lines-per-function': ['error', { max: 95, skipBlankLines: true, skipComments: true }],
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
  },
  overrides: [
    {
      files: [...inNode, ...inBrowsers],
      rules: {
        'own/arrows': [
          'error',
          { ...Object.fromEntries(rooms), ...arrows },
          { ...closed, ...closedRules },
        ],
        'own/call-signal': ['error', 'src/temporal/abortableCall.ts'],
        'own/comment-width': ['error', 100],
        'own/no-bare-normalize': 'error',
        'own/unique-export': [
          'error',
          ['src/**/*.{ts,tsx}', 'activities/**/*.ts', 'workflows/**/*.ts'],
        ],
        'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
        'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
      },
    },
    {
      files: inNode,
      excludeFiles: inBrowsers,
      rules: {
        'own/no-bare-url-parse': 'error',
        'no-restricted-properties': [
          'error',
          { object: 'ctx', property: 'query', message: 'Use `readQuery`: Koa is quadratic here.' },
        ],
      },
    },
    {
      files: inBrowsers,
      excludeFiles: ['src/browser/hostPath.ts'],
      rules: {
        'no-restricted-globals': [
          'error',
          pathsOnly,
          ...requests.map((name) => ({ name, message: inTheirPlace })),
        ],
        'no-restricted-properties': [
          'error',
          { property: 'sendBeacon', message: inTheirPlace },
          ...['window', 'globalThis', 'self'].flatMap(sendingAs),
        ],
      },
    },
    { files: [sender], rules: { 'no-restricted-globals': ['error', pathsOnly] } },
    refuse(
      ['src/**/*.ts', 'activities/**/*.ts'],
      theClient,
      modelPackages,
      tracePackages,
      internals,
    ),
    refuse(['src/tracing/**/*.ts'], theClient, modelPackages, internals),
    refuse(
      [...domains, 'tasks', 'cli', 'demo'].map((name) => `src/${name}/**/*.ts`),
      servers,
      modelPackages,
      tracePackages,
    ),
    refuse(['src/agents/model/calls/modelCaller.ts'], servers, tracePackages),
    refuse(inBrowsers, contractAsValues),
    refuse(
      ['src/temporal/**/*.ts'],
      theClient,
      activitiesAsValues,
      modelPackages,
      tracePackages,
      internals,
    ),
    refuse(temporalClients, activitiesAsValues, modelPackages, tracePackages, internals),
    refuse(['src/temporal/sdkInternals.ts'], activitiesAsValues, modelPackages),
    refuse(['workflows/**/*.ts'], outside, activitiesAsValues),
    {
      files: ['test/**/*.ts'],
      rules: {
        'own/arrows': ['error', {}, closedToTests],
        'no-unused-expressions': 'off',
        'max-lines-per-function': 'off',
        'typescript/require-await': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-member-access': 'off',
      },
    },
    {
      // as readers of the guide copy them: without types
      files: ['test/snippets/*.mjs'],
      rules: Object.fromEntries(
        ['argument', 'assignment', 'call', 'member-access', 'return'].map((what) => [
          `typescript/no-unsafe-${what}`,
          'off',
        ]),
      ),
    },
  ],
});

import { readdirSync } from 'node:fs';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import noCycle from './.ci/noCycle.js';
import types from './.ci/types.js';

/**
 * Who may import whom (docs/architecture.md, "Who imports whom"): by room, the other rooms that its files may import.
 * Every arrow that is not here is an error, whether it is for values or for types.
 */
const arrows = {
  'src/contract': '',
  'src/errors.ts': '',
  'src/log.ts': '',
  'src/config.ts': 'src/errors.ts',

  'src/metrics': 'src/contract src/errors.ts',
  'src/waiting.ts': '',
  'src/turns.ts': 'src/waiting.ts',
  'src/precedence.ts': 'src/waiting.ts',
  'src/threads': 'src/errors.ts src/turns.ts',

  'src/sites': 'src/contract src/errors.ts src/threads src/turns.ts src/waiting.ts',
  'src/storage': 'src/contract src/errors.ts',
  'src/callbacks': 'src/contract src/errors.ts',
  'src/accounts': 'src/contract src/errors.ts src/storage src/organizations',
  'src/organizations': 'src/contract src/errors.ts src/storage',
  'src/agents': 'src/contract src/errors.ts src/threads src/turns.ts src/sites',
  'src/agents/model':
    'src/contract src/errors.ts src/threads src/sites src/agents/agent.ts src/agents/tools.ts src/agents/text src/agents/rules',
  'src/hosting': 'src/contract src/errors.ts src/sites src/storage',
  'src/editor': 'src/contract src/errors.ts src/threads src/sites src/hosting',

  workflows: 'src/contract src/errors.ts activities',
  activities: 'src/contract src/errors.ts src/waiting.ts src/sites src/agents src/hosting src/callbacks',
  'src/temporal': 'src/contract src/errors.ts src/log.ts src/precedence.ts src/turns.ts src/storage activities',
  'src/api':
    'src/contract src/errors.ts src/log.ts src/threads src/sites src/agents/assignment.ts src/accounts src/hosting src/organizations src/editor src/console src/temporal package.json',

  'src/console': 'src/contract',
  'src/console/browser': 'src/contract',

  'src/cli': 'src/contract src/errors.ts src/accounts src/sites src/organizations',
  'src/demo': 'src/contract src/errors.ts src/sites src/organizations',
  'src/stores.ts':
    'src/config.ts src/errors.ts src/log.ts src/metrics src/threads src/callbacks src/cli src/sites src/storage src/accounts src/organizations src/hosting',
  'src/service.ts': 'src activities',
  'src/welcome.ts': 'src/service.ts',
  'src/main.ts': 'src',
  'src/cli.ts': 'src',
};
const rooms = readdirSync('src').map((name) => `src/${name}`);
const zones = [...new Set([...Object.keys(arrows), ...rooms])].map((room) => ({
  target: `./${room}`,
  from: '.',
  except: [room, 'node_modules', ...(arrows[room] ?? '').split(' ').filter(Boolean)].map((path) => `./${path}`),
  message: `The table of arrows in eslint.config.js has none from ${room} to there.`,
}));

const domains = ['accounts', 'sites', 'agents', 'hosting', 'callbacks', 'organizations', 'storage', 'editor'];
const inBrowsers = ['src/editor/public/*.js', 'src/api/reference/*.js', 'src/console/browser/**'];

/** Only these files call Temporal as its clients do. */
const temporalClients = ['connection', 'cleanUp', 'searchAttributes', 'readiness', 'tasks/*'].map(
  (name) => `src/temporal/${name}.ts`,
);

const theClient = { group: ['@temporalio/client'], message: `Only ${temporalClients.join(', ')} call Temporal.` };
const activitiesAsValues = {
  group: ['**/activities/**'],
  allowTypeImports: true,
  message: 'Activities are imported as types only.',
};
/** The packages take 0.3 s to load: they are imported late, and only where a model is configured. */
const modelPackages = {
  group: ['ai', '@ai-sdk/*', '**/model/call.ts'],
  allowTypeImports: true,
  message: 'Import it by `await import()` in src/agents/model/, where a model is configured.',
};
const refuse = (files, ...patterns) => ({
  files,
  rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
});

/** What oxlint checks too (.oxlintrc.json), and reads the types of in a twentieth of the time. */
const inNode = ['src/**/*.ts', 'activities/**/*.ts', 'workflows/**/*.ts'];

export default tseslint.config(
  { ignores: ['node_modules', 'data', '.cache', 'src/demo/site', '*.js', '.ci/*', 'test', 'bench', 'docs'] },
  { files: inNode, extends: [tseslint.configs.base] },
  {
    files: inBrowsers,
    extends: [tseslint.configs.recommendedTypeChecked],
    plugins: { own: { rules: { ...noCycle.rules, ...types.rules } } },
    languageOptions: { parserOptions: { project: 'tsconfig.browser.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      'own/no-cycle': 'error',
      'own/types': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': 'off',
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: [...inNode, ...inBrowsers],
    plugins: { 'import-x': importX, regexp },
    settings: {
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.tsx', '.js'] })],
      'import-x/extensions': ['.ts', '.tsx', '.js'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
    },
  },
  {
    files: ['workflows/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            'node:*',
            'fs',
            'crypto',
            'path',
            '@temporalio/client',
            '@temporalio/worker',
            '@temporalio/activity',
          ],
        },
      ],
    },
  },
  {
    files: [...domains, 'cli', 'demo'].map((name) => `src/${name}/**/*.ts`),
    rules: { 'no-restricted-imports': ['error', { patterns: ['koa', '@koa/*', '@temporalio/*'] }] },
  },
  refuse(['src/**/*.ts', 'activities/**/*.ts'], theClient, modelPackages),
  refuse(['src/agents/model/call.ts'], theClient),
  refuse(['src/console/browser/**'], {
    group: ['**/contract/**'],
    allowTypeImports: true,
    message: 'The browser gets types of the contract only.',
  }),
  refuse(['src/temporal/**/*.ts'], theClient, activitiesAsValues, modelPackages),
  refuse([...temporalClients, 'workflows/**/*.ts'], activitiesAsValues),
);

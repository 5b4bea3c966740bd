import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

const domains = ['sites', 'agents', 'hosting', 'callbacks', 'organizations', 'storage', 'editor'];
const forbid = (target, from, except = []) => ({ target, from, except });

/** Imports point one way (docs/architecture.md): main -> service -> api, temporal -> workflows, activities (types) -> domain folders -> contract. */
const zones = [];
for (const name of domains)
  zones.push(
    forbid(`./src/${name}`, './src/api'),
    forbid(`./src/${name}`, './src/temporal'),
    forbid(`./src/${name}`, './workflows'),
    forbid(`./src/${name}`, './activities'),
  );
zones.push(
  forbid('./activities', './src/api'),
  forbid('./activities', './src/temporal'),
  forbid('./activities', './workflows'),
);
zones.push(
  forbid('./workflows', './src', ['./contract', './errors.ts']),
  forbid('./src/contract', './src', ['./contract']),
);
for (const folder of ['api', 'temporal', ...domains, 'contract'])
  for (const top of ['main.ts', 'cli.ts', 'service.ts']) zones.push(forbid(`./src/${folder}`, `./src/${top}`));
zones.push(forbid('./src/temporal', './src/api'));

export default tseslint.config(
  { ignores: ['node_modules', 'data', '.cache', 'src/demo/site', '**/*.js'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    settings: {
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js'] })],
      'import-x/extensions': ['.ts'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
    },
    rules: {
      'import-x/no-cycle': 'error',
      'import-x/no-restricted-paths': ['error', { zones }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': 'off',
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
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
    files: ['workflows/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['**/activities/**'],
              allowTypeImports: true,
              message: 'Workflows import activities as types only.',
            },
          ],
        },
      ],
    },
  },
  {
    files: domains.map((name) => `src/${name}/**/*.ts`),
    rules: { 'no-restricted-imports': ['error', { patterns: ['koa', '@koa/*', '@temporalio/*'] }] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      'max-lines-per-function': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
);

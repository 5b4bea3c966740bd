import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, startService } from '../helpers/service.ts';
import { type Figures, sum, summaryOf } from './summary.ts';
import { makeTemplate } from './template.ts';

/*
 * `npm test`: format, lint, types and every test but those of test/endurance, side by side.
 * `npm run test:endurance`: those.
 */

/** What asserts a time says so in its title, and runs alone. */
const TIMED = '\\(wall time\\)';
/** Compiled code, for the many processes that tests start. */
process.env['NODE_COMPILE_CACHE'] = join(import.meta.dirname, '../../.cache/node');
const folder = mkdtempSync(join(tmpdir(), 'agent-tasks-run-'));
const commandOf = (name: string) => join(import.meta.dirname, '../../node_modules/.bin', name);
const testsIn = (...folders: string[]) => folders.map((name) => `test/${name}/**/*.test.ts`);
const parallel = (jobs: number) => ['--parallel', '--jobs', String(jobs), '--grep', TIMED, '--invert'];

/** These open databases in their process, where every command that a later test starts would take longer. */
const withDatabases = 'unit/{cli,storage}';

async function runTests(): Promise<Figures[]> {
  const [checks, services, units] = await Promise.all([
    runChecks(),
    withService((env) =>
      mocha([...parallel(3), ...testsIn('e2e', 'temporal', 'workflows', 'replay', withDatabases)], env),
    ),
    mocha([...parallel(3), ...testsIn('unit', 'api', 'activities'), '--ignore', `test/${withDatabases}/**`]),
  ]);
  const alone = await mocha(['--grep', TIMED, ...testsIn('e2e', 'unit', 'api')]);
  return [...checks, ...services, units, alone];
}

async function runEndurance(): Promise<Figures[]> {
  await useTemplate();
  const sideBySide = await mocha([...parallel(3), ...testsIn('endurance')]);
  return [sideBySide, await mocha(['--grep', TIMED, ...testsIn('endurance')])];
}

/** From now on, services start on copies of one data folder. */
async function useTemplate(): Promise<void> {
  process.env['TEST_DATA_TEMPLATE'] = await makeTemplate(join(folder, 'data'));
}

/** Runs tests beside a service that suites share if they use only their own sites. */
async function withService(run: (env: NodeJS.ProcessEnv) => Promise<Figures>): Promise<Figures[]> {
  await useTemplate();
  const service = await startService();
  const figures = await run({ TEST_SERVICE: service.dataDir });
  const { code } = await service.stop();
  if (code !== 0 || figures.failed > 0)
    console.error(`The shared service ended with ${code}, and had logged:\n${problemsIn(service)}`);
  await service.end();
  return [figures, asTest('the shared service ends with 0', code === 0)];
}

const problemsIn = ({ launched }: Service) =>
  launched
    .lines()
    .filter(({ level }) => level !== 'info')
    .map((line) => JSON.stringify(line))
    .join('\n');

/** One after the other: beside them the tests run. */
async function runChecks(): Promise<Figures[]> {
  const format = await check('format', 'prettier', '--check', '--log-level', 'warn', '.');
  const lint = await check('lint', 'eslint', '.');
  const types = await check('types', 'tsc', '--noEmit');
  return [format, lint, types, await check("the browser's types", 'tsc', '--noEmit', '-p', 'tsconfig.browser.json')];
}

async function check(name: string, command: string, ...args: string[]): Promise<Figures> {
  const { code, output } = await run(command, args);
  console.log(`${code === 0 ? '✔' : '✖'} ${name}${output === '' ? '' : `\n${output}`}`);
  return asTest(name, code === 0);
}

/** What is right or wrong as a whole counts as one test. */
const asTest = (name: string, hasPassed: boolean): Figures => ({
  passed: Number(hasPassed),
  failed: Number(!hasPassed),
  skipped: 0,
  failures: hasPassed ? [] : [name],
  files: [],
});

let runners = 0;

async function mocha(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Figures> {
  const file = join(folder, `${++runners}.json`);
  const { code } = await run('mocha', args, { env: { ...process.env, ...env, TEST_FIGURES: file }, stdio: 'inherit' });
  if (!existsSync(file)) return asTest(`mocha ${args.join(' ')}`, false);
  const figures = JSON.parse(readFileSync(file, 'utf8')) as Figures;
  return code === 0 || figures.failed > 0
    ? figures
    : { ...figures, failed: 1, failures: ['mocha ended with an error'] };
}

async function run(command: string, args: string[], options: { env?: NodeJS.ProcessEnv; stdio?: 'inherit' } = {}) {
  const child = spawn(process.execPath, [commandOf(command), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output.trim() };
}

try {
  const isEndurance = process.argv.includes('endurance');
  const runs = isEndurance ? await runEndurance() : await runTests();
  console.log(`\n${summaryOf(runs)}`);
  const isIncomplete = process.env['CI'] !== undefined && sum(runs, 'skipped') > 0;
  process.exitCode = sum(runs, 'failed') > 0 || isIncomplete ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

import { once } from 'node:events';
import { execFile, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cpuSecondsOf, orphanedSeconds } from '../helpers/cpuTime.ts';
import { builtGitea } from '../helpers/gitea/build.ts';
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts';
import { findProgram } from '../helpers/programs.ts';
import { type Service, startSharedService } from '../helpers/service.ts';
import { findTemporalPrograms } from '../helpers/temporalPrograms.ts';
import { longestFirst, rememberTimes } from './order.ts';
import './nodeFlags.ts';
import { addUp, type Figures, type MeasuredPart, sum, summaryOf } from './summary.ts';
import { makeTemplate } from './template.ts';

/*
 * `npm test`: format, lint, types and every test but those of test/endurance, side by side.
 * `npm run test:endurance`: those.
 */

/**
 * PGlite is 8 MB of WebAssembly: what V8 spends on optimizing it, tests never bring back (13 % of
 * test/unit/storage).
 */
const LIFTOFF = '--liftoff-only';
/** Of the shared database server: ten for each process of the tests, and those of services. */
const CONNECTIONS = 500;
/** What asserts a time says so in its title, and runs alone. */
const TIMED = '\\(wall time\\)';
/** Compiled code, for the many processes that tests start. */
process.env['NODE_COMPILE_CACHE'] = join(import.meta.dirname, '../../.cache/node');
const folder = mkdtempSync(join(tmpdir(), 'agent-tasks-run-'));
const commandOf = (name: string) => join(import.meta.dirname, '../../node_modules/.bin', name);
const parallel = (jobs: number) => [
  '--parallel',
  '--jobs',
  String(jobs),
  '--grep',
  TIMED,
  '--invert',
];

/** The test files in folders of `test/`, the longest first. */
const testsIn = (...folders: string[]) =>
  longestFirst(globSync(folders.map((name) => `test/${name}/**/*.test.ts`)));
const timedIn = (...folders: string[]) => [
  '--grep',
  TIMED,
  ...testsIn(...folders).filter((file) => readFileSync(file, 'utf8').includes('(wall time)')),
];

/**
 * These open databases in their process, where every command that a later test starts would take
 * longer.
 */
const withDatabases = ['unit/cli', 'unit/storage'];
/** These need no service: they run beside those that do, so that both runs end at the same time. */
const besides = ['api', 'unit/hosting'];

async function runTests(): Promise<Figures[]> {
  const checks = runChecks();
  const withService = testsIn(
    'e2e',
    'temporal',
    'workflows',
    'replay',
    ...withDatabases,
    ...besides,
  );
  const others = testsIn('unit', 'activities').filter((file) => !withService.includes(file));
  const database = useDatabase();
  const runs = await Promise.all([
    database.then(useTemplate).then(() =>
      // one more than the others have: half of their time these wait, for servers to start and
      // tasks to end
      besideService((env) => mocha([...parallel(3), ...withService], env)),
    ),
    database.then(() => mocha([...parallel(2), ...others])),
  ]);
  return [...(await checks), ...runs.flat(), await mocha(timedIn('unit', 'api'))];
}

/** The tests of which `npm test` tries a fifth of the cases: properties, and long tables. */
const testsWithCases = () =>
  testsIn('unit', 'api', 'activities', 'temporal').filter((file) =>
    /helpers\/cases|from 'fast-check'/.test(readFileSync(file, 'utf8')),
  );

/**
 * These take minutes. A machine that has run nothing yet does not know it, and what begins last
 * decides when all is done.
 */
const LONG = [
  'ownHostKills',
  'cluster',
  'batchKills',
  'roles',
  'hostileTexts',
  'browser/console',
  'browser/ownHost',
  'browser/batches',
  'soak',
  'upgrade',
  'restore',
].map((name) => `test/endurance/${name}.test.ts`);

const isNotLong = (file: string) => !LONG.includes(file);

async function runEndurance(): Promise<Figures[]> {
  // where a build fails, the tests on it tell what is wrong
  const built = Promise.allSettled([findTemporalPrograms(), builtGitea()]);
  await useDatabase();
  await useTemplate();
  // more than there are cores: services that start, browsers and deadlines are mostly waited for
  const files = [...LONG, ...[...testsIn('endurance'), ...testsWithCases()].filter(isNotLong)];
  const runs = await besideService((env) =>
    mocha([...parallel(6), ...files], { ...env, TEST_CASES: 'all' }),
  );
  await built;
  return [...runs, await mocha(timedIn('endurance'))];
}

const data = join(folder, 'data');
/** The server that tests share. */
let postgres = null as PostgresServer | null;

/** From now on, services start on copies of one data folder. */
async function useTemplate(): Promise<void> {
  process.env['TEST_DATA_TEMPLATE'] = await makeTemplate(data);
}

/**
 * From now on, test databases start as copies of an empty one and of a migrated one, and so does
 * the template's. Most are on one PostgreSQL server, if PostgreSQL is there.
 */
async function useDatabase(): Promise<void> {
  const [empty, migrated] = [join(folder, 'empty.tar'), join(folder, 'migrated.tar')];
  const program = join(import.meta.dirname, 'makeDatabase.ts');
  mkdirSync(data);
  postgres = findProgram('PostgreSQL') ? await startPostgres({ connections: CONNECTIONS }) : null;
  if (postgres) process.env['TEST_POSTGRES'] = postgres.url;
  await promisify(execFile)(process.execPath, [
    LIFTOFF,
    program,
    join(data, 'database'),
    empty,
    migrated,
    ...(postgres ? [postgres.url] : []),
  ]);
  process.env['TEST_DATABASE_TEMPLATE'] = empty;
  process.env['TEST_MIGRATED_TEMPLATE'] = migrated;
}

/** Runs tests beside a service that suites share if they use only their own sites. */
async function besideService(
  run: (env: NodeJS.ProcessEnv) => Promise<Figures>,
): Promise<Figures[]> {
  const service = await startSharedService();
  const figures = await run({ TEST_SERVICE: service.dataDir });
  const part = partOf('the shared service', service.launched.pid);
  const { code } = await service.stop();
  if (code !== 0 || figures.failed > 0)
    console.error(`The shared service ended with ${code}, and had logged:\n${problemsIn(service)}`);
  await service.end();
  return [figures, asTest('the shared service ends with 0', code === 0, [part])];
}

const problemsIn = ({ launched }: Service) =>
  launched
    .lines()
    .filter(({ level }) => level !== 'info')
    .map((line) => JSON.stringify(line))
    .join('\n');

/**
 * For the checker of types, which is written in Go, and spends a third of its time on collecting
 * garbage.
 */
const ofTypes = { ...process.env, GOGC: 'off', GOMEMLIMIT: '3GiB' };

/** One after the other: beside them the tests run. */
async function runChecks(): Promise<Figures[]> {
  const format = await check('format', commandOf('oxfmt'), ['--check']);
  const client = await check('types of the client', join(import.meta.dirname, CLIENT_TYPES), []);
  return [format, client, await check('lint and types', commandOf('oxlint'), [], ofTypes)];
}

/** Makes what lint reads, and git does not keep. */
const CLIENT_TYPES = '../../client/makeTypes.ts';

/** The shell tells the CPU time of what it waited for, which Node does not. */
const TIMED_COMMAND = '"$@"; code=$?; times; exit $code';

async function check(
  name: string,
  script: string,
  args: string[],
  env = process.env,
): Promise<Figures> {
  const words = ['-c', TIMED_COMMAND, 'sh', process.execPath, script, ...args];
  const { code, output } = await run('sh', words, { env });
  const lines = output.split('\n');
  const cpu = secondsIn(lines.pop()!);
  console.log([`${code === 0 ? '✔' : '✖'} ${name}`, ...lines].join('\n'));
  return asTest(name, code === 0, [{ name, cpu, seconds: 0, orphaned: 0 }]);
}

/** @param times user and system time, as `1m2.5s 0m1.2s` */
const secondsIn = (times: string) =>
  [...times.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (total, [, minutes, seconds]) => total + 60 * Number(minutes) + Number(seconds),
    0,
  );

/** What is right or wrong as a whole counts as one test. */
const asTest = (name: string, hasPassed: boolean, parts: MeasuredPart[] = []): Figures => ({
  passed: Number(hasPassed),
  failed: Number(!hasPassed),
  skipped: 0,
  failures: hasPassed ? [] : [name],
  parts,
});

/** What a process has used so far. */
const partOf = (name: string, pid: number): MeasuredPart => ({
  name,
  cpu: cpuSecondsOf(pid),
  seconds: 0,
  orphaned: 0,
});

/** What took CPU time and is no test. */
const asPart = (part: MeasuredPart): Figures => ({
  passed: 0,
  failed: 0,
  skipped: 0,
  failures: [],
  parts: [part],
});

let runners = 0;

async function mocha(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Figures> {
  const file = join(folder, `${++runners}.json`);
  const options = {
    env: { ...process.env, ...env, TEST_FIGURES: file },
    stdio: 'inherit',
  } as const;
  const { code } = await run(process.execPath, [commandOf('mocha'), ...args], options);
  if (!existsSync(file)) return asTest(`mocha ${args.join(' ')}`, false);
  const figures = JSON.parse(readFileSync(file, 'utf8')) as Figures;
  return code === 0 || figures.failed > 0
    ? figures
    : { ...figures, failed: 1, failures: ['mocha ended with an error'] };
}

async function run(
  command: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; stdio?: 'inherit' } = {},
) {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output.trim() };
}

/** What the run used besides its measured parts: starts, templates, Mocha itself. */
function restOf(parts: MeasuredPart[]): MeasuredPart {
  const measured = addUp('measured', parts);
  const orphaned = orphanedSeconds();
  const cpu = cpuSecondsOf(process.pid) + orphaned - (measured.cpu - measured.orphaned);
  return { name: 'starts and templates', cpu, seconds: 0, orphaned };
}

try {
  const isEndurance = process.argv.includes('endurance');
  const runs = isEndurance ? await runEndurance() : await runTests();
  rememberTimes(runs.flatMap((run) => run.parts));
  if (postgres) runs.push(asPart(partOf('PostgreSQL', postgres.pid())));
  runs.push(asPart(restOf(runs.flatMap((run) => run.parts))));
  console.log(`\n${summaryOf(runs)}`);
  const isIncomplete = process.env['CI'] !== undefined && sum(runs, 'skipped') > 0;
  process.exitCode = sum(runs, 'failed') > 0 || isIncomplete ? 1 : 0;
} finally {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}

// Takes long: 16 processes of the service that each start, and fail.
import { expect } from 'chai';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GIT_MISSING } from '../../src/sites/git/command/git.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { processesOf } from '../helpers/processes.ts';
import { programOnPath } from '../helpers/programs.ts';
import { endServices, launchService, type LaunchOptions } from '../helpers/service.ts';
import { copyTemplate } from '../helpers/template.ts';
import { until } from '../helpers/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const progress =
  /^(Opening the database|Checking the Temporal server|Preparing the demo sites|Starting the|Temporal CLI: )/;

/** A start that is refused: what it is given, and what it says. */
interface Refusal {
  title: string;
  /** Prepares what the start finds, in a folder of its own. */
  given: (inside: (name: string) => string) => LaunchOptions;
  says: RegExp | string | ((line: string) => void);
}

const withEnv = (env: Record<string, string>) => () => ({ env });
const nothingAnswers = '127.0.0.1:9';

const takenPorts: [setting: string, says: RegExp][] = [
  ['PORT', /^Port \d+ can't be used \(another program uses it\). Choose another port with PORT$/],
];

const unusableFolders: [what: string, dataDir: string, says: RegExp][] = [
  ['a file', 'file', /\(ENOTDIR\): choose a folder which this user can write to$/],
];

const refusalsOf = (port: string): Refusal[] => [
  ...takenPorts.map(([setting, says]) => ({
    title: `names ${setting} where another program has the port`,
    given: withEnv({ [setting]: port }),
    says,
  })),
  {
    title: 'says to install git where there is none on PATH',
    given: (inside) => {
      mkdirSync(inside('empty'));
      return { env: { PATH: inside('empty') } };
    },
    says: GIT_MISSING,
  },
  {
    title: 'says what to do where no Temporal binary can be found or fetched',
    given: (inside) => {
      const copy = inside('copy');
      for (const part of ['src', 'workflows', 'activities', 'package.json'])
        cpSync(join(root, part), join(copy, part), { recursive: true });
      symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
      mkdirSync(inside('bin'));
      symlinkSync(programOnPath('git'), join(inside('bin'), 'git'));
      const nowhere = {
        NODE_USE_ENV_PROXY: '1',
        HTTPS_PROXY: `http://${nothingAnswers}`,
        NO_PROXY: '',
      };
      const command: LaunchOptions['command'] = [
        process.execPath,
        '--liftoff-only',
        join(copy, 'src/main.ts'),
      ];
      return { env: { PATH: inside('bin'), ...nowhere }, command };
    },
    says: (line) => {
      expect(line).to.match(
        /^No Temporal CLI binary: `temporal` is not on PATH, .*\(spawn python3 ENOENT\)\. Install /,
      );
      expect(line).to.contain('set TEMPORAL_CLI_PATH').and.contain('TEMPORAL_ADDRESS');
    },
  },
  {
    title: 'names the Temporal server that does not answer',
    given: withEnv({ TEMPORAL_ADDRESS: nothingAnswers }),
    says: /^The Temporal server .*127\.0\.0\.1:9/,
  },
  {
    title: 'names the database that does not answer, without its password',
    given: withEnv({ DATABASE_URL: `postgres://me:hidden@${nothingAnswers}/tasks` }),
    says: (line) => {
      expect(line).to.match(
        /^The database at 127\.0\.0\.1:9\/tasks \(DATABASE_URL\) can't be used: /,
      );
      expect(line).to.not.contain('hidden');
    },
  },
  ...unusableFolders.map(([what, dataDir, says]) => ({
    title: `names DATA_DIR where it is ${what}`,
    given: (inside: (name: string) => string) => {
      writeFileSync(inside('file'), '');
      return { dataDir: inside(dataDir) };
    },
    says: (line: string) => {
      expect(line).to.match(/^DATA_DIR \S+ can't be used /);
      expect(line).to.match(says);
    },
  })),
  {
    title: 'refuses a folder that holds other files, such as a home folder, and says so',
    given: (inside) => {
      mkdirSync(inside('home'));
      writeFileSync(join(inside('home'), '.profile'), '');
      return { dataDir: inside('home') };
    },
    says: /^DATA_DIR \S+\/home contains files of other programs \(\.profile\): choose a new folder$/,
  },
  {
    title: 'names every wrong setting in one line',
    given: withEnv({
      PORT: 'high',
      ROLE: 'chief',
      TASKS_IN_FLIGHT: '-1',
      DATABASE_URL: 'mysql://x',
    }),
    says: (line) => {
      expect(line).to.match(/^Invalid settings: /);
      for (const name of ['PORT', 'ROLE', 'TASKS_IN_FLIGHT', 'DATABASE_URL'])
        expect(line).to.contain(`"${name}"`);
    },
  },
];

describe('a start that fails', function () {
  this.timeout(300_000);
  const other = createServer();
  const folders: ReturnType<typeof temporaryFolder>[] = [];
  let lines: Map<string, Promise<string>>;

  before(async () => {
    await once(other.listen(0), 'listening');
    const { port } = other.address() as AddressInfo;
    lines = new Map(refusalsOf(String(port)).map((refusal) => [refusal.title, lineOf(refusal)]));
    for (const line of lines.values()) line.catch(() => undefined);
  });
  after(async function () {
    other.close();
    await endServices(this.currentTest);
    folders.forEach((folder) => folder.remove());
  });

  /**
   * Exit code 1, nothing left, and on standard error one line besides the progress. @returns that
   * line
   */
  async function lineOf({ given }: Refusal): Promise<string> {
    const folder = temporaryFolder();
    folders.push(folder);
    const inside = (name: string) => join(folder.path, name);
    copyTemplate(inside('data'));
    const launched = launchService({ dataDir: inside('data'), ...given(inside) });
    await until('the end of the service', () => launched.hasEnded());
    expect(await launched.ended).to.deep.equal({ code: 1, signal: null });
    await until('the end of every process', () => processesOf(folder.path).length === 0);
    const said = launched.stderr.split('\n').filter((line) => line !== '' && !progress.test(line));
    expect(said, launched.stderr).to.have.length(1);
    return said[0]!;
  }

  for (const { title, says } of refusalsOf('0'))
    it(title, async () => {
      const line = await lines.get(title);
      if (typeof says === 'string') expect(line).to.equal(says);
      else if (says instanceof RegExp) expect(line).to.match(says);
      else says(line!);
    });
});

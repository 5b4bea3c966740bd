import { expect } from 'chai';
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../helpers/database.ts';
import { processesOf } from '../helpers/processes.ts';
import { endServices, launchService, type LaunchOptions } from '../helpers/service.ts';
import { until } from '../helpers/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const progress = /^(Opening the database|Looking at the Temporal server|Starting the|Temporal CLI: )/;

describe('a start that fails', function () {
  this.timeout(120_000);
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(async function () {
    await endServices(this.currentTest);
    folder.remove();
  });
  const inside = (name: string) => join(folder.path, name);

  /** Exit code 1, nothing left, and on standard error one line besides the progress. @returns that line */
  async function failureOf(env: LaunchOptions['env'], options: LaunchOptions = {}): Promise<string> {
    const launched = launchService({ dataDir: inside('data'), env: { ...env }, ...options });
    await until('the end of the service', () => launched.hasEnded(), 90_000);
    expect(await launched.ended).to.deep.equal({ code: 1, signal: null });
    await until('the end of every process', () => processesOf(folder.path).length === 0, 20_000);
    const lines = launched.stderr.split('\n').filter((line) => line !== '' && !progress.test(line));
    expect(lines, launched.stderr).to.have.length(1);
    return lines[0]!;
  }

  for (const [setting, says] of [
    ['PORT', /^Port \d+ can't be used \(another program uses it\): choose another one with PORT$/],
    [
      'TEMPORAL_PORT',
      /^TEMPORAL_PORT: port \d+ is taken by another program; set TEMPORAL_PORT to a free port, or to 0/,
    ],
    ['TEMPORAL_UI_PORT', /^TEMPORAL_UI_PORT: port \d+ is taken by another program; set TEMPORAL_UI_PORT to a free/],
  ] as const)
    it(`names ${setting} where another program has the port`, async () => {
      const other = createServer();
      await once(other.listen(0), 'listening');
      try {
        expect(await failureOf({ [setting]: String((other.address() as AddressInfo).port) })).to.match(says);
      } finally {
        other.close();
      }
    });

  it('says to install git where there is none on PATH', async () => {
    mkdirSync(inside('empty'));
    expect(await failureOf({ PATH: inside('empty') })).to.match(/^git was not found: install git 2\.32 or later/);
  });

  it('says which git is needed where the one on PATH is too old', async () => {
    mkdirSync(inside('old'));
    writeFileSync(join(inside('old'), 'git'), '#!/bin/sh\necho git version 2.20.1\n', { mode: 0o755 });
    const path = [inside('old'), process.env.PATH].join(delimiter);
    expect(await failureOf({ PATH: path })).to.equal('git 2.32 or later is needed, found 2.20.1');
  });

  it('says what to do where no Temporal binary can be found or fetched', async () => {
    const copy = inside('copy');
    for (const part of ['src', 'workflows', 'activities', 'package.json'])
      cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    mkdirSync(inside('bin'));
    symlinkSync(programOnPath('git'), join(inside('bin'), 'git'));
    const nowhere = { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '' };
    const line = await failureOf(
      { PATH: inside('bin'), ...nowhere },
      { command: [process.execPath, join(copy, 'src/main.ts')] },
    );
    expect(line).to.match(/^No Temporal CLI binary: `temporal` is not on PATH, .*\(spawn python3 ENOENT\)\. Install /);
    expect(line).to.contain('set TEMPORAL_CLI_PATH').and.contain('TEMPORAL_ADDRESS');
  });

  it('names TEMPORAL_CLI_PATH where that is not the Temporal CLI', async () => {
    expect(await failureOf({ TEMPORAL_CLI_PATH: inside('none') })).to.equal(
      `TEMPORAL_CLI_PATH=${inside('none')} is not the Temporal CLI, or not executable`,
    );
  });

  it('names the Temporal server that does not answer', async () => {
    expect(await failureOf({ TEMPORAL_ADDRESS: '127.0.0.1:9' })).to.match(/^Temporal .*127\.0\.0\.1:9/);
  });

  it('names the database that does not answer, without its password', async () => {
    const line = await failureOf({ DATABASE_URL: 'postgres://me:hidden@127.0.0.1:9/tasks' });
    expect(line).to.match(/^The database at 127\.0\.0\.1:9\/tasks \(DATABASE_URL\) can't be used: /);
    expect(line).to.not.contain('hidden');
  });

  const folders: [string, () => string, RegExp][] = [
    ['below a file', () => join(inside('file'), 'data'), /\(ENOTDIR\): choose a folder that this user may write to$/],
    ['a file', () => inside('file'), /\(ENOTDIR\): choose a folder that this user may write to$/],
    ['far too long', () => join(inside('x'.repeat(300)), 'data'), /\(ENAMETOOLONG\): choose a shorter path$/],
  ];
  for (const [what, path, says] of folders)
    it(`names DATA_DIR where it is ${what}`, async () => {
      writeFileSync(inside('file'), '');
      const line = await failureOf({}, { dataDir: path() });
      expect(line).to.match(/^DATA_DIR \S+ can't be used /);
      expect(line).to.match(says);
    });

  it('names every wrong setting in one line', async () => {
    const line = await failureOf({ PORT: 'high', ROLE: 'chief', SHUTDOWN_GRACE: '-1', DATABASE_URL: 'mysql://x' });
    expect(line).to.match(/^Wrong settings: /);
    for (const name of ['PORT', 'ROLE', 'SHUTDOWN_GRACE', 'DATABASE_URL']) expect(line).to.contain(`"${name}"`);
  });

  it('refuses CALLBACK_ALLOW_PRIVATE in production', async () => {
    expect(await failureOf({ CALLBACK_ALLOW_PRIVATE: 'true', NODE_ENV: 'production' })).to.equal(
      'Wrong settings: "CALLBACK_ALLOW_PRIVATE" must not be true where NODE_ENV is production',
    );
  });

  for (const role of ['api', 'worker'])
    it(`names what ROLE=${role} needs`, async () => {
      expect(await failureOf({ ROLE: role })).to.equal(
        `ROLE=${role} works with other processes and needs DATABASE_URL, TEMPORAL_ADDRESS, PUBLIC_URL`,
      );
      expect(await failureOf({ ROLE: role, TEMPORAL_ADDRESS: '127.0.0.1:9' })).to.match(
        /needs DATABASE_URL, PUBLIC_URL$/,
      );
    });
});

function programOnPath(name: string): string {
  const found = (process.env.PATH ?? '').split(delimiter).find((part) => existsSync(join(part, name)));
  return join(found ?? expect.fail(`${name} is not on PATH`), name);
}

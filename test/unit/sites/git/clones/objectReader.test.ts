import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mock } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createObjectReader } from '../../../../../src/sites/git/clones/objectReader.ts';
import { git } from '../../../../helpers/team/workplace.ts';

const IDLE_MS = 30_000;

describe('createObjectReader(start)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'objects-'));
  let ids: string[];
  let starts: number;
  let reader: ReturnType<typeof createObjectReader>;
  before(() => {
    git(folder, 'init', '--quiet', '--bare', '.');
    ids = ['one', 'two', 'three'].map((text) => {
      writeFileSync(join(folder, text), text);
      return git(folder, 'hash-object', '-w', '--', text).trim();
    });
  });
  beforeEach(() => {
    starts = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
    reader = createObjectReader(() => {
      starts++;
      return spawn('git', ['cat-file', '--batch'], { cwd: folder });
    });
  });
  afterEach(async () => {
    mock.timers.reset();
    await reader.close();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const readAll = async (some = ids) =>
    (await Promise.all(some.map((id) => reader.read(id)))).map(String);

  it('keeps one process as long as there is work, also for several readers at once', async () => {
    for (let round = 0; round < 4; round++) {
      expect(await readAll()).to.deep.equal(['one', 'two', 'three']);
      mock.timers.tick(IDLE_MS - 1);
    }
    expect(starts).to.equal(1);
  });

  it('ends the process after half a minute without work, and starts another one', async () => {
    await readAll();
    mock.timers.tick(IDLE_MS);
    expect(await readAll(ids.slice(1))).to.deep.equal(['two', 'three']);
    expect(starts).to.equal(2);
  });
});

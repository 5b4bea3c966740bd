import { expect } from 'chai';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readBuildId } from '../../../src/temporal/worker/workerBuild.ts';
import { temporaryFolder } from '../../helpers/database.ts';

describe('readBuildId', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  const write = async (file: string, text: string) => {
    await mkdir(dirname(join(folder.path, file)), { recursive: true });
    await writeFile(join(folder.path, file), text);
  };
  before(async () => {
    for (const file of [
      'workflows/task.ts',
      'activities/publish.ts',
      'src/sites/git/remote/push.ts',
      'package-lock.json',
    ])
      await write(file, 'before');
  });

  for (const file of [
    'workflows/task.ts',
    'activities/publish.ts',
    'src/sites/git/remote/push.ts',
    'package-lock.json',
  ])
    it(`changes with ${file}, and returns to the first value when the change is undone`, async () => {
      const before = await readBuildId(folder.path);
      await write(file, 'after');
      expect(await readBuildId(folder.path)).to.not.equal(before);
      await write(file, 'before');
      expect(await readBuildId(folder.path)).to.equal(before);
    });

  it('changes when a file is added, removed or renamed', async () => {
    const ids = new Set([await readBuildId(folder.path)]);
    await write('activities/new.ts', 'new');
    ids.add(await readBuildId(folder.path));
    await rm(join(folder.path, 'activities/new.ts'));
    await write('activities/renamed.ts', 'new');
    ids.add(await readBuildId(folder.path));
    expect(ids.size).to.equal(3);
  });

  it('does not depend on files that no worker runs', async () => {
    const before = await readBuildId(folder.path);
    for (const file of ['README.md', 'test/new.test.ts', 'docs/new.md']) await write(file, 'new');
    expect(await readBuildId(folder.path)).to.equal(before);
    expect(before).to.match(/^[0-9a-f]{32}$/);
  });

  it('exists for the current code', async () =>
    expect(await readBuildId()).to.match(/^[0-9a-f]{32}$/));
});

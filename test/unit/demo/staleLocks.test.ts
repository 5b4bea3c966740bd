import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { ensureDemoRepository } from '../../../src/demo/demoRepository.ts';
import { removeStaleLocks } from '../../../src/demo/staleLocks.ts';
import { createGit } from '../../../src/sites/git/command/git.ts';
import { temporaryFolder } from '../../helpers/database.ts';
import { testLauncher } from '../../helpers/launcher.ts';

describe('removeStaleLocks', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => folder.remove());

  const inSite = (path: string) => join(folder.path, 'demo', 'site.git', path);
  const locks = [
    'refs/heads/main.lock',
    'refs/agent-tasks/bg-1.lock',
    'packed-refs.lock',
    'HEAD.lock',
  ];

  async function removeMain(): Promise<number> {
    return (
      await createGit({ launcher: testLauncher }).run({
        args: ['update-ref', '-d', 'refs/heads/main'],
        dir: inSite(''),
      })
    ).code;
  }

  it('removes every lock that a killed git left, so that the next push succeeds', async () => {
    await ensureDemoRepository({ dataDir: folder.path, launcher: testLauncher }, 'site');
    mkdirSync(inSite('refs/agent-tasks'), { recursive: true });
    locks.forEach((lock) => writeFileSync(inSite(lock), ''));
    expect(await removeMain()).to.not.equal(0);
    await removeStaleLocks(folder.path);
    expect(locks.filter((lock) => existsSync(inSite(lock)))).to.deep.equal([]);
    expect(await removeMain()).to.equal(0);
  });

  it('keeps a lock that is replaced after a while, because somebody works there', async () => {
    await ensureDemoRepository({ dataDir: folder.path, launcher: testLauncher }, 'site');
    const lock = inSite('refs/heads/main.lock');
    writeFileSync(lock, '');
    const removing = removeStaleLocks(folder.path);
    const ended = removing.then(() => true);
    for (let n = 0; !(await Promise.race([ended, delay(20, false)])); n++) {
      expect(existsSync(lock), `the lock of git ${n}`).to.equal(true);
      writeFileSync(`${lock}.new`, `of git ${n}`);
      renameSync(`${lock}.new`, lock);
    }
    expect(existsSync(lock)).to.equal(true);
  });

  it('creates nothing if there is no repository yet', async () => {
    await removeStaleLocks(folder.path);
    expect(readdirSync(folder.path)).to.deep.equal([]);
  });
});

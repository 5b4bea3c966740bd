import { expect } from 'chai';
import { DomainError } from '../../../src/errors.ts';
import { lockDataDir } from '../../../src/storage/dataFolderLock.ts';
import { killChildren, runModule } from '../../helpers/children.ts';
import { temporaryFolder } from '../../helpers/database.ts';

const lockModule = new URL('../../../src/storage/dataFolderLock.ts', import.meta.url).href;

describe('lockDataDir(dataDir)', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => {
    killChildren();
    folder.remove();
  });

  /**
   * A process that says `ready`, tries to take the lock as soon as it gets a line, and keeps it
   * until it is killed.
   */
  const starter = () =>
    runModule(`
      import { once } from 'node:events';
      import { lockDataDir } from '${lockModule}';
      console.log('ready');
      await once(process.stdin, 'data');
      try {
        lockDataDir(${JSON.stringify(folder.path)});
        console.log('held');
      } catch (error) {
        console.log(error.code + ': ' + error.message);
      }
    `);

  async function startTogether(count: number) {
    const children = Array.from({ length: count }, starter);
    for (const child of children) expect(await child.line()).to.equal('ready');
    for (const child of children) child.process.stdin?.write('go\n');
    const answers = await Promise.all(children.map((child) => child.line()));
    return { children, answers };
  }

  it('lets exactly one of many simultaneous processes have the folder', async () => {
    const { children, answers } = await startTogether(4);
    expect(answers.filter((answer) => answer === 'held')).to.have.length(1);
    expect(answers.filter((answer) => answer?.startsWith('CONFLICT: '))).to.have.length(3);
    await Promise.all(children.map((child) => child.kill()));
  });

  it('is free again after kill -9 of its holder, for exactly one of the waiting processes', async () => {
    const first = await startTogether(1);
    expect(first.answers).to.deep.equal(['held']);
    await first.children[0]?.kill();
    const second = await startTogether(3);
    expect(second.answers.filter((answer) => answer === 'held')).to.have.length(1);
    await Promise.all(second.children.map((child) => child.kill()));
  });

  it('names the folder and the process that holds it', async () => {
    const { children } = await startTogether(1);
    expect(() => lockDataDir(folder.path))
      .to.throw(
        DomainError,
        new RegExp(`^DATA_DIR ${folder.path} .*\\(pid ${children[0]?.process.pid}\\)`),
      )
      .with.property('code', 'CONFLICT');
    await children[0]?.kill();
  });

  it('also locks out the same process, and is free after its release', () => {
    const lock = lockDataDir(folder.path);
    expect(() => lockDataDir(folder.path)).to.throw(DomainError, `pid ${process.pid}`);
    lock.release();
    lockDataDir(folder.path).release();
  });
});

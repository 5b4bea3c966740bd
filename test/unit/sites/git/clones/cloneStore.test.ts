import { expect } from 'chai';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackgroundWork } from '../../../../../src/sites/git/clones/backgroundWork.ts';
import { createGit } from '../../../../../src/sites/git/command/git.ts';
import {
  createCloneStore,
  type CloneStore,
} from '../../../../../src/sites/git/clones/cloneStore.ts';
import { countWaits, type WaitCounter } from '../../../../../src/waitCounters.ts';
import { testLauncher } from '../../../../helpers/launcher.ts';
import { until } from '../../../../helpers/until.ts';

describe('store.exclusive(work, signal)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  let store: CloneStore;
  before(() => {
    const git = createGit({ launcher: testLauncher });
    store = createCloneStore({ git, folder, name: 'site-1', folderReady: Promise.resolve() });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Holds the site's turn until `release` is called. */
  async function hold(signal?: AbortSignal) {
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ended = store.exclusive(() => {
      begun.resolve();
      return end.promise;
    }, signal);
    await begun.promise;
    return { release: end.resolve, ended };
  }

  it('does one work after the other, in the order of the callers', async () => {
    const held = await hold();
    const done: number[] = [];
    const works = [0, 1, 2, 3].map((n) => store.exclusive(async () => void done.push(n)));
    expect(done).to.deep.equal([]);
    held.release();
    await Promise.all(works);
    expect(done).to.deep.equal([0, 1, 2, 3]);
  });

  it('ends the waiting at once if its signal aborts, and lets the next caller in', async () => {
    const held = await hold();
    const stop = new AbortController();
    const done: string[] = [];
    const given = store.exclusive(async () => void done.push('cancelled'), stop.signal);
    const next = store.exclusive(async () => void done.push('next'));
    stop.abort(new Error('cancelled'));
    expect(await given.catch((error: Error) => error.message)).to.equal('cancelled');
    held.release();
    await next;
    expect(done).to.deep.equal(['next']);
  });

  it('counts the wait for the turn as waiting, but not the work', async () => {
    const held = await hold();
    let waits: WaitCounter | undefined;
    let duringWork: string | undefined;
    const work = countWaits((counted) => {
      waits = counted;
      return store.exclusive(async () => void (duringWork = counted.current() ?? 'works'));
    });
    await until('the waiting', () => waits?.current() === "the site's turn" && waits.total() > 20);
    held.release();
    await work;
    expect(duringWork).to.equal('works');
    const total = waits!.total();
    await new Promise(setImmediate);
    expect(waits!.total()).to.equal(total);
  });
});

describe('maintenance beside other work', () => {
  const whenAborted = (signal: AbortSignal) =>
    new Promise<void>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  const outcomeOf = (running: Promise<void>) =>
    running.then(
      () => 'done',
      (error: Error) => error.message,
    );

  it('yields to other work, and begins only when that has ended', async () => {
    let failures = 0;
    const beside = createBackgroundWork(() => void failures++);
    const first = outcomeOf(beside.run(whenAborted));
    await new Promise(setImmediate);
    const did: string[] = [];
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const cleaned = beside.without(
      () => (did.push('cleans'), gate.then(() => void did.push('cleaned'))),
    );
    expect(await first).to.match(/\bmaintenance stopped\b/);
    const later = beside.run(() => Promise.resolve(void did.push('maintains')));
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect(did).to.deep.equal(['cleans']);
    const again = cleaned.then(() =>
      beside.without(() => Promise.resolve(void did.push('cleaned again'))),
    );
    open();
    await Promise.all([cleaned, again, later]);
    expect(did.slice(0, 2)).to.deep.equal(['cleans', 'cleaned']);
    expect(did).to.have.members(['cleans', 'cleaned', 'cleaned again', 'maintains']);
    expect(failures).to.equal(1);
  });

  for (const during of [true, false])
    it(`leaves no lock to the next work when it is cut off ${during ? 'during a work' : 'between two works'}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'store-'));
      const git = createGit({ launcher: testLauncher });
      const store = createCloneStore({
        git,
        folder,
        name: 'site-1',
        folderReady: Promise.resolve(),
      });
      await store.exclusive(() => Promise.resolve());
      const lock = join(store.dir, 'packed-refs.lock');
      const cutOff = async () => {
        const ended = store.beside(() => Promise.reject(new Error('killed')));
        writeFileSync(lock, '');
        expect(await outcomeOf(ended)).to.equal('killed');
      };
      if (during) await store.exclusive(cutOff);
      else await cutOff();
      await store.exclusive(() => Promise.resolve(expect(existsSync(lock)).to.equal(false)));
      await git.close();
      rmSync(folder, { recursive: true, force: true });
    });
});

describe('store.remove()', () => {
  const outer = mkdtempSync(join(tmpdir(), 'store-'));
  after(() => rmSync(outer, { recursive: true, force: true }));

  const open = (folder: string) =>
    createCloneStore({
      git: createGit({ launcher: testLauncher }),
      folder,
      name: 'site-1',
      folderReady: Promise.resolve(),
    });

  it('leaves no part of a repository when it is cut off, and the next work creates a whole one', async () => {
    const [folder, killed] = [join(outer, 'data'), join(outer, 'killed')];
    const store = open(folder);
    const objects = Array.from(
      { length: 90 },
      (_, n) => `blob\nmark :${n + 1}\ndata 3\n${n + 100}\n`,
    ).join('');
    await store.git(['fast-import', '--quiet'], { input: objects });
    const removal = store.remove().catch(() => undefined); // what it removes is moved away
    await until(
      'the beginning of the removal',
      () => !existsSync(join(store.dir, 'HEAD')),
      60_000,
      0,
    );
    renameSync(folder, killed);
    await removal;
    expect(readdirSync(killed)).to.deep.equal(['tmp']);
    const next = open(killed);
    expect(await next.git(['rev-parse', '--is-bare-repository'])).to.equal('true\n');
  });
});

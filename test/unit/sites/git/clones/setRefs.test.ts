import { expect } from 'chai';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createGit } from '../../../../../src/sites/git/command/git.ts';
import {
  createCloneStore,
  type CloneStore,
} from '../../../../../src/sites/git/clones/cloneStore.ts';
import { namingLauncher } from '../../../../helpers/launcher.ts';
import { git } from '../../../../helpers/team/workplace.ts';

const base = 'refs/agent-tasks/base/bg-1';
const head = 'refs/remotes/origin/größe';

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error,
  );

describe('store.setRefs(refs)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'refs-'));
  const { launcher, names } = namingLauncher();
  let store: CloneStore;
  let [one, other] = ['', ''];
  before(async () => {
    store = createCloneStore({
      git: createGit({ launcher }),
      folder,
      name: 'site-1',
      folderReady: Promise.resolve(),
    });
    await store.git(['--version']);
    const tree = git(store.dir, 'write-tree').trim();
    const commit = (message: string) =>
      git(
        store.dir,
        '-c',
        'user.name=a',
        '-c',
        'user.email=a@b',
        'commit-tree',
        '-m',
        message,
        tree,
      ).trim();
    [one, other] = [commit('one'), commit('other')];
  });
  beforeEach(() => void (names.length = 0));
  after(async () => {
    await store.objects.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const refs = () =>
    git(store.dir, 'for-each-ref', '--format=%(refname) %(objectname)')
      .split('\n')
      .filter(Boolean)
      .toSorted();
  const locks = () =>
    readdirSync(store.dir, { recursive: true }).filter((name) => String(name).endsWith('.lock'));
  const path = (ref: string) => join(store.dir, ref);

  it('creates, moves and removes refs with one command, and with none if nothing changes', async () => {
    await store.setRefs({ [base]: one, [head]: one });
    expect(refs()).to.deep.equal([`${base} ${one}`, `${head} ${one}`]);
    await store.setRefs({ [base]: null, [head]: other, 'refs/agent-tasks/bg-1': other });
    expect(refs()).to.deep.equal([`refs/agent-tasks/bg-1 ${other}`, `${head} ${other}`]);
    await store.setRefs({ [base]: null, [head]: other });
    expect([names, locks()]).to.deep.equal([['update-ref', 'update-ref'], []]);
    expect(git(store.dir, 'fsck', '--strict', '--no-dangling')).to.equal('');
  });

  it('moves and removes packed refs', async () => {
    await store.setRefs({ [base]: one, [head]: one });
    git(store.dir, 'pack-refs', '--all');
    await store.setRefs({ [head]: other });
    expect(refs()).to.include.members([`${base} ${one}`, `${head} ${other}`]);
    await store.setRefs({ [base]: null, [head]: null });
    expect(refs().filter((ref) => ref.startsWith(base) || ref.startsWith(head))).to.deep.equal([]);
    expect(locks()).to.deep.equal([]);
  });

  for (const [what, lock, commit] of [
    ['its own lock', `${base}.lock`, () => other],
    ["the packed refs' lock", 'packed-refs.lock', () => null],
  ] as const)
    it(`changes no ref while ${what} is locked, and all of them later`, async () => {
      await store.setRefs({ [base]: one });
      mkdirSync(dirname(path(lock)), { recursive: true }); // a packed ref has no folder
      writeFileSync(path(lock), '');
      const failure = await errorOf(store.setRefs({ [base]: commit(), [head]: one }));
      expect(failure).to.include({ code: 'GIT_FAILED' });
      expect(refs()).to.include(`${base} ${one}`);
      rmSync(path(lock));
      await store.setRefs({ [base]: commit(), [head]: one });
      expect(refs().filter((ref) => ref.startsWith(base))).to.deep.equal(
        commit() ? [`${base} ${commit()}`] : [],
      );
      expect(locks()).to.deep.equal([]);
    });

  it('creates a ref if empty folders have its name', async () => {
    mkdirSync(path('refs/agent-tasks/bg-2/a'), { recursive: true });
    await store.setRefs({ 'refs/agent-tasks/bg-2': one });
    expect(refs()).to.include(`refs/agent-tasks/bg-2 ${one}`);
  });

  it('points no ref to a missing commit, and changes none of the others', async () => {
    const before = refs();
    const failure = await errorOf(
      store.setRefs({ 'refs/agent-tasks/bg-3': one, [base]: '0'.repeat(39) + '1' }),
    );
    expect(failure).to.include({ code: 'GIT_FAILED' });
    expect(refs()).to.deep.equal(before);
  });
});

import { join } from 'node:path';
import { expect } from 'chai';
import { createRepositories } from '../../../../src/sites/git/repositories.ts';
import type { GitRepositories, GitRepository } from '../../../../src/sites/git/repository.ts';
import { testLauncher } from '../../../helpers/launcher.ts';
import {
  failureOf,
  git,
  onBranch,
  publication,
  task,
  Workplace,
} from '../../../helpers/team/workplace.ts';

describe('a site whose repository now has another URL', () => {
  let [former, present]: Workplace[] = [];
  let opened: GitRepositories[];
  beforeEach(async () => {
    opened = [];
    [former, present] = [new Workplace(), new Workplace()];
    former.push({ 'index.html': 'former', 'secret.html': 'of the former one' });
    present.push({ 'index.html': 'present' });
  });
  afterEach(async () => {
    await Promise.all(opened.map((repositories) => repositories.close()));
    await Promise.all([former!.remove(), present!.remove()]);
  });

  /** One machine of this service; the same name means the same data folder. */
  function machine(name = 'data') {
    const repositories = createRepositories({
      dataDir: join(former!.folder, name),
      launcher: testLauncher,
    });
    opened.push(repositories);
    const at = ({ url }: Workplace): GitRepository =>
      repositories.open({
        siteId: 'site-1',
        organizationId: 'team',
        repository: { url, branch: 'main', root: '' },
      });
    return { old: at(former!), now: at(present!), repositories, at };
  }
  /**
   * Refs that the repository has beside its branch, and whether anything of the former one came
   * there.
   */
  const refs = () => git(present!.remote, 'for-each-ref', '--format=%(refname)').split('\n');
  const objects = () =>
    git(present!.remote, 'cat-file', '--batch-check', '--batch-all-objects').split('\n').length;

  const hows = [
    ['in the process that began it', false],
    ['after a restart', true],
  ] as const;
  /** What a task that began at the former address does there next. */
  const goingOn: Record<
    string,
    (repository: GitRepository, base: string, commit: string) => Promise<unknown>
  > = {
    commits: (repository, base) => repository.commitTask(task('bg-1', base, { 'new.html': 'new' })),
    publishes: (repository, base, commit) => repository.publish(publication('bg-2', base, commit)),
  };
  for (const [what, goOn] of Object.entries(goingOn))
    for (const [how, restarts] of what === 'commits' ? hows : hows.slice(0, 1))
      it(`pushes nothing of the former repository if a task ${what}, ${how}, and reports the problem`, async () => {
        const before = machine();
        const base = await before.old.fetchBase('bg-1');
        const commit = await before.old.commitTask(task('bg-2', base, { 'other.html': 'other' }));
        const [known, had] = [refs(), objects()];
        const failure = await failureOf(goOn((restarts ? machine() : before).now, base, commit));
        expect(failure).to.include({ code: 'GIT_FAILED' });
        expect(failure!.details).to.deep.equal({ gone: what === 'commits' ? base : commit });
        expect([refs(), objects()]).to.deep.equal([known, had]);
      });

  it('works at once on every machine, also back again', async () => {
    const one = machine();
    await one.old.fetchHead();
    const other = machine('other');
    await other.old.fetchHead();
    for (const { now } of [one, other, machine('new')]) {
      const head = await now.fetchHead();
      expect((await now.tree(onBranch(head))).entries.has('secret.html')).to.equal(false);
    }
    const base = await one.now.fetchBase('bg-3');
    const commit = await one.now.commitTask(task('bg-3', base, { 'new.html': 'new' }));
    await other.now.publish(publication('bg-3', base, commit));
    expect(present!.show('new.html')).to.equal('new');
    expect(
      (await one.old.tree(onBranch(await one.old.fetchHead()))).entries.has('secret.html'),
    ).to.equal(true);
  });

  it('keeps the clone of a repository that moved as a whole to another URL', async () => {
    const { old, at } = machine();
    const base = await old.fetchBase('bg-4');
    const commit = await old.commitTask(task('bg-4', base, { 'new.html': 'new' }));
    git(present!.folder, 'clone', '-q', '--mirror', former!.remote, 'moved.git');
    const moved = Object.assign(Object.create(present!) as Workplace, {
      url: `file://${present!.folder}/moved.git`,
    });
    await at(moved).publish(publication('bg-4', base, commit));
    expect(git(`${present!.folder}/moved.git`, 'show', 'main:new.html')).to.equal('new');
  });
});

import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { PublishRequest } from '../../../../../src/sites/git/repository.ts';
import {
  failureOf,
  git,
  publication,
  task,
  Workplace,
} from '../../../../helpers/team/workplace.ts';
import { pageChangedError } from '../../../../../src/sites/git/commits/mergeCommit.ts';

/** A site map that is derived from the pages' names. */
const sitemap: Pick<PublishRequest, 'isDerived' | 'derive'> = {
  isDerived: (path) => path === 'sitemap.xml',
  derive: (_before, merged) => {
    const pages = [...merged.entries.keys()].filter((path) => path.endsWith('.html'));
    return Promise.resolve([{ path: 'sitemap.xml', content: pages.join(' ') }]);
  },
};

describe('publish', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = new Workplace();
    place.push({ 'index.html': 'home', 'a.html': 'a', 'b.html': 'b', 'docs/x.html': 'x' });
  });
  afterEach(() => place.remove());

  /** A task's commit that is not published yet. */
  async function committed(
    taskId: string,
    files: Record<string, string | null>,
    options: Parameters<Workplace['open']>[0] = {},
  ) {
    const repository = place.open(options);
    const base = await repository.fetchBase(taskId);
    const commit = await repository.commitTask(task(taskId, base, files));
    const publish = (more: Partial<PublishRequest> = {}) =>
      repository.publish(publication(taskId, base, commit, more));
    return { repository, base, commit, publish };
  }

  it('merges by file if somebody else pushed in the meantime', async () => {
    const { commit, publish } = await committed('bg-1', { 'new.html': 'new', 'a.html': null });
    const pushed = place.push({ 'b.html': 'b2', 'docs/y.html': 'y' });
    const live = await publish();
    expect(place.head()).to.equal(live);
    expect(git(place.remote, 'log', '-1', '--format=%P|%an|%at|%B', 'main')).to.equal(
      `${pushed} ${commit}|Agent|1772600767|Publish bg-1\n\nAgent-Task: bg-1`,
    );
    expect(place.files()).to.deep.equal([
      'b.html',
      'docs/x.html',
      'docs/y.html',
      'index.html',
      'new.html',
    ]);
    expect(place.show('b.html')).to.equal('b2');
  });

  it('changes nothing when it is repeated, here, elsewhere, and after later pushes', async () => {
    const { base, commit, publish } = await committed('bg-1', { 'new.html': 'new' });
    place.push({ 'b.html': 'b2' });
    const live = await publish();
    expect(await publish()).to.equal(live);
    const elsewhere = place.open({ dataDir: 'other' });
    expect(await elsewhere.publish(publication('bg-1', base, commit))).to.equal(live);
    const later = place.push({ 'new.html': 'edited by hand' });
    expect(await publish()).to.equal(later);
    expect(place.head()).to.equal(later);
  });

  it('accepts a file that both changed as merged, and one that both deleted', async () => {
    const { publish } = await committed('bg-1', {
      'a.html': 'task',
      'b.html': 'task',
      'new.html': 'new',
    });
    place.push({ 'a.html': 'hand', 'b.html': null });
    await publish({
      merge: async (path, versions, changed) => {
        expect(changed).to.deep.equal(['a.html', 'b.html', 'new.html']);
        if (!versions.production.entries.has(path)) return null;
        const { before, task, production } = versions;
        return [await before.read(path), await task.read(path), await production.read(path)].join(
          ' ',
        );
      },
    });
    expect(place.show('a.html')).to.equal('a task hand');
    expect(place.files()).to.deep.equal(['a.html', 'docs/x.html', 'index.html', 'new.html']);
  });

  it('names every page that somebody else changed too, and pushes nothing', async () => {
    const { publish } = await committed('bg-1', {
      'a.html': 'task',
      'b.html': null,
      'docs/x.html': 'task',
      'new.html': 'task',
    });
    const pushed = place.push({
      'a.html': 'hand',
      'b.html': 'hand',
      'docs/x.html': null,
      'new.html': 'hand',
    });
    expect(await failureOf(publish())).to.include({
      code: 'PAGE_CHANGED',
      message: pageChangedError(['/a', '/b', '/docs/x', '/new']).message,
      retryable: false,
    });
    expect(place.head()).to.equal(pushed);
  });

  it('puts all of four tasks of several processes live that publish at the same time', async () => {
    const repositories = ['one', 'two'].map((dataDir) => place.open({ dataDir }));
    const tasks = await Promise.all(
      [1, 2, 3, 4].map(async (n) => {
        const repository = repositories[n % repositories.length] ?? place.open();
        const base = await repository.fetchBase(`bg-${n}`);
        const files = { [`new-${n}.html`]: `new ${n}`, 'sitemap.xml': `new-${n}.html` };
        const commit = await repository.commitTask(task(`bg-${n}`, base, files));
        return () => repository.publish(publication(`bg-${n}`, base, commit, sitemap));
      }),
    );
    const published = Promise.all(tasks.map((publish) => publish()));
    await setImmediate();
    try {
      place.push({ 'hand.html': 'hand' });
    } catch {
      git(place.clone, 'pull', '-q', '--rebase', 'origin', 'main');
      place.push({});
    }
    await published;
    const pages = place.files().filter((path) => path.endsWith('.html'));
    expect(pages)
      .to.include.members([1, 2, 3, 4].map((n) => `new-${n}.html`))
      .and.include('hand.html');
    expect(place.show('sitemap.xml').split(' ')).to.include.members(
      [1, 2, 3, 4].map((n) => `new-${n}.html`),
    );
    const trailers = git(
      place.remote,
      'log',
      '--no-merges',
      '--format=%(trailers:key=Agent-Task,valueonly)',
      'main',
    );
    expect(trailers.split('\n').filter(Boolean).sort()).to.deep.equal([
      'bg-1',
      'bg-2',
      'bg-3',
      'bg-4',
    ]);
  });

  it('merges again if somebody pushes between its fetch and its push', async () => {
    const { publish } = await committed('bg-1', { 'new.html': 'new' });
    place.push({ 'b.html': 'b2' });
    let pushes = 0;
    await publish({
      derive: async () => {
        if (pushes++ < 2) place.push({ [`hand-${pushes}.html`]: 'hand' });
        return [];
      },
    });
    expect(pushes).to.equal(3);
    expect(place.files()).to.include.members(['new.html', 'hand-1.html', 'hand-2.html']);
  });

  it('gives up on a branch that moves at every attempt, for a later attempt', async () => {
    const { publish } = await committed('bg-1', { 'new.html': 'new' });
    place.push({ 'b.html': 'b2' });
    const moving = publish({
      derive: async () => {
        place.push({ 'b.html': `${Math.random()}` });
        return [];
      },
    });
    expect(await failureOf(moving)).to.include({ code: 'GIT_FAILED', retryable: true });
  });

  describe('keeps what it publishes on the remote under a ref of the site, in case the branch is rewritten', () => {
    const kept = () =>
      git(place.remote, 'for-each-ref', '--format=%(objectname)', 'refs/agent-tasks-live/site-1');
    const pushes = () =>
      readFileSync(join(place.remote, 'pushes'), 'utf8')
        .split('push\n')
        .slice(1)
        .map((lines) =>
          lines
            .split('\n')
            .flatMap((line) => line.split(' ')[2] ?? [])
            .sort(),
        );
    const both = ['refs/agent-tasks-live/site-1', 'refs/heads/main'];

    it('with the same push', async () => {
      const { publish } = await committed('bg-1', { 'new.html': 'new' });
      place.hook('pre-receive', 'echo push >> pushes\ncat >> pushes');
      const live = await publish();
      expect(kept()).to.equal(live);
      const later = await committed('bg-2', { 'later.html': 'later' });
      place.push({ 'b.html': 'b2' });
      const merged = await later.publish();
      expect(kept()).to.equal(merged);
      expect(pushes().filter((refs) => refs.length > 1)).to.deep.equal([both, both]);
    });

    it('with its own push, if the remote moves refs only one by one', async () => {
      git(place.remote, 'config', 'receive.advertiseAtomic', 'false');
      const { publish } = await committed('bg-1', { 'new.html': 'new' });
      const live = await publish();
      expect(kept()).to.equal(live);
      expect(place.head()).to.equal(kept());
    });

    it("and publishes even if the remote's hook rejects that ref", async () => {
      place.hook(
        'pre-receive',
        'if grep -q refs/agent-tasks-live/; then echo none of those; exit 1; fi',
      );
      const { publish } = await committed('bg-1', { 'new.html': 'new' });
      const live = await publish();
      expect(place.head()).to.equal(live);
      expect(kept()).to.equal('');
    });

    it('and does not move the ref after a force-push, so that it keeps the live commit', async () => {
      const live = await (await committed('bg-1', { 'new.html': 'new' })).publish();
      git(place.remote, 'update-ref', 'refs/heads/main', `${live}^`);
      const after = await (await committed('bg-2', { 'after.html': 'after' })).publish();
      expect(place.head()).to.equal(after);
      expect(kept()).to.equal(live);
    });
  });

  it('refuses to restore commits that were removed from the branch', async () => {
    place.push({ 'secret.html': 'secret' });
    const { publish } = await committed('bg-1', { 'new.html': 'new' });
    git(place.remote, 'update-ref', 'refs/heads/main', git(place.remote, 'rev-parse', 'main^'));
    expect(await failureOf(publish())).to.include({ code: 'GIT_FAILED', retryable: false });
  });
});

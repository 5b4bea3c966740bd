import { join } from 'node:path';
import { expect } from 'chai';
import { createProductionHeads } from '../../../../src/sites/git/remote/productionHeads.ts';
import type { CommandLauncher } from '../../../../src/sites/git/launcher/launcher.ts';
import { createRepositories } from '../../../../src/sites/git/repositories.ts';
import type { GitRepositories, GitRepository } from '../../../../src/sites/git/repository.ts';
import { testLauncher } from '../../../helpers/launcher.ts';
import { until } from '../../../helpers/until.ts';
import { failureOf, onBranch, task, Workplace } from '../../../helpers/team/workplace.ts';

/** Starts git, and tells `onCommand` before: a command that this gives up is not started. */
function watchedLauncher(onCommand: (name: string) => void): CommandLauncher {
  return {
    run(command, signal) {
      onCommand(
        command.args.find((word, at) => !word.startsWith('-') && command.args[at - 1] !== '-c') ??
          '',
      );
      return signal?.aborted
        ? Promise.resolve({ ended: 'request' })
        : testLauncher.run(command, signal);
    },
    close: () => Promise.resolve(),
  };
}

describe('work that nobody waits for any more', () => {
  const reason = new Error('gone');
  const place = new Workplace();
  const held = { first: '', result: '' };
  const opened: GitRepositories[] = [];
  let names: string[];
  let onCommand: (name: string) => void;
  before(async () => {
    held.first = place.push({ 'index.html': 'home' });
    const repository = place.open();
    const base = await repository.fetchBase('bg-1');
    held.result = await repository.commitTask(task('bg-1', base, { 'new.html': 'new' }));
  });
  afterEach(() => Promise.all(opened.splice(0).map((repositories) => repositories.close())));
  after(() => place.remove());

  const site = {
    siteId: 'site-1',
    organizationId: 'acme',
    repository: { url: place.url, branch: 'main', root: '' },
  };

  /** A process that knows nothing yet. */
  function start(dataDir: string) {
    [names, onCommand] = [[], () => {}];
    const launcher = watchedLauncher((name) => {
      names.push(name);
      onCommand(name);
    });
    const repositories = createRepositories({ dataDir: join(place.folder, dataDir), launcher });
    opened.push(repositories);
    return repositories;
  }

  const first = () => onBranch(held.first);
  const result = () => ({ commit: held.result, retainedBy: 'bg-1' });

  const calls: Record<
    string,
    (repository: GitRepository, signal: AbortSignal) => Promise<unknown>
  > = {
    tree: (repository, signal) => repository.tree(result(), signal),
    diff: (repository, signal) => repository.diff(first(), result(), { maxBytes: 10_000, signal }),
    isMadeByTask: (repository, signal) => repository.isMadeByTask(result(), 'new.html', signal),
    madeByTasks: (repository, signal) =>
      repository.madeByTasks(result(), ['new.html', 'a.html', 'b.html', 'c.html'], signal),
    isAncestor: (repository, signal) => repository.isAncestor(first(), result(), signal),
    hold: (repository, signal) => repository.hold(first(), signal),
    fetchMergeBase: (repository, signal) => repository.fetchMergeBase(held.first, result(), signal),
    fetchResult: (repository, signal) => repository.fetchResult(result(), signal),
    fetchBase: (repository, signal) => repository.fetchBase('bg-2', undefined, signal),
    findTaskCommit: (repository, signal) => repository.findTaskCommit('bg-1', held.first, signal),
  };

  for (const [name, call] of Object.entries(calls))
    it(`ends in the middle of each git command, and starts no further one: ${name}`, async () => {
      const repository = start(name).open(site);
      for (let at = 1; ; at++) {
        const gone = new AbortController();
        names = [];
        onCommand = () => names.length === at && gone.abort(reason);
        const failure = await failureOf(call(repository, gone.signal));
        if (names.length < at) return expect([at > 1, failure]).to.deep.equal([true, undefined]);
        expect([failure, names.length], `at ${names.at(-1)}`).to.deep.equal([reason, at]);
      }
    });

  describe('createProductionHeads', () => {
    it('ends the fetch when all callers have gone, and answers the ones who stay', async () => {
      const heads = createProductionHeads(start('heads'));
      const [one, two] = [new AbortController(), new AbortController()];
      onCommand = (name) => name === 'fetch' && [one, two].forEach((asker) => asker.abort(reason));
      const left = [one, two].map(({ signal }) => failureOf(heads.find(site, signal)));
      expect(await Promise.all(left)).to.deep.equal([reason, reason]);
      await until('the end of the fetch', () => names.at(-1) === 'fetch');
      onCommand = (name) => name === 'fetch' && one.abort(reason);
      const third = new AbortController();
      expect(await heads.find(site, third.signal)).to.equal(held.first);
      expect(await failureOf(heads.find(site, one.signal))).to.equal(reason);
    });

    it('continues the fetch for a caller that was answered before the fetch ended', async () => {
      const repositories = start('late');
      const heads = createProductionHeads(repositories, { answerWithin: 1 });
      const asker = new AbortController();
      expect(await failureOf(heads.find(site, asker.signal))).to.include({ code: 'UNAVAILABLE' });
      asker.abort(reason);
      await until(
        'the head',
        async () => (await repositories.open(site).lastHead()) === held.first,
      );
    });
  });
});

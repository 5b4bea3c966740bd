import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Site } from '../../../../../src/contract/site.ts';
import { DomainError } from '../../../../../src/errors.ts';
import type { CommandLauncher } from '../../../../../src/sites/git/launcher/launcher.ts';
import type { SiteNeeds } from '../../../../../src/sites/git/remote/ownRefs.ts';
import { siteOfClone } from '../../../../../src/sites/git/clones/cloneName.ts';
import { createRepositories } from '../../../../../src/sites/git/repositories.ts';
import type { GitRepositories } from '../../../../../src/sites/git/repository.ts';
import { startMaintenance } from '../../../../../src/sites/git/clones/maintenance.ts';
import { bytesBelow } from '../../../../../src/sites/git/clones/cloneSizes.ts';
import { testLauncher } from '../../../../helpers/launcher.ts';
import { until } from '../../../../helpers/until.ts';
import { member } from '../../../../helpers/team/git.ts';
import { git, onBranch, task, Workplace } from '../../../../helpers/team/workplace.ts';

describe('the maintenance of clones', function () {
  this.timeout(180_000);
  let place: Workplace;
  let repositories: GitRepositories;
  let commands: string[];
  let settings: string[];
  let quota: number;
  let onGc: (() => Promise<void>) | undefined;
  beforeEach(() => {
    place = new Workplace();
    [commands, onGc] = [[], undefined];
  });
  afterEach(async () => {
    await repositories.close();
    await place.remove();
  });

  /** Starts git, and notes its commands. */
  const launcher: CommandLauncher = {
    async run(command, signal) {
      const name =
        command.args.find((word, at) => !word.startsWith('-') && command.args[at - 1] !== '-c') ??
        '';
      commands.push(name);
      settings = command.args;
      if (name === 'gc') await onGc?.();
      return signal?.aborted ? { ended: 'request' } : testLauncher.run(command, signal);
    },
    close: () => Promise.resolve(),
  };

  function start(options: { bytes?: number; idle?: number } = {}) {
    const { bytes = Infinity, idle = 0 } = options;
    quota = bytes;
    const dataDir = join(place.folder, 'data');
    return (repositories = createRepositories({
      dataDir,
      launcher,
      maxClonesBytes: () => Promise.resolve(quota),
      idle,
    }));
  }
  /** Removes all copies that may be removed. */
  async function removeAll() {
    quota = 0;
    await repositories.keepWithinQuota();
    quota = Infinity;
  }
  const site = (siteId: string) => ({
    siteId,
    organizationId: 'acme',
    repository: { url: place.url, branch: 'main', root: '' },
  });
  const open = (siteId: string) => repositories.open(site(siteId));
  const folder = (siteId: string) => place.copyOf(siteId);
  const noise = (n: number) =>
    Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * n * 7 + at ** 2) % 251)).toString(
      'base64',
    );
  const here = async () => (await repositories.clones()).map(siteOfClone).sort();

  describe('keepWithinQuota', () => {
    beforeEach(() => place.push({ 'index.html': 'home', 'photo.txt': noise(3) }));

    it('removes the clones that were unused for longest, and no more than necessary', async () => {
      start();
      for (const id of ['a', 'b', 'c']) await open(id).fetchHead();
      await repositories.close();
      start({ bytes: (await bytesBelow(folder('a'))) * 2.5 });
      for (const id of ['b', 'c', 'a']) await open(id).fetchHead();
      await repositories.keepWithinQuota();
      expect(await here()).to.deep.equal(['a', 'c']);
    });

    it('orders clones by their use in earlier processes', async () => {
      start();
      for (const id of ['a', 'b', 'c']) await open(id).fetchHead();
      const bytes = (await bytesBelow(folder('a'))) * 2.5;
      await repositories.close();
      for (const [id, days] of Object.entries({ a: 1, b: 3, c: 2 })) {
        const then = Date.now() / 1_000 - days * 86_400;
        utimesSync(join(folder(id), 'FETCH_HEAD'), then, then);
      }
      start({ bytes });
      await repositories.keepWithinQuota();
      expect(await here()).to.deep.equal(['a', 'c']);
    });

    it('removes nothing within the quota, and keeps clones that were used just now', async () => {
      start({ bytes: Infinity });
      for (const id of ['a', 'b']) await open(id).fetchHead();
      await repositories.keepWithinQuota();
      expect(await here()).to.deep.equal(['a', 'b']);
      await repositories.close();
      start({ bytes: 1, idle: 60_000 });
      for (const id of ['a', 'b']) await open(id).fetchHead();
      await repositories.keepWithinQuota();
      expect(await here()).to.deep.equal(['a', 'b']);
    });

    it('keeps the clone with the base of a task that may run', async () => {
      start({ bytes: 1 });
      await open('a').fetchBase('bg-1');
      await open('b').fetchHead();
      await repositories.keepWithinQuota();
      expect(await here()).to.deep.equal(['a']);
    });

    it('lets a removed clone be cloned again when it is needed, also for files of a known commit', async () => {
      start();
      const head = await open('a').fetchHead();
      const { entries } = await open('a').tree(onBranch(head));
      await removeAll();
      expect([await here(), existsSync(folder('a'))]).to.deep.equal([[], false]);
      const tree = await open('a').tree(onBranch(head));
      expect(await tree.read('index.html')).to.equal('home');
      expect((await open('a').blob(entries.get('index.html')!.id)).toString()).to.equal('home');
    });
  });

  describe('maintain', () => {
    const packFolder = () => join(folder('a'), 'objects/pack');
    /** A copy with so many packs, as so many fetches leave them. */
    async function fetchPacks(count: number) {
      const versions = Array.from({ length: count }, (_, n) => `version ${n}`);
      const seconds = Math.floor(Date.now() / 1_000);
      const lines = versions.map(
        (text) =>
          `commit refs/heads/main\ncommitter T <t@test> ${seconds} +0000\ndata 0\nM 644 inline index.html\ndata ${text.length}\n${text}\n`,
      );
      execFileSync('git', ['fast-import', '--quiet'], { cwd: place.remote, input: lines.join('') });
      const commits = git(place.remote, 'rev-list', '--reverse', 'main').split('\n');
      await open('a').fetchHead();
      const whole = readdirSync(packFolder());
      const pack = `git pack-objects -q --revs '${join(packFolder(), 'pack')}'`;
      const packEach = `last=; for commit; do printf '%s\\n' $commit $last | ${pack}; last=^$commit; done`;
      member(place.remote, 'sh', '-c', packEach, 'sh', ...commits);
      for (const name of whole) rmSync(join(packFolder(), name));
      return commits;
    }
    const packs = () => readdirSync(packFolder()).filter((name) => name.endsWith('.pack')).length;

    it('is not part of fetches and commits, however much they bring', async () => {
      start();
      for (const text of ['one', 'two', 'three']) {
        place.push({ 'index.html': text });
        await open('a').fetchHead();
      }
      const base = await open('a').fetchBase('bg-1');
      await open('a').commitTask(task('bg-1', base, { 'new.html': 'new' }));
      expect(packs()).to.equal(3);
      expect(commands).to.not.include('gc').and.not.include('maintenance');
      expect(settings).to.include.members(['gc.auto=0', 'maintenance.auto=false']);
    });

    it('combines many packs, and leaves few', async () => {
      start();
      await fetchPacks(20);
      await repositories.maintain(site('a'));
      expect([packs(), commands.includes('gc')]).to.deep.equal([20, false]);
      const head = place.push({ 'index.html': 'one more' });
      await open('a').fetchHead();
      await repositories.maintain(site('a'));
      expect(packs()).to.be.lessThan(3);
      expect(await (await open('a').tree(onBranch(head))).read('index.html')).to.equal('one more');
    });

    it('runs beside activities of the site, and lets them run', async () => {
      start();
      const commits = await fetchPacks(21);
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const { promise: ready, resolve: go } = Promise.withResolvers<void>();
      onGc = () => (begin(), ready);
      const maintained = repositories.maintain(site('a'));
      await begun;
      const base = await open('a').fetchBase('bg-1');
      const commit = await open('a').commitTask(task('bg-1', base, { 'new.html': 'new' }));
      const reads = commits.map(async (id) =>
        (await open('a').tree(onBranch(id))).read('index.html'),
      );
      go();
      await maintained;
      expect(await Promise.all(reads)).to.deep.equal(commits.map((_, n) => `version ${n}`));
      const tree = await open('a').tree({ commit, retainedBy: 'bg-1' });
      expect(await tree.read('new.html')).to.equal('new');
      expect(git(folder('a'), 'fsck', '--connectivity-only')).to.not.match(/missing|broken/);
    });

    it('is ended by work that removes what a killed git left, and is done later', async () => {
      start();
      await fetchPacks(21);
      const failed = open('a').fetchResult({ commit: 'e'.repeat(40), retainedBy: 'bg-none' });
      await failed.catch((error: unknown) => expect(error).to.be.instanceOf(DomainError));
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const { promise: ready, resolve: go } = Promise.withResolvers<void>();
      onGc = () => (begin(), ready);
      const maintained = repositories.maintain(site('a')).then(
        () => 'done',
        (error: unknown) => (error as Error).message,
      );
      await begun;
      const lock = join(folder('a'), 'packed-refs.lock');
      writeFileSync(lock, '');
      const fetched = open('a').fetchHead();
      go();
      await fetched;
      expect(await maintained).to.match(/maintenance stopped|interrupted/);
      expect(existsSync(lock)).to.equal(false);
      onGc = undefined;
      await repositories.maintain(site('a'));
      expect(packs()).to.be.lessThan(3);
    });
  });

  describe('startMaintenance', () => {
    const needs: SiteNeeds = {
      runningTasks: () => Promise.resolve(new Map()),
      keptDeployments: () => Promise.resolve(new Set()),
      resultEnds: () => Infinity,
    };
    const registered = (ids: string[]) => async () => ids.map((id) => site(id) as unknown as Site);

    it('maintains every clone in rounds, continues after a failure, and stops when it is closed', async () => {
      start();
      place.push({ 'index.html': 'home' });
      for (const id of ['a', 'b']) await open(id).hold(onBranch(await open(id).fetchHead()));
      const deployed = (id: string) => git(folder(id), 'for-each-ref', 'refs/agent-tasks/deployed');
      const failures: string[] = [];
      const keptDeployments = (siteId: string) => {
        if (siteId === 'a' && failures.length === 0) throw new Error('down');
        return Promise.resolve(new Set<string>());
      };
      const upkeep = startMaintenance({
        repositories,
        sites: registered(['a', 'b', 'none']),
        needs: { ...needs, keptDeployments },
        every: 20,
        onFailure: (siteId) => failures.push(siteId),
      });
      await until('both', () => deployed('a') === '' && deployed('b') === '');
      expect(failures).to.deep.equal(['a']);
      expect(await here()).to.deep.equal(['a', 'b']);
      await upkeep.close();
      const { length } = commands;
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(commands.length).to.equal(length);
    });
  });
});

import { join } from 'node:path';
import { expect } from 'chai';
import { createRepositories } from '../../../../../src/sites/git/repositories.ts';
import type { GitRepositories, GitRepository } from '../../../../../src/sites/git/repository.ts';
import { testLauncher } from '../../../../helpers/launcher.ts';
import {
  author,
  createdAt,
  failureOf,
  git,
  onBranch,
  publication,
  publishTask,
  task,
  Workplace,
} from '../../../../helpers/team/workplace.ts';
import { testPages } from '../../../../helpers/threads.ts';

const path = 'data/cities.json';
const at = (key: string) => `${path}#${key}`;
const entry = (slug: string, title = `In ${slug}`) => ({ slug, title });
const sourceOf = (slug: string, title?: string) =>
  JSON.stringify(entry(slug, title), null, 2).replaceAll('\n', '\n  ');
const fileOf = (...entries: object[]) => `${JSON.stringify(entries, null, 2)}\n`;
const cities = [entry('berlin'), entry('paris')];

describe('a repository with a data file whose entries are pages', () => {
  let place: Workplace;
  let opened: GitRepositories[];
  beforeEach(() => {
    opened = [];
    place = new Workplace();
    place.push({ 'index.html': 'home', [path]: fileOf(...cities), 'data/other.json': fileOf() });
  });
  afterEach(async () => {
    await Promise.all(opened.map((repositories) => repositories.close()));
    await place.remove();
  });

  /** The repository as a process with this data folder sees it. */
  function open(dataDir = 'data', folders = [path], root = ''): GitRepository {
    const repositories = createRepositories({
      dataDir: join(place.folder, dataDir),
      dataFiles: testPages,
      launcher: testLauncher,
    });
    opened.push(repositories);
    return repositories.open({
      siteId: 'site-1',
      organizationId: 'team',
      repository: { url: place.url, branch: 'main', root },
      ownHost: { pageUrls: folders.map((folder) => ({ folder, pattern: '/:slug' })) },
    });
  }
  const headTree = async (repository: GitRepository) =>
    repository.tree(onBranch(await repository.fetchHead()));
  const pathsOf = async (repository: GitRepository) => [
    ...(await headTree(repository)).entries.keys(),
  ];

  it('has them behind their file, with ids of their own', async () => {
    const tree = await headTree(open());
    expect([...tree.entries.keys()]).to.deep.equal([
      path,
      at('berlin'),
      at('paris'),
      'data/other.json',
      'index.html',
    ]);
    expect(await tree.read(at('paris'))).to.equal(sourceOf('paris'));
    const { id, size, mode } = tree.entries.get(at('paris'))!;
    expect([size, mode]).to.deep.equal([sourceOf('paris').length, '100644']);
    place.push({ [path]: fileOf(entry('lisbon'), ...cities) });
    expect((await headTree(open('other'))).entries.get(at('paris'))!.id).to.equal(id);
  });

  it('has none without a rule, or if the file can’t be read, and says why', async () => {
    expect(await pathsOf(open('data', []))).to.not.include(at('berlin'));
    place.push({ [path]: '[\n  {"slug": "berlin"\n]' });
    const tree = await headTree(open('other'));
    expect(tree.entries.has(at('berlin'))).to.equal(false);
    expect(tree.entries.get(path)!.problems![0]).to.match(/Line \d, column \d.*JSON/);
  });

  it('has the tree that its own commits make, in the order of the file', async () => {
    const repository = open();
    const base = await repository.fetchBase('bg-1');
    const changes = [
      { path: at('oslo'), content: sourceOf('oslo'), after: at('berlin') },
      { path: at('bonn'), content: sourceOf('bonn') },
      { path: at('paris'), content: sourceOf('paris', 'Changed') },
    ];
    const commit = await repository.commitTask({ ...task('bg-1', base, {}), changes });
    const retained = { commit, retainedBy: 'bg-1' };
    const own = await repository.tree(retained);
    const read = await open('other').tree(retained);
    expect([...own.entries]).to.deep.equal([...read.entries]);
    expect([...own.entries.keys()].slice(1, 5)).to.deep.equal(
      ['berlin', 'oslo', 'paris', 'bonn'].map(at),
    );
    await repository.publish(publication('bg-1', base, commit));
    expect(place.show(path)).to.equal(
      fileOf(entry('berlin'), entry('oslo'), entry('paris', 'Changed'), entry('bonn')),
    );
  });

  it('merges entry by entry, in the order of the task', async () => {
    const repository = open();
    const base = await repository.fetchBase('bg-1');
    const changes = ['oslo', 'bonn'].map((slug) => ({
      path: at(slug),
      content: sourceOf(slug),
      after: at('berlin'),
    }));
    const commit = await repository.commitTask({ ...task('bg-1', base, {}), changes });
    place.push({ [path]: fileOf(entry('rome'), entry('berlin', 'By hand'), entry('paris')) });
    await repository.publish(publication('bg-1', base, commit));
    expect(place.show(path)).to.equal(
      fileOf(
        entry('rome'),
        entry('berlin', 'By hand'),
        entry('oslo'),
        entry('bonn'),
        entry('paris'),
      ),
    );
  });

  it('names the entries that others changed, removed or made unreadable', async () => {
    const repository = open();
    const base = await repository.fetchBase('bg-1');
    const files = { [at('paris')]: sourceOf('paris', 'Task'), [at('oslo')]: sourceOf('oslo') };
    const commit = await repository.commitTask(task('bg-1', base, files));
    const publish = () => repository.publish(publication('bg-1', base, commit));
    const others: [file: string | null, names: string[]][] = [
      [fileOf(entry('berlin'), entry('paris', 'Others')), ['/data/cities.json#paris']],
      [fileOf(entry('berlin')), ['/data/cities.json#paris']],
      ['[', ['/data/cities.json#oslo', '/data/cities.json#paris']],
      [null, ['/data/cities.json#oslo', '/data/cities.json#paris']],
    ];
    for (const [file, names] of others) {
      place.push({ [path]: file });
      const failure = await failureOf(publish());
      expect(failure).to.include({ code: 'PAGE_CHANGED' });
      expect(failure!.details).to.deep.equal({ names });
    }
  });

  it('deletes entries, and refuses to change the file itself or to delete all entries', async () => {
    const repository = open();
    await publishTask(repository, 'bg-1', { [at('berlin')]: null });
    expect(place.show(path)).to.equal(fileOf(entry('paris')));
    const base = await repository.fetchBase('bg-2');
    const commit = (files: Record<string, string | null>) =>
      failureOf(repository.commitTask(task('bg-2', base, files)));
    expect(await commit({ [path]: '[]' })).to.include({ code: 'CONFLICT' });
    expect(await commit({ [at('paris')]: null })).to.include({ code: 'INVALID_INPUT' });
  });

  it('restores an earlier version of the whole file', async () => {
    const repository = open();
    const earlier = await repository.fetchHead();
    await publishTask(repository, 'bg-1', { [at('oslo')]: sourceOf('oslo') });
    const base = await repository.fetchBase('bg-2');
    const commit = await repository.commitRestoring({
      ...task('bg-2', base, {}),
      earlier: onBranch(earlier),
    });
    await repository.publish(publication('bg-2', base, commit));
    expect(place.show(path)).to.equal(fileOf(...cities));
  });

  it('takes edits of entries by hand over into a batch, and production’s versions', async () => {
    const repository = open();
    const base = await repository.fetchHead();
    const batch = task('bt-1', base, { [at('oslo')]: sourceOf('oslo') });
    const tip = await repository.commitBatch(batch);
    await repository.pushBatch({ taskId: 'bt-1', commit: tip, expected: null });
    for (const slug of ['oslo', 'paris']) {
      const { commit } = await repository.fetchBatch({ taskId: 'bt-1', tip });
      await repository.commitEdit({
        taskId: 'bt-1',
        parent: commit!,
        changes: [{ path: at(slug), content: sourceOf(slug, 'By hand') }],
        message: 'Edit',
        author,
        createdAt,
      });
    }
    const { commit, edits, uneditedCommit } = await repository.fetchBatch({ taskId: 'bt-1', tip });
    expect(uneditedCommit).to.equal(tip);
    expect(edits.map((edit) => [edit.path, edit.source])).to.deep.equal([
      [at('paris'), sourceOf('paris', 'By hand')],
      [at('oslo'), sourceOf('oslo', 'By hand')],
    ]);
    const theirs = place.push({ [path]: fileOf(entry('berlin'), entry('paris', 'Theirs')) });
    await repository.fetchHead();
    const yielded = await repository.commitProductionVersions({
      ...task('bt-1', base, {}),
      base: { commit: commit!, retainedBy: 'bt-1' },
      theirs: onBranch(theirs),
      paths: [at('paris'), at('oslo')],
    });
    const tree = await repository.tree({ commit: yielded, retainedBy: 'bt-1' });
    expect(await tree.read(path)).to.equal(fileOf(entry('berlin'), entry('paris', 'Theirs')));
  });

  it('adds 500 entries in commits of 20, in a folder of the repository', async () => {
    place.push({ [`web/${path}`]: fileOf(...cities) });
    const repository = open('data', [path], 'web');
    let base = await repository.fetchBase('bg-1');
    const start = process.cpuUsage().user;
    for (let first = 0; first < 500; first += 20) {
      const slugs = Array.from({ length: 20 }, (_, i) => `city-${first + i}`);
      const changes = slugs.map((slug) => ({ path: at(slug), content: sourceOf(slug) }));
      base = await repository.commitBatch({ ...task('bg-1', base, {}), changes });
    }
    expect((process.cpuUsage().user - start) / 1_000).to.be.lessThan(20_000);
    const tree = await repository.tree({ commit: base, retainedBy: 'bg-1' });
    expect(tree.entries.get(path)!.parts).to.have.length(502);
    expect(JSON.parse(await tree.read(path))).to.have.length(502);
    const copy = place.copyOf();
    expect(git(copy, 'show', '--format=', '--name-only', base).trim()).to.equal(`web/${path}`);
  });
});

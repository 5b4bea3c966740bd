import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect } from 'chai';
import type { DomainError } from '../../../../../src/errors.ts';
import type { PublishRequest, GitRepository } from '../../../../../src/sites/git/repository.ts';
import { countWaits, type WaitCounter } from '../../../../../src/waitCounters.ts';
import { createAuthority } from '../../../../helpers/certificates.ts';
import { namingLauncher } from '../../../../helpers/launcher.ts';
import { until } from '../../../../helpers/until.ts';
import { serveHttps } from '../../../../helpers/team/httpsRemote.ts';
import {
  author,
  createdAt,
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

describe('tasks of one site that wait for their turn', function () {
  this.timeout(120_000);
  let place: Workplace;
  let repository: GitRepository;
  let names: string[];
  let base: string;
  beforeEach(async () => {
    place = new Workplace();
    base = place.push({ 'index.html': 'home', 'a.html': 'a' });
    const naming = namingLauncher();
    names = naming.names;
    repository = place.open({ launcher: naming.launcher });
    await repository.fetchHead();
  });
  afterEach(() => place.remove());

  const reason = new Error('cancelled');
  const pushes = () => names.filter((name) => name === 'push').length;
  const pageOf = (id: string) => ({ [`${id}.html`]: id });
  const commit = (id: string, files = pageOf(id), signal?: AbortSignal) =>
    repository.commitTask(task(id, base, files), signal);
  const shown = (path: string) => place.show(path).split(' ');

  /** A hook of the remote that refuses pushes of some refs or files. */
  const refuse = (test: string) =>
    place.hook(
      'pre-receive',
      `while read old new ref; do if ${test}; then echo 'Not this one' >&2; exit 1; fi; done`,
    );

  /**
   * Starts works while a push holds the site's turn, and lets that go when all of them wait.
   * @returns what the works came to
   */
  async function whileOnePushes<T>(
    works: (() => Promise<T>)[],
    onWait: () => unknown = () => undefined,
  ): Promise<T[]> {
    const block = join(place.folder, 'block');
    await writeFile(block, '');
    place.hook(
      'update',
      `echo x > '${place.folder}/pushing'; while [ -e '${block}' ]; do sleep 0.05; done`,
    );
    const first = commit('first');
    await place.eventually('pushing');
    names.length = 0;
    const waits: WaitCounter[] = [];
    const all = works.map((work) =>
      countWaits((own) => {
        waits.push(own);
        return work();
      }),
    );
    await until('the waiting', () => waits.every((own) => own.current() === "the site's turn"));
    expect(names, 'commands meanwhile').to.deep.equal([]);
    await rm(join(place.remote, 'hooks/update'));
    await onWait();
    await rm(block);
    await first;
    return Promise.all(all);
  }

  it('push several commits together with a lease each, and keep each commit here', async () => {
    const ids = ['bg-1', 'bg-2', 'bg-3', 'bg-4'];
    const commits = await whileOnePushes(ids.map((id) => () => commit(id)));
    expect(names).to.deep.equal(['update-ref', 'push', 'update-ref']); // the first one's, then theirs
    for (const [at, id] of ids.entries()) {
      const own = commits[at]!;
      expect(git(place.remote, 'rev-parse', `refs/agent-tasks/${id}`)).to.equal(own);
      expect(place.files(own)).to.deep.equal(['a.html', `${id}.html`, 'index.html']);
    }
  });

  it('fail alone if the remote has another commit of their ref, or rejects one of them', async () => {
    git(place.remote, 'update-ref', 'refs/agent-tasks/bg-1', base);
    const works = ['bg-1', 'bg-2', 'bg-3'].map((id) => () => failureOf(commit(id)));
    const failures = await whileOnePushes(works, () => refuse('[ $ref = refs/agent-tasks/bg-2 ]'));
    expect(failures.map((failure) => failure?.code)).to.deep.equal([
      'CONFLICT',
      'PUSH_REFUSED',
      undefined,
    ]);
  });

  describe('at a remote that takes only so much at once', () => {
    /** Bytes of a push of one of the tasks, with room for a commit, but not for another one. */
    const ENOUGH = 6_000;
    const large = (id: string, bytes = 3_000) => ({
      [`${id}.html`]: randomBytes(bytes).toString('latin1'),
    });
    const codesOf = (failures: (DomainError | undefined)[]) =>
      failures.map((failure) => failure?.code);
    const limit = () => git(place.remote, 'config', 'receive.maxInputSize', String(ENOUGH));

    it('push alone if all are too large together, and fail alone if one is too large itself', async () => {
      const works = [1, 2, 3].map((n) => () => failureOf(commit(`bg-${n}`, large(`bg-${n}`))));
      const huge = () => failureOf(commit('bg-4', large('bg-4', 2 * ENOUGH)));
      const failures = await whileOnePushes([...works, huge], limit);
      expect(codesOf(failures)).to.deep.equal([undefined, undefined, undefined, 'PUSH_REFUSED']);
      expect(failures[3]!.message).to.match(/ refs\/agent-tasks\/bg-4 .*\blarger\b/);
      expect(failures[3]!.retryable).to.equal(false);
      const refs = git(
        place.remote,
        'for-each-ref',
        '--format=%(refname)',
        'refs/agent-tasks',
      ).split('\n');
      expect(refs).to.include.members(
        ['bg-1', 'bg-2', 'bg-3'].map((id) => `refs/agent-tasks/${id}`),
      );
    });

    for (const many of [1, 3])
      it(`publish ${many === 1 ? 'alone' : 'one by one'} if all together are too large`, async () => {
        const ids = Array.from({ length: many }, (_, n) => `bg-${n + 1}`);
        const results = await Promise.all(ids.map((id) => commit(id, large(id))));
        for (const id of ids) git(place.remote, 'update-ref', '-d', `refs/agent-tasks/${id}`); // so the push has them
        git(place.remote, 'gc', '-q', '--prune=now');
        const works = ids.map(
          (id, at) => () => failureOf(repository.publish(publication(id, base, results[at]!))),
        );
        const failures = await whileOnePushes(
          works,
          many === 1 ? () => git(place.remote, 'config', 'receive.maxInputSize', '500') : limit,
        );
        if (many === 1) expect(failures[0]!.message).to.match(/ main .*\blarger\b/);
        expect(codesOf(failures)).to.deep.equal(
          many === 1 ? ['PUSH_REFUSED'] : ids.map(() => undefined),
        );
        if (many > 1) expect(place.files()).to.include.members(ids.map((id) => `${id}.html`));
      });
  });

  describe('that edit one ref', () => {
    const edit = (parent: string, content: string) => () =>
      repository.commitEdit({
        taskId: 'bg-1',
        parent,
        author,
        createdAt,
        message: 'Edit /a by hand',
        changes: [{ path: 'a.html', content }],
      });
    const at = (id: string) => git(place.remote, 'rev-parse', `refs/agent-tasks/${id}`);

    it('move the ref once, and nobody else fails because of that', async () => {
      const parent = await commit('bg-1');
      const works = [edit(parent, 'one'), edit(parent, 'two'), () => commit('bg-2')];
      const [one, two, other] = await whileOnePushes(works);
      expect([one, two]).to.have.members([at('bg-1'), null]);
      expect(place.show('a.html', at('bg-1'))).to.equal(one === null ? 'two' : 'one');
      expect(other).to.equal(at('bg-2'));
    });
  });

  describe('that push over https', () => {
    const trusted = tls.getCACertificates('default');
    let breaksOff: boolean;
    /** Bytes of a push above which the server answers 413. */
    let takes: number;
    let close: () => Promise<void>;
    beforeEach(async () => {
      const authority = await createAuthority();
      tls.setDefaultCACertificates([authority.ca]); // git reads all of them at each command
      const certificate = await authority.issue({ ip: ['127.0.0.1'] });
      [breaksOff, takes] = [false, Infinity];
      const server = await serveHttps(
        place.folder,
        certificate,
        ({ method, url, socket, headers }, response) => {
          const isCut = breaksOff && method === 'POST';
          if (isCut) socket.destroy();
          const isTooLarge =
            Boolean(url?.endsWith('receive-pack')) && Number(headers['content-length']) > takes;
          if (isTooLarge) response.writeHead(413).end();
          return isCut || isTooLarge;
        },
      );
      close = server.close;
      const naming = namingLauncher();
      names = naming.names;
      repository = place.open({
        launcher: naming.launcher,
        dataDir: 'https',
        url: `${server.url}/team%20site.git`,
      });
      await repository.fetchHead();
    });
    afterEach(async () => {
      tls.setDefaultCACertificates(trusted);
      await place.closeServices();
      await close();
    });

    it('are told if the push breaks off, also if git rejected another of them before', async () => {
      const ids = ['bg-1', 'bg-2'];
      for (const id of ids) await repository.fetchBase(id);
      git(place.remote, 'update-ref', 'refs/agent-tasks/bg-1', base);
      const failures = await whileOnePushes(
        ids.map((id) => () => failureOf(commit(id))),
        () => (breaksOff = true),
      );
      expect(pushes()).to.equal(1);
      expect(failures[1]).to.include({ code: 'GIT_FAILED', retryable: true });
      const [name = ''] = readdirSync(join(place.folder, 'https/repositories')).filter((one) =>
        one.endsWith('.git'),
      );
      const copy = join(place.folder, 'https/repositories', name);
      const refs = git(copy, 'for-each-ref', '--format=%(refname)', 'refs/agent-tasks').split('\n');
      expect(refs)
        .to.include('refs/agent-tasks/base/bg-2')
        .and.not.include('refs/agent-tasks/bg-2');
      breaksOff = false;
      expect(await commit('bg-2')).to.equal(
        git(place.remote, 'rev-parse', 'refs/agent-tasks/bg-2'),
      );
    });
  });

  it('share one fetch, and each keeps its base', async () => {
    const head = place.push({ 'b.html': 'b' });
    const bases = await whileOnePushes(
      ['bg-1', 'bg-2', 'bg-3'].map((id) => () => repository.fetchBase(id)),
    );
    expect(bases).to.deep.equal([head, head, head]);
    expect(names.filter((name) => name !== 'gc')).to.deep.equal([
      'update-ref',
      'fetch',
      'update-ref',
    ]);
    expect(await repository.fetchBase('bg-2')).to.equal(head);
    expect(names.filter((name) => name === 'fetch')).to.have.lengthOf(1);
  });

  describe('that publish', () => {
    /** Tasks with commits, ready to be published. */
    async function ready(files: Record<string, Record<string, string | null>>) {
      const made = Object.entries(files).map(async ([id, own]) => {
        const result = await repository.commitTask(task(id, base, { ...own, 'sitemap.xml': id }));
        return (signal?: AbortSignal) =>
          repository.publish(publication(id, base, result, sitemap), signal);
      });
      return Promise.all(made);
    }
    const fine = { 'bg-1': pageOf('bg-1'), 'bg-2': pageOf('bg-2'), 'bg-3': pageOf('bg-3') };
    const published = () =>
      git(
        place.remote,
        'log',
        '--no-merges',
        '--format=%(trailers:key=Agent-Task,valueonly)',
        'main',
      )
        .split('\n')
        .filter(Boolean)
        .sort();

    it('are merged one after the other, and pushed once', async () => {
      const tasks = await ready(fine);
      const live = await whileOnePushes(tasks.map((publish) => () => publish()));
      expect(names).to.deep.equal(['update-ref', 'push', 'update-ref']); // the first one's, then theirs
      expect(new Set(live)).to.deep.equal(new Set([place.head()]));
      expect(published()).to.deep.equal(['bg-1', 'bg-2', 'bg-3']);
      expect(shown('sitemap.xml')).to.deep.equal([
        'a.html',
        'bg-1.html',
        'bg-2.html',
        'bg-3.html',
        'index.html',
      ]);
      const merges = git(place.remote, 'log', '--first-parent', '--format=%s', 'main').split('\n');
      expect(merges).to.deep.equal(['Publish bg-3', 'Publish bg-2', 'Change 2 files', 'by hand']);
    });

    it('fail alone if two changed the same page, or one that others changed', async () => {
      const tasks = await ready({
        'bg-1': { 'a.html': 'one' },
        'bg-2': { 'a.html': 'two' },
        'bg-3': pageOf('bg-3'),
        'bg-4': { 'b.html': 'four' },
      });
      place.push({ 'b.html': 'by hand' });
      const failures = await whileOnePushes(tasks.map((publish) => () => failureOf(publish())));
      const messages = failures.map((failure) => failure?.message ?? 'fine');
      const changed = (page: string) => pageChangedError([page]).message;
      expect(messages).to.deep.equal(['fine', changed('/a'), 'fine', changed('/b')]);
      expect(published()).to.deep.equal(['bg-1', 'bg-3']);
      expect([place.show('a.html'), place.show('b.html')]).to.deep.equal(['one', 'by hand']);
    });

    it('fail alone if their base commit was removed from the branch', async () => {
      const secret = place.push({ 'secret.html': 'secret' });
      const from = await repository.fetchBase('bg-9');
      const old = await repository.commitTask(task('bg-9', from, pageOf('bg-9')));
      const tasks = await ready(fine);
      git(place.remote, 'update-ref', 'refs/heads/main', base);
      const works = [
        () => repository.publish(publication('bg-9', secret, old)),
        ...tasks.map((publish) => () => publish()),
      ];
      const failures = await whileOnePushes(works.map((work) => () => failureOf(work())));
      expect(failures.map((failure) => failure?.code)).to.deep.equal([
        'GIT_FAILED',
        ...Array<undefined>(3),
      ]);
      expect(failures[0]).to.include({ retryable: false });
      expect(place.files()).to.include('bg-3.html').and.not.include('secret.html');
    });

    it('leave the turn when they are cancelled before, and fail alone if the remote rejects their commit', async () => {
      const tasks = await ready({ ...fine, 'bg-4': pageOf('bg-4') });
      const gone = new AbortController();
      const works = tasks.map(
        (publish, at) => () => failureOf(publish(at === 0 ? gone.signal : undefined)),
      );
      const failures = await whileOnePushes(works, async () => {
        refuse('git ls-tree --name-only -r $new | grep -q bg-2.html');
        gone.abort(reason);
      });
      const found = failures.map((failure) => failure?.code ?? failure);
      expect(found).to.deep.equal([reason, 'PUSH_REFUSED', undefined, undefined]);
      expect(published()).to.deep.equal(['bg-3', 'bg-4']);
    });
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { failureOf, git, publication, task, Workplace } from '../../../helpers/team/workplace.ts';

describe('after a kill', () => {
  let place: Workplace;
  let base: string;
  beforeEach(async () => {
    place = new Workplace();
    base = place.push({ 'index.html': 'home' });
  });
  afterEach(() => place.remove());

  const ours = (path: string) => join(place.copyOf(), path);
  const publishes = () =>
    git(place.remote, 'log', '--format=%(trailers:key=Agent-Task,valueonly)', '--no-merges', 'main')
      .split('\n')
      .filter(Boolean);

  async function leave(path: string) {
    await mkdir(dirname(ours(path)), { recursive: true });
    await writeFile(ours(path), '');
  }

  it('removes locks and half-written packs that git left behind', async () => {
    await place.open().fetchHead();
    await place.closeServices();
    const locks = [
      'refs/remotes/origin/main.lock',
      'refs/agent-tasks/base/bg-1.lock',
      'refs/agent-tasks/bg-1.lock',
      'packed-refs.lock',
      'shallow.lock',
    ];
    for (const path of [...locks, 'objects/pack/tmp_pack_x']) await leave(path);
    const repository = place.open();
    place.push({ 'a.html': 'a' });
    const head = await repository.fetchBase('bg-1');
    const commit = await repository.commitTask(task('bg-1', head, { 'new.html': 'new' }));
    expect(await repository.publish(publication('bg-1', head, commit))).to.equal(place.head());
    expect(existsSync(ours('objects/pack/tmp_pack_x'))).to.equal(false);
  });

  it("waits for a lock in the team's own repository, and does not touch it", async () => {
    const repository = place.open();
    const commit = await repository.commitTask(task('bg-1', base, { 'new.html': 'new' }));
    const lock = join(place.remote, 'refs/heads/main.lock');
    await writeFile(lock, '');
    expect(await failureOf(repository.publish(publication('bg-1', base, commit)))).to.include({
      code: 'GIT_FAILED',
      retryable: true,
    });
    await rm(lock);
    expect(await repository.publish(publication('bg-1', base, commit))).to.equal(commit);
  });

  it('repeats a push of git that was killed in its middle, and pushes once', async () => {
    place.hook('pre-receive', `if [ -e once ]; then rm once; kill -9 0; fi`);
    const repository = place.open();
    for (const step of ['commit', 'publish'] as const) {
      await writeFile(join(place.remote, 'once'), '');
      const attempt = async () => {
        const commit = await repository.commitTask(task('bg-1', base, { 'new.html': 'new' }));
        return step === 'commit' ? commit : repository.publish(publication('bg-1', base, commit));
      };
      expect(await failureOf(attempt()), step).to.include({ code: 'GIT_FAILED', retryable: true });
      expect(await attempt(), step).to.match(/^[0-9a-f]{40}$/);
    }
    expect(publishes()).to.deep.equal(['bg-1']);
  });

  it('publishes the task once if the service was killed during its push, whether git continues or not', async () => {
    const block = join(place.folder, 'block');
    const worker = place.open();
    const commit = await worker.commitTask(task('bg-1', base, { 'new.html': 'new' }));
    await place.closeServices();
    place.push({ 'hand.html': 'hand' });
    place.hook(
      'pre-receive',
      `echo $$ > '${place.folder}/pushing'; while [ -e '${block}' ]; do sleep 0.05; done`,
    );
    await writeFile(block, '');
    const script = join(import.meta.dirname, 'publishProcess.ts');
    const service = spawn(
      process.execPath,
      [script, join(place.folder, 'data'), place.url, base, commit],
      {
        stdio: 'ignore',
      },
    );
    const orphan = Number(await place.eventually('pushing'));
    service.kill('SIGKILL');
    await once(service, 'exit');

    await rm(block);
    const live = await place.open().publish(publication('bg-1', base, commit));
    expect(place.head()).to.equal(live);
    expect(publishes()).to.deep.equal(['bg-1']);
    expect(git(place.remote, 'rev-list', '--count', 'main')).to.equal('4');
    await place.gone(orphan);
  });
});

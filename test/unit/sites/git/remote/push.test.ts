import { rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  failureOf,
  git,
  publishTask,
  task,
  Workplace,
} from '../../../../helpers/team/workplace.ts';
import { missingBranchError } from '../../../../../src/sites/git/remote/productionBranch.ts';
import { refusedPushMessage } from '../../../../../src/sites/git/remote/push.ts';

describe('a remote', () => {
  let place: Workplace;
  let base: string;
  beforeEach(async () => {
    place = new Workplace();
    base = place.push({ 'index.html': 'home' });
  });
  afterEach(() => place.remove());

  it('without the branch is reported, also if it has no commit at all', async () => {
    expect(await failureOf(place.open({ branch: 'gh-pages' }).fetchHead())).to.include({
      code: 'GIT_FAILED',
      message: missingBranchError('gh-pages', ['main']).message,
      retryable: false,
    });
    git(place.remote, 'update-ref', '-d', 'refs/heads/main');
    expect(await failureOf(place.open({ branch: 'gh-pages' }).fetchHead())).to.include({
      code: 'GIT_FAILED',
      message: missingBranchError('gh-pages', []).message,
    });
  });

  it('that is a shallow clone is named as one', async () => {
    place.push({ 'index.html': 'home, again' });
    const shallow = join(place.folder, 'shallow.git');
    git(place.folder, 'clone', '-q', '--bare', '--depth', '1', `file://${place.remote}`, shallow);
    const error = await failureOf(place.open({ url: `file://${shallow}` }).fetchHead());
    expect(error).to.include({ code: 'GIT_FAILED', retryable: false });
    expect(error?.message).to.contain('`git fetch --unshallow`');
  });

  it('that does not exist allows no other attempt, and its path is not shown', async () => {
    const repository = place.open();
    await rename(place.remote, `${place.remote}.away`);
    const error = await failureOf(repository.fetchHead());
    expect(error).to.include({ code: 'GIT_FAILED', retryable: false });
    expect(error?.details).to.include({ reason: 'not-found' });
    expect(error?.message).to.not.contain(place.remote);
    await rename(`${place.remote}.away`, place.remote);
    expect(await repository.fetchHead()).to.equal(base);
  });

  for (const protocol of ['https', 'ssh'])
    it(`that refuses ${protocol} connections allows another attempt`, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as AddressInfo;
      await new Promise((resolve) => server.close(resolve));
      const address = `127.0.0.1:${port}/acme/site.git`;
      const error = await failureOf(place.open({ url: `${protocol}://${address}` }).fetchHead());
      expect(error).to.include({ code: 'GIT_FAILED', retryable: true });
      expect(error?.details).to.include({ reason: 'unreachable' });
      expect(error?.message).to.contain(address);
    });

  it('that hangs is left when the signal aborts', async () => {
    // it reads, so that it sees the end of the connection whenever that comes
    const server = createServer((socket) => socket.on('error', () => undefined).resume()).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const controller = new AbortController();
    server.once('connection', () => controller.abort(new Error('cancelled')));
    const repository = place.open({ url: `https://127.0.0.1:${port}/acme/site.git` });
    expect(await failureOf(repository.fetchHead(controller.signal))).to.have.property(
      'message',
      'cancelled',
    );
    await new Promise((resolve) => server.close(resolve));
  });

  for (const url of ['http://127.0.0.1:1/x', 'ext::sh -c true', 'git://127.0.0.1:1/x'])
    it(`with another transport is never contacted: ${url}`, async () => {
      expect(await failureOf(place.open({ url }).fetchHead())).to.include({
        code: 'GIT_FAILED',
        retryable: false,
      });
    });

  it("that rejects a push is quoted with the hook's own words", async () => {
    place.hook(
      'pre-receive',
      `while read old new ref; do case $ref in refs/heads/*) echo 'Only by pull request \u001b[31m(see https://u:p@wiki)' >&2; exit 1;; esac; done`,
    );
    const error = await failureOf(publishTask(place.open(), 'bg-1', { 'new.html': 'new' }));
    expect(error).to.include({ code: 'PUSH_REFUSED', retryable: false });
    expect(error?.message).to.equal(
      refusedPushMessage('branch main', [
        'pre-receive hook declined',
        'Only by pull request (see https://wiki)',
      ]),
    );
    expect(place.head()).to.equal(base);
  });

  it('that rejects hidden refs is reported when the commit is pushed', async () => {
    git(place.remote, 'config', 'receive.hideRefs', 'refs/agent-tasks');
    const error = await failureOf(
      place.open().commitTask(task('bg-1', base, { 'new.html': 'new' })),
    );
    expect(error).to.include({ code: 'PUSH_REFUSED' });
    expect(error?.message).to.include(
      refusedPushMessage('refs/agent-tasks/bg-1', ['deny updating a hidden ref']),
    );
  });
});

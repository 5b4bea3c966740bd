import type { ServerResponse } from 'node:http';
import tls from 'node:tls';
import { expect } from 'chai';
import { createAuthority, type Authority } from '../../../helpers/certificates.ts';
import { testLauncher } from '../../../helpers/launcher.ts';
import { serveHttps } from '../../../helpers/team/httpsRemote.ts';
import { failureOf, git, publishTask, Workplace } from '../../../helpers/team/workplace.ts';

describe('a remote over https', () => {
  const trusted = tls.getCACertificates('default');
  let authority: Authority;
  let place: Workplace;
  const closes: (() => Promise<void>)[] = [];
  before(async () => {
    authority = await createAuthority();
    tls.setDefaultCACertificates([...trusted, authority.ca]);
  });
  after(() => tls.setDefaultCACertificates(trusted));
  beforeEach(async () => {
    place = new Workplace();
    place.push({ 'index.html': 'home' });
  });
  afterEach(async () => {
    await place.remove();
    await Promise.all(closes.splice(0).map((close) => close()));
  });

  async function serve(
    certifier: Authority,
    answer?: (response: ServerResponse) => boolean,
    launcher = testLauncher,
  ) {
    const certificate = await certifier.issue({ ip: ['127.0.0.1'] });
    const server = await serveHttps(
      place.folder,
      certificate,
      (_, response) => answer?.(response) ?? false,
    );
    closes.push(server.close);
    return place.open({ url: `${server.url}/team%20site.git`, launcher });
  }

  it('is used with the certificate authorities of Node for fetches and pushes', async () => {
    const { commit, live } = await publishTask(await serve(authority), 'bg-1', {
      'new.html': 'new',
    });
    expect(live).to.equal(commit);
    expect(place.head()).to.equal(commit);
    expect(git(place.remote, 'rev-parse', 'refs/agent-tasks/bg-1')).to.equal(commit);
  });

  it("is not trusted with somebody else's certificate", async () => {
    const repository = await serve(await createAuthority());
    const error = await failureOf(repository.fetchHead());
    expect(error).to.include({ code: 'GIT_FAILED', retryable: false });
    expect(error?.details).to.include({ reason: 'certificate' });
  });

  for (const [status, headers, reason, retryable] of [
    [401, { 'www-authenticate': 'Basic realm="x"' }, 'access-denied', false],
    [404, {}, 'not-found', false],
    [302, { location: 'http://127.0.0.1:1/elsewhere' }, 'redirect', false],
    [503, {}, 'unreachable', true],
  ] as const)
    it(`that answers ${status} fails with the reason ${reason}`, async () => {
      const repository = await serve(authority, (response) =>
        Boolean(response.writeHead(status, headers).end()),
      );
      const error = await failureOf(repository.fetchHead());
      expect(error?.message).to.match(/^Fetching from 127\.0\.0\.1:\d+\/team%20site\.git failed: /);
      expect(error).to.include({ code: 'GIT_FAILED', retryable });
      expect(error?.details).to.include({ reason });
    });

  it('that breaks off in the middle of an answer allows another attempt', async () => {
    const repository = await serve(authority, (response) => {
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
      response.write('001e# service=git-upload-pack\n0000');
      setImmediate(() => response.destroy());
      return true;
    });
    expect(await failureOf(repository.fetchHead())).to.include({
      code: 'GIT_FAILED',
      retryable: true,
    });
  });
});

import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect } from 'chai';
import {
  checkThroughput,
  type ThroughputLimit,
} from '../../../../../src/sites/git/remote/throughput.ts';
import { createRepositories } from '../../../../../src/sites/git/repositories.ts';
import type { GitRepositories } from '../../../../../src/sites/git/repository.ts';
import { type Authority, createAuthority } from '../../../../helpers/certificates.ts';
import { testLauncher } from '../../../../helpers/launcher.ts';
import { serveHttps } from '../../../../helpers/team/httpsRemote.ts';
import { failureOf, Workplace } from '../../../../helpers/team/workplace.ts';

describe('checkThroughput(pace, arrived, action)', () => {
  const pace: ThroughputLimit = { patience: 60_000, bytesPerSecond: 1_000 };
  const isRefused = (seconds: number, bytes: number) => {
    try {
      checkThroughput(pace, { bytes, ms: seconds * 1_000 }, 'Fetching');
      return false;
    } catch {
      return true;
    }
  };

  it('lets a remote send nothing for a while, and then requires its bytes', () => {
    for (const [seconds, bytes] of [
      [0, 0],
      [60, 0],
      [61, 1_000],
      [600, 540_000],
      [600, 1e9],
    ] as const)
      expect(isRefused(seconds, bytes), `${bytes} bytes in ${seconds} s`).to.equal(false);
    for (const [seconds, bytes] of [
      [61, 0],
      [61, 999],
      [70, 9_999],
      [600, 539_000],
    ] as const)
      expect(isRefused(seconds, bytes), `${bytes} bytes in ${seconds} s`).to.equal(true);
  });
});

describe('a remote that sends slowly', function () {
  this.timeout(90_000);
  const trusted = tls.getCACertificates('default');
  let authority: Authority;
  let place: Workplace;
  let head: string;
  let repositories: GitRepositories;
  const closes: (() => Promise<void>)[] = [];
  before(async () => {
    authority = await createAuthority();
    tls.setDefaultCACertificates([authority.ca]); // git reads all of them at each command
    place = new Workplace();
    head = place.push({ 'index.html': 'home' });
  });
  after(async () => {
    tls.setDefaultCACertificates(trusted);
    await place.remove();
  });
  afterEach(async () => {
    await repositories.close();
    await Promise.all(closes.splice(0).map((close) => close()));
  });

  type Answer = Parameters<typeof serveHttps>[2];

  async function serve(answer?: Answer) {
    const server = await serveHttps(
      place.folder,
      await authority.issue({ ip: ['127.0.0.1'] }),
      answer,
    );
    closes.push(server.close);
    return `${server.url}/team%20site.git`;
  }

  function start(minThroughput: ThroughputLimit, dataDir: string) {
    repositories = createRepositories({
      dataDir: join(place.folder, dataDir),
      launcher: testLauncher,
      minThroughput,
    });
    return (siteId: string, organizationId: string, url: string) =>
      repositories.open({ siteId, organizationId, repository: { url, branch: 'main', root: '' } });
  }

  const isPack = ({ method, url = '' }: IncomingMessage) =>
    method === 'POST' && url.endsWith('git-upload-pack');

  /** Sends something, and then one part again and again, until the client has gone. */
  function trickle(response: ServerResponse, type: string, beginning: string, part: string) {
    response.writeHead(200, { 'content-type': `application/x-git-upload-pack-${type}` });
    response.write(beginning, 'latin1');
    const timer = setInterval(() => response.write(part), 50);
    response.once('close', () => clearInterval(timer));
    return true;
  }

  /** In the second request, after the list of branches (git's protocol version 2). */
  function insteadOfThePack(beginning: string, part: string): NonNullable<Answer> {
    let asked = 0;
    return (request, response) =>
      isPack(request) && asked++ > 0 && trickle(response, 'result', beginning, part);
  }

  const tricklers: Record<string, NonNullable<Answer>> = {
    'its list of branches, byte by byte': (_, response) =>
      trickle(response, 'advertisement', '001e# service=git-upload-pack\n0000ffff', 'a'),
    // a blob of 1 MiB that begins with 64 KiB of stored bytes: git finds no fault in it, however
    // long it reads
    'a pack, byte by byte': insteadOfThePack(
      '000dpackfile\n001c\u0001PACK\0\0\0\u0002\0\0\0\u007f\xb0\x80\x80\u0004\x78\u0001\0\xff\xff\0\0',
      '0006\u0001x',
    ),
  };

  for (const [what, answer] of Object.entries(tricklers))
    it(`is given up after a while, for a later attempt: ${what}`, async () => {
      const open = start({ patience: 1_000, bytesPerSecond: 16 * 1024 }, what);
      const url = await serve(answer);
      const error = await failureOf(open('site-1', 'acme', url).fetchHead());
      expect(error).to.include({ code: 'GIT_FAILED', retryable: true });
      expect(error?.message).to.match(
        /^Fetching\b.* 127\.0\.0\.1:\d+\/team%20site\.git .*: .*\b\d+ bytes\b.* \d+ s\b.*\b16 KiB\b.*\b1 s\b/,
      );
    });

  it("uses only its organization's permits while it is waited for", async () => {
    const [slow, quick] = [
      await serve(tricklers['its list of branches, byte by byte']),
      await serve(),
    ];
    const open = start({ patience: 600_000, bytesPerSecond: 1 }, 'waited for');
    const end = new AbortController();
    let ended = 0;
    const slowOnes = Array.from({ length: 12 }, (_, n) =>
      failureOf(open(`slow-${n}`, 'acme', slow).fetchHead(end.signal)).finally(() => ended++),
    );
    for (const n of [1, 2, 3])
      expect(await open(`quick-${n}`, 'honest', quick).fetchHead()).to.equal(head);
    expect(ended, 'slow fetches that have ended').to.equal(0);
    end.abort(new Error('enough'));
    await Promise.all(slowOnes);
  });
});

import { expect } from 'chai';
import { createGuardedSender } from '../../../src/callbacks/guardedSend.ts';
import type { DomainError } from '../../../src/errors.ts';
import type { SendHttp } from '../../../src/forges/forgeProject.ts';
import { createForgeRegistry } from '../../../src/forges/forges.ts';
import {
  type Answer,
  type GitHubServer,
  goodToken,
  project,
  sha,
  startGitHub,
} from '../../helpers/githubServer.ts';
import { refused } from '../../helpers/refused.ts';

const never = new AbortController().signal;
const commit = sha('task');

describe('the API of a forge', () => {
  const sender = createGuardedSender({ allowPrivate: true, ownHosts: [] });
  let github: GitHubServer;
  let forges: ReturnType<typeof createForgeRegistry>;

  const place = () => ({ forge: 'github' as const, apiUrl: github.apiUrl, project });
  const opened = (token = goodToken) =>
    forges.open(place(), { kind: 'token', username: '', token });
  const find = () => opened().findPullRequest('bg-1', never);
  const failure = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => expect.fail('did not fail'),
      (thrown: unknown) => thrown as DomainError,
    );
    expect(`${String(error)} ${JSON.stringify(error.details)}`).to.not.include(goodToken);
    return error;
  };
  const answered = (answer: Answer) => {
    github.next(/pulls/, answer);
    return failure(find());
  };

  beforeEach(async () => {
    github = await startGitHub();
    forges = createForgeRegistry({ send: sender.send });
  });
  afterEach(() => github[Symbol.asyncDispose]());
  after(() => sender.close());

  describe('fails permanently', () => {
    for (const status of [401, 403, 404, 422])
      it(`on ${status} with the forge's own reason`, async () => {
        const error = await answered({ status, body: { message: 'Because' } });
        expect(error).to.include({ code: 'FORGE_REFUSED', retryable: false });
        expect(error.message).to.match(
          new RegExp(`\\bread the pull requests \\(status ${status}\\): Because$`),
        );
        expect(error.details).to.deep.equal({ status, reason: 'Because' });
      });

    for (const [what, message, expected] of [
      ['is long', 'x'.repeat(10_000), 'x'.repeat(300)],
      ['has control characters', 'a\u0000\u001b[31m\r\n\u202eb', 'a [31m b'],
      ['repeats the token', `token ${goodToken} is wrong`, 'token … is wrong'],
      ['is none', undefined, ''],
    ] as const)
      it(`with a cleaned reason that ${what}`, async () => {
        const error = await answered({ status: 422, body: { message } });
        expect(error.details?.['reason']).to.equal(expected);
      });

    it('on an answer that is not JSON', async () => {
      expect((await answered({ status: 404, body: '<html>' })).details?.['reason']).to.equal('');
    });
  });

  describe('reads only as much as forges document', () => {
    const entry = { number: 1, html_url: 'javascript:alert(1)' };

    it('and reports an answer of over 1 MB', async () => {
      const error = await answered({ status: 200, body: 'x'.repeat(1_000_001) });
      expect(error).to.include({ code: 'UNAVAILABLE', retryable: true });
      expect(error.message).to.match(/\bread the pull requests\b.*\b1000000 bytes$/);
    });

    it('and reports a list of over 1,000 entries', async () => {
      const error = await answered({ status: 200, body: Array(1_001).fill(entry) });
      expect(error.message).to.match(/\b1001 entries\b.*\b1000\b/);
    });

    it('and reports an answer that is nested too deeply, or has too many values', async () => {
      const deep = '['.repeat(100) + ']'.repeat(100);
      const error = await answered({ status: 200, body: JSON.parse(deep) as unknown });
      expect(error.message).to.match(/\b32 levels\b/);
      const many = await answered({ status: 200, body: { a: Array(30_000).fill(1) } });
      expect(many.message).to.match(/more than 25000 values$/);
    });

    for (const [body, reason] of [
      [{ message: ['Already open: !1', 'Try again'] }, 'Already open: !1; Try again'],
      [
        { message: { title: ['is too long'], base: ['is closed'] } },
        'title is too long; is closed',
      ],
      [{ message: { deep: { deeper: {} } } }, ''],
      [{ error: 'insufficient_scope', error_description: 'It needs more' }, 'It needs more'],
      [{ error: 'sha is invalid' }, 'sha is invalid'],
    ] as const)
      it(`and reports the reason ${JSON.stringify(body)}`, async () => {
        expect((await answered({ status: 422, body })).details?.['reason']).to.equal(reason);
      });

    it('and reports no reason in a rejection of over 64 kB', async () => {
      const body = { message: 'Because', more: 'x'.repeat(64_000) };
      expect((await answered({ status: 422, body })).details?.['reason']).to.equal('');
    });
  });

  describe('is unavailable', () => {
    for (const [what, answer, wait] of [
      ['status 500', { status: 500 }, undefined],
      ['status 503 with Retry-After', { status: 503, headers: { 'retry-after': '7' } }, 7_000],
      ['status 429', { status: 429 }, 60_000],
      ['status 403 with Retry-After', { status: 403, headers: { 'retry-after': '30' } }, 30_000],
      ['a wait of days', { status: 429, headers: { 'retry-after': '9999999' } }, 3_600_000],
      ['a wait that is none', { status: 429, headers: { 'retry-after': 'soon' } }, 60_000],
      [
        "GitHub's secondary limit without a time",
        { status: 403, body: { message: 'You have exceeded a secondary rate limit.' } },
        60_000,
      ],
      [
        'no remaining requests, by the clock of the forge',
        {
          status: 403,
          headers: {
            date: new Date(1_000_000_000_000).toUTCString(),
            'x-ratelimit-remaining': '0',
            'x-ratelimit-reset': `${1_000_000_090}`,
          },
        },
        90_000,
      ],
    ] as [string, Answer, number | undefined][])
      it(`on ${what}`, async () => {
        const error = await answered(answer);
        expect(error).to.include({ code: 'UNAVAILABLE', retryable: true, retryAfter: wait });
      });

    for (const [what, body] of [
      ['is no JSON', 'text'],
      ['is not what is documented', [{ number: 'one' }]],
    ] as const)
      it(`on an answer that ${what}`, async () => {
        const error = await answered({ status: 200, body });
        expect(error).to.include({ code: 'UNAVAILABLE', retryable: true });
        expect(error.message).to.match(/\bread the pull requests\b/);
      });
  });

  describe('respects the rate limits', () => {
    const used = () => ({
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': `${Math.ceil(Date.now() / 1000) + 600}`,
    });

    it('by not asking before the reset after an answer says that nothing remains', async () => {
      github.next(/pulls/, { status: 200, headers: used(), body: [] });
      expect(await find()).to.equal(null);
      const error = await failure(find());
      expect(error).to.include({ code: 'UNAVAILABLE', retryable: true });
      expect(error.retryAfter).to.be.within(500_000, 602_000);
      expect(error.message).to.match(/\bin \d+ s$/);
      expect(github.asked).to.have.length(1);
    });

    it('of projects with one credential together', async () => {
      github.next(/pulls/, { status: 200, headers: used(), body: [] });
      await find();
      const other = forges.open(
        { ...place(), project: 'team/other' },
        { kind: 'token', username: '', token: goodToken },
      );
      expect(await failure(other.reports(commit, never))).to.include({ code: 'UNAVAILABLE' });
      expect(github.asked).to.have.length(1);
    });

    it('by asking only for changes, which costs nothing', async () => {
      github.state.statuses[commit] = [{ id: 1, context: 'host', state: 'pending', creator: null }];
      const first = await opened().reports(commit, never);
      expect(await opened().reports(commit, never)).to.deep.equal(first);
      const asked = github.asked.filter(({ route }) => route.includes('/statuses'));
      expect(asked.map(({ headers }) => headers['if-none-match'] !== undefined)).to.deep.equal([
        false,
        true,
      ]);
      github.state.statuses[commit][0]!['state'] = 'success';
      expect((await opened().reports(commit, never))[0]?.state).to.equal('success');
    });

    it('by one request for equal reads at the same time', async () => {
      await Promise.all(Array.from({ length: 40 }, () => opened().reports(commit, never)));
      expect(github.asked).to.have.length(3);
    });

    it('and gives no answer of one credential to another', async () => {
      await opened().reports(commit, never);
      await refused(opened('another').reports(commit, never));
      const others = github.asked.filter(
        ({ headers }) => headers.authorization === 'Bearer another',
      );
      expect(others).to.not.deep.equal([]);
      for (const { headers } of others) expect(headers).to.not.have.property('if-none-match');
    });
  });

  it('returns no read from before a write', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let isFirst = true;
    const send: SendHttp = async (request, signal) => {
      const answer = await sender.send(request, signal);
      if (isFirst && request.url.includes('state=all')) {
        isFirst = false;
        await held;
      }
      return answer;
    };
    forges = createForgeRegistry({ send });
    github.state.branches['bg-1'] = commit;
    const before = find();
    const request = { branch: 'bg-1', into: 'main', title: 'x', body: '' };
    await opened().openPullRequest(request, never);
    expect((await find())?.number).to.equal(1);
    release();
    expect(await before).to.equal(null);
  });

  describe('follows a redirect', () => {
    it('of a renamed project, on the same origin', async () => {
      const location = `${github.apiUrl}/repos/${project}/pulls?state=all`;
      github.next(/pulls/, { status: 301, headers: { location } });
      expect(await find()).to.equal(null);
      expect(github.asked).to.have.length(2);
    });

    it('to no other origin, which would get the token', async () => {
      await using other = await startGitHub();
      for (const location of [`${other.apiUrl}/repos/${project}/pulls`, '//evil.example/', '']) {
        github.next(/pulls/, { status: 307, headers: { location } });
        expect(await refused(find())).to.match(/\bredirects\b/);
      }
      expect(other.asked).to.deep.equal([]);
    });
  });

  it('reads at most 10 pages of an endless list', async () => {
    github.state.statuses[commit] = Array.from({ length: 1_200 }, (_, id) => ({
      id,
      context: `${id}`,
      state: 'success',
      creator: null,
    }));
    expect(await opened().reports(commit, never)).to.have.length(1_000);
  });

  it('ends with the reason of its signal', async () => {
    const reason = new Error('cancelled');
    const error = await opened()
      .findPullRequest('bg-1', AbortSignal.abort(reason))
      .catch((thrown: unknown) => thrown);
    expect(error).to.equal(reason);
  });
});

import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { readWebhook } from '../../../src/forges/webhooks.ts';
import { sha } from '../../helpers/githubServer.ts';

const secret = "It's a Secret to Everybody";
const repository = { full_name: 'team/site', private: true };
const commit = sha('task');
const signatureOf = (body: string, key = secret) =>
  createHmac('sha256', key).update(body).digest('hex');

/** Header fields by which each forge sends an event. */
const forges = {
  github: (kind: string, signature: string) => ({
    'x-github-event': kind,
    'x-github-delivery': '72d3162e',
    'x-hub-signature-256': `sha256=${signature}`,
  }),
  gitea: (kind: string, signature: string) => ({
    'x-gitea-event': kind,
    'x-gitea-delivery': '72d3162e',
    'x-gitea-signature': signature,
    'x-github-event': kind,
    'x-github-delivery': 'other',
    'x-hub-signature-256': `sha256=${signature}`,
  }),
  forgejo: (kind: string, signature: string) => ({
    'x-forgejo-event': kind,
    'x-forgejo-delivery': '72d3162e',
    'x-forgejo-signature': signature,
    'x-gitea-event': kind,
    'x-gitea-delivery': 'other',
    'x-gitea-signature': signature,
  }),
};

const read = (
  kind: string,
  payload: unknown,
  { forge = 'github', key = secret }: { forge?: keyof typeof forges; key?: string } = {},
) => {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const headers = forges[forge](kind, signatureOf(body, key));
  return readWebhook({ headers, body: Buffer.from(body) }, secret);
};

describe('readWebhook()', () => {
  it("verifies GitHub's documented example", () => {
    const signature = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    expect(signatureOf('Hello, World!')).to.equal(signature);
  });

  for (const forge of Object.keys(forges) as (keyof typeof forges)[])
    it(`reads an event of ${forge}`, () => {
      const push = { ref: 'refs/heads/main', after: commit, repository };
      expect(read('push', push, { forge })).to.deep.equal({
        kind: 'push',
        project: 'team/site',
        commit,
        branch: 'main',
      });
      expect(read('push', push, { forge, key: 'wrong' })).to.equal(null);
    });

  for (const [kind, payload, expected] of [
    ['push', { ref: 'refs/heads/a/b', after: '0'.repeat(40) }, { branch: 'a/b' }],
    ['push', { ref: 'refs/tags/v1', after: commit }, { commit }],
    ['status', { sha: commit, state: 'success', context: 'host' }, { commit }],
    [
      'deployment_status',
      { deployment: { sha: commit, ref: 'bg-1' }, deployment_status: { state: 'success' } },
      { commit, branch: 'bg-1' },
    ],
    ['check_run', { action: 'completed', check_run: { head_sha: commit } }, { commit }],
    [
      'pull_request',
      { action: 'closed', number: 1, pull_request: { head: { sha: commit, ref: 'bg-1' } } },
      { commit, branch: 'bg-1' },
    ],
  ] as const)
    it(`reads ${kind} of ${JSON.stringify(expected)}`, () => {
      expect(read(kind, { ...payload, repository })).to.deep.include({ kind, ...expected });
    });

  for (const [what, kind, payload] of [
    ['of another kind', 'issues', { repository }],
    ['of a kind that every object has', 'constructor', { repository }],
    ['ping', 'ping', { zen: 'x', repository }],
    ['without a project', 'status', { sha: commit }],
    ['with a commit that is none', 'status', { sha: '--upload-pack=x', repository }],
    ['that is no JSON', 'push', 'payload=%7B%7D'],
    ['that is null', 'push', 'null'],
    ['that is empty', 'push', ''],
  ] as const)
    it(`drops an event ${what}`, () => {
      expect(read(kind, payload)).to.equal(null);
    });

  it('drops events that are not signed, or that were changed after signing', () => {
    const body = JSON.stringify({ sha: commit, repository });
    const good = forges.github('status', signatureOf(body));
    const taken = (headers: Record<string, string | string[]>, text = body, key = secret) =>
      readWebhook({ headers, body: Buffer.from(text) }, key) !== null;
    expect(taken(good)).to.equal(true);
    expect(taken(good, `${body} `)).to.equal(false);
    const { 'x-hub-signature-256': signature, ...unsigned } = good;
    expect(taken(unsigned)).to.equal(false);
    for (const wrong of ['', 'sha256=', 'sha256=00', signature.slice(0, -2), `${signature}00`])
      expect(taken({ ...good, 'x-hub-signature-256': wrong })).to.equal(false, wrong);
    expect(taken({ ...good, 'x-hub-signature-256': [signature] })).to.equal(false);
    expect(taken({ ...good, 'x-hub-signature': 'sha1=0' })).to.equal(true);
    const empty = forges.github('status', createHmac('sha256', '').update(body).digest('hex'));
    expect(taken(empty, body, '')).to.equal(false);
  });
});

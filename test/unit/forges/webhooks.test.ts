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

  describe('of GitLab', () => {
    const key = Buffer.alloc(32, 7);
    const gitLabSecret = `whsec_${key.toString('base64')}`;
    const gitLabProject = { id: 278964, path_with_namespace: 'team/web/site', name: 'Site' };
    const bodyOf = (payload: object) => JSON.stringify({ project: gitLabProject, ...payload });
    const push = bodyOf({ object_kind: 'push', ref: 'refs/heads/main', after: commit });
    const readGitLab = (
      body: string,
      headers: Record<string, string | string[]>,
      own = gitLabSecret,
    ) =>
      readWebhook(
        { headers: { 'x-gitlab-event': 'Push Hook', ...headers }, body: Buffer.from(body) },
        own,
      );
    const token = { 'x-gitlab-token': gitLabSecret };
    const event = { kind: 'push', project: 'team/web/site', projectId: '278964', commit };

    it('are read with the secret token', () => {
      expect(readGitLab(push, token)).to.deep.equal({ ...event, branch: 'main' });
    });

    for (const [what, headers] of [
      ['no token', {}],
      ['another token', { 'x-gitlab-token': `${gitLabSecret}=` }],
      ['a part of the token', { 'x-gitlab-token': gitLabSecret.slice(0, -1) }],
      ['two tokens', { 'x-gitlab-token': [gitLabSecret, gitLabSecret] }],
    ] as [string, Record<string, string | string[]>][])
      it(`are dropped with ${what}`, () => {
        expect(readGitLab(push, headers)).to.equal(null);
      });

    it('are dropped if the secret is empty', () => {
      expect(readGitLab(push, { 'x-gitlab-token': '' }, '')).to.equal(null);
    });

    it('are read with a signature, which counts more than the token', () => {
      const sign = (body: string, by = key) =>
        createHmac('sha256', by).update(`msg-1.1777777777.${body}`).digest('base64');
      const signed = (signature: string) => ({
        'webhook-id': 'msg-1',
        'webhook-timestamp': '1777777777',
        'webhook-signature': signature,
      });
      expect(readGitLab(push, signed(`v1,${sign(push)}`))).to.deep.include(event);
      expect(readGitLab(push, signed(`v1,AAAA v1,${sign(push)}`))).to.deep.include(event);
      for (const wrong of ['', 'v1,', `v2,${sign(push)}`, sign(push), `v1,${sign(`${push} `)}`])
        expect(readGitLab(push, { ...signed(wrong), ...token }), wrong).to.equal(null);
      const { 'webhook-id': id, ...withoutId } = signed(`v1,${sign(push)}`);
      expect(id).to.equal('msg-1');
      expect(readGitLab(push, withoutId)).to.equal(null);
      const emptyKey = signed(`v1,${sign(push, Buffer.alloc(0))}`);
      expect(readGitLab(push, emptyKey, 'whsec_')).to.equal(null);
    });

    for (const [name, payload, expected] of [
      [
        'Push Hook',
        { ref: 'refs/heads/a/b', after: '0'.repeat(40) },
        { kind: 'push', branch: 'a/b' },
      ],
      [
        'Merge Request Hook',
        { object_attributes: { iid: 1, source_branch: 'bg-1', last_commit: { id: commit } } },
        { kind: 'pull_request', commit, branch: 'bg-1' },
      ],
      [
        'Pipeline Hook',
        { object_attributes: { id: 31, ref: 'bg-1', sha: commit, status: 'success' } },
        { kind: 'check_run', commit, branch: 'bg-1' },
      ],
      [
        'Deployment Hook',
        { status: 'success', ref: 'bg-1' },
        { kind: 'deployment_status', branch: 'bg-1' },
      ],
    ] as const)
      it(`are read: ${name} of ${JSON.stringify(expected)}`, () => {
        const read = readGitLab(bodyOf(payload), { ...token, 'x-gitlab-event': name });
        expect(read).to.deep.include(expected);
      });

    for (const [what, name, body] of [
      ['of another kind', 'Note Hook', push],
      ['of a kind that every object has', 'constructor', push],
      ['without a project', 'Push Hook', JSON.stringify({ ref: 'refs/heads/main', after: commit })],
      ['that is no JSON', 'Push Hook', 'payload=%7B%7D'],
    ] as const)
      it(`are dropped if they are ${what}`, () => {
        expect(readGitLab(body, { ...token, 'x-gitlab-event': name })).to.equal(null);
      });
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

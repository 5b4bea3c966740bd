import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import type { RepositoryCredential } from '../../../../src/contract/site.ts';
import type { HttpRequest, SendHttp } from '../../../../src/forges/forgeProject.ts';
import { createForgeApi, createAnswerCache } from '../../../../src/forges/forgeApi.ts';
import { createFixedToken } from '../../../../src/forges/adapter.ts';
import { createForgeRegistry } from '../../../../src/forges/forges.ts';
import {
  createGitHubRequests,
  type GitHubRequests,
} from '../../../../src/forges/github/requests.ts';
import type { GitHubPull } from '../../../../src/forges/github/schemas.ts';
import { createCredentialLimits } from '../../../../src/forges/credentialLimits.ts';
import { sha } from '../../../helpers/githubServer.ts';

const never = new AbortController().signal;
const apiUrl = 'https://api.github.com';
const project = 'octocat/Hello-World';
const at = `${apiUrl}/repos/${project}`;
const commit = sha('octocat');
const branch = 'bg-kq3v7w2mzt5d8n4hjx6y1ra';

/** https://docs.github.com/rest: fields of accounts, most of which are left out here. */
const octocat = {
  login: 'octocat',
  id: 1,
  html_url: 'https://github.com/octocat',
  type: 'User',
};
const repository = {
  id: 1296269,
  name: 'Hello-World',
  full_name: project,
  owner: octocat,
};
const pull = {
  url: `${at}/pulls/1347`,
  id: 1,
  html_url: `https://github.com/${project}/pull/1347`,
  number: 1347,
  state: 'open',
  locked: true,
  title: 'Amazing new feature',
  user: octocat,
  body: 'Please pull these awesome changes in!',
  closed_at: null,
  merged_at: null,
  merge_commit_sha: sha('test merge'),
  head: { label: `octocat:${branch}`, ref: branch, sha: commit, user: octocat, repo: repository },
  base: { label: 'octocat:main', ref: 'main', sha: commit, user: octocat, repo: repository },
  author_association: 'OWNER',
  auto_merge: null,
  draft: false,
};
/** What the service keeps of it. */
const kept: GitHubPull = {
  number: 1347,
  state: 'open',
  merged_at: null,
  merge_commit_sha: pull.merge_commit_sha,
  head: { ref: branch, sha: commit, repo: { id: 1296269 } },
  base: { ref: 'main', repo: { id: 1296269 } },
};

interface DocumentedRequest {
  /** Where GitHub documents the request. */
  page: string;
  ask: (requests: GitHubRequests) => Promise<unknown>;
  /** What is sent. */
  sent: [method: string, url: string, body?: object];
  /** An answer with documented fields, some of which are not used. */
  answer: unknown;
  status?: number;
  /** What the service keeps of the answer. */
  read: unknown;
}

const documented: Record<keyof GitHubRequests, DocumentedRequest> = {
  readProject: {
    page: 'https://docs.github.com/rest/repos/repos#get-a-repository',
    ask: (requests) => requests.readProject(never),
    sent: ['GET', at],
    answer: {
      ...repository,
      archived: false,
      permissions: { admin: false, push: false, pull: true },
      allow_squash_merge: true,
      allow_merge_commit: true,
    },
    read: { archived: false, allow_merge_commit: true, allow_squash_merge: true },
  },
  readBranch: {
    page: 'https://docs.github.com/rest/branches/branches#get-a-branch',
    ask: (requests) => requests.readBranch('release/1', never),
    sent: ['GET', `${at}/branches/release%2F1`],
    answer: {
      name: 'release/1',
      commit: { sha: commit, node_id: 'MDY6Q29tbWl0', commit: {}, author: octocat, parents: [] },
      protected: true,
    },
    read: { protected: true, commit: { sha: commit } },
  },
  readRules: {
    page: 'https://docs.github.com/rest/repos/rules#get-rules-for-a-branch',
    ask: (requests) => requests.readRules('main', never),
    sent: ['GET', `${at}/rules/branches/main?per_page=100`],
    answer: [
      {
        type: 'commit_message_pattern',
        parameters: { operator: 'starts_with', pattern: 'issue' },
      },
      { type: 'pull_request', ruleset_source_type: 'Organization', ruleset_id: 73 },
    ],
    read: ['commit_message_pattern', 'pull_request'],
  },
  readCommits: {
    page: 'https://docs.github.com/rest/commits/commits#list-commits',
    ask: (requests) => requests.readCommits('main', 10, never),
    sent: ['GET', `${at}/commits?sha=main&per_page=10`],
    answer: [
      {
        url: `${at}/commits/${commit}`,
        sha: commit,
        commit: { message: 'Fix all the bugs', comment_count: 0 },
        author: octocat,
      },
    ],
    read: [commit],
  },
  createRef: {
    page: 'https://docs.github.com/rest/git/refs#create-a-reference',
    ask: (requests) => requests.createRef({ ref: 'refs/heads/main', sha: commit }, never),
    sent: ['POST', `${at}/git/refs`, { ref: 'refs/heads/main', sha: commit }],
    status: 201,
    answer: {
      ref: 'refs/heads/main',
      url: `${at}/git/refs/heads/main`,
      object: { type: 'commit', sha: commit, url: `${at}/git/commits/${commit}` },
    },
    read: { ref: 'refs/heads/main' },
  },
  findPull: {
    page: 'https://docs.github.com/rest/pulls/pulls#list-pull-requests',
    ask: (requests) => requests.findPull(branch, 'all', never),
    sent: [
      'GET',
      `${at}/pulls?state=all&head=octocat%3A${branch}&sort=created&direction=desc&per_page=30`,
    ],
    answer: [pull],
    read: kept,
  },
  readPull: {
    page: 'https://docs.github.com/rest/pulls/pulls#get-a-pull-request',
    ask: (requests) => requests.readPull(1347, never),
    sent: ['GET', `${at}/pulls/1347`],
    answer: {
      ...pull,
      merged: false,
      mergeable: true,
      commits: 3,
    },
    read: kept,
  },
  createPull: {
    page: 'https://docs.github.com/rest/pulls/pulls#create-a-pull-request',
    ask: (requests) => requests.createPull({ branch, into: 'main', title: 'A', body: 'b' }, never),
    sent: ['POST', `${at}/pulls`, { title: 'A', body: 'b', head: branch, base: 'main' }],
    status: 201,
    answer: pull,
    read: kept,
  },
  closePull: {
    page: 'https://docs.github.com/rest/pulls/pulls#update-a-pull-request',
    ask: (requests) => requests.closePull(1347, never),
    sent: ['PATCH', `${at}/pulls/1347`, { state: 'closed' }],
    answer: { ...pull, state: 'closed', closed_at: '2011-01-26T19:01:12Z' },
    read: { ...kept, state: 'closed' },
  },
  mergePull: {
    page: 'https://docs.github.com/rest/pulls/pulls#merge-a-pull-request',
    ask: (requests) => requests.mergePull(1347, { sha: commit, merge_method: 'squash' }, never),
    sent: ['PUT', `${at}/pulls/1347/merge`, { sha: commit, merge_method: 'squash' }],
    answer: { sha: commit, merged: true, message: 'Pull Request successfully merged' },
    read: { sha: commit, merged: true },
  },
  readDeployments: {
    page: 'https://docs.github.com/rest/deployments/deployments#list-deployments',
    ask: (requests) => requests.readDeployments(commit, never),
    sent: ['GET', `${at}/deployments?sha=${commit}&per_page=100`],
    answer: [
      {
        url: `${at}/deployments/1`,
        id: 1,
        sha: commit,
        ref: branch,
        task: 'deploy',
        environment: 'Preview – site',
        description: 'Deploy request from hubot',
        creator: octocat,
      },
    ],
    read: [{ id: 1, environment: 'Preview – site', creator: { login: 'octocat' } }],
  },
  readDeploymentStatuses: {
    page: 'https://docs.github.com/rest/deployments/statuses#list-deployment-statuses',
    ask: (requests) => requests.readDeploymentStatuses(1, never),
    sent: ['GET', `${at}/deployments/1/statuses?per_page=100`],
    answer: [
      {
        url: `${at}/deployments/1/statuses/42`,
        id: 42,
        state: 'success',
        creator: octocat,
        description: 'Deployment finished successfully.',
        environment: 'Preview – site',
        target_url: 'https://example.com/deployment/42/output',
        environment_url: 'https://test-branch.lab.acme.com',
        log_url: 'https://example.com/deployment/42/output',
      },
    ],
    read: [
      {
        id: 42,
        state: 'success',
        creator: { login: 'octocat' },
        description: 'Deployment finished successfully.',
        target_url: 'https://example.com/deployment/42/output',
        environment_url: 'https://test-branch.lab.acme.com',
        log_url: 'https://example.com/deployment/42/output',
      },
    ],
  },
  readStatuses: {
    page: 'https://docs.github.com/rest/commits/statuses#list-commit-statuses-for-a-reference',
    ask: (requests) => requests.readStatuses(commit, never),
    sent: ['GET', `${at}/commits/${commit}/statuses?per_page=100`],
    answer: [
      {
        url: `${at}/statuses/${commit}`,
        id: 1,
        state: 'success',
        description: 'Build has completed successfully',
        target_url: 'https://ci.example.com/1000/output',
        context: 'continuous-integration/jenkins',
        creator: octocat,
      },
    ],
    read: [
      {
        id: 1,
        state: 'success',
        context: 'continuous-integration/jenkins',
        description: 'Build has completed successfully',
        target_url: 'https://ci.example.com/1000/output',
        creator: { login: 'octocat' },
      },
    ],
  },
  readCheckRuns: {
    page: 'https://docs.github.com/rest/checks/runs#list-check-runs-for-a-git-reference',
    ask: (requests) => requests.readCheckRuns(commit, never),
    sent: ['GET', `${at}/commits/${commit}/check-runs?filter=latest&per_page=100`],
    answer: {
      total_count: 1,
      check_runs: [
        {
          id: 4,
          url: `${at}/check-runs/4`,
          html_url: `https://github.com/${project}/runs/4`,
          details_url: 'https://example.com',
          status: 'completed',
          conclusion: 'neutral',
          name: 'mighty_readme',
          app: { id: 1, slug: 'octoapp', node_id: 'MDExOkludGVn', owner: octocat, name: 'Octo' },
        },
      ],
    },
    read: [
      {
        id: 4,
        name: 'mighty_readme',
        status: 'completed',
        conclusion: 'neutral',
        html_url: `https://github.com/${project}/runs/4`,
        details_url: 'https://example.com',
        app: { slug: 'octoapp' },
      },
    ],
  },
};

describe('the requests to GitHub', () => {
  let sent: HttpRequest[];
  /** Answers one request after the other. */
  const answering =
    (...answers: { status?: number; body: unknown }[]): SendHttp =>
    (request) => {
      const { status = 200, body } = answers[sent.push(request) - 1]!;
      return Promise.resolve({ status, headers: {}, body: Buffer.from(JSON.stringify(body)) });
    };
  const apiOf = (send: SendHttp) => {
    const tokens = createFixedToken('Bearer t');
    const limits = createCredentialLimits('api.github.com');
    const known = createAnswerCache(1_000);
    return createForgeApi({ send, apiUrl, headers: {}, tokens, limits, known, id: '' });
  };
  const told = () =>
    sent.map(({ method = 'GET', url, body }) => [
      method,
      url,
      ...(body === undefined ? [] : [JSON.parse(body) as object]),
    ]);
  beforeEach(() => (sent = []));

  it('are all in this table', () => {
    const made = createGitHubRequests(apiOf(answering()), project);
    expect(documented).to.have.all.keys(Object.keys(made));
  });

  for (const [name, { page, ask, sent: expected, answer, status, read }] of Object.entries(
    documented,
  ))
    it(`follow the documentation: ${name}, ${page}`, async () => {
      const send = answering({ body: answer, ...(status !== undefined && { status }) });
      expect(await ask(createGitHubRequests(apiOf(send), project))).to.deep.equal(read);
      expect(told()).to.deep.equal([expected]);
      const type = { 'content-type': 'application/json' };
      const own = expected[0] === 'GET' ? {} : type;
      expect(sent[0]?.headers).to.deep.equal({ authorization: 'Bearer t', ...own });
    });

  it('for an app’s token follow https://docs.github.com/rest/apps/apps#create-an-installation-access-token-for-an-app', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const app: RepositoryCredential = {
      kind: 'github-app',
      appId: '1',
      installationId: null,
      privateKey,
    };
    const installation = {
      id: 1,
      account: octocat,
      access_tokens_url: `${apiUrl}/app/installations/1/access_tokens`,
      app_id: 1,
      permissions: { checks: 'write', metadata: 'read', contents: 'read' },
      events: ['push', 'pull_request'],
      repository_selection: 'selected',
    };
    const token = {
      token: 'ghs_16C7e42F292c6912E7710c838347Ae178B4a',
      expires_at: '2016-07-11T22:14:10Z',
      permissions: { issues: 'write', contents: 'read' },
      repository_selection: 'selected',
      repositories: [repository],
    };
    const forges = createForgeRegistry({
      send: answering({ body: installation }, { status: 201, body: token }),
    });
    const place = { forge: 'github' as const, apiUrl, project };
    const credential = await forges.gitCredential(place, app, never);
    expect(credential).to.deep.include({ token: token.token });
    expect(told()).to.deep.equal([
      ['GET', `${at}/installation`],
      ['POST', `${apiUrl}/app/installations/1/access_tokens`, { repositories: ['Hello-World'] }],
    ]);
    for (const { headers } of sent)
      expect(headers).to.include({
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
      });
  });
});

import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import type { Credential } from '../../../../src/contract/site.ts';
import type { Outgoing, Send } from '../../../../src/forges/forge.ts';
import { createApi, knownAnswers } from '../../../../src/forges/api.ts';
import { fixedToken } from '../../../../src/forges/adapter.ts';
import { createForges } from '../../../../src/forges/forges.ts';
import { markReady } from '../../../../src/forges/github/github.ts';
import { githubRequests, type GitHubRequests } from '../../../../src/forges/github/requests.ts';
import type { GitHubPull } from '../../../../src/forges/github/schemas.ts';
import { createLimits } from '../../../../src/forges/limits.ts';
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
  node_id: 'MDQ6VXNlcjE=',
  html_url: 'https://github.com/octocat',
  type: 'User',
  site_admin: false,
};
const repository = {
  id: 1296269,
  node_id: 'MDEwOlJlcG9zaXRvcnkxMjk2MjY5',
  name: 'Hello-World',
  full_name: project,
  owner: octocat,
  private: false,
  default_branch: 'main',
};
const pull = {
  url: `${at}/pulls/1347`,
  id: 1,
  node_id: 'MDExOlB1bGxSZXF1ZXN0MQ==',
  html_url: `https://github.com/${project}/pull/1347`,
  number: 1347,
  state: 'open',
  locked: true,
  title: 'Amazing new feature',
  user: octocat,
  body: 'Please pull these awesome changes in!',
  created_at: '2011-01-26T19:01:12Z',
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
  node_id: pull.node_id,
  state: 'open',
  draft: false,
  merged_at: null,
  merge_commit_sha: pull.merge_commit_sha,
  head: { ref: branch, sha: commit, repo: { id: 1296269 } },
  base: { ref: 'main', repo: { id: 1296269 } },
};

interface Documented {
  /** Where GitHub documents the request. */
  page: string;
  ask: (requests: GitHubRequests) => Promise<unknown>;
  /** What is sent. */
  sent: [method: string, url: string, body?: object];
  /** An answer with the documented fields. */
  answer: unknown;
  status?: number;
  /** What the service keeps of the answer. */
  read: unknown;
}

const documented: Record<keyof GitHubRequests, Documented> = {
  readProject: {
    page: 'https://docs.github.com/rest/repos/repos#get-a-repository',
    ask: (requests) => requests.readProject(never),
    sent: ['GET', at],
    answer: {
      ...repository,
      archived: false,
      disabled: false,
      permissions: { admin: false, push: false, pull: true },
      allow_rebase_merge: true,
      allow_squash_merge: true,
      allow_auto_merge: false,
      delete_branch_on_merge: true,
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
      _links: { html: '', self: `${at}/branches/release%2F1` },
      protected: true,
      protection: { required_status_checks: { enforcement_level: 'non_admins', contexts: ['ci'] } },
      protection_url: `${at}/branches/release%2F1/protection`,
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
        ruleset_source_type: 'Repository',
        ruleset_source: 'monalisa/my-repo',
        ruleset_id: 42,
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
        committer: octocat,
        parents: [{ url: `${at}/commits/${commit}`, sha: commit }],
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
      node_id: 'MDM6UmVm',
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
      rebaseable: true,
      mergeable_state: 'clean',
      merged_by: null,
      commits: 3,
      additions: 100,
      changed_files: 5,
    },
    read: kept,
  },
  createPull: {
    page: 'https://docs.github.com/rest/pulls/pulls#create-a-pull-request',
    ask: (requests) =>
      requests.createPull({ branch, into: 'main', title: 'A', body: 'b', isDraft: true }, never),
    sent: [
      'POST',
      `${at}/pulls`,
      { title: 'A', body: 'b', head: branch, base: 'main', draft: true },
    ],
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
        node_id: 'MDEwOkRlcGxveW1lbnQx',
        sha: commit,
        ref: branch,
        task: 'deploy',
        payload: {},
        original_environment: 'staging',
        environment: 'Preview – site',
        description: 'Deploy request from hubot',
        creator: octocat,
        created_at: '2012-07-20T01:19:13Z',
        statuses_url: `${at}/deployments/1/statuses`,
        transient_environment: false,
        production_environment: false,
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
        node_id: 'MDE2OkRlcGxveW1lbnRTdGF0dXMx',
        state: 'success',
        creator: octocat,
        description: 'Deployment finished successfully.',
        environment: 'Preview – site',
        target_url: 'https://example.com/deployment/42/output',
        created_at: '2012-07-20T01:19:13Z',
        deployment_url: `${at}/deployments/1`,
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
        avatar_url: 'https://github.com/images/error/hubot_happy.gif',
        id: 1,
        node_id: 'MDY6U3RhdHVzMQ==',
        state: 'success',
        description: 'Build has completed successfully',
        target_url: 'https://ci.example.com/1000/output',
        context: 'continuous-integration/jenkins',
        created_at: '2012-07-20T01:19:13Z',
        updated_at: '2012-07-20T01:19:13Z',
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
          head_sha: commit,
          node_id: 'MDg6Q2hlY2tSdW40',
          external_id: '',
          url: `${at}/check-runs/4`,
          html_url: `https://github.com/${project}/runs/4`,
          details_url: 'https://example.com',
          status: 'completed',
          conclusion: 'neutral',
          started_at: '2018-05-04T01:14:52Z',
          completed_at: '2018-05-04T01:14:52Z',
          output: { title: 'Mighty Readme report', summary: 'There are 0 failures', text: 'x' },
          name: 'mighty_readme',
          check_suite: { id: 5 },
          app: { id: 1, slug: 'octoapp', node_id: 'MDExOkludGVn', owner: octocat, name: 'Octo' },
          pull_requests: [],
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
  let sent: Outgoing[];
  /** Answers one request after the other. */
  const answering =
    (...answers: { status?: number; body: unknown }[]): Send =>
    (request) => {
      const { status = 200, body } = answers[sent.push(request) - 1]!;
      return Promise.resolve({ status, headers: {}, body: Buffer.from(JSON.stringify(body)) });
    };
  const apiOf = (send: Send) => {
    const tokens = fixedToken('Bearer t');
    const limits = createLimits('api.github.com');
    const known = knownAnswers(1_000);
    return createApi({ send, apiUrl, headers: {}, tokens, limits, known, id: '' });
  };
  const told = () =>
    sent.map(({ method = 'GET', url, body }) => [
      method,
      url,
      ...(body === undefined ? [] : [JSON.parse(body) as object]),
    ]);
  beforeEach(() => (sent = []));

  it('are all in this table', () => {
    const made = githubRequests(apiOf(answering()), project);
    expect(documented).to.have.all.keys(Object.keys(made));
  });

  for (const [name, { page, ask, sent: expected, answer, status, read }] of Object.entries(
    documented,
  ))
    it(`${name}: as ${page} says`, async () => {
      const send = answering({ body: answer, ...(status !== undefined && { status }) });
      expect(await ask(githubRequests(apiOf(send), project))).to.deep.equal(read);
      expect(told()).to.deep.equal([expected]);
      const type = { 'content-type': 'application/json' };
      const own = expected[0] === 'GET' ? {} : type;
      expect(sent[0]?.headers).to.deep.equal({ authorization: 'Bearer t', ...own });
    });

  it('markReady: as https://docs.github.com/graphql/reference/mutations#markpullrequestreadyforreview says', async () => {
    const done = { markPullRequestReadyForReview: { pullRequest: { isDraft: false } } };
    for (const [api, graphql] of [
      [apiUrl, `${apiUrl}/graphql`],
      ['https://git.acme.com/api/v3', 'https://git.acme.com/api/graphql'],
    ] as const) {
      sent = [];
      const tokens = fixedToken('Bearer t');
      const send = answering({ body: { data: done } });
      const known = knownAnswers(1_000);
      const limits = createLimits('api.github.com');
      const client = createApi({ send, apiUrl: api, headers: {}, tokens, limits, known, id: '' });
      await markReady(client, { apiUrl: api, pull: kept }, never);
      const [[method, url, body]] = told() as [[string, string, Record<string, unknown>]];
      expect([method, new URL(url).href]).to.deep.equal(['POST', graphql]);
      expect(body).to.deep.include({ variables: { id: kept.node_id } });
      expect(body['query']).to.match(
        /markPullRequestReadyForReview\(input: \{ pullRequestId: \$id/,
      );
    }
  });

  it('an app’s token: as https://docs.github.com/rest/apps/apps#create-an-installation-access-token-for-an-app says', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const app: Credential = { kind: 'github-app', appId: '1', installationId: null, privateKey };
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
    const forges = createForges({
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

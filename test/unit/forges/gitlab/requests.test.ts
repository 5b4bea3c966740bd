import { expect } from 'chai';
import { createFixedToken } from '../../../../src/forges/adapter.ts';
import { createCredentialLimits } from '../../../../src/forges/credentialLimits.ts';
import { createAnswerCache, createForgeApi } from '../../../../src/forges/forgeApi.ts';
import type { HttpRequest, SendHttp } from '../../../../src/forges/forgeProject.ts';
import {
  createGitLabRequests,
  type GitLabRequests,
} from '../../../../src/forges/gitlab/requests.ts';
import type { GitLabMergeRequest } from '../../../../src/forges/gitlab/schemas.ts';
import { sha } from '../../../helpers/githubServer.ts';

const never = new AbortController().signal;
const apiUrl = 'https://gitlab.example.com/api/v4';
const at = `${apiUrl}/projects/my-group%2Fweb%2Fmy-project`;
const commit = sha('admin');
const branch = 'bg-kq3v7w2mzt5d8n4hjx6y1ra';

/** https://docs.gitlab.com/api/: fields of accounts, most of which are left out here. */
const admin = {
  id: 1,
  username: 'admin',
  name: 'Administrator',
  state: 'active',
  web_url: 'https://gitlab.example.com/admin',
};
const mergeRequest = {
  id: 155016530,
  iid: 133,
  project_id: 3,
  title: 'Manual job rules',
  description: '',
  state: 'opened',
  created_at: '2022-05-13T07:26:38.402Z',
  merged_by: null,
  merged_at: null,
  target_branch: 'main',
  source_branch: branch,
  author: admin,
  source_project_id: 3,
  target_project_id: 3,
  labels: [],
  draft: false,
  merge_when_pipeline_succeeds: false,
  merge_status: 'can_be_merged',
  detailed_merge_status: 'can_be_merged',
  sha: commit,
  merge_commit_sha: null,
  squash_commit_sha: null,
  references: { short: '!133', relative: '!133', full: 'my-group/web/my-project!133' },
  web_url: 'https://gitlab.example.com/my-group/web/my-project/-/merge_requests/133',
  squash: false,
};
/** What the service keeps of it. */
const kept: GitLabMergeRequest = {
  iid: 133,
  state: 'opened',
  source_branch: branch,
  target_branch: 'main',
  source_project_id: 3,
  target_project_id: 3,
  sha: commit,
  merge_commit_sha: null,
  squash_commit_sha: null,
  detailed_merge_status: 'can_be_merged',
  merge_when_pipeline_succeeds: false,
  references: { full: 'my-group/web/my-project!133' },
};

interface DocumentedRequest {
  /** Where GitLab documents the request, below https://docs.gitlab.com/api/. */
  page: string;
  ask: (requests: GitLabRequests) => Promise<unknown>;
  /** What is sent. */
  sent: [method: string, url: string, body?: object];
  /** An answer with documented fields, some of which are not used. */
  answer: unknown;
  status?: number;
  /** What the service keeps of the answer. */
  read: unknown;
}

const documented: Record<keyof GitLabRequests, DocumentedRequest> = {
  readProject: {
    page: 'projects/#retrieve-a-project',
    ask: (requests) => requests.readProject(never),
    sent: ['GET', at],
    answer: {
      id: 3,
      path_with_namespace: 'my-group/web/my-project',
      archived: false,
      merge_requests_access_level: 'enabled',
      merge_method: 'merge',
      squash_option: 'default_on',
      permissions: {
        project_access: { access_level: 30, notification_level: 3 },
        group_access: null,
      },
    },
    read: {
      archived: false,
      merge_requests_access_level: 'enabled',
      squash_option: 'default_on',
      permissions: { project_access: { access_level: 30 }, group_access: null },
    },
  },
  readBranch: {
    page: 'branches/#retrieve-a-repository-branch',
    ask: (requests) => requests.readBranch('release/1', never),
    sent: ['GET', `${at}/repository/branches/release%2F1`],
    answer: {
      name: 'release/1',
      merged: false,
      protected: true,
      default: true,
      developers_can_push: false,
      developers_can_merge: false,
      can_push: true,
      commit: { id: commit, short_id: commit.slice(0, 8), title: 'add projects API' },
    },
    read: { protected: true, can_push: true, commit: { id: commit } },
  },
  createBranch: {
    page: 'branches/#create-a-repository-branch',
    ask: (requests) => requests.createBranch({ branch: 'main', ref: 'main' }, never),
    sent: ['POST', `${at}/repository/branches`, { branch: 'main', ref: 'main' }],
    status: 201,
    answer: { name: 'main', protected: false, can_push: true, commit: { id: commit } },
    read: null,
  },
  readCommits: {
    page: 'commits/#list-repository-commits',
    ask: (requests) => requests.readCommits('main', 10, never),
    sent: ['GET', `${at}/repository/commits?ref_name=main&per_page=10`],
    answer: [
      { id: commit, short_id: commit.slice(0, 11), title: 'Replace sanitize', trailers: {} },
    ],
    read: [commit],
  },
  findPull: {
    page: 'merge_requests/#list-project-merge-requests',
    ask: (requests) => requests.findPull(branch, 'open', never),
    sent: [
      'GET',
      `${at}/merge_requests?state=opened&source_branch=${branch}&order_by=created_at&sort=desc&per_page=30`,
    ],
    answer: [mergeRequest],
    read: kept,
  },
  readPull: {
    page: 'merge_requests/#retrieve-a-merge-request',
    ask: (requests) => requests.readPull(133, never),
    sent: ['GET', `${at}/merge_requests/133`],
    answer: { ...mergeRequest, changes_count: '1', head_pipeline: null, user: { can_merge: true } },
    read: kept,
  },
  createPull: {
    page: 'merge_requests/#create-a-merge-request',
    ask: (requests) => requests.createPull({ branch, into: 'main', title: 'A', body: 'b' }, never),
    sent: [
      'POST',
      `${at}/merge_requests`,
      { source_branch: branch, target_branch: 'main', title: 'A', description: 'b' },
    ],
    status: 201,
    answer: mergeRequest,
    read: kept,
  },
  closePull: {
    page: 'merge_requests/#update-a-merge-request',
    ask: (requests) => requests.closePull(133, never),
    sent: ['PUT', `${at}/merge_requests/133`, { state_event: 'close' }],
    answer: { ...mergeRequest, state: 'closed' },
    read: { ...kept, state: 'closed' },
  },
  readApprovalsLeft: {
    page: 'merge_request_approvals/#retrieve-approval-state-for-a-merge-request',
    ask: (requests) => requests.readApprovalsLeft(133, never),
    sent: ['GET', `${at}/merge_requests/133/approvals`],
    answer: {
      id: 5,
      iid: 133,
      merge_status: 'cannot_be_merged',
      approvals_required: 2,
      approvals_left: 1,
      approved_by: [{ user: admin }],
    },
    read: 1,
  },
  mergePull: {
    page: 'merge_requests/#merge-a-merge-request',
    ask: (requests) => requests.mergePull(133, { sha: commit, auto_merge: true }, never),
    sent: ['PUT', `${at}/merge_requests/133/merge`, { sha: commit, auto_merge: true }],
    answer: { ...mergeRequest, merge_when_pipeline_succeeds: true },
    read: { ...kept, merge_when_pipeline_succeeds: true },
  },
  readDeployments: {
    page: 'deployments/#list-project-deployments',
    ask: (requests) => requests.readDeployments(commit, never),
    sent: ['GET', `${at}/deployments?order_by=id&sort=desc&per_page=50`],
    answer: [
      {
        id: 41,
        iid: 1,
        ref: 'main',
        sha: commit,
        created_at: '2016-08-11T07:36:40.222Z',
        status: 'success',
        user: admin,
        deployable: {
          id: 657,
          name: 'deploy',
          status: 'success',
          web_url: 'https://gitlab.example.com/my-group/web/my-project/-/jobs/657',
        },
        environment: { id: 9, name: 'production', external_url: 'https://about.gitlab.com' },
      },
      { id: 40, sha: sha('other'), status: 'success', environment: { id: 9, name: 'production' } },
    ],
    read: [
      {
        id: 41,
        sha: commit,
        status: 'success',
        user: { username: 'admin' },
        deployable: { web_url: 'https://gitlab.example.com/my-group/web/my-project/-/jobs/657' },
        environment: { name: 'production', external_url: 'https://about.gitlab.com' },
      },
    ],
  },
  readStatuses: {
    page: 'commits/#list-the-statuses-of-a-commit',
    ask: (requests) => requests.readStatuses(commit, never),
    sent: ['GET', `${at}/repository/commits/${commit}/statuses?per_page=100`],
    answer: [
      {
        id: 91,
        sha: commit,
        ref: 'main',
        status: 'pending',
        name: 'bundler:audit',
        target_url: 'https://gitlab.example.com/janedoe/gitlab-foss/builds/91',
        description: null,
        allow_failure: true,
        author: admin,
        pipeline_id: 5,
      },
    ],
    read: [
      {
        id: 91,
        status: 'pending',
        name: 'bundler:audit',
        ref: 'main',
        target_url: 'https://gitlab.example.com/janedoe/gitlab-foss/builds/91',
        description: null,
        allow_failure: true,
        author: { username: 'admin' },
      },
    ],
  },
  readPages: {
    page: 'pages/#retrieve-pages-settings-for-a-project',
    ask: (requests) => requests.readPages(never),
    sent: ['GET', `${at}/pages`],
    answer: {
      url: 'https://my-group.pages.example.com/my-project',
      is_unique_domain_enabled: true,
      force_https: false,
      deployments: [
        {
          created_at: '2024-01-05T18:58:46.042Z',
          url: 'https://my-group.pages.example.com/my-project/mr3',
          path_prefix: 'mr3',
          root_directory: null,
        },
      ],
    },
    read: {
      url: 'https://my-group.pages.example.com/my-project',
      deployments: [
        { url: 'https://my-group.pages.example.com/my-project/mr3', path_prefix: 'mr3' },
      ],
    },
  },
  readPipelines: {
    page: 'pipelines/#list-project-pipelines',
    ask: (requests) => requests.readPipelines(commit, never),
    sent: ['GET', `${at}/pipelines?sha=${commit}&per_page=100`],
    answer: [
      {
        id: 47,
        iid: 12,
        project_id: 3,
        status: 'pending',
        source: 'push',
        ref: 'new-pipeline',
        sha: commit,
        name: 'Build pipeline',
        web_url: 'https://example.com/foo/bar/pipelines/47',
      },
    ],
    read: [
      {
        id: 47,
        status: 'pending',
        source: 'push',
        web_url: 'https://example.com/foo/bar/pipelines/47',
      },
    ],
  },
};

describe('the requests to GitLab', () => {
  let sent: HttpRequest[];
  const requestsWith = (answer: unknown, status = 200) => {
    const send: SendHttp = (request) => {
      sent.push(request);
      return Promise.resolve({ status, headers: {}, body: Buffer.from(JSON.stringify(answer)) });
    };
    const tokens = createFixedToken('Bearer t');
    const limits = createCredentialLimits('gitlab.example.com');
    const known = createAnswerCache(1_000);
    const api = createForgeApi({ send, apiUrl, headers: {}, tokens, limits, known, id: '' });
    return createGitLabRequests(api, 'my-group/web/my-project');
  };
  beforeEach(() => (sent = []));

  it('are all in this table', () => {
    expect(documented).to.have.all.keys(Object.keys(requestsWith(null)));
  });

  for (const [name, { page, ask, sent: expected, answer, status, read }] of Object.entries(
    documented,
  ))
    it(`follow the documentation: ${name}, https://docs.gitlab.com/api/${page}`, async () => {
      expect(await ask(requestsWith(answer, status))).to.deep.equal(read);
      const told = sent.map(({ method = 'GET', url, body }) => [
        method,
        url,
        ...(body === undefined ? [] : [JSON.parse(body) as object]),
      ]);
      expect(told).to.deep.equal([expected]);
    });
});

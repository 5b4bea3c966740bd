import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, type RecordedRequest, sha } from './githubServer.ts';

/** The roles of members (https://docs.gitlab.com/api/access_requests/#valid-access-levels). */
const GUEST = 10;
const REPORTER = 20;
const DEVELOPER = 30;
const MAINTAINER = 40;

export interface GitLabMergeRequest {
  iid: number;
  title: string;
  description: string;
  state: 'opened' | 'closed' | 'merged' | 'locked';
  source_branch: string;
  target_branch: string;
  source_project_id: number | null;
  target_project_id: number;
  sha: string;
  merge_commit_sha: string | null;
  squash_commit_sha: string | null;
  detailed_merge_status: string;
  merge_when_pipeline_succeeds: boolean;
  squash: boolean;
}

export interface GitLabRow {
  id: number;
  [field: string]: unknown;
}

/** What a test sets and reads. */
export interface GitLabState {
  /** The project's path, which subgroups make longer. */
  path: string;
  /** Branches with their heads. */
  branches: Record<string, string>;
  mergeRequests: GitLabMergeRequest[];
  /** What GitLab finds when it has checked whether a merge request can be merged. */
  mergeStatus: string;
  /** How many approvals are missing. */
  approvalsLeft: number;
  /** How the project merges: by a merge commit, or by a fast-forward. */
  mergeMethod: 'merge' | 'ff';
  squashOption: 'never' | 'always' | 'default_on' | 'default_off';
  /** The newest last. */
  deployments: GitLabRow[];
  /** By commit. */
  statuses: Record<string, GitLabRow[]>;
  pipelines: GitLabRow[];
  isProtected: boolean;
  /** The roles and scopes of tokens. Without a role, the token is of no member. */
  tokens: Record<string, { role: number | null; scopes: string[] }>;
  /** The role that merging needs. */
  mergeRole: number;
  /** Whether its target branch has commits that a merge request lacks. */
  isBehind: (one: GitLabMergeRequest) => boolean;
  /** Makes the commit of a merge request. @returns its name */
  makeCommit: (one: GitLabMergeRequest, how: 'merge' | 'ff' | 'squash') => string;
  /** Called after a merge request has changed, as for webhooks. */
  onMergeRequest: (one: GitLabMergeRequest) => void;
  /** The URL of the project's Pages, which show the branch `prefixed` below a prefix. */
  pages: { url: string; prefixed?: string } | null;
  archived: boolean;
  mergeRequestsAccess: 'enabled' | 'private' | 'disabled';
}

export interface GitLabServer extends AsyncDisposable {
  /** It is below a path, as on many servers. */
  apiUrl: string;
  asked: RecordedRequest[];
  /** The routes that came, without their queries. */
  routes(): string[];
  state: GitLabState;
  /** Answers the next request that it is for, in place of what is documented. */
  next(route: RegExp, answer: Answer): void;
}

export const gitlabProject = 'team/web/site';
export const gitlabToken = 'glpat-good';
/** The project's ID, by which requests may name it. */
export const GITLAB_ID = 278964;
/** Where the instance is on its host. */
export const INSTANCE = '/gitlab';

/**
 * GitLab's REST API v4 as https://docs.gitlab.com/api/rest/ documents it, on 127.0.0.1, for one
 * project in a subgroup. It is stricter than GitLab: it refuses fields that are not documented, and
 * values of another type.
 */
export async function startGitLab(): Promise<GitLabServer> {
  let apiUrl = '';
  const { listener, ...rest } = gitLab(() => apiUrl);
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${INSTANCE}/api/v4`;
  return {
    ...rest,
    apiUrl,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The API without a server. @param apiUrl its URL, once it is known */
export function gitLab(apiUrl: () => string) {
  const state: GitLabState = {
    path: gitlabProject,
    branches: { main: sha('main') },
    mergeRequests: [],
    mergeStatus: 'mergeable',
    approvalsLeft: 0,
    mergeMethod: 'merge',
    squashOption: 'default_off',
    deployments: [],
    statuses: {},
    pipelines: [],
    isProtected: false,
    tokens: { [gitlabToken]: { role: DEVELOPER, scopes: ['api'] } },
    mergeRole: DEVELOPER,
    isBehind: () => false,
    makeCommit: ({ sha: head }, how) => (how === 'ff' ? head : sha(how)),
    onMergeRequest: () => undefined,
    pages: null,
    archived: false,
    mergeRequestsAccess: 'enabled',
  };
  const asked: RecordedRequest[] = [];
  const instead: [RegExp, Answer][] = [];
  const answerTo = (request: RecordedRequest): Answer => {
    const at = instead.findIndex(([route]) => route.test(request.route));
    if (at >= 0) return instead.splice(at, 1)[0]![1];
    return answerAs(state, request, apiUrl());
  };
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = text ? (JSON.parse(text) as Record<string, unknown>) : {};
      const route = `${request.method} ${request.url?.replace(`${INSTANCE}/api/v4`, '')}`;
      const recorded = { route, headers: request.headers, body };
      asked.push(recorded);
      const { status, headers, body: answer } = answerTo(recorded);
      response.writeHead(status, {
        'content-type': 'application/json',
        // https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/
        'ratelimit-limit': '2000',
        'ratelimit-observed': '13',
        'ratelimit-remaining': '1987',
        ...headers,
      });
      response.end(answer === undefined ? '' : JSON.stringify(answer));
    });
  };
  return {
    asked,
    routes: () => asked.map(({ route }) => route.split('?', 1)[0]!),
    state,
    next: (route: RegExp, answer: Answer) => void instead.push([route, answer]),
    listener,
  };
}

const failure = (status: number, message: unknown): Answer => ({ status, body: { message } });

type FieldType = 'string' | 'integer' | 'boolean' | readonly string[];

interface Call {
  state: GitLabState;
  /** The parts of the path that the route's pattern captures. */
  names: string[];
  /** The fields of the query or of the body. */
  fields: Record<string, string | number | boolean>;
  role: number;
  list: (rows: unknown[]) => Answer;
}

interface Route {
  /** `GET ` and the path below the project. */
  pattern: RegExp;
  /** The documented fields. Those with a `!` are required. */
  fields: Record<string, FieldType>;
  /** The role without which the project's part is invisible. */
  role: number;
  answer: (call: Call) => Answer;
}

const pages = { page: 'integer', per_page: 'integer' } as const;

const routes: Route[] = [
  {
    // https://docs.gitlab.com/api/projects/#retrieve-a-project
    pattern: /^GET $/,
    fields: { license: 'boolean', statistics: 'boolean', with_custom_attributes: 'boolean' },
    role: GUEST,
    answer: ({ state, role }) => ({ status: 200, body: projectOf(state, role) }),
  },
  {
    // https://docs.gitlab.com/api/branches/#retrieve-a-repository-branch
    pattern: /^GET \/repository\/branches\/([^/]+)$/,
    fields: {},
    role: REPORTER,
    answer: ({ state, names: [name = ''], role }) => {
      const head = state.branches[name];
      if (head === undefined) return failure(404, '404 Branch Not Found');
      const mayPush = role > DEVELOPER || (role === DEVELOPER && !state.isProtected);
      const { isProtected } = state;
      return {
        status: 200,
        body: { name, protected: isProtected, can_push: mayPush, commit: { id: head } },
      };
    },
  },
  {
    // https://docs.gitlab.com/api/branches/#create-a-repository-branch
    pattern: /^POST \/repository\/branches$/,
    fields: { 'branch!': 'string', 'ref!': 'string' },
    role: REPORTER,
    answer: ({ state, fields: { branch }, role }) => {
      if (role < DEVELOPER) return failure(403, '403 Forbidden');
      if (state.branches[String(branch)] !== undefined)
        return failure(400, 'Branch already exists');
      throw new Error('A check creates no branch');
    },
  },
  {
    // https://docs.gitlab.com/api/commits/#list-repository-commits
    pattern: /^GET \/repository\/commits$/,
    fields: { ...pages, ref_name: 'string', since: 'string', until: 'string', path: 'string' },
    role: REPORTER,
    answer: ({ state, fields, list }) =>
      list([{ id: state.branches[String(fields['ref_name'])], title: 'A commit' }]),
  },
  {
    // https://docs.gitlab.com/api/commits/#list-the-statuses-of-a-commit
    pattern: /^GET \/repository\/commits\/([^/]+)\/statuses$/,
    fields: {
      ...pages,
      all: 'boolean',
      name: 'string',
      order_by: ['id', 'pipeline_id'],
      pipeline_id: 'integer',
      ref: 'string',
      sort: ['asc', 'desc'],
      stage: 'string',
    },
    role: REPORTER,
    answer: ({ state, names: [commit = ''], list }) =>
      state.statuses[commit] || Object.values(state.branches).includes(commit)
        ? list(state.statuses[commit] ?? [])
        : failure(404, '404 Commit Not Found'),
  },
  {
    // https://docs.gitlab.com/api/deployments/#list-project-deployments
    pattern: /^GET \/deployments$/,
    fields: {
      ...pages,
      order_by: ['id', 'iid', 'created_at', 'updated_at', 'finished_at', 'ref'],
      sort: ['asc', 'desc'],
      updated_after: 'string',
      updated_before: 'string',
      finished_after: 'string',
      finished_before: 'string',
      environment: 'string',
      status: ['created', 'running', 'success', 'failed', 'canceled', 'blocked'],
    },
    role: REPORTER,
    answer: ({ state, fields, list }) =>
      list(fields['sort'] === 'desc' ? state.deployments.toReversed() : state.deployments),
  },
  {
    // https://docs.gitlab.com/api/pipelines/#list-project-pipelines
    pattern: /^GET \/pipelines$/,
    fields: { ...pages, sha: 'string', ref: 'string', status: 'string', source: 'string' },
    role: REPORTER,
    answer: ({ state, fields, list }) =>
      list(state.pipelines.filter((pipeline) => pipeline['sha'] === fields['sha'])),
  },
  {
    // https://docs.gitlab.com/api/merge_requests/#list-project-merge-requests
    pattern: /^GET \/merge_requests$/,
    fields: {
      ...pages,
      state: ['opened', 'closed', 'locked', 'merged', 'all'],
      order_by: ['created_at', 'updated_at', 'merged_at', 'title'],
      sort: ['asc', 'desc'],
      source_branch: 'string',
      target_branch: 'string',
    },
    role: REPORTER,
    answer: ({ state, fields, list }) =>
      list(
        state.mergeRequests
          .filter(({ state: is }) => ['all', is].includes(String(fields['state'] ?? 'all')))
          .filter(({ source_branch: branch }) =>
            [undefined, branch].includes(fields['source_branch'] as string | undefined),
          )
          .toReversed()
          .map((one) => mergeRequestOf(state, one)),
      ),
  },
  {
    // https://docs.gitlab.com/api/merge_requests/#create-a-merge-request
    pattern: /^POST \/merge_requests$/,
    fields: {
      'source_branch!': 'string',
      'target_branch!': 'string',
      'title!': 'string',
      description: 'string',
      remove_source_branch: 'boolean',
      squash: 'boolean',
    },
    role: REPORTER,
    answer: createMergeRequest,
  },
  {
    // https://docs.gitlab.com/api/merge_requests/#retrieve-a-merge-request
    pattern: /^GET \/merge_requests\/(\d+)$/,
    fields: { include_rebase_in_progress: 'boolean', render_html: 'boolean' },
    role: REPORTER,
    answer: ({ state, names }) =>
      withMergeRequest(state, names, (one) => {
        const body = mergeRequestOf(state, one);
        // a read starts the next step of the check in the background
        if (one.state === 'opened') takeNextStep(state, one);
        return { status: 200, body };
      }),
  },
  {
    // https://docs.gitlab.com/api/merge_request_approvals/#retrieve-approval-state-for-a-merge-request
    pattern: /^GET \/merge_requests\/(\d+)\/approvals$/,
    fields: {},
    role: REPORTER,
    answer: ({ state, names }) =>
      withMergeRequest(state, names, ({ iid, title }) => ({
        status: 200,
        body: {
          iid,
          title,
          approvals_required: Math.max(1, state.approvalsLeft),
          approvals_left: state.approvalsLeft,
          approved_by: [],
        },
      })),
  },
  {
    // https://docs.gitlab.com/api/pages/#retrieve-pages-settings-for-a-project
    pattern: /^GET \/pages$/,
    fields: {},
    role: REPORTER,
    answer: ({ state: { pages: shown }, role }) => {
      if (role < MAINTAINER) return failure(403, '403 Forbidden');
      if (shown === null) return failure(404, '404 Page Not Found');
      const prefixes = ['', ...(shown.prefixed ? [shown.prefixed] : [])];
      const deployments = prefixes.map((prefix) => ({
        created_at: '2026-01-05T18:58:14.916Z',
        url: `${shown.url}/${prefix}`,
        path_prefix: prefix,
        root_directory: null,
      }));
      const body = { url: shown.url, is_unique_domain_enabled: true, force_https: true };
      return { status: 200, body: { ...body, deployments } };
    },
  },
  {
    // https://docs.gitlab.com/api/merge_requests/#update-a-merge-request
    pattern: /^PUT \/merge_requests\/(\d+)$/,
    fields: { state_event: ['close', 'reopen'], title: 'string', description: 'string' },
    role: REPORTER,
    answer: ({ state, names, role, fields }) =>
      withMergeRequest(state, names, (one) => {
        if (role < DEVELOPER) return failure(403, '403 Forbidden');
        if (fields['state_event'] === 'close') one.state = 'closed';
        state.onMergeRequest(one);
        return { status: 200, body: mergeRequestOf(state, one) };
      }),
  },
  {
    // https://docs.gitlab.com/api/merge_requests/#merge-a-merge-request
    pattern: /^PUT \/merge_requests\/(\d+)\/merge$/,
    fields: {
      auto_merge: 'boolean',
      merge_commit_message: 'string',
      merge_when_pipeline_succeeds: 'boolean',
      sha: 'string',
      should_remove_source_branch: 'boolean',
      squash_commit_message: 'string',
      squash: 'boolean',
    },
    role: REPORTER,
    answer: (call) => withMergeRequest(call.state, call.names, (one) => merge(call, one)),
  },
];

function answerAs(state: GitLabState, request: RecordedRequest, apiUrl: string): Answer {
  const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
  const member = scheme === 'Bearer' ? state.tokens[token] : undefined;
  if (!member) return failure(401, '401 Unauthorized');
  const [method, address] = request.route.split(' ') as [string, string];
  // https://docs.gitlab.com/api/rest/authentication/#personalprojectgroup-access-tokens
  const scope = member.scopes.includes('api') || (method === 'GET' && member.scopes[0]);
  if (!scope)
    return {
      status: 403,
      body: {
        error: 'insufficient_scope',
        error_description:
          'The request requires higher privileges than provided by the access token.',
        scope: 'api',
      },
    };
  const { pathname, searchParams } = new URL(`http://gitlab${address}`);
  const [, project = '', path = ''] = /^\/projects\/([^/]+)(.*)$/.exec(pathname) ?? [];
  const isProject = [state.path, `${GITLAB_ID}`].includes(decodeURIComponent(project));
  if (!isProject || member.role === null) return failure(404, '404 Project Not Found');
  const matched = routes.find(({ pattern }) => pattern.test(`${method} ${path}`));
  if (!matched) return { status: 404, body: { error: '404 Not Found' } };
  // https://docs.gitlab.com/api/rest/troubleshooting/#status-codes: no access is 404 as well
  if (member.role < matched.role) return failure(404, '404 Not Found');
  const given = method === 'GET' ? queryFields(searchParams, matched.fields) : request.body;
  const wrong = wrongField(given, matched.fields);
  if (wrong !== undefined) return { status: 400, body: { error: wrong } };
  const names = matched.pattern.exec(`${method} ${path}`)!.slice(1).map(decodeURIComponent);
  const list = (rows: unknown[]) => paged(rows, searchParams, `${apiUrl}${pathname}`);
  const fields = given as Call['fields'];
  return matched.answer({ state, names, fields, role: member.role, list });
}

/** The fields of a query. Numbers become numbers, as the API reads them. */
const queryFields = (query: URLSearchParams, documented: Route['fields']) =>
  Object.fromEntries(
    [...query].map(([name, text]) => [
      name,
      documented[name] === 'integer' && /^\d+$/.test(text) ? Number(text) : text,
    ]),
  );

function wrongField(given: Record<string, unknown>, documented: Route['fields']) {
  for (const [name, value] of Object.entries(given)) {
    const type = documented[name] ?? documented[`${name}!`];
    if (type === undefined) return `${name} is not documented`;
    const isRight =
      typeof type === 'string'
        ? typeof value === (type === 'integer' ? 'number' : type)
        : type.includes(value as string);
    if (!isRight) return `${name} is invalid`;
  }
  const missing = Object.keys(documented).find(
    (name) => name.endsWith('!') && given[name.slice(0, -1)] === undefined,
  );
  return missing && `${missing.slice(0, -1)} is missing`;
}

/** https://docs.gitlab.com/api/rest/#offset-based-pagination */
function paged(rows: unknown[], query: URLSearchParams, url: string): Answer {
  const [size, page] = [Number(query.get('per_page') ?? 20), Number(query.get('page') ?? 1)];
  if (size > 100) return { status: 400, body: { error: 'per_page does not have a valid value' } };
  const link = (to: number, rel: string) => {
    const next = new URLSearchParams(query);
    next.set('page', `${to}`);
    return `<${url}?${next}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(page * size < rows.length ? [link(page + 1, 'next')] : []),
    link(1, 'first'),
    link(Math.max(1, Math.ceil(rows.length / size)), 'last'),
  ];
  return {
    status: 200,
    headers: { link: links.join(', '), 'x-total': `${rows.length}`, 'x-page': `${page}` },
    body: rows.slice((page - 1) * size, page * size),
  };
}

const projectOf = (state: GitLabState, role: number) => ({
  id: GITLAB_ID,
  path_with_namespace: state.path,
  default_branch: 'main',
  archived: state.archived,
  merge_requests_access_level: state.mergeRequestsAccess,
  merge_method: state.mergeMethod,
  squash_option: state.squashOption,
  permissions: {
    project_access: { access_level: role, notification_level: 3 },
    group_access: null,
  },
});

const mergeRequestOf = (state: GitLabState, one: GitLabMergeRequest) => ({
  ...one,
  id: 90_000 + one.iid,
  project_id: GITLAB_ID,
  detailed_merge_status: one.state === 'opened' ? one.detailed_merge_status : 'not_open',
  merge_status: 'unchecked',
  draft: /^draft:/i.test(one.title),
  web_url: `https://elsewhere.example/${state.path}/-/merge_requests/${one.iid}`,
  references: { short: `!${one.iid}`, relative: `!${one.iid}`, full: `${state.path}!${one.iid}` },
});

function withMergeRequest(
  { mergeRequests }: GitLabState,
  [iid]: string[],
  answer: (one: GitLabMergeRequest) => Answer,
): Answer {
  const found = mergeRequests.find((one) => `${one.iid}` === iid);
  return found ? answer(found) : failure(404, '404 Not found');
}

/**
 * What GitLab does in the background: it notices a push, prepares the merge request and checks it
 * (https://docs.gitlab.com/api/merge_requests/#merge-status). Then it merges by itself if it was
 * asked to.
 */
function takeNextStep(state: GitLabState, one: GitLabMergeRequest): void {
  const head = state.branches[one.source_branch] ?? one.sha;
  const { detailed_merge_status: now } = one;
  if (head !== one.sha) Object.assign(one, { sha: head, detailed_merge_status: 'unchecked' });
  else if (['preparing', 'unchecked'].includes(now)) one.detailed_merge_status = 'checking';
  else one.detailed_merge_status = foundStatus(state, one);
  if (one.merge_when_pipeline_succeeds && one.detailed_merge_status === 'mergeable')
    mergeNow(state, one);
}

function foundStatus(state: GitLabState, one: GitLabMergeRequest): string {
  if (state.mergeMethod === 'ff' && state.isBehind(one)) return 'need_rebase';
  const isOfHead = (pipeline: GitLabRow) => pipeline['sha'] === one.sha;
  if (state.pipelines.findLast(isOfHead)?.['status'] === 'running') return 'ci_still_running';
  return state.approvalsLeft > 0 ? 'not_approved' : state.mergeStatus;
}

function createMergeRequest({ state, fields, role }: Call): Answer {
  const [branch, into] = [String(fields['source_branch']), String(fields['target_branch'])];
  if (role < DEVELOPER || state.mergeRequestsAccess === 'disabled')
    return failure(403, '403 Forbidden');
  if (branch === into)
    return failure(422, ["You can't use same project/branch for source and target"]);
  const same = state.mergeRequests.find(
    (one) => one.state === 'opened' && one.source_branch === branch,
  );
  if (same)
    return failure(409, [
      `Another open merge request already exists for this source branch: !${same.iid}`,
    ]);
  const title = String(fields['title']);
  if (title.length > 255)
    return failure(400, { title: ['is too long (maximum is 255 characters)'] });
  const made: GitLabMergeRequest = {
    iid: state.mergeRequests.length + 1,
    title,
    description: String(fields['description'] ?? ''),
    state: 'opened',
    source_branch: branch,
    target_branch: into,
    source_project_id: GITLAB_ID,
    target_project_id: GITLAB_ID,
    sha: state.branches[branch]!,
    merge_commit_sha: null,
    squash_commit_sha: null,
    detailed_merge_status: 'preparing',
    merge_when_pipeline_succeeds: false,
    squash: fields['squash'] === true,
  };
  state.mergeRequests.push(made);
  state.onMergeRequest(made);
  return { status: 201, body: mergeRequestOf(state, made) };
}

/** The states in which GitLab can merge later by itself. */
const waits = ['ci_must_pass', 'ci_still_running', 'not_approved', 'status_checks_must_pass'];

function merge({ state, fields, role }: Call, one: GitLabMergeRequest): Answer {
  if (role < state.mergeRole) return failure(401, '401 Unauthorized');
  if (one.state !== 'opened') return failure(405, '405 Method Not Allowed');
  const head = state.branches[one.source_branch] ?? one.sha;
  if (fields['sha'] !== undefined && fields['sha'] !== head)
    return failure(409, `SHA does not match HEAD of source branch: ${head}`);
  if (fields['squash'] === true) one.squash = true;
  const { detailed_merge_status: status } = one;
  if (fields['auto_merge'] === true && waits.includes(status)) {
    one.merge_when_pipeline_succeeds = true;
    return { status: 200, body: mergeRequestOf(state, one) };
  }
  if (status !== 'mergeable') return failure(405, '405 Method Not Allowed');
  if (one.squash && state.squashOption === 'never') return failure(422, 'Squashing is not allowed');
  mergeNow(state, one);
  return { status: 200, body: mergeRequestOf(state, one) };
}

function mergeNow(state: GitLabState, one: GitLabMergeRequest): void {
  one.squash ||= state.squashOption === 'always';
  const isMerge = state.mergeMethod === 'merge';
  const made = state.makeCommit(one, one.squash ? 'squash' : state.mergeMethod);
  one.state = 'merged';
  if (one.squash) one.squash_commit_sha = made;
  if (isMerge) one.merge_commit_sha = one.squash ? sha('merge') : made;
  state.onMergeRequest(one);
}

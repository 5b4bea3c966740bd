import { createHash, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificates.ts';
import { git } from './team/git.ts';
import { serveHttps } from './team/httpsRemote.ts';

/** A request that came, as a test reads it. */
export interface RecordedRequest {
  /** `GET /repos/team/site/pulls?state=all` */
  route: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

interface Pull {
  number: number;
  html_url: string;
  title: string;
  state: 'open' | 'closed';
  merged_at: string | null;
  merge_commit_sha: string | null;
  head: { label: string; ref: string; sha: string; repo: { id: number } | null };
  base: { ref: string; repo: { id: number } };
}

interface Row {
  id: number;
  [field: string]: unknown;
}

/** What a test sets and reads. */
export interface GitHubState {
  /** Branches with their heads. */
  branches: Record<string, string>;
  pulls: Pull[];
  /** By commit. */
  deployments: Record<string, Row[]>;
  /** By deployment. */
  deploymentStatuses: Record<number, Row[]>;
  statuses: Record<string, Row[]>;
  checkRuns: Record<string, Row[]>;
  isProtected: boolean;
  rules: string[];
  allowMergeCommit: boolean;
  /** Why no pull request can be merged, with which GitHub answers 405. */
  notMergeable: string | null;
  /** Parts of routes that the token may not use. */
  forbidden: RegExp | null;
  archived: boolean;
}

export interface GitHubServer extends AsyncDisposable {
  apiUrl: string;
  asked: RecordedRequest[];
  /** The routes that came, without their queries. */
  routes(): string[];
  state: GitHubState;
  /** Answers the next request that it is for, in place of what is documented. */
  next(route: RegExp, answer: Answer): void;
}

export const project = 'team/site';
export const goodToken = 'github_pat_good';
const ID = 1296269;

/** What is known of a GitHub App: its public key in PEM. It has id 4711 and installation 99. */
type App = { publicKey: string } | undefined;

/**
 * GitHub's REST API as https://docs.github.com/rest documents it, on 127.0.0.1, for the project
 * `team/site`. Answers have the documented fields and some that nobody asked for.
 */
export async function startGitHub(app?: App): Promise<GitHubServer> {
  let apiUrl = '';
  const { listener, asked, routes, state, next } = github(app, () => apiUrl);
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`;
  return {
    apiUrl,
    asked,
    routes,
    state,
    next,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * A GitHub Enterprise Server: the API, and the repository `team/site.git` for git, over https at
 * one address. The API tells of the repository's branches as they are.
 * @param folder the one in which `team/site.git` is
 */
export async function startGitHubEnterprise(
  app: App,
  { folder, certificate }: { folder: string; certificate: Certificate },
): Promise<GitHubServer & { url: string }> {
  let url = '';
  const apiUrl = () => `${url}/api/v3`;
  const { listener, tokens, ...rest } = github(app, apiUrl);
  const server = await serveHttps(folder, certificate, (request, response) => {
    if (request.url!.startsWith('/api/')) {
      listener(request, response);
      return true;
    }
    const [, basic = ''] = (request.headers.authorization ?? '').split(' ');
    const [, token = ''] = Buffer.from(basic, 'base64').toString().split(':');
    if (tokens.has(token)) return false;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="GitHub"' }).end();
    return true;
  });
  url = server.url;
  Object.defineProperty(rest.state, 'branches', {
    get: () => branchesOf(`${folder}/${project}.git`),
  });
  return { ...rest, url, apiUrl: apiUrl(), [Symbol.asyncDispose]: server.close };
}

/** The branches of a repository on disk, with their heads. */
export const branchesOf = (repository: string): Record<string, string> =>
  Object.fromEntries(
    git(repository, 'for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/heads')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ') as [string, string]),
  );

function github(app: App, apiUrl: () => string) {
  const state: GitHubState = {
    branches: { main: sha('main') },
    pulls: [],
    deployments: {},
    deploymentStatuses: {},
    statuses: {},
    checkRuns: {},
    isProtected: false,
    rules: [],
    allowMergeCommit: true,
    notMergeable: null,
    forbidden: null,
    archived: false,
  };
  const asked: RecordedRequest[] = [];
  const instead: [RegExp, Answer][] = [];
  const tokens = new Set([goodToken]);
  const answerTo = (request: RecordedRequest): Answer => {
    const at = instead.findIndex(([route]) => route.test(request.route));
    if (at >= 0) return instead.splice(at, 1)[0]![1];
    if (request.route.includes('/app/') || request.route.endsWith('/installation'))
      return appRoutes(request, app?.publicKey ?? '', tokens);
    const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
    if (scheme !== 'Bearer' || !tokens.has(token)) return failure(401, 'Bad credentials');
    if (state.forbidden?.test(request.route))
      return {
        ...failure(403, 'Resource not accessible by personal access token'),
        headers: { 'x-accepted-github-permissions': 'checks=read' },
      };
    return routesOf(state, request, apiUrl());
  };
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = text ? (JSON.parse(text) as Record<string, unknown>) : {};
      const route = `${request.method} ${request.url?.replace('/api/v3', '')}`;
      const all = { route, headers: request.headers, body };
      asked.push(all);
      const { status, headers, body: answer } = answerTo(all);
      const json = answer === undefined ? '' : JSON.stringify(answer);
      // https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api
      const etag = `W/"${createHash('sha256').update(json).digest('hex')}"`;
      const isKnown = status === 200 && request.headers['if-none-match'] === etag;
      response.writeHead(isKnown ? 304 : status, {
        'content-type': 'application/json; charset=utf-8',
        'x-ratelimit-limit': '5000',
        'x-ratelimit-remaining': '4987',
        'x-ratelimit-resource': 'core',
        ...(request.method === 'GET' && { etag }),
        ...headers,
      });
      response.end(isKnown ? '' : json);
    });
  };
  return {
    asked,
    routes: () => asked.map(({ route }) => route.split('?', 1)[0]!),
    state,
    next: (route: RegExp, answer: Answer) => void instead.push([route, answer]),
    listener,
    tokens,
  };
}

/** A commit's name. */
export const sha = (text: string) => createHash('sha1').update(text).digest('hex');

const failure = (status: number, message: string, more: object = {}): Answer => ({
  status,
  body: {
    message,
    documentation_url: 'https://docs.github.com/rest',
    status: `${status}`,
    ...more,
  },
});

/** https://docs.github.com/rest/apps/apps, with a JSON Web Token of at most 10 minutes. */
function appRoutes(
  { route, headers, body }: RecordedRequest,
  key: string,
  tokens: Set<string>,
): Answer {
  if (!isJwt(headers.authorization ?? '', key))
    return failure(401, 'A JSON web token could not be decoded');
  if (route === `GET /repos/${project}/installation`)
    return { status: 200, body: { id: 99, app_id: 4711, permissions: { contents: 'write' } } };
  if (route !== 'POST /app/installations/99/access_tokens') return failure(404, 'Not Found');
  if (JSON.stringify(body) !== '{"repositories":["site"]}') return failure(422, 'Wrong body');
  const token = `ghs_${tokens.size}`;
  tokens.add(token);
  const end = new Date(Date.now() + 3_600_000).toISOString();
  return { status: 201, body: { token, expires_at: end, permissions: {} } };
}

function isJwt(authorization: string, key: string): boolean {
  const [head = '', claims = '', signature = ''] = authorization.replace('Bearer ', '').split('.');
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url')))
    return false;
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  const { iat, exp, iss } = read(claims);
  const now = Date.now() / 1000;
  return (
    read(head)['alg'] === 'RS256' &&
    iss === '4711' &&
    Number(iat) <= now &&
    Number(exp) > now &&
    Number(exp) <= now + 600
  );
}

function routesOf(state: GitHubState, request: RecordedRequest, apiUrl: string): Answer {
  const [method, address] = request.route.split(' ') as [string, string];
  const { pathname, searchParams: query } = new URL(address, apiUrl);
  const path = decodeURIComponent(pathname).replace(`/repos/${project}`, '');
  if (path === pathname && method !== 'POST') return failure(404, 'Not Found');
  if (method === 'GET') return reads(state, path, { query, apiUrl });
  return writes(state, `${method} ${path.replace('/api', '')}`, request.body);
}

function reads(
  state: GitHubState,
  path: string,
  { query, apiUrl }: { query: URLSearchParams; apiUrl: string },
): Answer {
  const [, kind, name = '', what = ''] =
    /^\/(\w+)\/?(.*?)(?:\/(statuses|check-runs))?$/.exec(path) ?? [];
  const body = (found: unknown): Answer =>
    found === undefined ? failure(404, 'Not Found') : { status: 200, body: found };
  const list = (rows: unknown[], wrap = (page: unknown[]): unknown => page) =>
    paged(rows, { query, url: `${apiUrl}/repositories/${ID}${path}`, wrap });
  // https://docs.github.com/rest/repos/repos#get-a-repository
  if (path === '')
    return body({
      id: ID,
      full_name: project,
      archived: state.archived,
      allow_merge_commit: state.allowMergeCommit,
      allow_squash_merge: true,
    });
  const head = state.branches[name.replace(/^branches\//, '')];
  // https://docs.github.com/rest/branches/branches#get-a-branch
  if (kind === 'branches')
    return head === undefined
      ? failure(404, 'Branch not found')
      : body({ name, commit: { sha: head, url: '' }, protected: state.isProtected });
  // https://docs.github.com/rest/repos/rules#get-rules-for-a-branch
  if (kind === 'rules') return list(state.rules.map((type) => ({ type })));
  // https://docs.github.com/rest/deployments/deployments#list-deployments
  if (kind === 'deployments' && name === '')
    return list(state.deployments[query.get('sha') ?? ''] ?? []);
  // https://docs.github.com/rest/deployments/statuses#list-deployment-statuses
  if (kind === 'deployments') return list(state.deploymentStatuses[Number(name)] ?? []);
  // https://docs.github.com/rest/commits/commits#list-commits
  if (kind === 'commits' && name === '')
    return list([{ sha: state.branches[query.get('sha') ?? ''], commit: {} }]);
  // https://docs.github.com/rest/commits/statuses#list-commit-statuses-for-a-reference
  if (what === 'statuses') return list(state.statuses[name] ?? []);
  // https://docs.github.com/rest/checks/runs#list-check-runs-for-a-git-reference
  if (what === 'check-runs')
    return list(state.checkRuns[name] ?? [], (page) => ({
      total_count: page.length,
      check_runs: page,
    }));
  // https://docs.github.com/rest/pulls/pulls#list-pull-requests
  if (kind === 'pulls' && name === '') return list(pullsOf(state, query));
  // https://docs.github.com/rest/pulls/pulls#get-a-pull-request
  return body(state.pulls.find(({ number }) => `${number}` === name));
}

/** A `head` without an owner is ignored. */
function pullsOf({ pulls }: GitHubState, query: URLSearchParams): Pull[] {
  const [head, asked] = [query.get('head') ?? '', query.get('state') ?? 'open'];
  return pulls
    .filter((pull) => !head.includes(':') || pull.head.label === head)
    .filter((pull) => asked === 'all' || pull.state === asked)
    .reverse();
}

/** https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api */
function paged(
  rows: unknown[],
  { query, url, wrap }: { query: URLSearchParams; url: string; wrap: (page: unknown[]) => unknown },
): Answer {
  const [size, page] = [Number(query.get('per_page') ?? 30), Number(query.get('page') ?? 1)];
  const next = new URLSearchParams(query);
  next.set('page', `${page + 1}`);
  const link =
    page * size < rows.length
      ? { link: `<${url}?${next}>; rel="next", <${url}?page=9>; rel="last"` }
      : {};
  return { status: 200, headers: link, body: wrap(rows.slice((page - 1) * size, page * size)) };
}

function writes(state: GitHubState, route: string, body: Record<string, unknown>): Answer {
  const [, number] = /^(?:PATCH|PUT) \/pulls\/(\d+)/.exec(route) ?? [];
  const pull = state.pulls.find((other) => `${other.number}` === number);
  if (route === 'POST /pulls') return createPull(state, body);
  // https://docs.github.com/rest/git/refs#create-a-reference
  if (route === 'POST /git/refs') return failure(422, 'Reference already exists');
  if (!pull) return failure(404, 'Not Found');
  // https://docs.github.com/rest/pulls/pulls#update-a-pull-request
  if (route.startsWith('PATCH')) return { status: 200, body: Object.assign(pull, body) };
  return mergePull(state, pull, body);
}

/** https://docs.github.com/rest/pulls/pulls#create-a-pull-request */
function createPull(state: GitHubState, { head, base, title }: Record<string, unknown>) {
  const invalid = (message: string) =>
    failure(422, 'Validation Failed', {
      errors: [{ resource: 'PullRequest', code: 'custom', message }],
    });
  if (head === base) return invalid(`No commits between ${String(base)} and ${String(head)}`);
  const label = `team:${String(head)}`;
  if (state.pulls.some((pull) => pull.state === 'open' && pull.head.label === label))
    return invalid(`A pull request already exists for ${label}.`);
  const number = state.pulls.length + 1;
  const made: Pull = {
    number,
    html_url: `https://github.com/${project}/pull/${number}`,
    title: String(title),
    state: 'open',
    merged_at: null,
    merge_commit_sha: sha(`test merge ${number}`),
    head: { label, ref: String(head), sha: state.branches[String(head)]!, repo: { id: ID } },
    base: { ref: String(base), repo: { id: ID } },
  };
  state.pulls.push(made);
  return { status: 201, body: made };
}

/** https://docs.github.com/rest/pulls/pulls#merge-a-pull-request */
function mergePull(state: GitHubState, pull: Pull, body: Record<string, unknown>): Answer {
  if (state.notMergeable !== null) return failure(405, state.notMergeable);
  if (body['merge_method'] === 'merge' && !state.allowMergeCommit)
    return failure(405, 'Merge commits are not allowed on this repository.');
  if (body['sha'] !== pull.head.sha)
    return failure(409, 'Head branch was modified. Review and try the merge again.');
  const merged = {
    state: 'closed',
    merged_at: '2026-01-26T19:01:12Z',
    merge_commit_sha: sha('merge'),
  };
  Object.assign(pull, merged);
  const answer = { sha: sha('merge'), merged: true, message: 'Pull Request successfully merged' };
  return { status: 200, body: answer };
}

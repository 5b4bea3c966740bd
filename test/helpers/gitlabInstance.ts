import { createHmac, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { type BranchHost, startBranchHost } from './branchHost.ts';
import { type Certificate, createAuthority } from './certificates.ts';
import { branchesOf } from './githubServer.ts';
import {
  type GitLabMergeRequest,
  type GitLabRow,
  type GitLabServer,
  type GitLabState,
  GITLAB_ID,
  gitLab,
  gitlabProject,
  INSTANCE,
} from './gitlabServer.ts';
import { serveHttps } from './team/httpsRemote.ts';
import { git, Workplace } from './team/workplace.ts';

/** A webhook of the project. With a signing token, GitLab signs in the form of Standard Webhooks. */
interface GitLabWebhook {
  url: string;
  /** The secret token. */
  token?: string;
  signingToken?: string;
}

export interface GitLabInstance extends GitLabServer {
  url: string;
  /** Deploy tokens with their user names. They may read the repository, and nothing else. */
  deployTokens: Record<string, string>;
  addWebhook(hook: GitLabWebhook): void;
  /** Gives a merge request the approvals that it lacks. */
  approve(iid: number): void;
  /** The webhooks that were sent. GitLab sends a webhook once, whatever the status. */
  deliveries: { event: string; status: number }[];
}

interface InstanceOptions {
  /** Where a pipeline deploys a branch, as a review app. */
  reviewUrl: (branch: string) => string;
}

export interface GitLabSite extends AsyncDisposable {
  gitlab: GitLabInstance;
  /** Shows each branch at `<url>/<branch>/`, which is where pipelines deploy it. */
  host: BranchHost;
  /** The bare repository. */
  remote: string;
  /** The certificate of the authority, in PEM. */
  ca: string;
  /** The settings of a service that can reach both. */
  env: Record<string, string>;
}

/** A repository at GitLab with a host that builds its branches. @param files of the repository */
export async function startGitLabSite(files: Record<string, string>): Promise<GitLabSite> {
  const place = new Workplace();
  place.push(files);
  const remote = join(place.folder, INSTANCE, `${gitlabProject}.git`);
  mkdirSync(dirname(remote), { recursive: true });
  git(place.folder, 'clone', '-q', '--bare', place.remote, remote);
  git(remote, 'config', 'http.receivepack', 'true');
  const authority = await createAuthority();
  const certificates = join(place.folder, 'authority.pem');
  writeFileSync(certificates, authority.ca);
  const certificate = await authority.issue({ ip: ['127.0.0.1'] });
  const host = await startBranchHost(remote, certificate);
  const gitlab = await startGitLabInstance(place.folder, certificate, {
    reviewUrl: (branch) => `${host.url}/${branch}/`,
  });
  return {
    gitlab,
    host,
    remote,
    ca: authority.ca,
    env: { CALLBACK_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: certificates },
    async [Symbol.asyncDispose]() {
      await Promise.all([host.close(), gitlab[Symbol.asyncDispose]()]);
      await place.remove();
    },
  };
}

/**
 * GitLab over https, with a certificate of one's own authority: the API, and the repository for git
 * at `/gitlab/team/web/site.git`. Git takes any user name with a token that may use the API. After
 * each push, a pipeline deploys the branch. A merge makes a real commit.
 * @param folder the one in which `gitlab/team/web/site.git` is
 */
async function startGitLabInstance(
  folder: string,
  certificate: Certificate,
  { reviewUrl }: InstanceOptions,
): Promise<GitLabInstance> {
  let url = '';
  const { listener, ...rest } = gitLab(() => `${url}/api/v4`);
  const { state } = rest;
  const repository = `${folder}${INSTANCE}/${gitlabProject}.git`;
  const deployTokens: Record<string, string> = {};
  const webhooks = createWebhooks();
  const showPushes = watchPushes(repository, (branch, commit) => {
    webhooks.send('Push Hook', pushPayload(branch, commit));
    runPipeline(state, webhooks, { branch, commit, url: reviewUrl(branch) });
  });
  const server = await serveHttps(folder, certificate, (request, response) => {
    if (request.url!.startsWith(`${INSTANCE}/api/`)) {
      listener(request, response);
      return true;
    }
    response.once('close', showPushes);
    return isRefused(request, response, { state, deployTokens });
  });
  url = `${server.url}${INSTANCE}`;
  Object.defineProperty(state, 'branches', { get: () => branchesOf(repository) });
  Object.assign(state, mergesOf(repository));
  state.onMergeRequest = (one) => {
    webhooks.send('Merge Request Hook', mergeRequestPayload(one));
    showPushes();
  };
  const [branch, commit] = ['main', state.branches['main']!];
  runPipeline(state, webhooks, { branch, commit, url: reviewUrl(branch) });
  return {
    ...rest,
    url,
    apiUrl: `${url}/api/v4`,
    deployTokens,
    addWebhook: webhooks.add,
    approve(iid) {
      state.approvalsLeft = 0;
      state.onMergeRequest(state.mergeRequests.find((one) => one.iid === iid)!);
    },
    deliveries: webhooks.deliveries,
    async [Symbol.asyncDispose]() {
      await webhooks.end();
      await server.close();
    },
  };
}

/** Answers a request of git that its credential does not allow. @returns false if it does */
function isRefused(
  request: IncomingMessage,
  response: ServerResponse,
  { state, deployTokens }: { state: GitLabState; deployTokens: Record<string, string> },
): boolean {
  const [, basic = ''] = (request.headers.authorization ?? '').split(' ');
  const [name = '', token = ''] = Buffer.from(basic, 'base64').toString().split(':');
  if (state.tokens[token]) return false;
  if (deployTokens[token] === undefined || deployTokens[token] !== name) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="GitLab"' });
    response.end('HTTP Basic: Access denied.');
    return true;
  }
  if (!request.url!.includes('git-receive-pack')) return false;
  response.writeHead(403, { 'content-type': 'text/plain' });
  response.end('You are not allowed to push code to this project.');
  return true;
}

/** @returns a function to call after a request: it finds the branches that the request pushed */
function watchPushes(repository: string, onPush: (branch: string, commit: string) => void) {
  let known = branchesOf(repository);
  return () => {
    const before = known;
    known = branchesOf(repository);
    for (const [branch, commit] of Object.entries(known))
      if (before[branch] !== commit) onPush(branch, commit);
  };
}

/** Merges in the repository, as GitLab does. */
const mergesOf = (repository: string): Pick<GitLabState, 'isBehind' | 'makeCommit'> => ({
  isBehind: ({ sha: head }) => git(repository, 'rev-list', `${head}..main`) !== '',
  makeCommit({ sha: head, title }, how) {
    const tree = git(repository, 'merge-tree', '--write-tree', 'main', head);
    const parents = ['-p', 'main', ...(how === 'merge' ? ['-p', head] : [])];
    const made =
      how === 'ff' ? head : git(repository, 'commit-tree', tree, ...parents, '-m', title);
    git(repository, 'update-ref', 'refs/heads/main', made);
    return made;
  },
});

type Webhooks = ReturnType<typeof createWebhooks>;

function createWebhooks() {
  const hooks: GitLabWebhook[] = [];
  const deliveries: GitLabInstance['deliveries'] = [];
  let work = Promise.resolve();
  const queue = (step: () => void | Promise<void>): void => {
    work = work.then(step);
  };
  return {
    deliveries,
    add: (hook: GitLabWebhook) => void hooks.push(hook),
    /** Does a step after the ones before, such as sending a webhook. */
    queue,
    send: (event: string, payload: object) =>
      queue(async () => {
        for (const hook of hooks)
          deliveries.push({ event, status: await deliver(hook, event, payload) });
      }),
    /** Waits for what is queued, and sends nothing more. */
    async end() {
      hooks.length = 0;
      await work;
    },
  };
}

/** https://docs.gitlab.com/user/project/integrations/webhooks/#webhook-request-headers */
async function deliver(hook: GitLabWebhook, event: string, payload: object): Promise<number> {
  const body = JSON.stringify(payload);
  const id = randomUUID();
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'GitLab/18.9.0',
    'idempotency-key': id,
    'x-gitlab-event': event,
    'x-gitlab-event-uuid': randomUUID(),
    'x-gitlab-webhook-uuid': randomUUID(),
  };
  if (hook.token !== undefined) headers['x-gitlab-token'] = hook.token;
  if (hook.signingToken !== undefined) {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const key = Buffer.from(hook.signingToken.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
    headers['webhook-id'] = id;
    headers['webhook-timestamp'] = timestamp;
    headers['webhook-signature'] = `v1,${signature.digest('base64')}`;
  }
  const sent = fetch(hook.url, { method: 'POST', headers, body });
  return sent.then(
    ({ status }) => status,
    () => 0,
  );
}

interface Deployment extends GitLabRow {
  sha: string;
  status: string;
  environment: { id: number; name: string; external_url: string };
}

/** A pipeline that deploys a branch to an environment of its own, and then succeeds. */
function runPipeline(
  { pipelines, deployments }: GitLabState,
  { send, queue }: Webhooks,
  { branch, commit, url }: { branch: string; commit: string; url: string },
): void {
  const id = pipelines.length + 1;
  const name = branch === 'main' ? 'production' : `review/${branch}`;
  const status = 'running';
  const pipeline = { id, sha: commit, ref: branch, source: 'push', status };
  const deployment: Deployment = {
    id,
    sha: commit,
    ref: branch,
    status,
    user: { id: 7, username: `project_${GITLAB_ID}_bot` },
    environment: { id, name, external_url: url },
    deployable: { id, name: 'deploy', web_url: `https://gitlab.example/jobs/${id}` },
  };
  pipelines.push(pipeline);
  deployments.push(deployment);
  const show = () => {
    send('Deployment Hook', deploymentPayload(deployment));
    send('Pipeline Hook', {
      object_kind: 'pipeline',
      project,
      object_attributes: { id, ref: branch, tag: false, sha: commit, status: pipeline.status },
    });
  };
  show();
  queue(() => {
    deployment.status = 'success';
    pipeline.status = 'success';
    show();
  });
}

// the payloads: https://docs.gitlab.com/user/project/integrations/webhook_events/

const project = { id: GITLAB_ID, name: 'site', path_with_namespace: gitlabProject };

const pushPayload = (branch: string, commit: string) => ({
  object_kind: 'push',
  event_name: 'push',
  ref: `refs/heads/${branch}`,
  after: commit,
  checkout_sha: commit,
  project_id: GITLAB_ID,
  project,
  commits: [],
  total_commits_count: 1,
});

const mergeRequestPayload = (one: GitLabMergeRequest) => ({
  object_kind: 'merge_request',
  event_type: 'merge_request',
  project,
  object_attributes: { ...one, id: 90_000 + one.iid, last_commit: { id: one.sha } },
});

/** It names the commit only in a URL, and no branch. */
const deploymentPayload = ({ id, sha, status, environment }: Deployment) => ({
  object_kind: 'deployment',
  status,
  deployment_id: id,
  deployable_id: id,
  environment: environment.name,
  environment_external_url: environment.external_url,
  project,
  short_sha: sha.slice(0, 8),
  commit_url: `https://gitlab.example/${gitlabProject}/-/commit/${sha}`,
});

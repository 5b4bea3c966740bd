import { DomainError } from '../../src/errors.ts';
import type { ExternalHost } from '../../src/contract/site.ts';
import type {
  ForgeProject,
  PullRequest,
  BuildReport,
  SendHttp,
} from '../../src/forges/forgeProject.ts';
import type { ExternalHostOptions } from '../../src/hosting/external/external.ts';
import { testPages } from './threads.ts';
import { git } from './team/workplace.ts';

export const ownHost: ExternalHost = {
  forge: 'gitea',
  apiUrl: 'https://forge.example/api/v1',
  project: 'team/site',
  publish: 'push',
  merge: 'automatic',
  previewReports: [],
  liveReports: [],
  reporter: null,
  hosts: ['*.pages.example'],
  previewUrl: null,
  liveUrl: null,
  pageUrls: [],
  buildMinutes: 10,
  hasPreviews: true,
  publishWindow: 0,
};

interface Pull extends PullRequest {
  branch: string;
  title: string;
  body: string;
}

/**
 * A forge over a repository on disk, and a host that serves the branches it was told to have built.
 */
export class FakeForge {
  readonly pulls: Pull[] = [];
  /** By commit. */
  readonly reported = new Map<string, BuildReport[]>();
  /** Requests for pages and reports, in order. */
  readonly asked: string[] = [];
  readonly remote: string;
  isDown = false;
  /** Merges a pull request by one new commit, which the branch's commits are no part of. */
  squashes = false;
  /** Bodies of pages that answer with 200, by URL. */
  readonly online = new Map<string, string>();

  constructor(remote: string) {
    this.remote = remote;
  }

  branches = () =>
    git(this.remote, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/bg-*')
      .split('\n')
      .filter(Boolean);

  /** The host builds a commit, and tells where it is. Its files answer there. */
  build(commit: string, at: string, changes: Partial<BuildReport> = {}): void {
    const report = { of: 'status', name: 'host', creator: 'bot', logUrl: null } as const;
    this.reported.set(commit, [{ ...report, state: 'success', url: at, ...changes }]);
    const paths = git(this.remote, 'ls-tree', '-r', '--name-only', commit).split('\n');
    for (const path of paths.filter((name) => name.endsWith('.html')))
      this.online.set(`${at}/${path}`, git(this.remote, 'show', `${commit}:${path}`));
  }

  options = (): Omit<ExternalHostOptions, 'repositories'> => ({
    pages: testPages,
    openForge: () => Promise.resolve(this.forge),
    send: this.send,
    builds: { add: () => Promise.resolve() },
    secretOf: () => Promise.resolve('secret'),
    taskAddress: (taskId) => `https://service.example/tasks/${taskId}`,
  });

  private readonly send: SendHttp = ({ url }) => {
    this.asked.push(url);
    const body = this.online.get(url);
    return Promise.resolve({
      status: body === undefined ? 404 : 200,
      headers: {},
      body: Buffer.from(body ?? ''),
    });
  };

  private answer(): void {
    if (this.isDown) throw new DomainError('UNAVAILABLE', 'The forge is down', { retryable: true });
  }

  private readonly find = (number: number): Pull => {
    this.answer();
    const pull = this.pulls.find((one) => one.number === number);
    if (!pull) throw new DomainError('FORGE_REFUSED', `There is no pull request ${number}`);
    if (pull.state === 'open') pull.head = this.head(pull.branch);
    return pull;
  };

  private readonly head = (branch: string) => git(this.remote, 'rev-parse', `refs/heads/${branch}`);

  readonly forge: ForgeProject = {
    reports: async (commit) => {
      this.answer();
      this.asked.push(`reports ${commit}`);
      return this.reported.get(commit) ?? [];
    },
    findPullRequest: async (branch) => {
      this.answer();
      return this.pulls.findLast((pull) => pull.branch === branch) ?? null;
    },
    pullRequest: async (number) => this.find(number),
    openPullRequest: async ({ branch, title, body }) => {
      const open = this.pulls.find((pull) => pull.branch === branch && pull.state === 'open');
      if (open) return this.find(open.number);
      const number = this.pulls.length + 1;
      const url = `https://forge.example/team/site/pulls/${number}`;
      const head = this.head(branch);
      const state = 'open' as const;
      this.pulls.push({
        number,
        url,
        state,
        head,
        mergeCommit: null,
        branch,
        title,
        body,
      });
      return this.find(number);
    },
    merge: async (number, head) => {
      const pull = this.find(number);
      if (pull.state === 'merged') return pull;
      if (pull.state === 'closed' || pull.head !== head)
        throw new DomainError('FORGE_REFUSED', `Pull request ${number} is closed, or has moved`);
      const mergeCommit = this.squashes
        ? git(this.remote, 'commit-tree', `${head}^{tree}`, '-p', 'main', '-m', 'Squash')
        : head;
      git(this.remote, 'update-ref', 'refs/heads/main', mergeCommit);
      return Object.assign(pull, { state: 'merged', mergeCommit });
    },
    closePullRequest: async (number) => {
      const pull = this.find(number);
      if (pull.state === 'open') pull.state = 'closed';
    },
    check: () => Promise.reject(new Error('Nobody checks this forge')),
  };
}

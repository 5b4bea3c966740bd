import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DomainError } from '../../../src/errors.ts';
import { withoutUndefined } from '../../../src/contract/withoutUndefined.ts';
import type { SiteLimits } from '../../../src/sites/git/siteClone.ts';
import type { CommandLauncher } from '../../../src/sites/git/launcher/launcher.ts';
import { cloneName } from '../../../src/sites/git/clones/cloneName.ts';
import { createRepositories } from '../../../src/sites/git/repositories.ts';
import { git } from './git.ts';
import type {
  PublishRequest,
  GitRepositories,
  GitRepository,
  TaskCommit,
} from '../../../src/sites/git/repository.ts';
import { testLauncher } from '../launcher.ts';
import { TeamRepository } from './repository.ts';

export { git };

export const author = { name: 'Agent', email: 'agent@example.com' };
export const createdAt = '2026-03-04T05:06:07.890Z';

/** A team's repository, and this service's repositories beside it. */
export class Workplace extends TeamRepository {
  private readonly opened: GitRepositories[] = [];

  /** The site's repository as a process of this service with its own data folder sees it. */
  open(
    options: {
      root?: string;
      dataDir?: string;
      url?: string;
      branch?: string;
      siteLimits?: Partial<SiteLimits>;
      launcher?: CommandLauncher;
    } = {},
  ): GitRepository {
    const {
      root = '',
      dataDir = 'data',
      branch = 'main',
      url = this.url,
      siteLimits,
      launcher = testLauncher,
    } = options;
    const repositories = createRepositories({
      dataDir: join(this.folder, dataDir),
      ...withoutUndefined({ siteLimits }),
      launcher,
    });
    this.opened.push(repositories);
    return repositories.open({
      siteId: 'site-1',
      organizationId: 'team',
      repository: { url, branch, root },
    });
  }

  /** The folder of a site's copy of this repository. */
  copyOf(siteId = 'site-1', dataDir = 'data'): string {
    const repository = { url: this.url, branch: 'main', root: '' };
    return join(this.folder, dataDir, `repositories/${cloneName({ siteId, repository })}.git`);
  }

  async closeServices(): Promise<void> {
    await Promise.all(this.opened.splice(0).map((repositories) => repositories.close()));
  }

  async remove(): Promise<void> {
    await this.closeServices();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The content of a file in the temporary folder, as soon as it has any. */
  async eventually(name: string): Promise<string> {
    for (const deadline = Date.now() + 15_000; Date.now() < deadline; await delay(20)) {
      const content = await readFile(join(this.folder, name), 'utf8').catch(() => '');
      if (content !== '') return content;
    }
    throw new Error(`${name} was not written`);
  }

  /** Waits until a process has ended. */
  async gone(pid: number): Promise<void> {
    for (const deadline = Date.now() + 15_000; Date.now() < deadline; await delay(20))
      if (!isAlive(pid)) return;
    throw new Error(`Process ${pid} goes on`);
  }
}

/** A commit of the production branch. */
export const onBranch = (commit: string) => ({ commit, retainedBy: null });

/** The request for a task's commit that writes the files. */
export function task(
  taskId: string,
  base: string,
  files: Record<string, string | null>,
): TaskCommit {
  const changes = Object.entries(files).map(([path, content]) => ({ path, content }));
  return {
    taskId,
    base: onBranch(base),
    changes,
    message: `Change ${changes.length} files`,
    author,
    createdAt,
  };
}

/** A request to publish without derived files. */
export function publication(
  taskId: string,
  base: string,
  commit: string,
  more: Partial<PublishRequest> = {},
): PublishRequest {
  return {
    taskId,
    base,
    commit,
    retainedBy: taskId,
    author,
    createdAt,
    isDerived: () => false,
    derive: () => Promise.resolve([]),
    merge: () => Promise.resolve(undefined),
    nameOf: (path) => `/${path.replace(/\.html$/, '')}`,
    ...more,
  };
}

/** Does a whole task: base, commit, publish. */
export async function publishTask(
  repository: GitRepository,
  taskId: string,
  files: Record<string, string | null>,
) {
  const base = await repository.fetchBase(taskId);
  const commit = await repository.commitTask(task(taskId, base, files));
  return { base, commit, live: await repository.publish(publication(taskId, base, commit)) };
}

/**
 * Whether a process runs. One that has ended, and whose parent has not asked about it yet, does
 * not.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return (
      !existsSync('/proc/self') || !/^State:\sZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    );
  } catch {
    return false;
  }
}

/** The error that a promise rejects with; undefined if it does not. */
export const failureOf = (work: Promise<unknown>): Promise<DomainError | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => error as DomainError,
  );

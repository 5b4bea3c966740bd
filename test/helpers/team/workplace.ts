import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { DomainError } from '../../../src/errors.ts';
import { defined } from '../../../src/contract/defined.ts';
import type { SiteLimits } from '../../../src/sites/git/clone.ts';
import type { Launcher } from '../../../src/sites/git/launcher/launcher.ts';
import { createRepositories } from '../../../src/sites/git/repositories.ts';
import { git } from './git.ts';
import type {
  PublishRequest,
  Repositories,
  Repository,
  TaskCommit,
} from '../../../src/sites/git/repository.ts';
import { testLauncher } from '../launcher.ts';
import { copyEmptyTeam, firstCommit } from './templates.ts';

export { git };

/** The commit that a repository is at, '' where it has none: its files say it without a process. */
function headOf(gitDir: string): string {
  const head = readFileSync(join(gitDir, 'HEAD'), 'utf8').trim();
  return head.startsWith('ref: ') ? looseRef(gitDir, head.slice('ref: '.length)) : head;
}

/** The commit of a ref that is in a file of its own, '' where it is not. */
const looseRef = (gitDir: string, ref: string) =>
  existsSync(join(gitDir, ref)) ? readFileSync(join(gitDir, ref), 'utf8').trim() : '';

export const author = { name: 'Agent', email: 'agent@example.com' };
export const createdAt = '2026-03-04T05:06:07.890Z';

/**
 * A team's bare repository in a temporary folder, beside it a team member's clone and this
 * service's repositories.
 */
export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), 'git-test-'));
  readonly remote = join(this.folder, 'team site.git');
  readonly clone = join(this.folder, 'clone');
  readonly url = pathToFileURL(this.remote).href;
  private readonly opened: Repositories[] = [];

  constructor() {
    copyEmptyTeam(this.folder);
  }

  /**
   * Writes (or with null deletes) files in the clone, commits and pushes them; returns the commit.
   */
  async push(files: Record<string, string | null>): Promise<string> {
    const head = this.#main();
    if (head !== '' && head !== headOf(join(this.clone, '.git')))
      git(this.clone, 'merge', '-q', '--ff-only', head);
    await this.write(files);
    if (head === '') firstCommit(this.folder, () => this.#commit(head));
    else this.#commit(head);
    return headOf(join(this.clone, '.git'));
  }

  #commit(head: string): void {
    git(this.clone, 'add', '-A');
    git(this.clone, 'commit', '-q', '--allow-empty', '-m', 'by hand');
    const isPlain = !['hooks', 'packed-refs'].some((name) => existsSync(join(this.remote, name)));
    if (isPlain) this.#move(head, headOf(join(this.clone, '.git')));
    else git(this.clone, 'push', '-q', 'origin', 'HEAD:main');
  }

  /**
   * Moves the remote's branch as a push does. The clone's objects are the remote's: a push takes
   * seven processes.
   */
  #move(from: string, to: string): void {
    const ref = join(this.remote, 'refs/heads/main');
    writeFileSync(`${ref}.lock`, `${to}\n`, { flag: 'wx' });
    if (this.#main() === from) return renameSync(`${ref}.lock`, ref);
    rmSync(`${ref}.lock`);
    throw new Error('Somebody else pushed meanwhile');
  }

  private async write(files: Record<string, string | null>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.clone, path);
      if (content === null) await rm(file);
      else {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, content);
      }
    }
  }

  /** Makes the remote's first commit of many files, without a work tree. */
  import(files: Record<string, string>): void {
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
    const lines = Object.entries(files).map(
      ([path, content]) => `M 644 inline ${path}\n${data(content)}`,
    );
    const input = `commit refs/heads/main\ncommitter T <t@test> 1700000000 +0000\n${data('import')}${lines.join('')}`;
    execFileSync('git', ['fast-import', '--quiet'], { cwd: this.remote, input });
  }

  /** A hook of the remote. */
  async hook(name: string, script: string): Promise<void> {
    const file = join(this.remote, 'hooks', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
  }

  /** The site's repository as a process of this service with its own data folder sees it. */
  open(
    options: {
      root?: string;
      dataDir?: string;
      url?: string;
      branch?: string;
      siteLimits?: Partial<SiteLimits>;
      launcher?: Launcher;
    } = {},
  ): Repository {
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
      ...defined({ siteLimits }),
      launcher,
    });
    this.opened.push(repositories);
    return repositories.open({
      siteId: 'site-1',
      organizationId: 'team',
      repository: { url, branch, root },
    });
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

  #main = () => looseRef(this.remote, 'refs/heads/main');
  head = () => this.#main() || git(this.remote, 'rev-parse', 'main');
  show = (path: string, commit = 'main') => git(this.remote, 'show', `${commit}:${path}`);
  files = (commit = 'main') => git(this.remote, 'ls-tree', '-r', '--name-only', commit).split('\n');
}

/** A commit of the production branch. */
export const onBranch = (commit: string) => ({ commit, heldBy: null });

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
    heldBy: taskId,
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
  repository: Repository,
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

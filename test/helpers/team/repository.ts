import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { git, member } from './git.ts';
import { copyEmptyTeam, firstCommit } from './templates.ts';

/** The commit that a repository is at, '' where it has none: its files say it without a process. */
function headOf(gitDir: string): string {
  const head = readFileSync(join(gitDir, 'HEAD'), 'utf8').trim();
  return head.startsWith('ref: ') ? looseRef(gitDir, head.slice('ref: '.length)) : head;
}

/** The commit of a ref that is in a file of its own, '' where it is not. */
const looseRef = (gitDir: string, ref: string) =>
  existsSync(join(gitDir, ref)) ? readFileSync(join(gitDir, ref), 'utf8').trim() : '';

/** A team's bare repository in a temporary folder, and a team member's clone beside it. */
export class TeamRepository {
  readonly folder = mkdtempSync(join(tmpdir(), 'team-'));
  readonly remote = join(this.folder, 'team site.git');
  readonly clone = join(this.folder, 'clone');
  readonly url = pathToFileURL(this.remote).href;

  /** @param pages the folder whose files are the first commit. Without it there is none */
  constructor(pages?: string) {
    copyEmptyTeam(this.folder);
    if (pages === undefined) return;
    cpSync(pages, this.clone, { recursive: true });
    this.push({});
  }

  /**
   * Writes (or with null deletes) files in the clone, commits and pushes them.
   * @returns the commit
   */
  push(files: Record<string, string | null>): string {
    const head = this.#main();
    if (head !== '' && head !== headOf(join(this.clone, '.git')))
      git(this.clone, 'merge', '-q', '--ff-only', head);
    for (const [path, content] of Object.entries(files)) this.#write(path, content);
    if (head === '') firstCommit(this.folder, () => this.#commit(head));
    else this.#commit(head);
    return headOf(join(this.clone, '.git'));
  }

  #write(path: string, content: string | null): void {
    const file = join(this.clone, path);
    if (content === null) return rmSync(file);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
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
  hook(name: string, script: string): void {
    const file = join(this.remote, 'hooks', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  #main = () => looseRef(this.remote, 'refs/heads/main');
  head = () => this.#main() || git(this.remote, 'rev-parse', 'main');
  /** A file of a commit, to the last byte. */
  show = (path: string, commit = 'main') => member(this.remote, 'git', 'show', `${commit}:${path}`);
  files = (commit = 'main') =>
    git(this.remote, 'ls-tree', '-r', '--name-only', commit).split('\n').sort();
}

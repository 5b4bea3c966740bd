import { createHash } from 'node:crypto';
import {
  constants,
  cpSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutMaintenance } from './environment.ts';
import { git, member } from './git.ts';

/** What a team has in its folder: a bare repository, and what is git's own of a member's clone. */
const own = ['team site.git', 'clone/.git'];

let templates: string | undefined;
/**
 * A folder for what this process made once, to copy it: to make a team takes some fifteen processes
 * of git.
 */
function newFolder(): string {
  if (templates === undefined) {
    const folder = (templates = mkdtempSync(join(tmpdir(), 'git-templates-')));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  }
  return mkdtempSync(join(templates, 'team-'));
}

let empty: { folder: string; digest: string } | undefined;
function emptyTeam() {
  if (empty) return empty;
  const folder = newFolder();
  const [remote, clone] = [join(folder, 'team site.git'), join(folder, 'clone')];
  git(folder, 'init', '-q', '--bare', '-b', 'main', remote);
  withoutMaintenance(remote);
  git(folder, 'clone', '-q', remote, clone);
  git(clone, 'checkout', '-q', '-b', 'main');
  git(clone, 'config', 'remote.origin.url', '../team site.git');
  rmSync(join(clone, '.git/objects'), { recursive: true });
  symlinkSync('../../team site.git/objects', join(clone, '.git/objects'));
  return (empty = { folder, digest: digestOf(folder, ...own) });
}

/**
 * Puts a bare repository without commits, `team site.git`, and a clone that shares its objects into
 * a folder.
 */
export const copyEmptyTeam = (folder: string) => copy(emptyTeam().folder, folder);

const committed = new Map<string, string>();
/**
 * Makes a team's first commit of the files in its clone.
 * @param commit does it, where this process made no commit of the same files before, or the
 *   repositories were changed
 */
export function firstCommit(folder: string, commit: () => void): void {
  if (digestOf(folder, ...own) !== emptyTeam().digest) return commit();
  const files = digestOf(folder, 'clone');
  const known = committed.get(files);
  if (known !== undefined) return copy(known, folder);
  commit();
  const template = newFolder();
  for (const name of own)
    cpSync(join(folder, name), join(template, name), { recursive: true, verbatimSymlinks: true });
  committed.set(files, template);
}

const copy = (from: string, to: string) => void member(from, 'cp', '-R', '.', to);

/** Of what is in some folders of one. */
function digestOf(folder: string, ...names: string[]): string {
  const hash = createHash('sha256');
  const paths = names.flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
      .sort()
      .map((path) => join(name, path)),
  );
  for (const path of paths) {
    const [file, { mode, size }] = [join(folder, path), lstatSync(join(folder, path))];
    hash.update(`${path}\0${mode}\0`);
    if ((mode & constants.S_IFMT) === constants.S_IFLNK) hash.update(readlinkSync(file));
    if ((mode & constants.S_IFMT) === constants.S_IFREG)
      hash.update(`${size}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

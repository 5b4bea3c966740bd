import { removeInvisible } from '../../contract/text/removeInvisible.ts';
import { DomainError } from '../../errors.ts';

/**
 * Checks a branch's name by the rules of git-check-ref-format(1), and refuses a leading `-` and
 * invisible characters.
 * @throws DomainError INVALID_INPUT
 */
export function checkBranch(branch: string): string {
  const components = branch.split('/');
  const isInvalid =
    branch.length > 200 ||
    removeInvisible(branch) !== branch ||
    /[\p{Cc}\s~^:?*[\\]|\.\.|@\{/u.test(branch) ||
    /^-|\.$/.test(branch) ||
    branch === '@' ||
    components.some((part) => part === '' || part.startsWith('.') || part.endsWith('.lock'));
  if (isInvalid)
    throw new DomainError('INVALID_INPUT', 'The branch must be a valid git branch name');
  return branch;
}

/**
 * Checks the folder of a site's pages in its repository: '' or a relative path without slashes at
 * its ends.
 * @throws DomainError INVALID_INPUT
 */
export function checkRoot(root: string): string {
  if (root !== '') checkPath(root);
  if (removeInvisible(root) !== root)
    throw new DomainError('INVALID_INPUT', 'The folder must not contain invisible characters');
  return root;
}

/**
 * Checks a path in a repository that is to be written.
 * @throws DomainError INVALID_INPUT for absolute paths, empty and dot segments, control characters
 *   and git's own folder
 */
export function checkPath(path: string): string {
  const isInvalid =
    path.length > 4_000 ||
    /[\p{Cc}\\]/u.test(path) ||
    path.split('/').some((part) => isGitsOwnName(part) || Buffer.byteLength(part) > 255);
  if (isInvalid)
    throw new DomainError(
      'INVALID_INPUT',
      `Not a path inside a repository: ${JSON.stringify(path.slice(0, 200))}`,
    );
  return path;
}

/**
 * The trailer of a commit with the id of the person who edited by hand. It precedes the task's
 * trailer.
 */
export const EDITOR = 'Agent-Task-Editor';
/** The trailer of a commit that says what kind of version it is: see `VersionDetails`. */
export const VERSION = 'Agent-Task-Version';

/** Characters that HFS+ ignores in names. */
const invisibleCharacters = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Whether a name in a tree is empty, dots, or git's own folder, also by its aliases on HFS+ and
 * NTFS. git refuses such names when it reads a tree into an index (verify_path in read-cache.c).
 */
export function isGitsOwnName(name: string): boolean {
  const parts = name.replace(invisibleCharacters, '').split('\\');
  return /^\.{0,2}$/.test(name) || parts.some((part) => /^(\.git|git~1)[ .]*(:|$)/i.test(part));
}

/**
 * The folders above a path, outermost first: `a/b/c.html` → `a`, `a/b`. Stop early if you can:
 * together they are much longer than a deep path.
 */
export function* foldersOf(path: string): Generator<string> {
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
    yield path.slice(0, slash);
}

/**
 * Checks a taskId or siteId that becomes part of a ref's or folder's name.
 * @throws DomainError INVALID_INPUT
 */
export function checkId(id: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/.test(id))
    throw new DomainError('INVALID_INPUT', 'Not the id of a task or site');
  return id;
}

/**
 * Prefix of the hidden refs of tasks' commits, here and at the remote. Git hosts start no builds
 * for them.
 */
export const TASKS = 'refs/agent-tasks/';
export const BRANCHES = 'refs/heads/';
/** The branch that an external host builds a task's preview from: `refs/heads/<taskId>`. */
export const taskBranch = (taskId: string) => BRANCHES + checkId(taskId);
export const taskRef = (taskId: string) => TASKS + checkId(taskId);

/**
 * Prefixes of refs that only the clone has: `base/<taskId>` keeps the commit that a task began
 * from until the task has its own commit, `deployed/<commit>` keeps a commit that is or was live.
 */
export const BASES = 'refs/agent-tasks/base/';
export const DEPLOYED = 'refs/agent-tasks/deployed/';
export const baseRef = (taskId: string) => BASES + checkId(taskId);

/** The remote's ref for a site's live commit. It keeps the commit even if the branch loses it. */
export const liveRef = (siteId: string) => `refs/agent-tasks-live/${checkId(siteId)}`;

/**
 * Checks that a text is the full id of a git object, not a ref, an option or an expression.
 * @throws DomainError INVALID_INPUT
 */
export function checkObjectId(id: string): string {
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id))
    throw new DomainError('INVALID_INPUT', 'Not the id of a git object');
  return id;
}

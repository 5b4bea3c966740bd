import { DomainError } from '../../errors.ts';

/**
 * The rules of git-check-ref-format(1) for a branch's name, and no leading `-`.
 * @throws DomainError INVALID_INPUT
 */
export function checkBranch(branch: string): string {
  const components = branch.split('/');
  const wrong =
    branch.length > 200 ||
    /[\p{Cc}\s~^:?*[\\]|\.\.|@\{/u.test(branch) ||
    /^-|\.$/.test(branch) ||
    branch === '@' ||
    components.some((part) => part === '' || part.startsWith('.') || part.endsWith('.lock'));
  if (wrong) throw new DomainError('INVALID_INPUT', 'The branch must be a valid name of a git branch');
  return branch;
}

/**
 * The folder of a site's pages inside its repository: '' or a relative path without slashes at its ends.
 * @throws DomainError INVALID_INPUT
 */
export function checkRoot(root: string): string {
  if (root !== '') checkPath(root);
  return root;
}

/**
 * A path inside a repository that may be written to.
 * @throws DomainError INVALID_INPUT for absolute paths, empty and dot segments, control characters and git's own folder
 */
export function checkPath(path: string): string {
  const wrong =
    path.length > 4_000 ||
    /[\p{Cc}\\]/u.test(path) ||
    path.split('/').some((part) => /^(\.{0,2}|\.git)$/i.test(part) || Buffer.byteLength(part) > 255);
  if (wrong)
    throw new DomainError('INVALID_INPUT', `Not a path inside a repository: ${JSON.stringify(path.slice(0, 200))}`);
  return path;
}

/** A taskId or siteId as part of a ref or a folder's name. */
export function checkId(id: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/.test(id))
    throw new DomainError('INVALID_INPUT', 'Not an id of a task or site');
  return id;
}

/** The hidden ref of a task's commit, here and at the remote: no host starts a build for it. */
export const taskRef = (taskId: string) => `refs/agent-tasks/${checkId(taskId)}`;

/** The full id of a git object: never a ref, an option or an expression. */
export function checkObjectId(id: string): string {
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) throw new DomainError('INVALID_INPUT', 'Not the id of a git object');
  return id;
}

import { DomainError } from '../errors.ts';
import type { PullRequest } from './forge.ts';

/**
 * A pull request that may be merged, or is.
 * @throws DomainError FORGE_REFUSED if it is closed, or its head is another commit
 */
export function requireHead(pull: PullRequest, head: string): PullRequest {
  if (pull.state === 'merged' || (pull.state === 'open' && pull.head === head)) return pull;
  const why =
    pull.state === 'closed'
      ? 'it was closed'
      : `its head is ${pull.head.slice(0, 10)}, expected ${head.slice(0, 10)}`;
  throw new DomainError(
    'FORGE_REFUSED',
    `Pull request #${pull.number} can't be merged: ${why} (${pull.url})`,
  );
}

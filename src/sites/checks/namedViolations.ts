import { DomainError } from '../../errors.ts';

/** The most violations that a message names. */
export const MAX_NAMED_VIOLATIONS = 30;

/**
 * The error for changes that did not pass the checks. It names the first violations.
 * @param count how many violations there are (default: as many as messages)
 */
export function checkFailedError(
  changed: 'pages' | 'files',
  messages: string[],
  count = messages.length,
): DomainError {
  const named = messages.slice(0, MAX_NAMED_VIOLATIONS);
  const more = count > named.length ? `; and ${count - named.length} more` : '';
  return new DomainError(
    'CHECK_FAILED',
    `The changed ${changed} did not pass the checks, so nothing was committed: ${named.join('; ')}${more}`,
  );
}

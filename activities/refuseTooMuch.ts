import { DomainError } from '../src/errors.ts';

/**
 * Ends a task whose work exceeds a limit, before the work gets into the history.
 * @param found the start of the message, with the amount: `The task changes 501 pages`
 * @param rule the end of the message: `are possible in one task`
 * @throws DomainError LIMIT_EXCEEDED
 */
export function refuseTooMuch(amount: number, limit: number, found: string, rule: string): void {
  if (amount > limit) throw new DomainError('LIMIT_EXCEEDED', `${found}; at most ${limit} ${rule}`);
}

/** The bytes that a value takes in the history. */
export const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

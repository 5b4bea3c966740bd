import { DomainError } from '../src/errors.ts';

/**
 * Ends a task whose work exceeds a limit, before the history stores the work.
 * @param problem the message's beginning, with the amount: `The task changes 501 pages`
 * @param rule the message's end: `are allowed in one task`
 * @throws DomainError LIMIT_EXCEEDED
 */
export function refuseTooMuch(amount: number, limit: number, problem: string, rule: string): void {
  if (amount > limit)
    throw new DomainError('LIMIT_EXCEEDED', `${problem}. At most ${limit} ${rule}`);
}

/** The bytes that a value takes in the history. */
export const historyBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');

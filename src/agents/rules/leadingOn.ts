import { DomainError, hasCode } from '../../errors.ts';
import type { Suggest } from '../port.ts';

/** Where all instructions are listed, if no service shows the list. */
const LIST = 'docs/prompts.md';
/** Longer suggestions are not part of a message. */
const LONGEST = 300;

interface Ways {
  suggest?: Suggest | undefined;
  /** URL of the list of all instructions. */
  list?: string | undefined;
}

/**
 * Adds what leads on to the error of a refused prompt: what the prompt may have meant, and the list
 * of all instructions. Returns other errors as they are.
 */
export async function leadingOn(error: unknown, { suggest, list = LIST }: Ways): Promise<unknown> {
  if (!hasCode(error, 'NOT_UNDERSTOOD', 'INVALID_INPUT') || error.retryable) return error;
  const suggestions = (await suggest?.(error)) ?? [];
  const short = suggestions.filter(({ length }) => length <= LONGEST);
  const meant = short.length === 0 ? '' : ` Did you mean: ${short.join('? Or: ')}?`;
  const { code, message } = error;
  if (code === 'NOT_UNDERSTOOD')
    return new DomainError(code, `${message}${meant} All instructions: ${list}`, { cause: error });
  return meant === '' ? error : new DomainError(code, `${message}.${meant}`, { cause: error });
}

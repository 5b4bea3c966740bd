import { DomainError } from '../../../../errors.ts';

/** The error for an instruction that can't be carried out on this site. */
export const createInstructionError = (problem: string) =>
  new DomainError('INVALID_INPUT', problem);

const MAX_NAMED = 10;
/** Lists names for a message: `a, b and more` if there are more than `limit`. */
export const joinFirstNames = (names: string[], limit = MAX_NAMED) =>
  names.slice(0, limit).join(', ') + (names.length > limit ? ' and more' : '');

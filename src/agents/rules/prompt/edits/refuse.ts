import { DomainError } from '../../../../errors.ts';

/** The error for an instruction that can't be carried out on this site. */
export const refuse = (problem: string) => new DomainError('INVALID_INPUT', problem);

const NAMED = 10;
/** Lists names for a message. If there are many, only the first ones. */
export const listed = (names: string[], most = NAMED) =>
  names.slice(0, most).join(', ') + (names.length > most ? ' and more' : '');

import { DomainError } from '../../../../errors.ts';

/** The error of an instruction that can't be carried out on this site. */
export const refuse = (problem: string) => new DomainError('INVALID_INPUT', problem);

const NAMED = 10;
/** Names for a message; of many only the first. */
export const listed = (names: string[], most = NAMED) =>
  names.slice(0, most).join(', ') + (names.length > most ? ' and more' : '');

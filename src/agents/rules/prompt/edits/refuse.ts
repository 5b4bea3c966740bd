import { DomainError } from '../../../../errors.ts';

/** The error of an instruction that the site does not allow. */
export const refuse = (problem: string) => new DomainError('INVALID_INPUT', problem);

const NAMED = 10;
/** Some names in a message: the first ones, where there are many. */
export const listed = (names: string[], most = NAMED) =>
  names.slice(0, most).join(', ') + (names.length > most ? ' and more' : '');

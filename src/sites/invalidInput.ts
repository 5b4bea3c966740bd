import { DomainError } from '../errors.ts';

export const invalidInput = (message: string) => new DomainError('INVALID_INPUT', message);

import { DomainError } from '../../../errors.ts';

/**
 * Says of an error for which instruction of the prompt it is, where there are several.
 * @param count how many instructions the prompt has
 * @param number the instruction, from 0
 */
export function forInstruction<T>(count: number, number: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DomainError ? naming(error, count, number) : error;
  }
}

/** The same error, with the number of its instruction. */
export function naming(error: DomainError, count: number, number: number): DomainError {
  if (count === 1) return error;
  const { code, message, retryable } = error;
  return new DomainError(code, `Instruction ${number + 1}: ${message}`, { retryable });
}

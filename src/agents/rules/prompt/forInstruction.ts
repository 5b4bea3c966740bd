import { DomainError } from '../../../errors.ts';

/**
 * Runs work for an instruction. If the prompt has several instructions, an error names this one.
 * @param count the number of instructions in the prompt
 * @param number the instruction's index, from 0
 */
export function forInstruction<T>(count: number, number: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DomainError ? naming(error, count, number) : error;
  }
}

/** Adds the number of its instruction to an error. */
export function naming(error: DomainError, count: number, number: number): DomainError {
  if (count === 1) return error;
  const { code, message, retryable } = error;
  return new DomainError(code, `Instruction ${number + 1}: ${message}`, { retryable });
}

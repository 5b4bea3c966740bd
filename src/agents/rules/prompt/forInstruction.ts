import { DomainError } from '../../../errors.ts';

/**
 * Runs work of an instruction. An error names the instruction if the prompt has several.
 * @param count number of instructions of the prompt
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

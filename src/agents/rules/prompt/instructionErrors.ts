import { DomainError } from '../../../errors.ts';

/**
 * Runs work for an instruction. If the prompt has several instructions, an error names this one.
 * @param instructionCount the number of instructions in the prompt
 * @param instructionIndex the instruction's index, from 0
 */
export function runForInstruction<T>(
  instructionCount: number,
  instructionIndex: number,
  work: () => T,
): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DomainError
      ? nameInstruction(error, instructionCount, instructionIndex)
      : error;
  }
}

/** Adds `Instruction 2: ` to an error's message, unless the prompt has only one instruction. */
export function nameInstruction(
  error: DomainError,
  instructionCount: number,
  instructionIndex: number,
): DomainError {
  if (instructionCount === 1) return error;
  const { code, message, retryable } = error;
  return new DomainError(code, `Instruction ${instructionIndex + 1}: ${message}`, { retryable });
}

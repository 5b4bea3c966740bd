import type { Instruction } from '../../../../../src/agents/rules/prompt/instructions.ts';
import { readPrompt } from '../../../../../src/agents/rules/prompt/readPrompt.ts';
import { notUnderstood } from '../../../../../src/agents/rules/prompt/refusal.ts';

/** A prompt's instructions; throws the task's error where a part of it is not understood. */
export function parsePrompt(prompt: string, names?: ReadonlySet<string>): Instruction[] {
  const reading = readPrompt(prompt, names);
  if ('instructions' in reading) return reading.instructions;
  throw notUnderstood(reading);
}

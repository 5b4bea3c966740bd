import type { Agent } from '../agent.ts';
import { DomainError } from '../../errors.ts';
import type { ToolDefinition } from '../tools.ts';
import type { Caller } from './call.ts';

/** A language model as an agent. */
export function createModelAgent(_options: { caller: Caller; tools: ToolDefinition[] }): Agent {
  const missing = () => {
    throw new DomainError('CONFIGURATION', 'Language models come with a later commit');
  };
  return { generatePage: missing, step: missing };
}

import { DomainError } from '../../errors.ts';
import type { Agent } from '../agent.ts';
import type { ToolDefinition } from '../tools.ts';
import type { Caller } from './call.ts';
import { nextTurn } from './step.ts';

/**
 * A language model as an agent.
 * @param options.tools what it is offered in prompt tasks
 */
export function createModelAgent({ caller, tools }: { caller: Caller; tools: ToolDefinition[] }): Agent {
  return {
    generatePage: () => Promise.reject(new DomainError('CONFIGURATION', 'Language models write no pages yet')),
    step: (conversation, { signal }) => nextTurn(caller, tools, conversation, signal),
  };
}

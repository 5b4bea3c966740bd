import type { Agent } from '../agent.ts';
import { nextTurn } from './prompt/step.ts';
import { createWritePool } from './writePool.ts';

/**
 * The embedded agent: needs no key and no network, invents no text, and answers the same for the same input.
 * `generatePage` maps the context's data onto the template's slots; `step` follows a documented set of plain-English
 * instructions.
 * @param options.timeLimit milliseconds after which a page is given up with LIMIT_EXCEEDED
 */
export function createRulesAgent(options: { timeLimit?: number } = {}): Agent & { close(): Promise<void> } {
  return {
    ...createWritePool(options),
    step: (conversation) => Promise.resolve().then(() => nextTurn(conversation)),
  };
}

import type { Agent } from '../agent.ts';
import { writePage } from './page/writePage.ts';
import { nextTurn } from './prompt/step.ts';

/**
 * The embedded agent: needs no key and no network, invents no text, and answers the same for the same input.
 * `generatePage` maps the context's data onto the template's slots; `step` follows a documented set of plain-English instructions.
 */
export function createRulesAgent(): Agent {
  return {
    generatePage: (template, item) => Promise.resolve().then(() => writePage(template, item)),
    step: (conversation) => Promise.resolve().then(() => nextTurn(conversation)),
  };
}

import { createRulesAgent } from '../../src/agents/rules/agent.ts';
import { createPagesPool } from '../../src/sites/pages/pagesPool.ts';
import { createThreads } from '../../src/threads/threads.ts';

/** The threads of all tests of this process: starting one and loading its modules takes longer than most tests' work. */
export const testThreads = createThreads();

/** Pages and the embedded agent in these threads. They end with the process: no test closes them. */
export const testPages = createPagesPool(testThreads);
export const testRules = createRulesAgent(testThreads);

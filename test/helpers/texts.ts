import { textCalls } from '../../src/agents/shared/texts/textsCalls.ts';
import type { PageTextCalls } from '../../src/agents/shared/texts/textsPool.ts';

/** What the tools ask threads, answered by the test's own thread. */
export const texts = Object.fromEntries(
  Object.entries(textCalls).map(([name, call]) => [
    name,
    async (...args: never[]) => (call as (...args: never[]) => unknown)(...args),
  ]),
) as unknown as PageTextCalls;

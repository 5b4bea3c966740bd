import { DomainError, hasErrorCode } from '../../errors.ts';
import { bindThreadCalls } from '../../threads/threadCalls.ts';
import { createThreadPool, serviceJobOwner } from '../../threads/threadPool.ts';
import type { NoteRemovalJob, RulesAgent, RulesChecks } from '../agentPorts.ts';
import { carryOutPrompt } from './carryOutPrompt.ts';
import type { RulesCalls, RulesWritingJob } from './rulesWorker.ts';

/** Where all wordings are listed, if no service shows the list. */
const WORDINGS_DOCUMENT = 'docs/prompts.md';

/**
 * Creates the embedded agent. It needs no key and no network, invents no text, and gives the same
 * answer for the same input. `generatePage` puts the context's data into the template's slots.
 * `carryOut` follows the documented instructions in plain English. Both read customers' texts, so
 * they run in threads.
 * @param wordingsUrl returns the URL of the list of all wordings, for error messages
 */
export function createRulesAgent(threads = createThreadPool(), wordingsUrl?: () => string) {
  const callFor = bindThreadCalls<RulesCalls>(threads, {
    worker: new URL('./rulesWorker.ts', import.meta.url),
    overLimit: describeOverLimit,
    shared: { writePage: ['template'], checkPage: ['template'] },
  });
  return {
    generatePage: ({ template, item }: RulesWritingJob, work = serviceJobOwner) =>
      callFor(work)('writePage', { template, item }),
    dropNoted: ({ page, notes }, work = serviceJobOwner) =>
      callFor(work)('dropNoted', { page, notes }),
    checkPage: ({ template, item }, work = serviceJobOwner) =>
      callFor(work)('checkPage', { template, item }),
    listKeys: (slots, work = serviceJobOwner) => callFor(work)('templateKeys', slots),
    carryOut: (workspace, prompt, work = serviceJobOwner) =>
      carryOutPrompt(callFor(work), workspace, prompt).catch((error: unknown) => {
        if (!hasErrorCode(error, 'NOT_UNDERSTOOD')) throw error;
        const { code, message } = error;
        throw new DomainError(
          code,
          `${message} All instructions: ${wordingsUrl?.() ?? WORDINGS_DOCUMENT}`,
          {
            cause: error,
          },
        );
      }),
    close: () => threads.close(),
  } satisfies RulesAgent & RulesChecks & { close(): Promise<void> };
}

function describeOverLimit(limit: string, name: keyof RulesCalls, [job]: unknown[]): string {
  switch (name) {
    case 'writePage':
    case 'checkPage':
      return `Page ${(job as RulesWritingJob).item.targetPageSlug} takes more than ${limit} to write. Shorten its context`;
    case 'dropNoted':
      return `Page ${(job as NoteRemovalJob).page.slug} takes more than ${limit} to read`;
    case 'templateKeys':
      return `The page takes more than ${limit} to read`;
    default:
      return `The prompt takes more than ${limit} to read. Shorten it`;
  }
}

import { DomainError, hasCode } from '../../errors.ts';
import { callsIn } from '../../threads/calls.ts';
import { createThreads, ownWork } from '../../threads/threads.ts';
import type { DropJob, Rules, RulesChecks } from '../port.ts';
import { carryOut } from './carryOut.ts';
import type { RulesCalls, WritingJob } from './rulesWorker.ts';

/** Where all wordings are listed, if no service shows the list. */
const LIST = 'docs/prompts.md';

/**
 * Creates the embedded agent. It needs no key and no network, invents no text, and gives the same
 * answer for the same input. `generatePage` puts the context's data into the template's slots.
 * `carryOut` follows the documented instructions in plain English. Both read customers' texts, so
 * they run in threads.
 * @param list returns the URL of the list of all wordings, for error messages
 */
export function createRulesAgent(threads = createThreads(), list?: () => string) {
  const callFor = callsIn<RulesCalls>(threads, {
    worker: new URL('./rulesWorker.ts', import.meta.url),
    overLimit,
    shared: { writePage: ['template'], checkPage: ['template'] },
  });
  return {
    generatePage: ({ template, item }: WritingJob, work = ownWork) =>
      callFor(work)('writePage', { template, item }),
    dropNoted: ({ page, notes }, work = ownWork) => callFor(work)('dropNoted', { page, notes }),
    checkPage: ({ template, item }, work = ownWork) =>
      callFor(work)('checkPage', { template, item }),
    listKeys: (slots, work = ownWork) => callFor(work)('templateKeys', slots),
    carryOut: (workspace, prompt, work = ownWork) =>
      carryOut(callFor(work), workspace, prompt).catch((error: unknown) => {
        if (!hasCode(error, 'NOT_UNDERSTOOD')) throw error;
        const { code, message } = error;
        throw new DomainError(code, `${message} All instructions: ${list?.() ?? LIST}`, {
          cause: error,
        });
      }),
    close: () => threads.close(),
  } satisfies Rules & RulesChecks & { close(): Promise<void> };
}

function overLimit(limit: string, name: keyof RulesCalls, [job]: unknown[]): string {
  switch (name) {
    case 'writePage':
    case 'checkPage':
      return `Page ${(job as WritingJob).item.targetPageSlug} takes more than ${limit} to write: shorten its context`;
    case 'dropNoted':
      return `Page ${(job as DropJob).page.slug} takes more than ${limit} to read`;
    case 'templateKeys':
      return `The page takes more than ${limit} to read`;
    default:
      return `The prompt takes more than ${limit} to read: shorten it`;
  }
}

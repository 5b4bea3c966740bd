import { DomainError, hasErrorCode } from '../../errors.ts';
import { bindThreadCalls } from '../../threads/threadCalls.ts';
import { createThreadPool, serviceJobOwner } from '../../threads/threadPool.ts';
import type { NoteRemovalJob, RulesAgent, RulesChecks } from '../agentPorts.ts';
import { carryOutPrompt } from './carryOutPrompt.ts';
import type { RulesCalls, RulesWritingJob } from './rulesWorker.ts';

/** The document that lists all wordings. Error messages name it if there is no `wordingsUrl`. */
const WORDINGS_DOCUMENT = 'docs/prompts.md';

/**
 * Creates the rules: the embedded agent, which works without a language model. It needs no key and
 * no network, invents no text, and gives the same answer for the same input.
 *
 * - `generatePage` writes a page (page/writeRulesPage.ts). From a template about Austin and the
 *   context `City: Lisbon`, it makes the new texts by slot: `{ s12: 'Web design in Lisbon' }`.
 * - `carryOut` carries out a prompt, such as `Change the headline of /about to "Us"` (prompt/).
 * - `checkPage` and `listKeys` tell beforehand what a page would be like, and which keys a context
 *   may have. The checks of whole tasks and batches are in checks/.
 * - `findNotedParts` finds the parts of a page to remove so that its notes are resolved. A note
 *   says what a person should check. `replaceNotedValues` writes a typed text in place of them,
 *   and `placeContextValues` gives unused values of the context a place.
 *
 * Reading customers' texts may take long, so all this runs in worker threads (rulesWorker.ts).
 * @param threads the pool of these threads; `close` ends it
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
    findNotedParts: ({ page, notes }, work = serviceJobOwner) =>
      callFor(work)('findNotedParts', { page, notes }),
    replaceNotedValues: (job, work = serviceJobOwner) => callFor(work)('replaceNotedValues', job),
    placeContextValues: (job, work = serviceJobOwner) => callFor(work)('placeContextValues', job),
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

/** Says that a call takes more than a limit, such as `1 s of CPU time`. */
export function describeOverLimit(limit: string, name: keyof RulesCalls, [job]: unknown[]): string {
  switch (name) {
    case 'writePage':
    case 'checkPage':
      return `Page ${(job as RulesWritingJob).item.targetPageSlug} takes more than ${limit} to write. Shorten its context`;
    case 'findNotedParts':
    case 'replaceNotedValues':
    case 'placeContextValues':
      return `Page ${(job as NoteRemovalJob).page.slug} takes more than ${limit} to read`;
    case 'templateKeys':
      return `The page takes more than ${limit} to read. Choose a shorter page as the template`;
    default:
      return `The prompt takes more than ${limit} to read. Shorten it`;
  }
}

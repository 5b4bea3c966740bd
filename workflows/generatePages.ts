import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  setHandler,
} from '@temporalio/workflow';
import { defined } from '../src/contract/defined.ts';
import { mergeNotes } from '../src/contract/mergedNotes.ts';
import {
  type AnsweredQuestion,
  type GeneratePagesWork,
  type PageItem,
  type RejectedPage,
  type TaskInput,
  type WrittenPage,
} from '../src/contract/task.ts';
import { unpackPage } from '../src/contract/packedNotes.ts';
import { textsOf } from '../src/contract/textsOf.ts';
import type { Activities } from '../activities/index.ts';
import { agentOf, gitSteps, refOf, siteOf } from './activities.ts';
import { atHome, byAgent } from './atHome.ts';
import { messageOf, settle } from './failures.ts';
import { isOurs, kindOf } from './failureKinds.ts';
import { contextsQuery, pagesQuery } from './messages.ts';
import { createPageQuestions, type PageQuestions } from './pageQuestions.ts';
import type { Progress } from './progress.ts';
import type { WorkResult } from './workResult.ts';
import { isUsedUp } from './spending.ts';

/** One page per item, in parallel; all of them or none. */
export async function generatePages(
  task: TaskInput,
  work: GeneratePagesWork,
  { progress, ...waits }: { progress: Progress } & Parameters<typeof createPageQuestions>[0],
): Promise<WorkResult> {
  const ref = refOf(task);
  progress.phase('reading');
  const targetPageSlugs = work.items.map(({ targetPageSlug }) => targetPageSlug);
  const { templatePageSlug, linkFrom } = work;
  const read = `Read ${siteOf(task)} and its template ${templatePageSlug}`;
  const { base, template, targets } = await atHome(task, gitSteps.readSite, read, {
    task: ref,
    templatePageSlug,
    targetPageSlugs,
    ...defined({ onto: task.onto, linkFrom }),
  });
  if (!template)
    throw ApplicationFailure.nonRetryable(
      `Template page not found: ${templatePageSlug}`,
      'TEMPLATE_NOT_FOUND',
    );

  progress.phase('working');
  const written = work.written?.digest === template.digest ? work.written.pages : {};
  const { spending } = progress;
  const questions = createPageQuestions(waits, work.items.length);
  const answered = { ...work.answered };
  const write = createWriter(
    task,
    { base, template, targets },
    { spending, answered, ask: questions.ask },
  );
  const generate = async (item: PageItem): Promise<WrittenPage> => {
    const page = written[item.targetPageSlug] ?? (await write(item));
    progress.pageDone(item.targetPageSlug);
    return page;
  };
  const keeping = questions.keepPlace();
  const attempts = await writeAll(work.items, generate, questions.done);
  await keeping;
  const failed = attempts.flatMap((result, i) =>
    result.ok ? [] : [{ slug: work.items[i]!.targetPageSlug, error: result.error }],
  );
  if (failed.length > 0) throw failureOf(failed, work.items.length);
  const texts = attempts.flatMap((result) => (result.ok ? [result.value] : []));

  progress.phase('committing');
  const pages = targets.map(({ slug }, i) => [slug, textsOf(texts[i]!)] as const);
  setHandler(contextsQuery, () =>
    work.items.flatMap(({ context, targetPageSlug }) => [
      context,
      ...(answered[targetPageSlug] ?? []).flatMap(({ answer }) => answer ?? []),
    ]),
  );
  setHandler(pagesQuery, () => Object.fromEntries(pages));
  const commit = `Commit ${pages.length} page(s) to ${siteOf(task)}`;
  const edit = {
    type: 'generate_pages' as const,
    template,
    pages: targets,
    ...defined({ linkFrom }),
  };
  const changes = await atHome(task, gitSteps.commitChanges, commit, { task: ref, base, edit });
  const externalIds = Object.fromEntries(
    work.items.flatMap((item) =>
      item.externalId === undefined ? [] : [[item.targetPageSlug, item.externalId]],
    ),
  );
  return {
    base,
    ...changes,
    notes: mergeNotes([...texts, changes].flatMap(({ notes = [] }) => notes)),
    externalIds,
    ...defined({ usage: spending.usage() }),
  };
}

type PageJob = Pick<Parameters<Activities['generatePage']>[0], 'base' | 'template' | 'targets'>;

interface Writing extends Pick<Progress, 'spending'> {
  /** The questions of pages, by slug. The writer adds new ones. */
  answered: Record<string, AnsweredQuestion[]>;
  ask: PageQuestions['ask'];
}

/**
 * Writes a page in one step. Where a model's page is rejected, a second step mends it, once. Where
 * the model asks, another step has the answer.
 */
function createWriter(
  task: TaskInput,
  { targets, ...site }: PageJob,
  { spending, answered, ask }: Writing,
) {
  const { model, budget } = task;
  const mayAsk = model !== undefined && task.ask === 'allowed';
  const job = {
    task: refOf(task),
    ...site,
    ...(model !== undefined && defined({ model, budget, targets })),
  };
  const step = async (item: PageItem, rejected: RejectedPage | undefined) => {
    spending.beforeCall();
    const slug = item.targetPageSlug;
    const title = `${rejected ? 'Mend' : 'Write'} ${slug} for ${siteOf(task)}`;
    const questions = mayAsk ? (answered[slug] ?? []) : undefined;
    const argument = { ...job, item, ...defined({ rejected, questions }) };
    const call = byAgent(task, agentOf(task).generatePage, title, argument);
    const page = await spending.evenIfFailed(call);
    const { usage } = page.rejected ?? page;
    spending.add({ usage, workedMs: page.workedMs, page: slug });
    return page;
  };
  return async (item: PageItem): Promise<WrittenPage> => {
    const slug = item.targetPageSlug;
    for (let rejected: RejectedPage | undefined; ;) {
      const page = await step(item, rejected);
      if ('asked' in page) {
        const answer = await ask(page.asked, slug);
        answered[slug] = [...(answered[slug] ?? []), { ...page.asked, answer }];
      } else if (!page.rejected) return unpackPage(page);
      else if (rejected)
        throw ApplicationFailure.nonRetryable(page.rejected.problems.join('; '), 'PAGE_REJECTED');
      else ({ rejected } = page);
    }
  };
}

/** Writes all pages, and returns the error of each that failed. The budget's end stops the rest. */
function writeAll(
  items: PageItem[],
  write: (item: PageItem) => Promise<WrittenPage>,
  done: PageQuestions['done'],
) {
  const writing = new CancellationScope();
  const writeOne = async (item: PageItem) => {
    const written = await settle(write(item));
    done(written.ok);
    if (!written.ok && isUsedUp(written.error)) writing.cancel();
    return written;
  };
  return writing.run(() => Promise.all(items.map(writeOne)));
}

function failureOf(failed: { slug: string; error: unknown }[], total: number): Error {
  const usedUp = failed.find(({ error }) => isUsedUp(error));
  if (usedUp) return usedUp.error as Error;
  const cancelled = failed.find(({ error }) => isCancellation(error));
  if (cancelled) return cancelled.error as Error;
  const reasons = failed.map(({ slug, error }) => `${slug}: ${messageOf(error)}`).join('; ');
  const message = `${failed.length} of ${total} pages failed: ${reasons}`;
  const { error } = failed.find(({ error }) => isOurs(kindOf(error))) ?? failed[0]!;
  return ApplicationFailure.create({
    message,
    type: 'ITEM_FAILED',
    nonRetryable: true,
    cause: error as Error,
  });
}

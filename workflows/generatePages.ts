import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  setHandler,
} from '@temporalio/workflow';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import { mergeNotes } from '../src/contract/notes/mergeNotes.ts';
import {
  type AnsweredQuestion,
  type GeneratePagesWork,
  type PageItem,
  type RejectedPage,
  type TaskInput,
  type WrittenPage,
} from '../src/contract/task.ts';
import { unpackPage } from '../src/contract/notes/packNotes.ts';
import { committedContent } from '../src/contract/committedContent.ts';
import type { TaskActivities } from '../activities/index.ts';
import { agentActivities, gitActivities, taskRefOf, siteLabel } from './activityProxies.ts';
import { runOnPreferredWorker, runByAgent } from './preferredWorker.ts';
import { clientMessage, settle } from './failures.ts';
import { isServiceFault, failureKindOfError } from './failureKinds.ts';
import { contextsQuery, pagesQuery } from './taskMessages.ts';
import { createPageQuestions, type PageQuestions } from './pageQuestions.ts';
import type { ProgressReporter } from './progress.ts';
import type { WorkResult } from './workResult.ts';
import { isBudgetUsedUp } from './usageCounter.ts';

/**
 * The work of a task that generates pages: writes a page for each item in parallel, and commits all
 * pages together. If one page fails, nothing is committed. A retried task reuses the pages that an
 * earlier task has written (`work.written`), as long as the template is the same.
 * @returns the commit, and the notes: what people should check on the pages
 */
export async function generateTaskPages(
  task: TaskInput,
  work: GeneratePagesWork,
  {
    progress,
    ...waitContext
  }: { progress: ProgressReporter } & Parameters<typeof createPageQuestions>[0],
): Promise<WorkResult> {
  const taskRef = taskRefOf(task);
  progress.phase('reading');
  const targetPageSlugs = work.items.map(({ targetPageSlug }) => targetPageSlug);
  const { templatePageSlug, linkFrom } = work;
  const readTitle = `Read ${siteLabel(task)} with the template ${templatePageSlug}`;
  const { base, template, targets } = await runOnPreferredWorker(
    task,
    gitActivities.readSite,
    readTitle,
    {
      task: taskRef,
      templatePageSlug,
      targetPageSlugs,
      ...withoutUndefined({ baseTask: task.baseTask, linkFrom }),
    },
  );
  if (!template)
    throw ApplicationFailure.nonRetryable(
      `Template page not found: ${templatePageSlug}`,
      'TEMPLATE_NOT_FOUND',
    );

  progress.phase('working');
  const keptPages = work.written?.digest === template.digest ? work.written.pages : {};
  const { usageCounter } = progress;
  const questions = createPageQuestions(waitContext, work.items.length);
  const answered = { ...work.answered };
  const writePage = createWriter(
    task,
    { base, template, targets },
    { usageCounter, answered, ask: questions.ask },
  );
  const generate = async (pageItem: PageItem): Promise<WrittenPage> => {
    const page = keptPages[pageItem.targetPageSlug] ?? (await writePage(pageItem));
    progress.pageDone(pageItem.targetPageSlug);
    return page;
  };
  const permitKeeping = questions.keepPermit();
  const writeResults = await writeAllPages(work.items, generate, questions.done);
  await permitKeeping;
  const failedPages = writeResults.flatMap((result, i) =>
    result.ok ? [] : [{ slug: work.items[i]!.targetPageSlug, error: result.error }],
  );
  if (failedPages.length > 0) throw pagesFailure(failedPages, work.items.length);
  const writtenPages = writeResults.flatMap((result) => (result.ok ? [result.value] : []));

  progress.phase('committing');
  const pageTexts = targets.map(
    ({ slug }, i) => [slug, committedContent(writtenPages[i]!)] as const,
  );
  setHandler(contextsQuery, () =>
    work.items.flatMap(({ context, targetPageSlug }) => [
      context,
      ...(answered[targetPageSlug] ?? []).flatMap(({ answer }) => answer ?? []),
    ]),
  );
  setHandler(pagesQuery, () => Object.fromEntries(pageTexts));
  const commitTitle = `Commit ${pageTexts.length} page(s) to ${siteLabel(task)}`;
  const edit = {
    type: 'generate_pages' as const,
    template,
    pages: targets,
    ...withoutUndefined({ linkFrom }),
  };
  const changes = await runOnPreferredWorker(task, gitActivities.commitChanges, commitTitle, {
    task: taskRef,
    base,
    edit,
  });
  const externalIds = Object.fromEntries(
    work.items.flatMap((pageItem) =>
      pageItem.externalId === undefined ? [] : [[pageItem.targetPageSlug, pageItem.externalId]],
    ),
  );
  return {
    base,
    ...changes,
    notes: mergeNotes([...writtenPages, changes].flatMap(({ notes = [] }) => notes)),
    externalIds,
    ...withoutUndefined({ usage: usageCounter.usage() }),
  };
}

type TemplateAndTargets = Pick<
  Parameters<TaskActivities['generatePage']>[0],
  'base' | 'template' | 'targets'
>;

interface PageWriterContext extends Pick<ProgressReporter, 'usageCounter'> {
  /** The questions of pages, by slug. The writer adds new ones. */
  answered: Record<string, AnsweredQuestion[]>;
  ask: PageQuestions['ask'];
}

/**
 * Returns a function that writes one page, by one activity as a rule. If the model's answer is
 * rejected, a second activity repairs it, once. If the model asks a question, another activity
 * continues with the answer.
 */
function createWriter(
  task: TaskInput,
  { targets, ...site }: TemplateAndTargets,
  { usageCounter, answered, ask }: PageWriterContext,
) {
  const { model, budget } = task;
  const mayAsk = model !== undefined && task.ask === 'allowed';
  const baseArgument = {
    task: taskRefOf(task),
    ...site,
    ...(model !== undefined && withoutUndefined({ model, budget, targets })),
  };
  const callAgent = async (pageItem: PageItem, rejected: RejectedPage | undefined) => {
    usageCounter.beforeCall();
    const slug = pageItem.targetPageSlug;
    const title = `${rejected ? 'Repair' : 'Write'} ${slug} for ${siteLabel(task)}`;
    const questions = mayAsk ? (answered[slug] ?? []) : undefined;
    const argument = {
      ...baseArgument,
      item: pageItem,
      ...withoutUndefined({ rejected, questions }),
    };
    const agentCall = runByAgent(task, agentActivities(task).generatePage, title, argument);
    const page = await usageCounter.countEvenIfFailed(agentCall);
    const { usage } = page.rejected ?? page;
    usageCounter.add({ usage, workedMs: page.workedMs, page: slug });
    return page;
  };
  return async (pageItem: PageItem): Promise<WrittenPage> => {
    const slug = pageItem.targetPageSlug;
    for (let rejected: RejectedPage | undefined; ;) {
      const page = await callAgent(pageItem, rejected);
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

/** Writes all pages. Returns each page or its error. If the budget is used up, stops the rest. */
function writeAllPages(
  items: PageItem[],
  writePage: (pageItem: PageItem) => Promise<WrittenPage>,
  reportDone: PageQuestions['done'],
) {
  const writingScope = new CancellationScope();
  const writeOne = async (pageItem: PageItem) => {
    const writeResult = await settle(writePage(pageItem));
    reportDone(writeResult.ok);
    if (!writeResult.ok && isBudgetUsedUp(writeResult.error)) writingScope.cancel();
    return writeResult;
  };
  return writingScope.run(() => Promise.all(items.map(writeOne)));
}

function pagesFailure(failedPages: { slug: string; error: unknown }[], total: number): Error {
  const overBudgetPage = failedPages.find(({ error }) => isBudgetUsedUp(error));
  if (overBudgetPage) return overBudgetPage.error as Error;
  const cancelledPage = failedPages.find(({ error }) => isCancellation(error));
  if (cancelledPage) return cancelledPage.error as Error;
  const reasons = failedPages
    .map(({ slug, error }) => `${slug}: ${clientMessage(error)}`)
    .join('; ');
  const message = `${failedPages.length} of ${total} pages failed: ${reasons}`;
  const { error } =
    failedPages.find(({ error }) => isServiceFault(failureKindOfError(error))) ?? failedPages[0]!;
  return ApplicationFailure.create({
    message,
    type: 'ITEM_FAILED',
    nonRetryable: true,
    cause: error as Error,
  });
}

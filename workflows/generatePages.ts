import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  setHandler,
} from '@temporalio/workflow';
import { defined } from '../src/contract/defined.ts';
import {
  type GeneratePagesWork,
  type PageItem,
  type RejectedPage,
  type TaskInput,
  type WrittenPage,
} from '../src/contract/task.ts';
import { textsOf } from '../src/contract/textsOf.ts';
import type { Activities } from '../activities/index.ts';
import { agentOf, git, refOf, siteOf } from './activities.ts';
import { atHome, byAgent } from './atHome.ts';
import { attempt, messageOf } from './failures.ts';
import { isOurs, kindOf } from './failureKinds.ts';
import { contextsQuery } from './messages.ts';
import type { Progress } from './progress.ts';
import type { WorkResult } from './workResult.ts';
import { isUsedUp } from './spending.ts';

/** One page per item, in parallel; all of them or none. */
export async function generatePages(
  task: TaskInput,
  work: GeneratePagesWork,
  progress: Progress,
): Promise<WorkResult> {
  const ref = refOf(task);
  progress.phase('reading');
  const targetPageSlugs = work.items.map(({ targetPageSlug }) => targetPageSlug);
  const { templatePageSlug, linkFrom } = work;
  const read = `Read ${siteOf(task)} and its template ${templatePageSlug}`;
  const { base, template, targets } = await atHome(task, git.readSite, read, {
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
  const write = createWriter(task, { base, template, targets }, spending);
  const generate = async (item: PageItem): Promise<WrittenPage> => {
    const page = written[item.targetPageSlug] ?? (await write(item));
    progress.pageDone(item.targetPageSlug);
    return page;
  };
  const attempts = await writeAll(work.items, generate);
  const failed = attempts.flatMap((result, i) =>
    result.ok ? [] : [{ slug: work.items[i]!.targetPageSlug, error: result.error }],
  );
  if (failed.length > 0) throw failureOf(failed, work.items.length);
  const texts = attempts.flatMap((result) => (result.ok ? [result.value] : []));

  progress.phase('committing');
  const pages = targets.map((target, i) => ({ ...target, ...textsOf(texts[i]!) }));
  setHandler(contextsQuery, () => work.items.map(({ context }) => context));
  const commit = `Commit ${pages.length} page(s) to ${siteOf(task)}`;
  const edit = { type: 'generate_pages' as const, template, pages, ...defined({ linkFrom }) };
  const changes = await atHome(task, git.commitChanges, commit, { task: ref, base, edit });
  const externalIds = Object.fromEntries(
    work.items.flatMap((item) =>
      item.externalId === undefined ? [] : [[item.targetPageSlug, item.externalId]],
    ),
  );
  return {
    base,
    ...changes,
    notes: [...texts, changes].flatMap(({ notes = [] }) => notes),
    externalIds,
    ...defined({ usage: spending.usage() }),
  };
}

type PageJob = Pick<Parameters<Activities['generatePage']>[0], 'base' | 'template' | 'targets'>;

/** Writes a page in one step. Where a model's page is rejected, a second step mends it, once. */
function createWriter(
  task: TaskInput,
  { targets, ...site }: PageJob,
  spending: Progress['spending'],
) {
  const { model, budget } = task;
  const job = {
    task: refOf(task),
    ...site,
    ...(model !== undefined && defined({ model, budget, targets })),
  };
  const step = async (title: string, argument: { item: PageItem; rejected?: RejectedPage }) => {
    spending.beforeCall();
    const { generatePage } = agentOf(task);
    const call = byAgent(task, generatePage, `${title} for ${siteOf(task)}`, {
      ...job,
      ...argument,
    });
    const page = await spending.evenIfFailed(call);
    const { usage } = page.rejected ?? page;
    spending.add({ usage, workedMs: page.workedMs, page: argument.item.targetPageSlug });
    return page;
  };
  return async (item: PageItem): Promise<WrittenPage> => {
    const page = await step(`Write ${item.targetPageSlug}`, { item });
    if (!page.rejected) return page;
    const mended = await step(`Mend ${item.targetPageSlug}`, { item, rejected: page.rejected });
    if (mended.rejected)
      throw ApplicationFailure.nonRetryable(mended.rejected.problems.join('; '), 'PAGE_REJECTED');
    return mended;
  };
}

/** Writes all pages, and returns the error of each that failed. The budget's end stops the rest. */
function writeAll(items: PageItem[], write: (item: PageItem) => Promise<WrittenPage>) {
  const writing = new CancellationScope();
  const writeOne = async (item: PageItem) => {
    const written = await attempt(write(item));
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

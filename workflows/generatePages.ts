import { ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { defined } from '../src/contract/defined.ts';
import {
  type GeneratePagesWork,
  notesOf,
  type PageItem,
  type TaskInput,
  type WrittenPage,
} from '../src/contract/task.ts';
import { git, model, refOf, summary } from './activities.ts';
import { attempt, messageOf } from './failures.ts';
import type { Progress } from './progress.ts';
import type { WorkResult } from './result.ts';

/** One page per item, in parallel; all of them or none. */
export async function generatePages(task: TaskInput, work: GeneratePagesWork, progress: Progress): Promise<WorkResult> {
  const ref = refOf(task);
  progress.phase('reading');
  const targetPageSlugs = work.items.map(({ targetPageSlug }) => targetPageSlug);
  const read = summary(`Read the site and the template ${work.templatePageSlug}`);
  const { base, template, targets } = await git.readSite.executeWithOptions(read, [
    {
      task: ref,
      templatePageSlug: work.templatePageSlug,
      targetPageSlugs,
      ...defined({ onto: task.onto, linkFrom: work.linkFrom }),
    },
  ]);
  if (!template) throw ApplicationFailure.nonRetryable(`Template page not found: ${work.templatePageSlug}`);

  progress.phase('working');
  const written = work.written?.digest === template.digest ? work.written.pages : {};
  const job = { task: ref, base, template, ...defined({ model: task.model }) };
  const write = async (item: PageItem): Promise<WrittenPage> => {
    const slug = item.targetPageSlug;
    const page = await model.generatePage.executeWithOptions(summary(`Write ${slug}`), [{ ...job, item }]);
    if (!page.rejected) return page;
    const { rejected } = page;
    const mended = await model.generatePage.executeWithOptions(summary(`Mend ${slug}`), [{ ...job, item, rejected }]);
    if (mended.rejected) throw ApplicationFailure.nonRetryable(mended.rejected.problems.join('; '), 'PAGE_REJECTED');
    return mended;
  };
  const generate = async (item: PageItem): Promise<WrittenPage> => {
    const page = written[item.targetPageSlug] ?? (await write(item));
    progress.pageDone(item.targetPageSlug);
    return page;
  };
  const attempts = await Promise.all(work.items.map((item) => attempt(generate(item))));
  const failed = attempts.flatMap((result, i) =>
    result.ok ? [] : [{ slug: work.items[i]!.targetPageSlug, error: result.error }],
  );
  if (failed.length > 0) throw failureOf(failed, work.items.length);
  const texts = attempts.flatMap((result) => (result.ok ? [result.value] : []));

  progress.phase('committing');
  const pages = targets.map((target, i) => {
    const { texts: own, groups, removed, lang, country } = texts[i]!;
    return { ...target, texts: own, ...defined({ groups, removed, lang, country }) };
  });
  const commit = summary(`Commit ${pages.length} page(s)`);
  const changes = await git.commitChanges.executeWithOptions(commit, [
    { task: ref, base, edit: { type: 'generate_pages', template, pages, ...defined({ linkFrom: work.linkFrom }) } },
  ]);
  const externalIds = Object.fromEntries(
    work.items.flatMap((item) => (item.externalId === undefined ? [] : [[item.targetPageSlug, item.externalId]])),
  );
  return {
    base,
    ...changes,
    notes: [...texts, changes].flatMap(notesOf),
    externalIds,
  };
}

function failureOf(failed: { slug: string; error: unknown }[], total: number): Error {
  const cancelled = failed.find(({ error }) => isCancellation(error));
  if (cancelled) return cancelled.error as Error;
  const reasons = failed.map(({ slug, error }) => `${slug}: ${messageOf(error)}`).join('; ');
  return ApplicationFailure.nonRetryable(`${failed.length} of ${total} pages failed: ${reasons}`, 'ITEM_FAILED');
}

import { type Client, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { defined } from '../../contract/defined.ts';
import { apart, type PagesTogether } from '../../contract/together.ts';
import type { RejectedPage, TaskInput, TaskWork, WrittenPage } from '../../contract/task.ts';
import type { Activities } from '../../../activities/index.ts';
import type { Calls } from './calls.ts';
import { payloadReader } from './payloads.ts';
import { notFound, unavailable } from './taskRecord.ts';
import type { TaskRequest } from './tasks.ts';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
type Event = NonNullable<History['events']>[number];
type Scheduled = NonNullable<Event['activityTaskScheduledEventAttributes']>;
type Payloads = ReturnType<typeof payloadReader>;

const READ_WITHIN_MS = 10_000;

/** The fields of the arguments of `generatePage` and `generatePages` that are read here. */
interface PageArgument {
  template: { digest: string };
  item?: { targetPageSlug: string };
  items?: { targetPageSlug: string }[];
}
type Answer = WrittenPage | { rejected: RejectedPage } | PagesTogether;

/** Failures of a commit that the written texts themselves cause: the same texts would fail again. */
const UNFIT_TEXTS = ['CHECK_FAILED', 'LIMIT_EXCEEDED'];

/**
 * A task's request and the pages written for it, from its workflow's history.
 * @throws DomainError NOT_FOUND, UNAVAILABLE
 */
export async function readTaskHistory(client: Client, calls: Calls, taskId: string): Promise<TaskRequest> {
  const { events: told } = await calls
    .within(READ_WITHIN_MS, () => client.workflow.getHandle(taskId).fetchHistory())
    .catch((cause: unknown) => {
      throw cause instanceof WorkflowNotFoundError ? notFound() : unavailable(cause);
    });
  const events = told ?? [];
  const payloads = payloadReader(client, taskId);
  const input = await payloads.ofWorkflow<TaskInput>(events[0]?.workflowExecutionStartedEventAttributes?.input);
  if (!input) throw notFound();
  if (hasUnfitTexts(events)) return { input: { ...input, work: withoutWritten(input.work) } };
  const written = await writtenIn(events, payloads);
  return defined({ input, written });
}

/** The steps of one kind in a history, by their event ids. */
function stepsIn(events: Event[], activity: keyof Activities): Map<string, Scheduled> {
  const steps = new Map<string, Scheduled>();
  for (const { eventId, activityTaskScheduledEventAttributes: scheduled } of events)
    if (scheduled?.activityType?.name === activity) steps.set(String(eventId), scheduled);
  return steps;
}

async function writtenIn(events: Event[], { ofActivity }: Payloads): Promise<TaskRequest['written']> {
  const [alone, others] = [stepsIn(events, 'generatePage'), stepsIn(events, 'generatePages')];
  let written: TaskRequest['written'];
  for (const { activityTaskCompletedEventAttributes: completed } of events) {
    const scheduledBy = String(completed?.scheduledEventId);
    const step = alone.get(scheduledBy) ?? others.get(scheduledBy);
    if (!completed || !step) continue;
    const id = step.activityId ?? '';
    const argument = await ofActivity<PageArgument>(id, step.input);
    const answer = await ofActivity<Answer>(id, completed.result);
    if (!argument || !answer) continue;
    for (const [slug, page] of pagesIn(argument, answer)) {
      written ??= { digest: argument.template.digest, pages: {} };
      written.pages[slug] = page;
    }
  }
  return written;
}

function pagesIn({ item, items = [] }: PageArgument, answer: Answer): [string, WrittenPage][] {
  if ('rejected' in answer) return [];
  if (!('pages' in answer)) return [[item!.targetPageSlug, answer]];
  const slugs = items.map(({ targetPageSlug }) => targetPageSlug);
  return apart(slugs, answer).flatMap((page, i) => (page ? [[slugs[i]!, page]] : []));
}

function hasUnfitTexts(events: Event[]): boolean {
  const commits = stepsIn(events, 'commitChanges');
  return events.some(({ activityTaskFailedEventAttributes: failed }) => {
    const type = failed?.failure?.applicationFailureInfo?.type ?? '';
    return commits.has(String(failed?.scheduledEventId)) && UNFIT_TEXTS.includes(type);
  });
}

function withoutWritten(work: TaskWork): TaskWork {
  if (work.type !== 'generate_pages') return work;
  return defined({ ...work, written: undefined });
}

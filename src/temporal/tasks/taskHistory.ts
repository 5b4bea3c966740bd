import { type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { defined } from '../../contract/defined.ts';
import { unpackPage } from '../../contract/packedNotes.ts';
import type { AnsweredQuestion, TaskInput, TaskWork } from '../../contract/task.ts';
import type { Activities } from '../../../activities/index.ts';
import type { Calls } from './calls.ts';
import { payloadReader } from './payloadReader.ts';
import { notFound, unavailable } from './taskRecord.ts';
import type { TaskRequest } from './tasks.ts';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
type Event = NonNullable<History['events']>[number];
type Scheduled = NonNullable<Event['activityTaskScheduledEventAttributes']>;
type Payloads = ReturnType<typeof payloadReader>;

const READ_WITHIN_MS = 10_000;

type PageArgument = Parameters<Activities['generatePage']>[0];
type Answer = Awaited<ReturnType<Activities['generatePage']>>;

/** Failures of a commit that the written texts caused. The same texts would fail again. */
const UNFIT_TEXTS = ['CHECK_FAILED', 'LIMIT_EXCEEDED'];

/**
 * A task's request and the pages written for it, from its workflow's history.
 * @throws DomainError NOT_FOUND, UNAVAILABLE
 */
export async function readTaskHistory(calls: Calls, taskId: string): Promise<TaskRequest> {
  const { client } = calls;
  const { events: told } = await calls
    .within(READ_WITHIN_MS, () => client.workflow.getHandle(taskId).fetchHistory())
    .catch((cause: unknown) => {
      throw cause instanceof WorkflowNotFoundError ? notFound() : unavailable(cause);
    });
  const events = told ?? [];
  const payloads = payloadReader(client, taskId);
  const input = await payloads.ofWorkflow<TaskInput>(
    events[0]?.workflowExecutionStartedEventAttributes?.input,
  );
  if (!input) throw notFound();
  const { written, ...answered } = await pagesIn(events, payloads);
  if (hasUnfitTexts(events))
    return { input: { ...input, work: withoutWritten(input.work) }, ...answered };
  return { input, ...answered, ...defined({ written }) };
}

/** The steps of one kind in a history, by event id. */
function stepsIn(events: Event[], activity: keyof Activities): Map<string, Scheduled> {
  const steps = new Map<string, Scheduled>();
  for (const { eventId, activityTaskScheduledEventAttributes: scheduled } of events)
    if (scheduled?.activityType?.name === activity) steps.set(String(eventId), scheduled);
  return steps;
}

/** The pages that were written, and what people answered to those that asked. */
async function pagesIn(
  events: Event[],
  { ofActivity }: Payloads,
): Promise<Omit<TaskRequest, 'input'>> {
  const results = new Map(
    events.map(({ activityTaskCompletedEventAttributes: completed }) => [
      String(completed?.scheduledEventId),
      completed?.result,
    ]),
  );
  let written: TaskRequest['written'];
  const answered: Record<string, AnsweredQuestion[]> = {};
  for (const [eventId, { activityId, input }] of stepsIn(events, 'generatePage')) {
    const id = activityId ?? '';
    const argument = await ofActivity<PageArgument>(id, input);
    if (!argument) continue;
    const { template, item, questions = [] } = argument;
    const given = questions.filter(({ answer }) => answer !== null);
    if (given.length > 0) answered[item.targetPageSlug] = given;
    const page = await ofActivity<Answer>(id, results.get(eventId));
    if (!page || page.rejected || 'asked' in page) continue;
    written ??= { digest: template.digest, pages: {} };
    written.pages[item.targetPageSlug] = unpackPage(page);
  }
  return { answered, ...defined({ written }) };
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

import { type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { unpackPage } from '../../contract/notes/packNotes.ts';
import type { AnsweredQuestion, TaskInput, TaskWork } from '../../contract/task.ts';
import type { TaskActivities } from '../../../activities/index.ts';
import type { TemporalCalls } from './temporalCalls.ts';
import { createPayloadReader } from './payloadReader.ts';
import { taskNotFound, taskUnavailable } from './taskRecord.ts';
import type { RecordedTaskRequest } from './taskService.ts';

type WorkflowHistory = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
type HistoryEvent = NonNullable<WorkflowHistory['events']>[number];
type ScheduledActivity = NonNullable<HistoryEvent['activityTaskScheduledEventAttributes']>;
type PayloadReader = ReturnType<typeof createPayloadReader>;

const READ_WITHIN_MS = 10_000;

type GeneratePageArgument = Parameters<TaskActivities['generatePage']>[0];
type RecordedPageAnswer = Awaited<ReturnType<TaskActivities['generatePage']>>;

/** Failures of a commit that the written texts caused. The same texts would fail again. */
const UNFIT_TEXTS = ['CHECK_FAILED', 'LIMIT_EXCEEDED'];

/**
 * Reads a task's request, the pages written for it and people's answers from its workflow's
 * history, so that a retry can reuse them. Without pages, if the commit failed because of their
 * texts.
 * @throws DomainError NOT_FOUND, UNAVAILABLE
 */
export async function readTaskHistory(
  calls: TemporalCalls,
  taskId: string,
): Promise<RecordedTaskRequest> {
  const { client } = calls;
  const { events: rawEvents } = await calls
    .within(READ_WITHIN_MS, () => client.workflow.getHandle(taskId).fetchHistory())
    .catch((cause: unknown) => {
      throw cause instanceof WorkflowNotFoundError ? taskNotFound() : taskUnavailable(cause);
    });
  const events = rawEvents ?? [];
  const payloads = createPayloadReader(client, taskId);
  const input = await payloads.ofWorkflow<TaskInput>(
    events[0]?.workflowExecutionStartedEventAttributes?.input,
  );
  if (!input) throw taskNotFound();
  const { written, ...answered } = await writtenPagesIn(events, payloads);
  if (hasUnfitTexts(events))
    return { input: { ...input, work: withoutWritten(input.work) }, ...answered };
  return { input, ...answered, ...withoutUndefined({ written }) };
}

/** The scheduled activities of one type in a history, by event id. */
function activitiesIn(
  events: HistoryEvent[],
  activity: keyof TaskActivities,
): Map<string, ScheduledActivity> {
  const steps = new Map<string, ScheduledActivity>();
  for (const { eventId, activityTaskScheduledEventAttributes: scheduled } of events)
    if (scheduled?.activityType?.name === activity) steps.set(String(eventId), scheduled);
  return steps;
}

/** The pages that were written, and people's answers to the questions of pages. */
async function writtenPagesIn(
  events: HistoryEvent[],
  { ofActivity }: PayloadReader,
): Promise<Omit<RecordedTaskRequest, 'input'>> {
  const results = new Map(
    events.map(({ activityTaskCompletedEventAttributes: completed }) => [
      String(completed?.scheduledEventId),
      completed?.result,
    ]),
  );
  let writtenPages: RecordedTaskRequest['written'];
  const answersByPage: Record<string, AnsweredQuestion[]> = {};
  for (const [eventId, { activityId, input }] of activitiesIn(events, 'generatePage')) {
    const id = activityId ?? '';
    const argument = await ofActivity<GeneratePageArgument>(id, input);
    if (!argument) continue;
    const { template, item, questions = [] } = argument;
    const givenAnswers = questions.filter(({ answer }) => answer !== null);
    if (givenAnswers.length > 0) answersByPage[item.targetPageSlug] = givenAnswers;
    const page = await ofActivity<RecordedPageAnswer>(id, results.get(eventId));
    if (!page || page.rejected || 'asked' in page) continue;
    writtenPages ??= { digest: template.digest, pages: {} };
    writtenPages.pages[item.targetPageSlug] = unpackPage(page);
  }
  return { answered: answersByPage, ...withoutUndefined({ written: writtenPages }) };
}

function hasUnfitTexts(events: HistoryEvent[]): boolean {
  const commitActivities = activitiesIn(events, 'commitChanges');
  return events.some(({ activityTaskFailedEventAttributes: failed }) => {
    const type = failed?.failure?.applicationFailureInfo?.type ?? '';
    return commitActivities.has(String(failed?.scheduledEventId)) && UNFIT_TEXTS.includes(type);
  });
}

function withoutWritten(work: TaskWork): TaskWork {
  if (work.type !== 'generate_pages') return work;
  return withoutUndefined({ ...work, written: undefined });
}

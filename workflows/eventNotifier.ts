import {
  CancellationScope,
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  startChild,
} from '@temporalio/workflow';
import {
  type EndpointFlag,
  EVENT_PAGES,
  EVENT_TEXT_LENGTH,
  EVENT_WORKFLOW,
  type DistributiveOmit,
  type EventInput,
  type EventListeners,
  eventWorkflowId,
  mailedTypes,
  type NewEvent,
} from '../src/contract/events.ts';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import {
  type FailureKind,
  needsCheck,
  type Page,
  type TaskInput,
  type TaskOutcome,
} from '../src/contract/task.ts';
import { settle } from './failures.ts';

/** An event without its time, which is now. */
export type HappenedEvent = DistributiveOmit<NewEvent, 'timestamp'>;

export interface EventNotifier {
  /**
   * Starts a workflow that delivers the event, if anybody listens. A cancel of the task does not
   * stop it. Its id is derived from the event's, so that an event is never sent twice.
   */
  notify(event: HappenedEvent): Promise<void>;
  /** Uses what a later activity knows: somebody may have added an endpoint meanwhile. */
  learn(newest: EndpointFlag | undefined): void;
}

/** Creates the notifier of a task or batch. Without listeners, it adds nothing to the history. */
export function createNotifier({
  organizationId,
  listeners = {},
  heartbeats,
}: Pick<TaskInput, 'organizationId' | 'heartbeats'> & {
  listeners?: EventListeners;
}): EventNotifier {
  let hasEndpoints = listeners.endpoints ?? false;
  return {
    learn(newest) {
      hasEndpoints = newest?.hasEndpoints ?? false;
    },
    async notify(happened) {
      const userId = isMailed(happened) ? listeners.userId : undefined;
      if (!hasEndpoints && userId === undefined) return;
      const event = { ...happened, timestamp: new Date().toISOString() };
      const input: EventInput = {
        organizationId,
        event,
        ...withoutUndefined({ userId, heartbeats }),
      };
      const options = {
        workflowId: eventWorkflowId(event.eventId),
        args: [input] as [EventInput],
        parentClosePolicy: ParentClosePolicy.ABANDON,
        cancellationType: ChildWorkflowCancellationType.ABANDON,
        workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
        staticSummary: `${event.type} ${event.eventId}`,
      };
      // it fails only if the event's workflow exists already
      await CancellationScope.nonCancellable(() =>
        settle(startChild<(eventInput: EventInput) => Promise<void>>(EVENT_WORKFLOW, options)),
      );
    },
  };
}

/** The person who cancelled a task knows that. */
const isMailed = (event: HappenedEvent) =>
  mailedTypes.includes(event.type) &&
  !(event.type === 'task.failed' && event.data.failureKind === 'cancelled') &&
  !(event.type === 'batch.completed' && event.data.status === 'cancelled');

/** The first characters of a text in an event. */
export const eventText = (text: string) => text.slice(0, EVENT_TEXT_LENGTH).toWellFormed();

type TaskSubject = Pick<TaskInput, 'taskId' | 'siteId' | 'title'>;

/** The fields of all events about a task. */
export const taskSubject = ({ taskId, siteId, title }: TaskSubject) => ({ taskId, siteId, title });

/** The fields of all events about a batch. */
export const batchSubject = ({ taskId, siteId, title }: TaskSubject) => ({
  batchId: taskId,
  siteId,
  title,
});

/** The events of a task's end: how it ended, and what it published. */
export function endEvents(
  task: TaskSubject,
  finished: TaskOutcome,
  failureKind: FailureKind = 'service',
): HappenedEvent[] {
  const subject = taskSubject(task);
  if (finished.status === 'failed') {
    const errorMessage = eventText(finished.errorMessage);
    const data = { ...subject, failureKind, errorMessage };
    return [{ type: 'task.failed', eventId: `${task.taskId}-failed`, data }];
  }
  const { pagesCreated, pagesModified, pagesDeleted, notes = [] } = finished.output;
  const pages = [...pagesCreated, ...pagesModified, ...pagesDeleted];
  const pageFields = { pages: pages.slice(0, EVENT_PAGES).map(eventPage), pageCount: pages.length };
  const completedData = { ...subject, ...pageFields, noteCount: notes.filter(needsCheck).length };
  const published: HappenedEvent = {
    type: 'page.published',
    eventId: `${task.taskId}-published`,
    data: { ...subject, ...pageFields },
  };
  return [
    ...(finished.published ? [published] : []),
    { type: 'task.completed', eventId: `${task.taskId}-completed`, data: completedData },
  ];
}

/**
 * The event of a pull request that waits for a person.
 * @param data its URL, and its task or batch
 */
export const pullRequestEvent = (
  data: Extract<HappenedEvent, { type: 'pull_request.waiting' }>['data'],
): HappenedEvent => ({
  type: 'pull_request.waiting',
  eventId: `${data.taskId ?? data.batchId}-pull-request-${data.pullRequestUrl.split('/').at(-1)}`,
  data,
});

const eventPage = ({ slug, previewUrl, publishedUrl }: Page) => ({
  slug,
  previewUrl,
  publishedUrl,
});

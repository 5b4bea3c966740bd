import { eventWorkflowId, type NewEvent } from '../../../contract/events.ts';
import type { ShareLink } from '../../../organizations/shareLinks.ts';
import type { KnownTasks, NeededPorts } from '../../../tasks/ports.ts';
import type { ApiDeps } from '../../apiDeps.ts';
import type { ApiContext } from '../../context.ts';

export type ReviewEventDeps = Pick<ApiDeps, 'eventLog' | 'startEvent'> & NeededPorts<'knownTasks'>;

/** The fields that all events of reviews have: the link, and its task or batch. */
type ReviewEventFields = { siteId: string; shareId: string; title: string } & (
  | { batchId: string }
  | { taskId: string }
);

/** The site of the task or batch of a link, and its title if that is known. */
interface ReviewedWork {
  siteId: string;
  title?: string | undefined;
}

/**
 * Starts an event of a review. Without endpoints, it does nothing. The link or the mark is stored
 * already, so an event that can't be sent is logged, and does not fail the request.
 */
export async function notifyReview(
  { state }: ApiContext,
  { eventLog, startEvent, knownTasks }: ReviewEventDeps,
  { share, reviewed }: { share: ShareLink; reviewed: ReviewedWork },
  createEvent: (fields: ReviewEventFields) => NewEvent,
): Promise<void> {
  const { organizationId, taskId, shareId, isBatch } = share;
  const { siteId, title } = reviewed;
  if (!(await eventLog.hasEndpoints(organizationId))) return;
  const event = createEvent({
    siteId,
    shareId,
    ...(isBatch ? { batchId: taskId } : { taskId }),
    title: title ?? (await readTitle(knownTasks, organizationId, taskId)),
  });
  await startEvent(eventWorkflowId(event.eventId), { organizationId, event }).catch(() => {
    state.logContext.unsentEvent = event.eventId;
  });
}

/** The task's title, or its id if Temporal does not answer. */
const readTitle = async (knownTasks: KnownTasks, organizationId: string, taskId: string) =>
  (await knownTasks(organizationId, [taskId])).get(taskId)?.title ?? taskId;

import { eventWorkflowId, type NewEvent } from '../../../contract/events.ts';
import type { ShareLink } from '../../../organizations/shareLinks.ts';
import type { KnownTasks, NeededPorts } from '../../../tasks/ports.ts';
import type { ApiDeps } from '../../apiDeps.ts';

export type ReviewEventDeps = Pick<ApiDeps, 'eventLog' | 'startEvent'> & NeededPorts<'knownTasks'>;

/** What events of reviews say of the link and of its task or batch. */
type ReviewWork = { siteId: string; shareId: string; title: string } & (
  | { batchId: string }
  | { taskId: string }
);

/**
 * Starts an event of a review. Without endpoints, it does nothing.
 * @param reviewed the site, and the title if it is known
 */
export async function notifyReview(
  { eventLog, startEvent, knownTasks }: ReviewEventDeps,
  { organizationId, taskId, shareId, isBatch }: ShareLink,
  { siteId, title }: { siteId: string; title?: string | undefined },
  createEvent: (work: ReviewWork) => NewEvent,
): Promise<void> {
  if (!(await eventLog.hasEndpoints(organizationId))) return;
  const event = createEvent({
    siteId,
    shareId,
    ...(isBatch ? { batchId: taskId } : { taskId }),
    title: title ?? (await readTitle(knownTasks, organizationId, taskId)),
  });
  await startEvent(eventWorkflowId(event.eventId), { organizationId, event });
}

/** The task's title, or its id if Temporal does not answer. */
const readTitle = async (knownTasks: KnownTasks, organizationId: string, taskId: string) =>
  (await knownTasks(organizationId, [taskId])).get(taskId)?.title ?? taskId;

import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import type { TaskInput, WrittenPage } from '../contract/task.ts';
import type { Calls } from './calls.ts';
import { notFound, unavailable } from './taskRecord.ts';
import type { TaskRequest } from './tasks.ts';

const READ_WITHIN_MS = 10_000;

interface PayloadList {
  payloads?: (Payload | null)[] | null;
}
/** The argument of a `generatePage` activity, as far as it is read here. */
interface PageArgument {
  template: { digest: string };
  item: { targetPageSlug: string };
}

/**
 * What a task was asked for, and the pages that were written for it, from its workflow's history.
 * @throws DomainError NOT_FOUND, UNAVAILABLE
 */
export async function readTaskHistory(client: Client, calls: Calls, taskId: string): Promise<TaskRequest> {
  const { events } = await calls
    .within(READ_WITHIN_MS, () => client.workflow.getHandle(taskId).fetchHistory())
    .catch((cause: unknown) => {
      throw cause instanceof WorkflowNotFoundError ? notFound() : unavailable(cause);
    });
  let input: TaskInput | undefined;
  let digest: string | undefined;
  const asked = new Map<string, PageArgument>();
  const pages: Record<string, WrittenPage> = {};
  for (const event of events ?? []) {
    const started = event.workflowExecutionStartedEventAttributes;
    const scheduled = event.activityTaskScheduledEventAttributes;
    const completed = event.activityTaskCompletedEventAttributes;
    if (started) input = first<TaskInput>(started.input);
    if (scheduled?.activityType?.name === 'generatePage')
      asked.set(String(event.eventId), first<PageArgument>(scheduled.input)!);
    const argument = completed && asked.get(String(completed.scheduledEventId));
    if (!argument) continue;
    digest = argument.template.digest;
    pages[argument.item.targetPageSlug] = first<WrittenPage>(completed.result)!;
  }
  if (!input) throw notFound();
  return { input, ...(digest !== undefined && { written: { digest, pages } }) };
}

function first<T>(list: PayloadList | null | undefined): T | undefined {
  const payload = list?.payloads?.[0];
  return payload ? defaultPayloadConverter.fromPayload<T>(payload) : undefined;
}

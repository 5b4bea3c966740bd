import type { ListRequest, TaskList } from '../temporal/tasks/tasks.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';
import { presentPublications } from './publications.ts';

/**
 * Lists the organization's tasks, newest first, with what of each is live.
 * @throws DomainError UNAVAILABLE
 */
export async function list(
  { organizationId }: Caller,
  { tasks, publications }: Needs<'tasks' | 'publications'>,
  query: Omit<ListRequest, 'organizationId'>,
): Promise<{ list: TaskList; live: Awaited<ReturnType<typeof presentPublications>> }> {
  const found = await tasks.list({ organizationId, ...query });
  return { list: found, live: await presentPublications({ publications }, found.tasks) };
}

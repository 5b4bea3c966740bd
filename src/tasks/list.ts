import type { PublicationReader } from '../contract/published.ts';
import type { ListRequest, TaskList, Tasks } from '../temporal/tasks/tasks.ts';
import type { Caller } from './caller.ts';
import { presentPublications } from './publications.ts';

export interface ListDeps {
  tasks: Pick<Tasks, 'list'>;
  publications: PublicationReader;
}

/**
 * A part of the organization's tasks, the newest first, and what of each is live. @throws
 * DomainError UNAVAILABLE
 */
export async function list(
  { organizationId }: Caller,
  { tasks, publications }: ListDeps,
  query: Omit<ListRequest, 'organizationId'>,
): Promise<{ list: TaskList; live: Awaited<ReturnType<typeof presentPublications>> }> {
  const found = await tasks.list({ organizationId, ...query });
  return { list: found, live: await presentPublications({ publications }, found.tasks) };
}

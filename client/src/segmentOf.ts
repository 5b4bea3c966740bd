import { AgentTasksError } from './errors.ts';

/**
 * An id as one segment of a path. `fetch` would resolve `.` and `..`, and request another path.
 * @throws AgentTasksError for an id that cannot be a segment
 */
export function segmentOf(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new AgentTasksError(`"${id}" is not a valid id`);
  return encodeURIComponent(id);
}

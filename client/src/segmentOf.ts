import { AgentTasksError } from './errors.ts';

/**
 * An id as one segment of a path. `fetch` would resolve `.` and `..`, and so ask for another path.
 * @throws AgentTasksError for an id that can't be a segment
 */
export function segmentOf(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new AgentTasksError(`"${id}" is not the id of anything`);
  return encodeURIComponent(id);
}

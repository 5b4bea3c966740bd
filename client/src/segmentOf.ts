import { AgentTasksError } from './errors.ts';

/**
 * Encodes an id as one segment of a path. Refuses `.` and `..`, which `fetch` would resolve to
 * another path.
 * @throws AgentTasksError for an id that cannot be a segment
 */
export function segmentOf(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new AgentTasksError(`"${id}" is not a valid id`);
  return encodeURIComponent(id);
}

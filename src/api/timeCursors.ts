import { createCursor } from './cursors.ts';

/** A position in a list that is sorted by time: that of the last row of the previous part. */
export interface TimePosition {
  /** ISO 8601 with milliseconds, UTC. */
  at: string;
  /** A UUID. */
  id: string;
}

const timePositionPattern =
  /^(?<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export const timeCursor = createCursor<TimePosition>(
  ({ at, id }) => `${at} ${id}`,
  (text) => {
    const { at = '', id = '' } = timePositionPattern.exec(text)?.groups ?? {};
    return Date.parse(at) > 0 && new Date(at).toISOString() === at ? { at, id } : null;
  },
);

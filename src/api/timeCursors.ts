import type { CustomHelpers } from 'joi';

/** Where a list goes on that is sorted by time: the last row before. */
export interface TimePlace {
  /** ISO 8601 with milliseconds, UTC. */
  at: string;
  /** A UUID. */
  id: string;
}

const place =
  /^(?<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The `nextCursor` of a part that ends with this row. */
export const timeCursorAt = ({ at, id }: TimePlace): string =>
  Buffer.from(`${at} ${id}`).toString('base64url');

/** For a Joi schema: reads what `timeCursorAt` wrote. */
export function timePlaceIn(cursor: string, helpers: CustomHelpers) {
  const { at = '', id = '' } =
    place.exec(Buffer.from(cursor, 'base64url').toString())?.groups ?? {};
  const isTime = Date.parse(at) > 0 && new Date(at).toISOString() === at;
  if (isTime && timeCursorAt({ at, id }) === cursor) return { at, id };
  return helpers.message({ custom: '{{#label}} must be the nextCursor of an answer' });
}

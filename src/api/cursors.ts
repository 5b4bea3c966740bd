import Joi, { type CustomHelpers } from 'joi';

/** How the place at which a list goes on is written as a cursor. */
export interface Cursor<Place> {
  /** The `nextCursor` of a part that ends at this place. */
  at: (place: Place) => string;
  /** For a Joi schema: reads what `at` wrote. */
  read: (cursor: string, helpers: CustomHelpers) => unknown;
}

/** @param read gives null for a text that `write` does not write */
export function cursorOf<Place>(
  write: (place: Place) => string,
  read: (text: string) => Place | null,
): Cursor<Place> {
  const at = (place: Place) => Buffer.from(write(place)).toString('base64url');
  return {
    at,
    read(cursor, helpers) {
      const place = read(Buffer.from(cursor, 'base64url').toString());
      return place !== null && at(place) === cursor
        ? place
        : helpers.message({ custom: '{{#label}} must be the nextCursor of an answer' });
    },
  };
}

/** The schema of a list's `limit`. */
export const limitOf = (what: string, { usual = 20, most = 100 } = {}) =>
  Joi.number().integer().min(1).max(most).default(usual).description(`How many ${what} at most.`);

/** The schema of a list's `cursor`. @param longest characters */
export const cursorSchema = <Place>({ read }: Cursor<Place>, longest: number) =>
  Joi.string().max(longest).custom(read).description('`nextCursor` of the answer before.');

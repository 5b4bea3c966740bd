import type { CustomHelpers } from 'joi';
import { Joi } from '../joi.ts';

/** Converts a position in a list to and from an opaque cursor. */
export interface Cursor<Place> {
  /** Writes the `nextCursor` of a part that ends at this position. */
  at: (place: Place) => string;
  /** Reads a cursor, as a custom rule of a Joi schema. */
  read: (cursor: string, helpers: CustomHelpers) => unknown;
}

/** @param read returns null for a text that `write` can't have written */
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

/** The Joi schema of a list's `limit`. */
export const limitOf = (what: string, { usual = 20, most = 100 } = {}) =>
  Joi.number().integer().min(1).max(most).default(usual).description(`How many ${what} at most.`);

/**
 * The Joi schema of a list's `cursor`.
 * @param longest maximum length in characters
 */
export const cursorSchema = <Place>({ read }: Cursor<Place>, longest: number) =>
  Joi.string().max(longest).custom(read).description('`nextCursor` of the answer before.');

import type { CustomHelpers } from 'joi';
import { Joi } from '../boundedJoi.ts';

/**
 * Converts a position in a list to and from an opaque cursor, with which clients ask for the next
 * part of the list: `/pricing` → `nextCursor: 'L3ByaWNpbmc'`.
 */
export interface ListCursor<Place> {
  /** The `nextCursor` of a part of the list that ends at this position. */
  at: (place: Place) => string;
  /** Reads a cursor, as a custom rule of a Joi schema. */
  read: (cursor: string, helpers: CustomHelpers) => unknown;
}

/** @param readPosition returns null for a text that `writePosition` can't have written */
export function createCursor<Place>(
  writePosition: (position: Place) => string,
  readPosition: (text: string) => Place | null,
): ListCursor<Place> {
  const toCursor = (position: Place) => Buffer.from(writePosition(position)).toString('base64url');
  return {
    at: toCursor,
    read(cursor, helpers) {
      const position = readPosition(Buffer.from(cursor, 'base64url').toString());
      return position !== null && toCursor(position) === cursor
        ? position
        : helpers.message({ custom: '{{#label}} must be the nextCursor of a response' });
    },
  };
}

/** The Joi schema of a list's `limit`. */
export const limitSchema = (
  itemsName: string,
  { usual: defaultLimit = 20, most: maxLimit = 100 } = {},
) =>
  Joi.number()
    .integer()
    .min(1)
    .max(maxLimit)
    .default(defaultLimit)
    .description(`The maximum number of ${itemsName} to return.`);

/**
 * The Joi schema of a list's `cursor`.
 * @param maxLength maximum length in characters
 */
export const cursorSchema = <Place>({ read: readCursor }: ListCursor<Place>, maxLength: number) =>
  Joi.string()
    .max(maxLength)
    .custom(readCursor)
    .description('The `nextCursor` of the previous response.');

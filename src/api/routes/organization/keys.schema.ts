import type { CustomHelpers, SchemaMap } from 'joi';
import { Joi } from '../../../boundedJoi.ts';
import { type Role, roles } from '../../../contract/roles.ts';
import { cursorSchema, limitSchema } from '../../cursors.ts';
import { textSchema } from '../../textSchema.ts';
import { uuidText } from '../tasks/tasks.schema.ts';
import { timeCursor, type TimePosition } from '../../timeCursors.ts';

/** The query of lists that are sorted by time. */
export interface TimeListQuery {
  limit: number;
  cursor?: TimePosition;
}

/** @param filters additional parameters of this list */
export const timeListQuery = <T extends TimeListQuery = TimeListQuery>(
  itemsName: string,
  filters: SchemaMap = {},
) =>
  Joi.object<T>({
    ...filters,
    limit: limitSchema(itemsName),
    cursor: cursorSchema(timeCursor, 200),
  });

/** The query of GET /keys. */
export interface KeyListQuery extends TimeListQuery {
  createdBy?: string;
}

export const keyListQuery = timeListQuery<KeyListQuery>('keys', {
  createdBy: uuidText()
    .lowercase()
    .description('Return only keys that this person, by `userId`, created.'),
});

/** The body of POST /keys. */
export interface NewKeyBody {
  name: string;
  role: Role;
  expiresAt?: Date;
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

function readInstant(value: string, helpers: CustomHelpers) {
  const instantDate = new Date(instant.test(value) ? value : NaN);
  if (!Number.isNaN(instantDate.getTime())) return instantDate;
  return helpers.message({
    custom: '{{#label}} must be a time in ISO 8601 with an offset, such as 2030-01-31T12:00:00Z',
  });
}

export const newKeyBody = Joi.object<NewKeyBody>({
  name: textSchema()
    .name()
    .required()
    .description('The name of the key, which says what it is for.'),
  role: Joi.string()
    .valid(...roles)
    .required()
    .description('The role of the key. It must not be above your own role.'),
  expiresAt: Joi.string()
    .isoDate()
    .empty(null)
    .custom(readInstant)
    .description('When the key expires. If absent, the key is valid until it is revoked.'),
}).label('body');

/** The body of POST /keys/{keyId}/rotate. */
export interface RotateKeyBody {
  overlapHours: number;
}

const MOST_OVERLAP = 168;
const DAY_HOURS = 24;

export const rotateKeyBody = Joi.object<RotateKeyBody>({
  overlapHours: Joi.number()
    .min(0)
    .max(MOST_OVERLAP)
    .empty(null)
    .default(DAY_HOURS)
    .description('The number of hours for which the old key stays valid.'),
}).label('body');

import { roles } from '../../contract/roles.ts';
import { answer, body, optionalBody } from '../openapi/bodies.ts';
import { wrongBody, wrongQuery } from '../openapi/commonErrors.ts';
import { jsonSchemaOf, queryParametersOf } from '../openapi/jsonSchema.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleKeyId } from '../openapi/parameters.ts';
import {
  arrayOf,
  eitherOf,
  enumSchema,
  nextCursor,
  nullable,
  objectSchema,
  orNull,
  schemaRef,
  textSchema,
  time,
  timeSchema,
  uuidSchema,
} from '../openapi/schemas.ts';
import { keyListQuery, newKeyBody, rotateKeyBody } from './keys.schema.ts';

const exampleKey = {
  keyId: exampleKeyId,
  prefix: 'ak_4Ks9',
  name: 'Nightly import',
  role: 'member',
  createdBy: { userId: '0f9a3f6e-8a0c-4d6e-b0a5-7c3c9c1f4e21', name: 'Ada' },
  createdAt: '2026-11-21T07:00:16.667Z',
  lastUsedAt: null,
  expiresAt: '2027-11-21T00:00:00.000Z',
  revokedAt: null,
};
const madeExample = { ...exampleKey, apiKey: `ak_4Ks9${'0'.repeat(42)}` };

const invalidBody = {
  'Invalid request body: role must be one of [viewer, member, admin, owner]': 'All are named.',
};
const past = {
  "A key's expiry must be in the future, not 2020-01-01T00:00:00.000Z": '`expiresAt` is over.',
};
const aboveOwn = {
  'Forbidden: a key of the role owner is above your own role, admin':
    'Nobody gives a role above their own.',
};

export const invalidCursor = wrongQuery(
  'limit must be less than or equal to 100; cursor must be the nextCursor of an answer',
);

const list: Operation = {
  method: 'get',
  path: '/keys',
  operationId: 'listKeys',
  summary: 'List API keys',
  description: [
    'The latest first. With a key of the role admin or above: all keys of the organization. With a key of a member:',
    'this key, those that it made, and those of the person that it belongs to.',
  ].join('\n'),
  parameters: queryParametersOf(keyListQuery),
  answers: {
    200: answer('A part of the list.', 'KeyList', {
      keys: { keys: [exampleKey], nextCursor: null },
    }),
  },
  errors: { 400: invalidCursor },
};

const made = {
  201: answer('The key. Nothing shows `apiKey` again.', 'KeyCreated', { key: madeExample }),
};

const tooMany = {
  'You have 100 keys already, with those that your keys made: revoke some first':
    'Keys in force are counted, rotated ones aside. Keys of admins and owners may make 1,000.',
};

const create: Operation = {
  method: 'post',
  path: '/keys',
  operationId: 'createKey',
  summary: 'Make an API key',
  body: body('KeyRequest', {
    key: { name: 'Nightly import', role: 'member', expiresAt: '2027-11-21T00:00:00Z' },
  }),
  answers: made,
  errors: { 400: { ...invalidBody, ...past }, 403: aboveOwn, 409: tooMany },
};

const rotate: Operation = {
  method: 'post',
  path: '/keys/{keyId}/rotate',
  operationId: 'rotateKey',
  summary: 'Replace an API key',
  description: [
    'Makes a key of the same name, role and lifetime. The old one ends after `overlapHours`, so that you can bring the',
    'new one to where it is used.',
  ].join('\n'),
  body: optionalBody('KeyRotation', { day: { overlapHours: 24 } }),
  answers: made,
  errors: {
    400: wrongBody('overlapHours must be less than or equal to 168'),
    403: aboveOwn,
    409: {
      '100 rotated keys of the same maker still work: revoke some first':
        'Their overlap is not over.',
      'Key is not in force any more: make another one': 'It was revoked, or has expired.',
      'Key was rotated already: rotate the one that took its place': 'A key has one successor.',
    },
  },
};

const revoke: Operation = {
  method: 'delete',
  path: '/keys/{keyId}',
  operationId: 'revokeKey',
  summary: 'End an API key at once',
  answers: { 204: { description: 'It is not valid any more, in any process.' } },
  errors: { 403: aboveOwn },
};

const timeOrNull = (description: string) => orNull(timeSchema(description));

const keyFields = {
  keyId: uuidSchema(),
  prefix: textSchema('How it begins.'),
  name: orNull(textSchema('What it is for.')),
  role: enumSchema(roles),
  createdBy: nullable(schemaRef('Maker'), 'Null: an operator.'),
  createdAt: time,
  lastUsedAt: timeOrNull('To the minute.'),
  expiresAt: timeOrNull('Null: valid until it is revoked.'),
  revokedAt: timeOrNull('Null: not revoked.'),
};

export const keys: RoutesDescription = {
  tag: {
    name: 'API keys',
    description: 'Who may call this API. Keys that the console uses are not listed.',
  },
  schemas: {
    KeyList: objectSchema({
      keys: arrayOf(schemaRef('ApiKey'), 'The latest first.'),
      nextCursor,
    }),
    ApiKey: objectSchema(keyFields),
    KeyCreated: objectSchema({
      ...keyFields,
      apiKey: textSchema('The key itself, for the `Authorization` header.'),
    }),
    KeyRequest: jsonSchemaOf(newKeyBody),
    KeyRotation: jsonSchemaOf(rotateKeyBody),
    Maker: eitherOf(
      ['PersonMaker', 'KeyMaker'],
      'Who made it. `name` is null where it has none, or is gone.',
    ),
    PersonMaker: objectSchema({ userId: uuidSchema(), name: { type: ['string', 'null'] } }),
    KeyMaker: objectSchema({ keyId: { type: 'string' }, name: { type: ['string', 'null'] } }),
  },
  operations: [list, create, rotate, revoke],
};

import { answer } from '../openapi/bodies.ts';
import { queryParametersOf } from '../openapi/jsonSchema.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import {
  arrayOf,
  nextCursor,
  objectSchema,
  orNull,
  schemaRef,
  textSchema,
  time,
} from '../openapi/schemas.ts';
import { invalidCursor } from './keys.openapi.ts';
import { timeListQuery } from './keys.schema.ts';

const example = {
  at: '2026-11-21T07:00:16.667Z',
  person: { userId: '0f9a3f6e-8a0c-4d6e-b0a5-7c3c9c1f4e21', name: 'Ada' },
  key: null,
  action: 'key.create',
  subject: 'Nightly import (member)',
  address: '192.0.2.7',
};

const list: Operation = {
  method: 'get',
  path: '/audit',
  operationId: 'listAudit',
  least: 'admin',
  summary: 'List who changed which setting',
  description: 'For admins. The latest first. Entries are kept for a year, and hold no secrets.',
  parameters: queryParametersOf(timeListQuery('entries')),
  answers: {
    200: answer('A part of the list.', 'Audit', {
      entries: { entries: [example], nextCursor: null },
    }),
  },
  errors: { 400: invalidCursor },
};

const maker = { oneOf: [schemaRef('Maker'), { type: 'null' }] };

export const audit: RoutesDescription = {
  tag: {
    name: 'Audit',
    description: 'Changes of settings, and sign-ins: who, what, when, from where.',
  },
  schemas: {
    Audit: objectSchema({
      entries: arrayOf(schemaRef('AuditEntry'), 'The latest first.'),
      nextCursor,
    }),
    AuditEntry: objectSchema({
      at: time,
      person: { ...maker, description: 'Null: a key that belongs to no person, or an operator.' },
      key: { ...maker, description: 'The API key that was used. Null for people.' },
      action: textSchema('Noun and verb: `key.create`, `member.remove`, `site.update`.'),
      subject: orNull(textSchema('What it was done to, at most 200 characters.')),
      address: textSchema('IP address of the client, or `unknown`.'),
    }),
  },
  operations: [list],
};

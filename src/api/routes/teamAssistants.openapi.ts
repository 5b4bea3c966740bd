import { roles } from '../../contract/roles.ts';
import { answer } from '../openapi/bodies.ts';
import { queryParametersOf } from '../openapi/jsonSchema.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleKeyId } from '../openapi/parameters.ts';
import {
  arrayOf,
  enumSchema,
  nextCursor,
  objectSchema,
  orNull,
  schemaRef,
  textSchema,
  time,
  timeSchema,
  uuidSchema,
} from '../openapi/schemas.ts';
import { invalidCursor } from './keys.openapi.ts';
import { timeListQuery } from './keys.schema.ts';

const example = {
  assistantId: exampleKeyId,
  name: 'Claude',
  hosts: ['claude.ai', 'claude.com'],
  person: {
    userId: '0f9a3f6e-8a0c-4d6e-b0a5-7c3c9c1f4e21',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
  },
  role: 'member',
  connectedAt: '2026-11-21T07:00:16.667Z',
  lastUsedAt: '2026-11-21T08:10:00.000Z',
};

const list: Operation = {
  method: 'get',
  path: '/assistants',
  operationId: 'listAssistants',
  summary: 'List assistants',
  description: [
    'Programs that act for people of this organization, the latest first. With a key of the role admin or above: all',
    'of them. With a key of a member: those of the person that it belongs to.',
  ].join('\n'),
  parameters: queryParametersOf(timeListQuery('assistants')),
  answers: {
    200: answer('A part of the list.', 'AssistantList', {
      assistants: { assistants: [example], nextCursor: null },
    }),
  },
  errors: { 400: invalidCursor },
};

const disconnect: Operation = {
  method: 'delete',
  path: '/assistants/{assistantId}',
  operationId: 'disconnectAssistant',
  summary: "End an assistant's access at once",
  description: 'In this organization. Its person may connect it again.',
  answers: { 204: { description: 'Its tokens are not valid any more, in any process.' } },
};

export const assistants: RoutesDescription = {
  tag: {
    name: 'Assistants',
    description: 'Programs that people let act for them at `/mcp`, by OAuth.',
  },
  schemas: {
    AssistantList: objectSchema({
      assistants: arrayOf(schemaRef('Assistant'), 'The latest first.'),
      nextCursor,
    }),
    AssistantPerson: objectSchema({
      userId: uuidSchema(),
      name: textSchema('As the person wrote it.'),
      email: textSchema('In lower case.'),
    }),
    Assistant: objectSchema({
      assistantId: uuidSchema(),
      name: textSchema('As the program calls itself.'),
      hosts: arrayOf(
        { type: 'string' },
        "The hosts that it registered. Empty for a program on the person's computer.",
      ),
      person: schemaRef('AssistantPerson'),
      role: enumSchema(roles, "The person's present one, and so its own."),
      connectedAt: time,
      lastUsedAt: orNull(timeSchema('To the minute.')),
    }),
  },
  operations: [list, disconnect],
};

import { unreadableTask } from '../openapi/commonErrors.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { lastEventIdParameter } from '../openapi/parameters.ts';

/** As the service sent them: docs/api.md shows the same. */
const example = [
  'retry: 2000',
  'id: 1\nevent: status\ndata: {"at":"2026-11-21T19:09:28.361Z","status":"running"}',
  'id: 2\nevent: progress\ndata: {"at":"2026-11-21T19:09:28.361Z","phase":"reading","pages":{"done":0,"total":1}}',
  'id: 3\nevent: status\ndata: {"at":"2026-11-21T19:09:28.547Z","status":"failed"}',
  'id: 4\nevent: done\ndata: {"taskId":"bg-0nk47jecc9nchik8l5x4r6","status":"failed","errorMessage":"Template page not found: /locations/paris"}',
  '',
].join('\n\n');

const follow: Operation = {
  method: 'get',
  path: '/agent/tasks/{taskId}/events',
  operationId: 'followTask',
  summary: 'Follow a task while it works',
  description: [
    'Server-sent events: `status`, `progress`, `page` (it has a preview) and at the end `done`, whose data is the',
    'fields of the specification alone. Then the stream ends. The data of every event is JSON. A finished task tells its whole story at',
    'once. While nothing happens, the service sends a comment every 15 seconds.',
  ].join('\n'),
  parameters: [lastEventIdParameter],
  answers: {
    200: {
      description: 'The events so far, and those that come.',
      mediaType: 'text/event-stream',
      schema: { type: 'string' },
      examples: { events: { value: example } },
    },
    204: {
      description: 'You have the last event already. A client that gets this stops reconnecting.',
    },
  },
  errors: { 503: unreadableTask },
};

export const taskEvents: RoutesDescription = {
  tag: { name: 'Events', description: 'How far a task is, without asking again and again.' },
  operations: [follow],
};

import type { Parameter } from './operation.ts';

export const exampleTaskId = 'bg-9l00ic0rmn9rfdhuo4s2eo';
export const exampleSiteId = '2ccccd9d-5b1e-4b77-8593-be03be951734';

export const taskIdParameter: Parameter = {
  name: 'taskId',
  in: 'path',
  description: 'The `taskId` returned at creation.',
  schema: { type: 'string' },
  example: exampleTaskId,
};

export const idempotencyKeyParameter: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: [
    'Makes a request safe to repeat, for 30 days. The same key and body return the first task. The same key with',
    'another body is a 422.',
  ].join('\n'),
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  example: 'order-1047',
};

export const siteIdParameter: Parameter = {
  name: 'siteId',
  in: 'path',
  description: 'The site, a UUID with hyphens.',
  schema: { type: 'string' },
  example: exampleSiteId,
};

export const lastEventIdParameter: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The id of the last event that you have: only later ones are sent. Anything but a number: all of them.',
  schema: { type: 'string' },
  example: '7',
};

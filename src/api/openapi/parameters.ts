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
    'Makes a request safe to repeat, as long as its task is kept. The same key and body return the first task. The same',
    'key with another body or path is a 422.',
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

export const exampleCommit = '1f0c0de5b2a94d6cb6f3a0a7c9f2f4f5f6a7b8c9';

export const deploymentIdParameter: Parameter = {
  name: 'deploymentId',
  in: 'path',
  description: 'Of the list of deployments.',
  schema: { type: 'string' },
  example: exampleCommit,
};

export const lastEventIdParameter: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'The id of the last event that you have: only later ones are sent. Anything but a number: all of them.',
  schema: { type: 'string' },
  example: '7',
};

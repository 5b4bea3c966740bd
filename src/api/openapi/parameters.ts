import type { Errors, Parameter } from './operation.ts';

export const exampleTaskId = 'bg-9l00ic0rmn9rfdhuo4s2eo';
export const exampleBatchId = 'bg-4k2jq0x7w1m9rfd3uo4s2e';
export const exampleSiteId = '2ccccd9d-5b1e-4b77-8593-be03be951734';
export const exampleCommit = '1f0c0de5b2a94d6cb6f3a0a7c9f2f4f5f6a7b8c9';
export const exampleKeyId = '7d1f1c1e-4f5b-4b39-9d0b-6a1f6f3a2b11';
export const exampleNoteId = '0f1e2d3c4b5a6978';
export const exampleMemberId = '5e2b1f64-9c0d-4a55-8a43-3a5c2d1f7b90';
export const exampleShareId = '7d0c4e0e-8d5b-4f6b-9a53-2f6b0f1f9a11';

export const taskNotFound = {
  'Task not found': 'There is no such task in your organization, or it is not kept any more.',
};
export const siteNotFound = { 'Site not found': 'There is no such site in your organization.' };

interface PathParameter {
  description: string;
  example: string;
  /** The error for an unknown value, if every path with the parameter has it. */
  notFound?: Errors[number];
}

/** Path parameters by name, in the order in which they appear in paths. */
const pathParameters: Record<string, PathParameter> = {
  taskId: {
    description: 'The `taskId` returned at creation.',
    example: exampleTaskId,
    notFound: taskNotFound,
  },
  batchId: {
    description: 'The `batchId` returned at creation.',
    example: exampleBatchId,
    notFound: {
      'Batch not found': 'There is no such batch in your organization, or it is not kept any more.',
    },
  },
  siteId: {
    description: 'The site, a UUID with hyphens.',
    example: exampleSiteId,
    notFound: siteNotFound,
  },
  deploymentId: {
    description: 'Of the list of deployments.',
    example: exampleCommit,
    notFound: { 'Deployment not found': 'It was never live, or was so over 30 days ago.' },
  },
  noteId: { description: 'The `id` of the note.', example: exampleNoteId },
  keyId: {
    description: 'The `keyId` of a key, a UUID.',
    example: exampleKeyId,
    notFound: {
      'Key not found': 'There is no such key in your organization, or it is not yours.',
    },
  },
  assistantId: {
    description: 'The `assistantId` of an assistant, a UUID.',
    example: exampleKeyId,
    notFound: {
      'Assistant not found': 'There is no such assistant in your organization, or it is not yours.',
    },
  },
  memberId: {
    description: 'The membership, a UUID with hyphens.',
    example: exampleMemberId,
    notFound: { 'Member not found': 'There is none with this id in the organization.' },
  },
  invitationId: {
    description: 'The invitation, a UUID with hyphens.',
    example: exampleMemberId,
    notFound: {
      'Invitation not found: it was used, withdrawn, or is over': 'There is none in force.',
    },
  },
  shareId: { description: 'The `shareId` of a link.', example: exampleShareId },
};

const pathParametersIn = (path: string) =>
  Object.entries(pathParameters).filter(([name]) => path.includes(`{${name}}`));

/** The parameters in a path's braces. */
export const pathParametersOf = (path: string): Parameter[] =>
  pathParametersIn(path).map(([name, { description, example }]) => ({
    name,
    in: 'path',
    description,
    schema: { type: 'string' },
    example,
    required: true,
  }));

/** The errors for path parameters that name something unknown. */
export function notFoundOf(path: string): Errors {
  const texts = pathParametersIn(path).flatMap(([, { notFound }]) => (notFound ? [notFound] : []));
  return texts.length > 0 ? { 404: Object.assign({}, ...texts) as Errors[number] } : {};
}

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

export const preferParameter: Parameter = {
  name: 'Prefer',
  in: 'header',
  description: [
    '`wait=30` (RFC 7240): the answer comes when the task ends or asks, or after so many seconds, 50 at most. `Preference-Applied`',
    'says that it waited; 20 requests of a key may wait at the same time, others are answered at once.',
  ].join('\n'),
  schema: { type: 'string' },
  example: 'wait=30',
};

export const lastEventIdParameter: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'The id of the last event that you have: only later ones are sent. Anything but a number: all of them.',
  schema: { type: 'string' },
  example: '7',
};

export const ifNoneMatchParameter: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `ETag` of the version that you have: if it is still the same, the answer is 304.',
  schema: { type: 'string' },
  example: 'W/"sQCDorDYNCR_p3b9aIN_AaKVFlu6wYFe46TvpT_NPH8"',
};

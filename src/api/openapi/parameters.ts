import type { ApiParameter } from './operation.ts';

/** Ids in examples, and the parameters in paths and header fields that operations share. */

export const exampleTaskId = 'bg-9l00ic0rmn9rfdhuo4s2eo';
export const exampleBatchId = 'bg-4k2jq0x7w1m9rfd3uo4s2e';
export const exampleSiteId = '2ccccd9d-5b1e-4b77-8593-be03be951734';
const exampleId = '7d1f1c1e-4f5b-4b39-9d0b-6a1f6f3a2b11';

/** Path parameters by name, in the order in which they appear in paths, with an example. */
const pathParameters: Record<string, [description: string, example: string]> = {
  taskId: ['The `taskId` returned at creation.', exampleTaskId],
  batchId: ['The `batchId` returned at creation.', exampleBatchId],
  siteId: ['The id of the site, a UUID with hyphens.', exampleSiteId],
  deploymentId: ['The `deploymentId` of a deployment.', '1f0c0de5b2a94d6cb6f3a0a7c9f2f4f5f6a7b8c9'],
  keyId: ['The `keyId` of a key, a UUID.', exampleId],
  assistantId: ['The `assistantId` of an assistant, a UUID.', exampleId],
  memberId: ['The `memberId` of a member, a UUID with hyphens.', exampleId],
  invitationId: ['The `invitationId` of an invitation, a UUID with hyphens.', exampleId],
  endpointId: ['The `endpointId` of a webhook endpoint, a UUID.', exampleId],
  deliveryId: ['The `deliveryId` of a delivery, a UUID.', exampleId],
  shareId: ['The `shareId` of a share link.', exampleId],
};

const pathParametersIn = (path: string) =>
  Object.entries(pathParameters).filter(([name]) => path.includes(`{${name}}`));

/** The parameters in a path's braces. */
export const pathParametersOf = (path: string): ApiParameter[] =>
  pathParametersIn(path).map(([name, [description, example]]) => ({
    name,
    in: 'path',
    description,
    schema: { type: 'string' },
    example,
    required: true,
  }));

export const idempotencyKeyParameter: ApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: [
    'Makes the request safe to repeat while its task is stored. The same key with the same body returns the first task.',
    'The same key with another body or path returns 422.',
  ].join('\n'),
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  example: 'order-1047',
};

export const preferParameter: ApiParameter = {
  name: 'Prefer',
  in: 'header',
  description: [
    '`wait=30` (RFC 7240) delays the response until the task finishes or asks a question, for at most 30 seconds. The maximum is 50. `Preference-Applied`',
    'says that the service waited. At most 20 requests of a key wait at the same time. Further requests get a response at once.',
  ].join('\n'),
  schema: { type: 'string' },
  example: 'wait=30',
};

export const lastEventIdParameter: ApiParameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'The id of the last event that you received. The service sends only later events. If the value is not a number, it sends all events.',
  schema: { type: 'string' },
  example: '7',
};

export const ifNoneMatchParameter: ApiParameter = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `ETag` of the version that you have. If the version has not changed, the response is 304.',
  schema: { type: 'string' },
  example: 'W/"sQCDorDYNCR_p3b9aIN_AaKVFlu6wYFe46TvpT_NPH8"',
};

import { answer } from '../openapi/bodies.ts';
import { ifNoneMatchParameter } from '../openapi/parameters.ts';
import type { RoutesDescription } from '../openapi/operation.ts';

export const document: RoutesDescription = {
  tag: {
    name: 'Reference',
    description: 'This document. The page at `/docs` of the host shows it.',
  },
  schemas: {
    OpenApiDocument: {
      type: 'object',
      properties: {
        openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
        info: { type: 'object' },
        paths: { type: 'object' },
      },
      required: ['openapi', 'info', 'paths'],
    },
  },
  operations: [
    {
      method: 'get',
      path: '/openapi.json',
      isOpen: true,
      operationId: 'getOpenApiDocument',
      summary: 'This document, OpenAPI 3.1',
      parameters: [ifNoneMatchParameter],
      answers: {
        200: { ...answer('The document.', 'OpenApiDocument'), headers: ['ETag'] },
        304: { description: 'The client has this version already.', headers: ['ETag'] },
      },
    },
  ],
};

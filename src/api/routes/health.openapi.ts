import type { RoutesDescription } from '../openapi/operation.ts';
import { constant, objectSchema, schemaRef } from '../openapi/schemas.ts';

const readiness = (status: string) =>
  objectSchema({
    status: constant(status),
    checks: {
      type: 'object',
      description: 'By name of what the service needs: true, or why it is not ready.',
      additionalProperties: { anyOf: [{ type: 'boolean', enum: [true] }, { type: 'string' }] },
    },
  });

export const health: RoutesDescription = {
  tag: {
    name: 'Health',
    description: 'For the operator. By IP address too, since probes often have no name to ask for.',
  },
  schemas: { Ready: readiness('ready'), NotReady: readiness('unavailable') },
  operations: [
    {
      method: 'get',
      path: '/healthz',
      atRoot: true,
      operationId: 'getHealth',
      summary: 'Whether the process answers',
      answers: {
        200: {
          description: 'It does.',
          schema: objectSchema({ status: constant('ok') }),
          examples: { ok: { value: { status: 'ok' } } },
        },
      },
    },
    {
      method: 'get',
      path: '/readyz',
      atRoot: true,
      operationId: 'getReadiness',
      summary: 'Whether everything that the service needs answers',
      description:
        'As it was at most a second ago. `disk` is not true while the disk is nearly full.',
      answers: {
        200: {
          description: 'Everything does.',
          schema: schemaRef('Ready'),
          examples: {
            ready: {
              value: { status: 'ready', checks: { database: true, temporal: true, disk: true } },
            },
          },
        },
        503: {
          description: 'Something does not: each part is named.',
          schema: schemaRef('NotReady'),
          examples: {
            unavailable: {
              value: {
                status: 'unavailable',
                checks: { database: true, temporal: 'no answer from 127.0.0.1:7233' },
              },
            },
          },
        },
      },
    },
  ],
};

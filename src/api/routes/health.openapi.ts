import { answer } from '../openapi/bodies.ts';
import type { RoutesDescription } from '../openapi/operation.ts';
import { constant, objectSchema, schemaRef } from '../openapi/schemas.ts';

const readiness = (status: string) =>
  objectSchema({
    status: constant(status),
    checks: {
      type: 'object',
      description: 'By name of what the service needs: true, or why it is not ready.',
      additionalProperties: schemaRef('ReadinessCheck'),
    },
  });

export const health: RoutesDescription = {
  tag: {
    name: 'Health',
    description: 'For the operator. By IP address too, since probes often have no name to ask for.',
  },
  schemas: {
    Health: objectSchema({ status: constant('ok') }),
    Ready: readiness('ready'),
    NotReady: readiness('unavailable'),
    ReadinessCheck: { oneOf: [{ type: 'boolean' }, { type: 'string' }] },
  },
  operations: [
    {
      method: 'get',
      path: '/healthz',
      atRoot: true,
      isOpen: true,
      operationId: 'getHealth',
      summary: 'Whether the process answers',
      answers: {
        200: answer('It does.', 'Health', { ok: { status: 'ok' } }),
      },
    },
    {
      method: 'get',
      path: '/readyz',
      atRoot: true,
      isOpen: true,
      operationId: 'getReadiness',
      summary: 'Whether everything that the service needs answers',
      description:
        'As it was at most a second ago. `disk` is not true while the disk is nearly full.',
      answers: {
        200: answer('Everything does.', 'Ready', {
          ready: { status: 'ready', checks: { database: true, temporal: true, disk: true } },
        }),
        503: answer('Something does not: each part is named.', 'NotReady', {
          unavailable: {
            status: 'unavailable',
            checks: { database: true, temporal: 'no answer from 127.0.0.1:7233' },
          },
        }),
      },
    },
  ],
};

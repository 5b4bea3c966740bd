import { answer, optionalBody } from '../openapi/bodies.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { objectSchema, orNull, textSchema, timeSchema } from '../openapi/schemas.ts';

const previousUntil = orNull(
  timeSchema('Until when the secret before signs too. Null: there is none.'),
);

const read: Operation = {
  method: 'get',
  path: '/callback-secret',
  operationId: 'getCallbackSecret',
  least: 'admin',
  summary: 'Read when the callback secret was made',
  description: 'For admins. The secret itself is shown by its rotation only.',
  answers: {
    200: answer('Its age.', 'CallbackSecret', {
      first: { rotatedAt: '2026-11-21T07:00:16.667Z', previousUntil: null },
    }),
  },
};

const rotate: Operation = {
  method: 'post',
  path: '/callback-secret/rotate',
  operationId: 'rotateCallbackSecret',
  least: 'admin',
  summary: 'Make a new callback secret',
  description: [
    'For admins. For a day, callbacks have two signatures in `webhook-signature`: with the new secret and with the one',
    'before. Libraries of Standard Webhooks accept either.',
  ].join('\n'),
  body: optionalBody('EmptyRequest', { none: {} }),
  answers: {
    200: answer('The new secret. Nothing shows it again.', 'CallbackSecretRotated', {
      rotated: {
        callbackSecret: `whsec_${'A'.repeat(43)}=`,
        previousUntil: '2026-11-22T07:00:16.667Z',
      },
    }),
  },
  errors: {
    400: { 'Invalid request body: colour is not allowed': 'There is nothing to say in it.' },
  },
};

export const callbackSecret: RoutesDescription = {
  tag: { name: 'Callback secret', description: 'By it, receivers verify callbacks.' },
  schemas: {
    CallbackSecret: objectSchema({
      rotatedAt: timeSchema('When the present secret was made.'),
      previousUntil,
    }),
    CallbackSecretRotated: objectSchema({ callbackSecret: textSchema('`whsec_…`'), previousUntil }),
  },
  operations: [read, rotate],
};

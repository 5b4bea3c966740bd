import { Type } from 'typebox';
import * as t from './schemas.ts';

export const Health = t.object('Health', { status: t.constant('ok') });

export const ReadinessCheck = t.withName(
  'ReadinessCheck',
  Type.Unsafe<boolean | string>({ oneOf: [{ type: 'boolean' }, { type: 'string' }] }),
);

const checks = t.record(
  ReadinessCheck,
  'The result of each check by its name: true, or the reason why it failed.',
);
export const Ready = t.object('Ready', { status: t.constant('ready'), checks });
export const NotReady = t.object('NotReady', { status: t.constant('unavailable'), checks });

const anyObject = Type.Unsafe<object>({ type: 'object' });
export const OpenApiDocument = Type.Object(
  {
    openapi: Type.String({ pattern: '^3\\.1\\.\\d+$' }),
    info: anyObject,
    paths: anyObject,
  },
  { $id: 'OpenApiDocument' },
);

import { createEventMails } from '../../src/accounts/eventMails.ts';
import { createMail } from '../../src/accounts/mail.ts';
import { createDeliveryLog } from '../../src/organizations/deliveryLog.ts';
import { createEventDeliveries } from '../../src/organizations/eventDeliveries.ts';
import { createSecretBox } from '../../src/organizations/secretBox.ts';
import { createWebhookEndpoints } from '../../src/organizations/webhookEndpoints.ts';
import type { ApiDeps } from '../../src/api/apiDeps.ts';
import { DomainError } from '../../src/errors.ts';
import type { Kysely } from 'kysely';
import type { Schema } from '../../src/storage/schema.ts';

const testKey = { id: 'test', key: Buffer.alloc(32, 7) };

/** The real stores of events over a database. @param now the time in milliseconds */
export function eventStores(db: Kysely<Schema>, now?: () => number) {
  const secretBox = createSecretBox([testKey]);
  const eventLog = createDeliveryLog(db, secretBox, { ...(now && { now }) });
  const noMail = createMail({
    smtpUrl: undefined,
    from: undefined,
    log: { warn: () => undefined },
  });
  return {
    eventLog,
    eventDeliveries: createEventDeliveries(db),
    webhookEndpoints: createWebhookEndpoints(db, secretBox, {
      onChange: (id) => eventLog.forget(id),
    }),
    eventMails: createEventMails({
      db,
      mail: noMail,
      publicUrl: () => new URL('http://console.localhost'),
    }),
  };
}

/** Of an organization without endpoints. */
export function noEvents(): Pick<
  ApiDeps,
  'webhookEndpoints' | 'eventDeliveries' | 'eventLog' | 'startEvent' | 'eventMails'
> {
  const unknown = () => Promise.reject(new DomainError('NOT_FOUND', 'Webhook endpoint not found'));
  return {
    eventLog: {
      hasEndpoints: () => Promise.resolve(false),
      storeAttempt: unknown,
    },
    eventDeliveries: { list: unknown, recordTest: unknown, reopen: unknown, storeUnsent: unknown },
    webhookEndpoints: {
      list: () => Promise.resolve([]),
      find: unknown,
      create: unknown,
      change: unknown,
      remove: unknown,
      rotateSecret: unknown,
    },
    startEvent: () => Promise.resolve(),
    eventMails: { areWanted: () => Promise.resolve(true), setWanted: () => Promise.resolve() },
  };
}

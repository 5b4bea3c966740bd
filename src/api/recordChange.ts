import type { AuditRecord } from '../organizations/audit.ts';
import { type ApiContext, auditActorOf } from './context.ts';
import type { SomeApiDeps } from './apiDeps.ts';

/**
 * Records a change of settings in the audit, with the caller and the client's IP address.
 * @param changedThing the thing that was changed
 */
export const recordChange = (
  ctx: ApiContext,
  { audit }: SomeApiDeps<'audit'>,
  action: AuditRecord['action'],
  changedThing: string,
) => audit.record({ ...auditActorOf(ctx), action, subject: changedThing });

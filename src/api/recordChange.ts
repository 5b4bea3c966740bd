import type { AuditRecord } from '../organizations/audit.ts';
import { type ApiContext, actorOf } from './context.ts';
import type { Needs } from './parts.ts';

/** Records what the caller changed, and from where. @param subject what it was done to */
export const recordChange = (
  ctx: ApiContext,
  { audit }: Needs<'audit'>,
  action: AuditRecord['action'],
  subject: string,
) => audit.record({ ...actorOf(ctx), action, subject });

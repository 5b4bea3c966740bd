import type { NeededPorts } from '../ports.ts';
import { batchToRun } from './batchToRun.ts';

/**
 * Marks a batch whose workflow no longer exists as failed, and starts a short run that sends its
 * callback. Does nothing for tasks. Repeatable: a second call finds the batch failed.
 * @throws DomainError UNAVAILABLE if Temporal does not answer
 */
export async function endLostBatch(
  { batches, sites, batchRuns }: NeededPorts<'batches' | 'sites' | 'batchRuns'>,
  batchId: string,
): Promise<void> {
  const batch = await batches.lost(batchId);
  if (batch?.callbackUrl === undefined) return;
  const site = await sites.find(batch.organizationId, batch.siteId);
  if (site) await batchRuns.reportEnd(batchToRun(batch, site));
}

import type { NeededPorts } from '../ports.ts';
import { batchToRun } from './batchToRun.ts';

/**
 * Fails a batch whose workflow is not there, and has its callback told of the end. Does nothing for
 * tasks. Repeatable.
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

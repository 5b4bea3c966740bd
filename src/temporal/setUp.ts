import { DomainError } from '../errors.ts';
import { connectClient } from './connection.ts';
import { RETENTION_DAYS, setupNamespace } from './searchAttributes.ts';
import { reconcile } from './tasks/reconcile.ts';

export interface OutsideTemporal {
  /** TEMPORAL_ADDRESS. */
  address: string | undefined;
  namespace: string;
  /** The `TEMPORAL_*` variables as given. */
  environment: Record<string, string>;
}

/**
 * Creates the namespace and search attributes at TEMPORAL_ADDRESS if they are missing.
 * @throws DomainError CONFIGURATION for the embedded server, which sets itself up
 */
export async function setUpTemporal({ address, namespace, environment }: OutsideTemporal) {
  if (address === undefined) throw onlyOutside('sets itself up');
  const connection = connectClient({ environment });
  try {
    await setupNamespace(connection, { namespace, retentionDays: RETENTION_DAYS });
    return { namespace };
  } finally {
    await connection.close();
  }
}

/**
 * Repairs wrong entries in visibility at TEMPORAL_ADDRESS.
 * @throws DomainError CONFIGURATION for the embedded server: its single database can't disagree
 */
export async function reconcileTemporal(
  { address, namespace, environment }: OutsideTemporal,
  since?: Date,
) {
  if (address === undefined) throw onlyOutside('keeps all in one file');
  return reconcile({ endpoint: { environment }, namespace, since });
}

const onlyOutside = (what: string) =>
  new DomainError(
    'CONFIGURATION',
    `The embedded Temporal server ${what}: this command is for the one at TEMPORAL_ADDRESS`,
  );

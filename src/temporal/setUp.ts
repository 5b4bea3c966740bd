import { DomainError } from '../errors.ts';
import { connectClient } from './connection.ts';
import { RETENTION_DAYS, setupNamespace } from './searchAttributes.ts';

export interface OutsideTemporal {
  /** TEMPORAL_ADDRESS. */
  address: string | undefined;
  namespace: string;
  /** The `TEMPORAL_*` variables as given. */
  environment: Record<string, string>;
}

export const NO_SETUP =
  'The embedded Temporal server needs no setup. Set TEMPORAL_ADDRESS to set up another server';

/**
 * Creates the namespace and search attributes at TEMPORAL_ADDRESS if they are missing, for the
 * operator's command `temporal setup`.
 * @throws DomainError CONFIGURATION for the embedded server, which sets itself up
 */
export async function setUpTemporal({ address, namespace, environment }: OutsideTemporal) {
  if (address === undefined) throw new DomainError('CONFIGURATION', NO_SETUP);
  const connection = connectClient({ environment });
  try {
    await setupNamespace(connection, { namespace, retentionDays: RETENTION_DAYS });
    return { namespace };
  } finally {
    await connection.close();
  }
}

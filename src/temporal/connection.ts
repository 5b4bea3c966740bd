import { Client, Connection, QueryRejectCondition } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import { DomainError } from '../errors.ts';

export interface TemporalEndpoint {
  /** `host:port` of the embedded server; undefined: an outside one, as the environment says. */
  embeddedAddress?: string | undefined;
  /** The `TEMPORAL_*` settings of `@temporalio/envconfig`. */
  environment: Record<string, string>;
}

/** Options of both kinds of connection. An outside server's address, TLS and key come from the environment. */
export function connectionOptions({ embeddedAddress, environment }: TemporalEndpoint) {
  if (embeddedAddress !== undefined) return { address: embeddedAddress };
  return loadClientConnectConfig({ overrideEnvVars: environment }).connectionOptions;
}

/** A client's connection, which connects when it is first used: the API starts where Temporal is down. */
export const connectClient = (endpoint: TemporalEndpoint) => Connection.lazy(connectionOptions(endpoint));

/** A worker's connection. Throws UNAVAILABLE. */
export async function connectWorker(endpoint: TemporalEndpoint): Promise<NativeConnection> {
  const options = connectionOptions(endpoint);
  try {
    return await NativeConnection.connect(options);
  } catch (cause) {
    throw new DomainError('UNAVAILABLE', `Temporal can't be reached at ${options.address ?? 'localhost:7233'}`, {
      retryable: true,
      cause,
    });
  }
}

/** A query of a closed workflow would make a worker replay it: such a query is refused. */
export const createClient = (connection: Connection, namespace: string) =>
  new Client({ connection, namespace, workflow: { queryRejectCondition: QueryRejectCondition.NOT_OPEN } });

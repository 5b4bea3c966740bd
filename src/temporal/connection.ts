import { Client, Connection, QueryRejectCondition } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import { DomainError } from '../errors.ts';
import type { TemporalTracing } from './temporalTracing.ts';
import { checkNamespace, retentionDaysOf } from './searchAttributes.ts';

const ANSWERS_WITHIN_MS = 10_000;
/**
 * The largest answer: a list of 100 tasks, whose memos may have 2 MiB each. gRPC's default is 4
 * MiB. The SDK's own argument lacks the prefix `grpc.`, so it has no effect.
 */
const channelArgs = { 'grpc.max_receive_message_length': 256 * 1024 ** 2 };

export interface TemporalEndpoint {
  /** `host:port` of the embedded server; undefined: the environment names an outside server. */
  embeddedAddress?: string | undefined;
  /** The `TEMPORAL_*` settings of `@temporalio/envconfig`. */
  environment: Record<string, string>;
}

/**
 * Options for clients' and workers' connections. An outside server's address, TLS and key come from
 * the environment.
 */
export function connectionOptions({ embeddedAddress, environment }: TemporalEndpoint) {
  if (embeddedAddress !== undefined) return { address: embeddedAddress };
  return loadClientConnectConfig({ overrideEnvVars: environment }).connectionOptions;
}

/**
 * Makes a client's connection. It connects on first use, so the API starts even while Temporal is
 * down.
 */
export const connectClient = (endpoint: TemporalEndpoint) =>
  Connection.lazy({ ...connectionOptions(endpoint), channelArgs });

/**
 * Checks that the server answers, and that namespace and search attributes exist.
 * @returns for how many days the namespace keeps tasks; undefined if the server does not tell
 * @throws DomainError UNAVAILABLE if the server does not answer, CONFIGURATION if namespace or
 *   search attributes are missing
 */
export async function requireNamespace(
  endpoint: TemporalEndpoint,
  namespace: string,
): Promise<number | undefined> {
  const connection = connectClient(endpoint);
  try {
    return await connection.withDeadline(Date.now() + ANSWERS_WITHIN_MS, async () => {
      const checkResult = await checkNamespace(connection, namespace);
      if (checkResult !== true) throw new DomainError('CONFIGURATION', checkResult);
      return retentionDaysOf(connection, namespace);
    });
  } catch (error) {
    throw error instanceof DomainError ? error : temporalUnreachable(endpoint, error);
  } finally {
    await connection.close();
  }
}

/** Makes a worker's connection. Throws UNAVAILABLE. */
export async function connectWorker(endpoint: TemporalEndpoint): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect(connectionOptions(endpoint));
  } catch (cause) {
    throw temporalUnreachable(endpoint, cause);
  }
}

function temporalUnreachable(endpoint: TemporalEndpoint, cause: unknown) {
  const { address = 'localhost:7233' } = connectionOptions(endpoint);
  return new DomainError('UNAVAILABLE', `The Temporal server can't be reached at ${address}`, {
    retryable: true,
    cause,
  });
}

/**
 * A client that refuses queries of closed workflows: a worker would have to replay the workflow.
 */
export const createClient = (
  connection: Connection,
  namespace: string,
  dataConverter: DataConverter = {},
  tracing?: TemporalTracing,
) =>
  new Client({
    connection,
    namespace,
    dataConverter,
    ...(tracing && { interceptors: { workflow: [tracing.clientInterceptor] } }),
    workflow: { queryRejectCondition: QueryRejectCondition.NOT_OPEN },
  });

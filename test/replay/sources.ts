import { type Connection, isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { type DataConverter, ValueError } from '@temporalio/common';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceConfig } from '../../src/config.ts';
import { DomainError } from '../../src/errors.ts';
import { connectClient, createClient } from '../../src/temporal/connection.ts';
import { readPidFile } from '../../src/temporal/server/pidFile.ts';
import type { History, NamedHistory } from './divergence.ts';

const ANSWERS_WITHIN_MS = 30_000;
const folder = new URL('./histories/', import.meta.url);

/** The histories that were recorded, by version and scenario. */
export const recorded = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .sort();

export const readRecorded = (file: string): NamedHistory => ({
  workflowId: file,
  history: historyIn(file, readFileSync(new URL(file, folder), 'utf8')),
});

/**
 * The histories that an argument names.
 * @param argument a file that the Temporal UI or CLI wrote, a workflow's id, or a query; undefined:
 *   the recorded ones
 * @param options.last of a query, how many: those that began last
 * @param options.dataConverter of the processes that wrote them, which reads their memos
 * @throws DomainError INVALID_INPUT for a file that is no history, CONFIGURATION where no server is
 *   found
 */
export async function* historiesOf(
  argument: string | undefined,
  config: Pick<ServiceConfig, 'temporal' | 'dataDir'>,
  {
    last = Infinity,
    dataConverter,
  }: { last?: number; dataConverter?: DataConverter | undefined } = {},
): AsyncGenerator<NamedHistory> {
  if (argument === undefined) {
    yield* recorded.map(readRecorded);
    return;
  }
  if (existsSync(argument)) {
    yield { workflowId: argument, history: historyIn(argument, readFileSync(argument, 'utf8')) };
    return;
  }
  const connection = connectClient(endpointOf(config));
  try {
    await withinTime(connection, () => connection.workflowService.getSystemInfo({}));
    const { workflow } = createClient(connection, config.temporal.namespace, dataConverter);
    const ids = isQuery(argument)
      ? workflow.list({ query: argument })
      : [{ workflowId: argument, runId: undefined }];
    let left = last;
    for await (const { workflowId, runId } of ids) {
      if (left-- <= 0) break;
      const history = await withinTime(connection, () =>
        workflow.getHandle(workflowId, runId).fetchHistory(),
      );
      yield { workflowId, history: historyIn(workflowId, historyToJSON(history)) };
    }
  } catch (error) {
    throw named(error);
  } finally {
    await connection.close();
  }
}

const withinTime = <T>(connection: Connection, call: () => Promise<T>): Promise<T> =>
  connection.withDeadline(Date.now() + ANSWERS_WITHIN_MS, call);

/** gRPC's codes. */
const [INVALID_ARGUMENT, NOT_FOUND]: number[] = [3, 5];

function named(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const cause = error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : error;
  const { code, details }: { code?: number; details?: string } = isGrpcServiceError(cause)
    ? cause
    : {};
  if (error instanceof WorkflowNotFoundError || code === NOT_FOUND)
    return new DomainError('NOT_FOUND', 'There is no such workflow, and no such file');
  if (code === INVALID_ARGUMENT)
    return new DomainError('INVALID_INPUT', `The query can't be read: ${details}`);
  if (cause instanceof ValueError)
    return new DomainError(
      'INVALID_INPUT',
      `${cause.message}: SECRETS_KEYS has the keys of encrypted values`,
    );
  return new DomainError('UNAVAILABLE', 'The Temporal server does not answer', { cause: error });
}

const isQuery = (argument: string) => /[=<>\s]/.test(argument);

/** The cluster at TEMPORAL_ADDRESS, or the embedded server of the service that runs on DATA_DIR. */
function endpointOf({
  temporal: { address, environment },
  dataDir,
}: Pick<ServiceConfig, 'temporal' | 'dataDir'>) {
  if (address !== undefined) return { environment };
  const running = readPidFile(join(dataDir, 'temporal.pid.json'));
  if (running?.pid === undefined)
    throw new DomainError(
      'CONFIGURATION',
      `No Temporal server runs on ${dataDir}: start the service, or set TEMPORAL_ADDRESS or DATA_DIR`,
    );
  return { embeddedAddress: `127.0.0.1:${running.port}`, environment };
}

/** A file has the events in an object, or alone. */
function historyIn(name: string, text: string): History {
  const wrong = new DomainError(
    'INVALID_INPUT',
    `${name} is no history: expected the JSON of the Temporal UI or CLI`,
  );
  try {
    const json = JSON.parse(text) as unknown;
    const { events } = (Array.isArray(json) ? { events: json } : json) as Partial<History>;
    if (!events?.[0]?.workflowExecutionStartedEventAttributes) throw wrong;
    return { events };
  } catch {
    throw wrong;
  }
}

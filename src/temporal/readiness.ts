import type { Connection } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { Disk } from '../storage/diskSpace.ts';
import type { Schema } from '../storage/schema.ts';
import { checkNamespace } from './searchAttributes.ts';
import type { RunningWorker } from './worker/worker.ts';

const ANSWERS_WITHIN_MS = 3_000;
const noAnswer = 'did not answer';

interface ReadinessOptions {
  db: Kysely<Schema>;
  disk: Pick<Disk, 'check'>;
  connection: Connection;
  namespace: string;
  /** undefined: workers run in other processes. */
  worker: Pick<RunningWorker, 'check'> | undefined;
}

/**
 * Creates the check behind `/readyz`: for each required part, true or the reason why it is not
 * ready, such as `{ database: true, temporal: 'did not answer', … }`.
 */
export function createReadiness({ db, disk, connection, namespace, worker }: ReadinessOptions) {
  const callTemporal = <T>(call: () => Promise<T>) =>
    connection.withDeadline(Date.now() + ANSWERS_WITHIN_MS, call);
  const checks: Record<string, () => Promise<true | string>> = {
    database: () => sql`select 1`.execute(db).then(() => true as const),
    temporal: () =>
      callTemporal(() => connection.workflowService.getSystemInfo({})).then(() => true as const),
    ...withoutUndefined({ worker: worker && (() => worker.check()) }),
    disk: () => disk.check(),
    searchAttributes: cacheSuccess(() => callTemporal(() => checkNamespace(connection, namespace))),
  };
  return async (): Promise<Record<string, true | string>> => {
    const checkedEntries = Object.entries(checks).map(async ([name, check]) => [
      name,
      await Promise.race([check(), delay(ANSWERS_WITHIN_MS, noAnswer, { ref: false })]).catch(
        () => noAnswer,
      ),
    ]);
    return Object.fromEntries(await Promise.all(checkedEntries)) as Record<string, true | string>;
  };
}

/**
 * Repeats a check only until it succeeds once, because it takes one of the few list calls that
 * Temporal allows.
 */
function cacheSuccess(check: () => Promise<true | string>): () => Promise<true | string> {
  let isTrue = false;
  return async () => {
    if (isTrue) return true;
    const checkResult = await check();
    isTrue = checkResult === true;
    return checkResult;
  };
}

import {
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowExecutionInfo,
  WorkflowNotFoundError,
} from '@temporalio/client';

/** For so many milliseconds, what begins or ends may be missing in Temporal's visibility. */
export const VISIBLE_WITHIN_MS = 60_000;
const AT_ONCE = 20;

type Listed = Omit<WorkflowExecutionInfo, 'raw'>;

/**
 * Describes workflows that are listed as running for over a minute. After a restore of Temporal's
 * databases, visibility may list some that have ended, or that its other database never had.
 * @returns each as it is, in the same order; null for one that Temporal does not know
 * @throws the client's error
 */
export async function asTheyAre(client: Client, listed: Listed[]): Promise<(Listed | null)[]> {
  const before = Date.now() - VISIBLE_WITHIN_MS;
  const isDoubtful = ({ status, startTime }: Listed) =>
    status.name === 'RUNNING' && startTime.getTime() < before;
  return atOnce(listed, async (one) =>
    isDoubtful(one) ? describeRun(client, one.workflowId, one.runId) : one,
  );
}

/** @returns null where there is no such run. @param runId by default the latest */
export async function describeRun(
  client: Client,
  workflowId: string,
  runId?: string,
): Promise<WorkflowExecutionDescription | null> {
  try {
    return await client.workflow.getHandle(workflowId, runId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** The results of calls of which some run at the same time. */
export async function atOnce<T, R>(values: T[], call: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = values.entries();
  const work = async () => {
    for (const [at, value] of queue) results[at] = await call(value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

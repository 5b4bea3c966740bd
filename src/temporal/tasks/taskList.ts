import { isGrpcServiceError } from '@temporalio/client';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { isPartialOutcome, type PartialOutcome } from '../../contract/outcome.ts';
import { type TaskOutcome, changedPageSlugs } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import { listPage } from './describeListed.ts';
import type { TemporalCalls } from './temporalCalls.ts';
import {
  quoteValue,
  organizationTasksQuery,
  callbackQuery,
  statusQueries,
} from './visibilityQueries.ts';
import { creatorAttribute } from './startOptions.ts';
import { titleSearchWords } from './titleWords.ts';
import { taskRecordOf, taskUnavailable } from './taskRecord.ts';
import { latestRedeliveries } from './redeliveries.ts';
import type { LatestCallbackState, TaskListRequest, TaskListPage } from './taskService.ts';

const MAC_BYTES = 32;
/** google.rpc.Code */
const INVALID_ARGUMENT = 3;

/**
 * Lists tasks from Temporal's visibility (its searchable list of workflows), which lags a moment
 * behind: open workflows first, then the latest closed ones. While a client pages, a task may
 * appear twice, but is never missed.
 * @param secret for signing cursors. A cursor is only valid for the organization and filters of its
 *   list
 * @throws DomainError INVALID_INPUT for a cursor of another list, UNAVAILABLE
 */
export async function readTaskList(
  calls: TemporalCalls,
  secret: Uint8Array,
  request: TaskListRequest,
): Promise<TaskListPage> {
  const { status, callback, cursor, limit: pageSize } = request;
  const readLatestRedeliveries = () =>
    callForList(() => latestRedeliveries(calls, request.organizationId));
  const filters = listQuery(request);
  const redeliveryStates = callback === undefined ? undefined : await readLatestRedeliveries();
  const query = redeliveryStates ? listQuery(request, redeliveryStates) : filters;
  const pageToken = cursor === undefined ? Buffer.alloc(0) : openCursor(secret, filters, cursor);
  const { found, nextPageToken } = await callForList(() =>
    listPage(calls, { query, pageSize, nextPageToken: pageToken }),
  );
  const taskRecords = found.flatMap((workflow) =>
    workflow === null ? [] : taskRecordOf(workflow.workflowId, workflow),
  );
  const hasCallbacks = taskRecords.some(({ callbackState }) => callbackState);
  const redeliveryByTask =
    redeliveryStates ?? (hasCallbacks ? await readLatestRedeliveries() : undefined);
  const tasks = taskRecords.map(({ finished, ...record }) => ({
    ...record,
    ...withoutUndefined({
      finishedAt: finished?.finishedAt,
      slugs: finished && slugsOfEnd(finished),
      callbackState: redeliveryByTask?.get(record.taskId) ?? record.callbackState,
    }),
  }));
  return {
    // a task that ended after it was listed may no longer match
    tasks: tasks.filter(
      (task) =>
        (status ?? task.status) === task.status &&
        (callback ?? task.callbackState) === task.callbackState,
    ),
    nextCursor: nextPageToken?.length ? sealCursor(secret, filters, nextPageToken) : null,
  };
}

function slugsOfEnd(taskEnd: TaskOutcome | PartialOutcome): string[] | undefined {
  if (taskEnd.status === 'failed') return undefined;
  if (!isPartialOutcome(taskEnd)) return changedPageSlugs(taskEnd.output);
  return taskEnd.slugs && Object.values(taskEnd.slugs).flat();
}

/**
 * The query for a list. Cursors are bound to the query without redeliveries, which only has
 * organization and filters: redeliveries may be added while a client pages.
 */
function listQuery(
  request: TaskListRequest,
  redelivered = new Map<string, LatestCallbackState>(),
): string {
  const { organizationId, siteId, type, status, title, createdBy, callback } = request;
  const searchedWords = title === undefined ? [] : titleSearchWords(title);
  const possibleCreators =
    createdBy === undefined ? [] : [{ userId: createdBy }, { keyId: createdBy }];
  const conditions = [
    organizationTasksQuery(organizationId),
    ...(siteId === undefined ? [] : [`SiteId = ${quoteValue(siteId)}`]),
    ...(type === undefined ? [] : [`TaskType = ${quoteValue(type)}`]),
    ...(status === undefined ? [] : [statusQueries[status]]),
    ...searchedWords.map((word) => `TitleWords = ${quoteValue(word)}`),
    ...(possibleCreators.length === 0
      ? []
      : [
          `CreatedBy IN (${possibleCreators.map((creator) => quoteValue(creatorAttribute(creator))).join(', ')})`,
        ]),
    ...(callback === undefined ? [] : [callbackQuery(callback, redelivered)]),
  ];
  return conditions.join(' AND ');
}

async function callForList<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof DomainError) throw error;
    if (isGrpcServiceError(error) && Number(error.code) === INVALID_ARGUMENT)
      throw wrongCursorError();
    throw taskUnavailable(error);
  }
}

function sealCursor(secret: Uint8Array, query: string, token: Uint8Array): string {
  return Buffer.concat([cursorMac(secret, query, token), token]).toString('base64url');
}

function openCursor(secret: Uint8Array, query: string, cursor: string): Uint8Array {
  const bytes = Buffer.from(cursor, 'base64url');
  const [mac, token] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)];
  if (mac.length < MAC_BYTES || !timingSafeEqual(mac, cursorMac(secret, query, token)))
    throw wrongCursorError();
  return token;
}

const cursorMac = (secret: Uint8Array, query: string, token: Uint8Array) =>
  createHmac('sha256', secret).update(`list of tasks\0${query}\0`).update(token).digest();

const wrongCursorError = () =>
  new DomainError(
    'INVALID_INPUT',
    'Invalid query: cursor must be the nextCursor of a response to the same filters',
  );

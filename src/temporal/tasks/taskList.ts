import { isGrpcServiceError } from '@temporalio/client';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { defined } from '../../contract/defined.ts';
import { isPart, type PartOfEnd } from '../../contract/ended.ts';
import { type FinishedView, slugsOf } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import { listPage } from './describeListed.ts';
import type { Calls } from './calls.ts';
import { quote, tasksOf, withCallback, withStatus } from './visibilityQueries.ts';
import { makerAttribute } from './startOptions.ts';
import { titleWords } from './titleWords.ts';
import { recordOf, unavailable } from './taskRecord.ts';
import { latestRedeliveries } from './redeliveries.ts';
import type { CallbackState, ListRequest, TaskList } from './tasks.ts';

const MAC_BYTES = 32;
/** google.rpc.Code */
const INVALID_ARGUMENT = 3;

/**
 * Lists tasks from Temporal's visibility, which lags a moment behind: open workflows first, then
 * the latest closed. While paging, a task may appear twice, but is never missed.
 * @param secret for signing cursors. A cursor is only valid for the organization and filters of its
 *   list
 * @throws DomainError INVALID_INPUT for a cursor of another list, UNAVAILABLE
 */
export async function listTasks(
  calls: Calls,
  secret: Uint8Array,
  request: ListRequest,
): Promise<TaskList> {
  const { status, callback, cursor, limit: pageSize } = request;
  const latest = () => ask(() => latestRedeliveries(calls, request.organizationId));
  const filters = queryOf(request);
  const redeliveryStates = callback === undefined ? undefined : await latest();
  const query = redeliveryStates ? queryOf(request, redeliveryStates) : filters;
  const from = cursor === undefined ? Buffer.alloc(0) : openCursor(secret, filters, cursor);
  const { found, nextPageToken } = await ask(() =>
    listPage(calls, { query, pageSize, nextPageToken: from }),
  );
  const records = found.flatMap((info) => (info === null ? [] : recordOf(info.workflowId, info)));
  const hasCallbacks = records.some(({ callbackState }) => callbackState);
  const redelivered = redeliveryStates ?? (hasCallbacks ? await latest() : undefined);
  const tasks = records.map(({ finished, ...record }) => ({
    ...record,
    ...defined({
      finishedAt: finished?.finishedAt,
      slugs: finished && slugsIn(finished),
      callbackState: redelivered?.get(record.taskId) ?? record.callbackState,
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

function slugsIn(end: FinishedView | PartOfEnd): string[] | undefined {
  if (end.status === 'failed') return undefined;
  if (!isPart(end)) return slugsOf(end.output);
  return end.slugs && Object.values(end.slugs).flat();
}

/**
 * The query for a list. Cursors are bound to the query without redeliveries, which only has
 * organization and filters: redeliveries may be added while a client pages.
 */
function queryOf(request: ListRequest, redelivered = new Map<string, CallbackState>()): string {
  const { organizationId, siteId, type, status, title, createdBy, callback } = request;
  const words = title === undefined ? [] : titleWords(title);
  const makers = createdBy === undefined ? [] : [{ userId: createdBy }, { keyId: createdBy }];
  const conditions = [
    tasksOf(organizationId),
    ...(siteId === undefined ? [] : [`SiteId = ${quote(siteId)}`]),
    ...(type === undefined ? [] : [`TaskType = ${quote(type)}`]),
    ...(status === undefined ? [] : [withStatus[status]]),
    ...words.map((word) => `TitleWords = ${quote(word)}`),
    ...(makers.length === 0
      ? []
      : [`CreatedBy IN (${makers.map((maker) => quote(makerAttribute(maker))).join(', ')})`]),
    ...(callback === undefined ? [] : [withCallback(callback, redelivered)]),
  ];
  return conditions.join(' AND ');
}

async function ask<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof DomainError) throw error;
    if (isGrpcServiceError(error) && Number(error.code) === INVALID_ARGUMENT) throw wrongCursor();
    throw unavailable(error);
  }
}

function sealCursor(secret: Uint8Array, query: string, token: Uint8Array): string {
  return Buffer.concat([macOf(secret, query, token), token]).toString('base64url');
}

function openCursor(secret: Uint8Array, query: string, cursor: string): Uint8Array {
  const bytes = Buffer.from(cursor, 'base64url');
  const [mac, token] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)];
  if (mac.length < MAC_BYTES || !timingSafeEqual(mac, macOf(secret, query, token)))
    throw wrongCursor();
  return token;
}

const macOf = (secret: Uint8Array, query: string, token: Uint8Array) =>
  createHmac('sha256', secret).update(`list of tasks\0${query}\0`).update(token).digest();

const wrongCursor = () =>
  new DomainError(
    'INVALID_INPUT',
    'Invalid query: cursor must be the nextCursor of an answer to the same filters',
  );

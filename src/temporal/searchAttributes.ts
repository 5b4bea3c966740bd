import { isGrpcServiceError } from '@temporalio/client';
import type { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../errors.ts';

/** The search attributes of a task's workflow and their Temporal types (design.md, "A task's state"). */
export const searchAttributes = {
  OrganizationId: 'Keyword',
  SiteId: 'Keyword',
  TaskType: 'Keyword',
  TaskStatus: 'Keyword',
  Publish: 'Bool',
  /** Why a task failed. */
  FailureKind: 'Keyword',
  /** `pending`, `delivered` or `failed`; only where there is a callback. */
  CallbackStatus: 'Keyword',
  /** `user:<id>` or `key:<id>`. */
  CreatedBy: 'Keyword',
  /** The words of the title, see titleWords.ts. */
  TitleWords: 'KeywordList',
} as const;

/** Days for which Temporal keeps a finished task. */
export const RETENTION_DAYS = 30;

/** temporal.api.enums.v1.IndexedValueType */
export const indexedValueTypes = { Keyword: 2, Bool: 5, KeywordList: 7 } as const;
/** google.rpc.Code */
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
const SECONDS_PER_DAY = 86_400;
const NAMESPACE_VISIBLE_WITHIN_MS = 30_000;

/**
 * Makes the namespace and our search attributes if missing, and lengthens a shorter retention. May be repeated.
 * @param options.retentionDays how long closed workflows are kept, in days
 * @throws DomainError CONFIGURATION for a search attribute of another type; the server's error where it refuses
 */
export async function setupNamespace(
  connection: Connection,
  { namespace, retentionDays }: { namespace: string; retentionDays: number },
): Promise<void> {
  await ensureNamespace(connection, namespace, retentionDays);
  const { missing, mistyped } = await whenVisible(() => compareAttributes(connection, namespace));
  if (mistyped.length > 0) throw new DomainError('CONFIGURATION', wrongTypes(namespace, mistyped));
  if (missing.length === 0) return;
  const added = Object.fromEntries(missing.map((name) => [name, typeOf(name)]));
  await whenVisible(() => connection.operatorService.addSearchAttributes({ namespace, searchAttributes: added }));
}

/**
 * Whether tasks can run in the namespace: an unregistered attribute would make workflow tasks fail for ever.
 * @returns true, or what is missing and how to make it
 * @throws the connection's error when the server can't be reached
 */
export async function checkNamespace(connection: Connection, namespace: string): Promise<true | string> {
  try {
    await connection.workflowService.describeNamespace({ namespace });
    const { missing, mistyped } = await compareAttributes(connection, namespace);
    if (mistyped.length > 0) return wrongTypes(namespace, mistyped);
    if (missing.length === 0) return true;
    return `Temporal namespace "${namespace}" lacks the search attributes ${missing.join(', ')}: ${advice}`;
  } catch (error) {
    if (hasStatus(error, NOT_FOUND)) return `Temporal namespace "${namespace}" does not exist: ${advice}`;
    throw error;
  }
}

const advice = 'run `npm run cli -- temporal setup`';

async function ensureNamespace(connection: Connection, namespace: string, retentionDays: number): Promise<void> {
  const service = connection.workflowService;
  const retention = msToTs(`${retentionDays} days`);
  try {
    const { config } = await service.describeNamespace({ namespace });
    const days = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) / SECONDS_PER_DAY;
    if (days >= retentionDays) return;
    await service.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl: retention } });
  } catch (error) {
    if (!hasStatus(error, NOT_FOUND)) throw error;
    await service.registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention }).catch((e: unknown) => {
      if (!hasStatus(e, ALREADY_EXISTS)) throw e;
    });
  }
}

type AttributeName = keyof typeof searchAttributes;

const typeOf = (name: AttributeName) => indexedValueTypes[searchAttributes[name]];

async function compareAttributes(connection: Connection, namespace: string) {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const names = Object.keys(searchAttributes) as AttributeName[];
  return {
    missing: names.filter((name) => customAttributes[name] === undefined),
    mistyped: names.filter(
      (name) => customAttributes[name] !== undefined && Number(customAttributes[name]) !== typeOf(name),
    ),
  };
}

function wrongTypes(namespace: string, names: AttributeName[]): string {
  const expected = names.map((name) => `${name} must be ${searchAttributes[name]}`).join(', ');
  return `Temporal namespace "${namespace}" has search attributes of another type: ${expected}`;
}

/** A new namespace becomes known to every part of a cluster only after some seconds. */
async function whenVisible<T>(call: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + NAMESPACE_VISIBLE_WITHIN_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!hasStatus(error, NOT_FOUND) || Date.now() > deadline) throw error;
      await delay(200);
    }
  }
}

function hasStatus(error: unknown, code: number): boolean {
  return isGrpcServiceError(error) && Number(error.code) === code;
}

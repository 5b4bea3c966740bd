import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from './sdkInternals.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { attributeKeys } from '../contract/searchAttributes.ts';
import { DomainError } from '../errors.ts';

/** Days that Temporal keeps a finished task. */
export const RETENTION_DAYS = 30;

/** Each type's name for people and for the CLI, and its number in IndexedValueType of the API. */
const valueTypes = {
  KEYWORD: { name: 'Keyword', number: 2 },
  BOOL: { name: 'Bool', number: 5 },
  KEYWORD_LIST: { name: 'KeywordList', number: 7 },
} as const;

/** The search attributes as a namespace registers them. */
export const registeredAttributes = Object.values(attributeKeys).map(({ name, type }) => ({
  name,
  type: valueTypes[type],
}));
/** google.rpc.Code */
const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
const PERMISSION_DENIED = 7;
const UNIMPLEMENTED = 12;
const SECONDS_PER_DAY = 86_400;
const NAMESPACE_VISIBLE_WITHIN_MS = 30_000;

/**
 * Creates the namespace and the search attributes if missing, and extends a shorter retention.
 * Repeatable. If the server forbids this to clients, as Temporal Cloud does, only checks that
 * everything exists.
 * @param options `retentionDays`: days that closed workflows are kept
 * @throws DomainError CONFIGURATION for a missing attribute, or one of another type; the server's
 *   error if the call fails
 */
export async function setupNamespace(
  connection: Connection,
  { namespace, retentionDays }: { namespace: string; retentionDays: number },
): Promise<void> {
  await ensureNamespace(connection, namespace, retentionDays);
  await unlessRefused(() => addAttributes(connection, namespace));
  const deadline = Date.now() + NAMESPACE_VISIBLE_WITHIN_MS;
  for (;;) {
    const checkResult = await checkNamespace(connection, namespace);
    if (checkResult === true) return;
    if (Date.now() > deadline) throw new DomainError('CONFIGURATION', checkResult);
    await delay(200);
  }
}

/**
 * Checks whether tasks can run in the namespace: with an unregistered search attribute, they would
 * fail forever. Requests a count with a query that names all attributes, since Temporal Cloud lets
 * no client list them.
 * @returns true, or a sentence on what is missing and how to create it
 * @throws the connection's error if the server can't be reached
 */
export async function checkNamespace(
  connection: Connection,
  namespace: string,
): Promise<true | string> {
  try {
    await connection.workflowService.describeNamespace({ namespace });
    await connection.workflowService.countWorkflowExecutions({
      namespace,
      query: allAttributesQuery,
    });
    return true;
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === INVALID_ARGUMENT)
      return `Temporal namespace "${namespace}" needs ${describeAttributes(registeredAttributes)}. Temporal answered: ${error.details}. To register them, ${setupAdvice}`;
    if (hasGrpcStatus(error, NOT_FOUND))
      return `Temporal namespace "${namespace}" does not exist. To create it, ${setupAdvice}`;
    throw error;
  }
}

const setupAdvice =
  'run `npm run cli -- temporal setup` (for Temporal Cloud, see docs/deployment.md)';

/**
 * How long the namespace keeps closed workflows.
 * @returns whole days; undefined if the server does not tell
 * @throws the connection's error if the server can't be reached
 */
export async function retentionDaysOf(
  connection: Connection,
  namespace: string,
): Promise<number | undefined> {
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  const seconds = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0);
  return seconds === 0 ? undefined : Math.floor(seconds / SECONDS_PER_DAY);
}

async function ensureNamespace(
  connection: Connection,
  namespace: string,
  retentionDays: number,
): Promise<void> {
  const service = connection.workflowService;
  const retention = msToTs(`${retentionDays} days`);
  try {
    const currentDays = await retentionDaysOf(connection, namespace);
    if (currentDays !== undefined && currentDays >= retentionDays) return;
    await unlessRefused(() =>
      service.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl: retention } }),
    );
  } catch (error) {
    if (!hasGrpcStatus(error, NOT_FOUND)) throw error;
    await service
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention })
      .catch((registerError: unknown) => {
        if (!hasGrpcStatus(registerError, ALREADY_EXISTS)) throw registerError;
      });
  }
}

const describeAttributes = (attributes: typeof registeredAttributes) =>
  `the search attributes ${attributes.map(({ name, type }) => `${name} (${type.name})`).join(', ')}`;

/** A query that names all attributes, each with a value of its type. */
const allAttributesQuery = registeredAttributes
  .map(({ name, type }) => `${name} = ${type.name === 'Bool' ? 'true' : "'-'"}`)
  .join(' AND ');

async function addAttributes(connection: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await whenVisible(() =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  const mistypedAttributes = registeredAttributes.filter(({ name, type }) => {
    const registeredType = customAttributes[name];
    return registeredType !== undefined && Number(registeredType) !== type.number;
  });
  if (mistypedAttributes.length > 0)
    throw new DomainError(
      'CONFIGURATION',
      `Temporal namespace "${namespace}" must have ${describeAttributes(mistypedAttributes)}, but has them with other types`,
    );
  const missingAttributes = registeredAttributes.filter(
    ({ name }) => customAttributes[name] === undefined,
  );
  if (missingAttributes.length === 0) return;
  const addedAttributes = Object.fromEntries(
    missingAttributes.map(({ name, type }) => [name, type.number]),
  );
  await whenVisible(() =>
    connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: addedAttributes,
    }),
  );
}

/** Ignores a refusal: Temporal Cloud lets people change a namespace, but not clients. */
async function unlessRefused(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!hasGrpcStatus(error, PERMISSION_DENIED) && !hasGrpcStatus(error, UNIMPLEMENTED))
      throw error;
  }
}

/** Repeats a call until all parts of a cluster know a new namespace, which takes some seconds. */
async function whenVisible<T>(call: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + NAMESPACE_VISIBLE_WITHIN_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!hasGrpcStatus(error, NOT_FOUND) || Date.now() > deadline) throw error;
      await delay(200);
    }
  }
}

function hasGrpcStatus(error: unknown, code: number): boolean {
  return isGrpcServiceError(error) && Number(error.code) === code;
}

import { ApplicationFailure, CancellationScope, isCancellation } from '@temporalio/workflow';
import type { FailureKind } from '../src/contract/task.ts';
import type { ErrorCode } from '../src/errors.ts';

/** Who can do something about a failure, by the code of its innermost cause. */
export const failureKindByCode: Record<ErrorCode, Exclude<FailureKind, 'cancelled'>> = {
  INVALID_INPUT: 'input',
  INVALID_CALLBACK_URL: 'input',
  UNAUTHORIZED: 'input',
  FORBIDDEN: 'input',
  TOKENS_USED_UP: 'input',
  OUTDATED: 'input',
  IDEMPOTENCY_MISMATCH: 'input',
  TOO_MANY_REQUESTS: 'input',
  TOO_MANY_IN_FLIGHT: 'input',
  TEMPLATE_NOT_FOUND: 'input',
  LINK_FROM_UNFIT: 'input',
  PAGE_EXISTS: 'input',
  NOT_UNDERSTOOD: 'input',
  /** Also a budget that is used up: a request can raise it. */
  LIMIT_EXCEEDED: 'input',
  CALLBACK_FAILED: 'input',

  SITE_WITHOUT_REPOSITORY: 'site',
  NOT_FOUND: 'site',
  CONFLICT: 'site',
  APPROVAL_REQUIRED: 'site',
  PAGE_UNREADABLE: 'site',
  PAGE_CHANGED: 'site',
  GIT_FAILED: 'site',
  PUSH_REFUSED: 'site',
  FORGE_REFUSED: 'site',
  STILL_BUILDING: 'site',
  BUILD_FAILED: 'site',

  CHECK_FAILED: 'agent',
  ITEM_FAILED: 'agent',
  PAGE_REJECTED: 'agent',
  MODEL_FAILED: 'agent',

  START_FAILED: 'service',
  UNAVAILABLE: 'service',
  DISK_FULL: 'service',
  TOOK_TOO_LONG: 'service',
  DEPLOYMENT_FAILED: 'service',
  CHANGED_BY_DEPLOY: 'service',
  CONFIGURATION: 'service',
};

/** The kind of a task's failure. One without a code of ours, such as a timeout, is `service`. */
export function failureKindOfError(error: unknown): FailureKind {
  if (isCancellation(error))
    return CancellationScope.current().consideredCancelled ? 'cancelled' : 'service';
  return (
    (failureKindByCode as Record<string, FailureKind>)[innermostCode(error) ?? ''] ?? 'service'
  );
}

/** The code of the innermost cause; undefined if it has none. */
export function innermostCode(error: unknown): string | undefined {
  let code: string | undefined;
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    code = cause instanceof ApplicationFailure ? (cause.type ?? undefined) : code;
  return code;
}

/** Whether the customer can't fix a failure. Of several pages' failures, such a one decides. */
export const isServiceFault = (failureKind: FailureKind) =>
  failureKind === 'service' || failureKind === 'agent';

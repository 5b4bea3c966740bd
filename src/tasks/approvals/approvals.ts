import type { StoredApproval } from '../../contract/approvals.ts';
import type { Creator } from '../../contract/creator.ts';
import type { ResultCommit, SiteWithRepository } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import { findBatch } from '../batches/read.ts';
import type { RequestCaller } from '../caller.ts';
import type { NeededPorts } from '../ports.ts';
import { findCallerSite } from '../startTask.ts';
import { requireCompleted, taskConflict } from '../taskResults.ts';

export type ApprovalPorts = NeededPorts<
  'approvals' | 'readCurrentVersion' | 'sites' | 'tasks' | 'batches' | 'creators'
>;

/** The result of a task or batch that people approve. */
export interface ApprovableResult {
  site: SiteWithRepository;
  /** `retainedBy` is the task or batch. */
  result: ResultCommit;
  /** null: it is not known. */
  createdBy: Creator | null;
}

/** The approvals of a result. */
export interface ApprovalsView {
  /** The commit of the current version. */
  version: string;
  isRequired: boolean;
  isApproved: boolean;
  /** Whether the caller may approve the current version. */
  mayApprove: boolean;
  approvals: StoredApproval[];
}

/** @throws DomainError NOT_FOUND; CONFLICT if the task runs, failed or changed nothing */
export async function findApprovableTask(
  caller: RequestCaller,
  deps: Pick<ApprovalPorts, 'tasks' | 'sites'>,
  taskId: string,
): Promise<ApprovableResult> {
  const task = await deps.tasks.find(caller.organizationId, taskId);
  const site = await findCallerSite(caller, deps, task.siteId);
  const { result } = requireCompleted(task, 'approve');
  if (!result) throw taskConflict('The task changed nothing, so there is nothing to approve');
  const { taskId: retainedBy, commit } = result;
  // a publish task has the result of the task that it publishes
  const { createdBy } =
    retainedBy === taskId ? task : await deps.tasks.find(caller.organizationId, retainedBy);
  return { site, result: { commit, retainedBy }, createdBy };
}

/** @throws DomainError NOT_FOUND; CONFLICT if the batch has no preview yet */
export async function findApprovableBatch(
  caller: RequestCaller,
  deps: Pick<ApprovalPorts, 'batches' | 'sites'>,
  batchId: string,
): Promise<ApprovableResult> {
  const { siteId, shown, createdBy } = await findBatch(caller, deps, batchId);
  const site = await findCallerSite(caller, deps, siteId);
  if (shown === undefined)
    throw new DomainError('CONFLICT', 'The batch has no pages yet, so there is nothing to approve');
  return { site, result: { commit: shown, retainedBy: batchId }, createdBy };
}

/** Reads which versions of a result were approved, and by whom. */
export async function readApprovals(
  { userId }: Pick<RequestCaller, 'userId'>,
  deps: ApprovalPorts,
  approvable: ApprovableResult,
): Promise<ApprovalsView> {
  const { site, result } = approvable;
  const [{ commit: version, authors }, approvals] = await Promise.all([
    readVersionAuthors(deps, approvable),
    deps.approvals.of(result.retainedBy),
  ]);
  const approversOfVersion = approvals.filter((approval) => approval.version === version);
  return {
    version,
    isRequired: site.publishApproval !== undefined,
    isApproved: approversOfVersion.length > 0,
    mayApprove:
      userId !== undefined &&
      !authors.has(userId) &&
      !approversOfVersion.some(({ by }) => 'userId' in by && by.userId === userId),
    approvals,
  };
}

/** The current version of a result, and the people who created or last edited it. */
async function readVersionAuthors(
  deps: Pick<ApprovalPorts, 'approvals' | 'readCurrentVersion'>,
  { site, result, createdBy }: ApprovableResult,
): Promise<{ commit: string; authors: Set<string | null> }> {
  const [{ commit, editor, keyId }, creator] = await Promise.all([
    deps.readCurrentVersion(site, result),
    createdBy && deps.approvals.personBehind(createdBy),
  ]);
  const keyOwner = keyId === undefined ? null : await deps.approvals.personBehind({ keyId });
  return { commit, authors: new Set([creator, editor, keyOwner]) };
}

/**
 * Approves the current version of a result for publishing. It publishes nothing.
 * @param version the version that the person saw
 * @throws DomainError FORBIDDEN for a program, and for a person who created or last edited the
 *   version; CONFLICT if another version is current
 */
export async function approveVersion(
  { organizationId, userId }: RequestCaller,
  deps: ApprovalPorts,
  approvable: ApprovableResult,
  version: string,
): Promise<void> {
  if (userId === undefined)
    throw new DomainError(
      'FORBIDDEN',
      'Only people can approve pages, not programs. Sign in to the console to approve them',
    );
  const { commit, authors } = await readVersionAuthors(deps, approvable);
  if (commit !== version)
    throw new DomainError(
      'CONFLICT',
      'The pages have changed since. Look at them again, and approve the current version',
    );
  if (authors.has(userId))
    throw new DomainError(
      'FORBIDDEN',
      'You created or last edited these pages, so another person must approve them',
    );
  const taskId = approvable.result.retainedBy;
  await deps.approvals.add({ organizationId, taskId, version, by: { userId } });
}

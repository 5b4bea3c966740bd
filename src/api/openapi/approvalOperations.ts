import { ApprovalList } from '../../contract/responses/approvals.ts';
import type { ErrorCode } from '../../errors.ts';
import { approvalBody } from '../routes/approvals/approvals.schema.ts';
import { type ApiOperation, requestBody } from './operation.ts';

const body = requestBody('ApprovalRequest', approvalBody, {
  version: { version: 'c1f4e8a07d2b95631ef0a4c8b7d6925e3f108a4b' },
});
const description =
  'Only a person can approve pages who neither created nor last edited them. An approval publishes nothing. An edit makes a new version, which nobody has approved yet.';
const errors: ErrorCode[] = ['FORBIDDEN', 'CONFLICT', 'UNAVAILABLE'];

/** The operations on approvals, for sites that publish only what another person has approved. */
export const approvalOperations = {
  listTaskApprovals: {
    route: 'GET /agent/tasks/{taskId}/approvals',
    tag: 'Approvals',
    summary: 'List the approvals of a task',
    answer: ApprovalList,
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  approveTask: {
    route: 'POST /agent/tasks/{taskId}/approvals',
    tag: 'Approvals',
    summary: 'Approve the pages of a task',
    description,
    body,
    answer: ApprovalList,
    status: 201,
    errors,
  },
  listBatchApprovals: {
    route: 'GET /agent/batches/{batchId}/approvals',
    tag: 'Approvals',
    summary: 'List the approvals of a batch',
    answer: ApprovalList,
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  approveBatchPages: {
    route: 'POST /agent/batches/{batchId}/approvals',
    tag: 'Approvals',
    summary: 'Approve the pages of a batch',
    description,
    body,
    answer: ApprovalList,
    status: 201,
    errors,
  },
} satisfies Record<string, ApiOperation>;

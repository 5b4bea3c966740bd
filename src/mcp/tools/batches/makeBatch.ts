import { Joi } from '../../../boundedJoi.ts';
import { onCode } from '../../../errors.ts';
import { checkBatch } from '../../../tasks/batches/check.ts';
import { createBatch } from '../../../tasks/batches/create.ts';
import { confirmField, countField, idempotencyKey, textField, toolAnswer } from '../../schemas.ts';
import { type ChangingArgs, refuseTaskProblems } from '../../startingTool.ts';
import { type AssistantCall, startHints, type AssistantTool } from '../../tool.ts';
import {
  nextReading,
  optionFields,
  readTableArgs,
  type TableArgs,
  tableFields,
} from './batchFields.ts';

type MakeBatchArgs = TableArgs & ChangingArgs & { publish: boolean; canary?: number };

/** `make_batch`: starts a batch, which creates a page for each row of a table. */
export const makeBatchTool: AssistantTool<MakeBatchArgs> = {
  name: 'make_batch',
  title: 'Create pages from a table',
  description:
    'Starts a batch: one page for each of up to 5,000 rows, from a template page of the site. A row that fails does not stop the others. With `canary`, only the first pages are created until approve_rows is called. Without `publish`, all pages stay in a preview until publish_batch is called.',
  hints: startHints,
  input: Joi.object({ ...tableFields, ...optionFields, confirm: confirmField, idempotencyKey }),
  output: toolAnswer({
    batchId: textField('The batch.').required(),
    createdAt: textField('A time in ISO 8601, in UTC.').required(),
    rows: countField('The number of rows.'),
    failed: countField('The number of rows that failed at once, because they are invalid.'),
  }),
  limit: 'create',
  starts: true,
  isPublishing: (_, { publish }) => publish,
  async question(call, { confirm: _, idempotencyKey: key, ...table }) {
    if (await wasMade(call, key)) return null;
    const { caller, deps, jobOwner } = call;
    const request = await readTableArgs(call, table);
    const { make, problems } = await checkBatch(caller, deps, request, jobOwner);
    refuseTaskProblems({ problems, items: [] });
    const site = await deps.sites.find(caller.organizationId, request.siteId);
    const where = site ? ` at ${deps.liveOriginOf(site)}` : '';
    return table.canary === undefined
      ? `Create ${make} pages, and make them live${where} as soon as they are ready, without a review?`
      : `Create the first ${table.canary} of ${make} pages, and make them live${where} without a review?`;
  },
  async run(call, { confirm: _, idempotencyKey: key, ...table }) {
    const request = await readTableArgs(call, table);
    const created = await createBatch(call.caller, call.deps, request, key);
    return { ...created, next: nextReading(created.batchId) };
  },
};

/** Whether an earlier call with the key has created the batch. */
async function wasMade(
  { caller: { organizationId }, deps }: AssistantCall,
  key: string | undefined,
): Promise<boolean> {
  if (key === undefined) return false;
  return deps.batches
    .find(organizationId, deps.batchRuns.newId(organizationId, key))
    .then(() => true)
    .catch(onCode(['NOT_FOUND'], false));
}

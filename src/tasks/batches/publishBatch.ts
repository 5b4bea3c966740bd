import { batchLimits, type BatchStatus } from '../../contract/batches/batch.ts';
import { requireApproval } from '../approvals/requireApproval.ts';
import type { RequestCaller } from '../caller.ts';
import type { NeededPorts } from '../ports.ts';
import { leftOutSlugs } from '../reviews/leftOutSlugs.ts';
import {
  type BatchCommandPorts,
  batchConflict,
  changeAndStart,
  changeInStatus,
  findInStatus,
  findSiteToRun,
  readChangedBatch,
} from './commands.ts';

export type PublishBatchPorts = BatchCommandPorts & NeededPorts<'pageMarks' | 'publications'>;

/** Which pages of a batch go live. */
interface PublishRequest {
  batchId: string;
  /** The numbers of the rows. Absent: all committed rows that nobody left out. */
  rows?: number[];
}

export const NOTHING_TO_PUBLISH = "The batch can't be published: no row is committed";

/**
 * Publishes pages of a batch with one deployment, and from then on the pages of rows that are
 * written later. Pages in its preview that do not go live are held.
 * @throws DomainError as `resumeBatch`; CONFLICT if a row is neither committed nor held
 */
export async function publishBatch(
  caller: RequestCaller,
  deps: PublishBatchPorts,
  { batchId, rows }: PublishRequest,
) {
  const states: BatchStatus[] = ['completed', 'waiting'];
  const command = { batchId, what: 'be published', states };
  const batch = await findInStatus(caller, deps, command);
  const selection = await selectPublishedRows(deps, batchId, rows);
  const site = await findSiteToRun(caller, deps, batch);
  await changeAndStart(caller, deps, {
    command,
    batch: { ...batch, publish: true },
    site,
    isApproved: true,
    async change() {
      if (batch.shown !== undefined)
        await requireApproval(deps, site, { commit: batch.shown, retainedBy: batchId });
      await changeInStatus(caller, deps, command, { publish: true });
      await deps.batches.selectForPublish(batchId, selection);
    },
  });
  return readChangedBatch(deps, batch);
}

/**
 * The rows that a publish makes live, those that it holds, and the batch's commit before any of
 * them was in it.
 * @throws DomainError CONFLICT
 */
export async function selectPublishedRows(
  deps: NeededPorts<'batches' | 'pageMarks' | 'publications'>,
  batchId: string,
  rows?: number[],
) {
  const [committed, held] = await Promise.all(
    (['committed', 'held'] as const).map((state) =>
      deps.batches.next(batchId, { state, limit: batchLimits.rows }),
    ),
  );
  const numberOf = ({ number }: { number: number }) => number;
  const known = new Set([...committed!, ...held!].map(numberOf));
  const unknownNumber = rows?.find((number) => !known.has(number));
  if (unknownNumber !== undefined)
    throw batchConflict(
      `Row ${unknownNumber} can't be published: it is neither committed nor held`,
    );
  const leftOut = rows ? new Set<string>() : await leftOutSlugs(deps, batchId);
  const wanted = rows ? new Set(rows) : undefined;
  const isLive = ({ number, slug }: { number: number; slug: string }) =>
    wanted ? wanted.has(number) : !leftOut.has(slug);
  const publish = [...committed!.filter(isLive), ...(wanted ? held!.filter(isLive) : [])];
  if (publish.length === 0) throw batchConflict(NOTHING_TO_PUBLISH);
  const publication = (await deps.publications.of([batchId])).get(batchId);
  return {
    publish: publish.map(numberOf),
    hold: committed!.filter((row) => !isLive(row)).map(numberOf),
    commit: publication?.result ?? null,
  };
}

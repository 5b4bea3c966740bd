import { type Batch, editableStates, type RowView } from '../../contract/batches/batch.ts';
import { DomainError } from '../../errors.ts';
import { editUrl } from '../../editor/editUrl.ts';
import { batchRunningError, type EditableTask } from '../../editor/editableTask.ts';
import type { NeededPorts } from '../ports.ts';
import { requirePreview } from '../previews.ts';

/**
 * The page of a batch's row, as the editor takes it. Reads this row alone.
 * @throws DomainError NOT_FOUND for a page that no row has in the preview; CONFLICT while the batch
 *   runs, once it is cancelled, and if its preview is gone
 */
export async function editableRow(
  deps: NeededPorts<'batches' | 'deployments'>,
  { batchId, organizationId, siteId, status, shown }: Batch,
  slug: string,
): Promise<EditableTask> {
  if (status === 'running') throw batchRunningError();
  if (status === 'cancelled')
    throw new DomainError(
      'CONFLICT',
      "The batch was cancelled, so its pages can't be edited any more",
    );
  const row = await deps.batches.editable(batchId, slug);
  if (shown === undefined || !row?.previewUrl)
    throw new DomainError(
      'NOT_FOUND',
      `Page not found: the preview of the batch has no page ${slug}`,
    );
  await requirePreview(deps, batchId);
  const { number, previewUrl, notes = [], publishedUrl } = row;
  return {
    taskId: batchId,
    organizationId,
    siteId,
    commit: shown,
    pages: [{ slug, previewUrl }],
    notes,
    row: { number, isPublished: publishedUrl !== null },
  };
}

/** Where a row's page is edited; null while it can't be. */
export function rowEditUrl(
  { editing }: NeededPorts<'editing'>,
  { batchId, status }: Pick<Batch, 'batchId' | 'status'>,
  { state, targetPageSlug, previewUrl }: RowView,
): string | null {
  const isOpen = status !== 'running' && status !== 'cancelled' && previewUrl !== null;
  if (!isOpen || !(editableStates as readonly string[]).includes(state)) return null;
  return editUrl(editing.publicUrl(), batchId, targetPageSlug).href;
}

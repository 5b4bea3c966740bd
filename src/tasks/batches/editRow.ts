import { type Batch, editableStates, type RowView } from '../../contract/batches/batch.ts';
import { DomainError } from '../../errors.ts';
import { editUrl } from '../../editor/editUrl.ts';
import { batchRunningError, type EditableTask } from '../../editor/editableTask.ts';
import type { NeededPorts } from '../ports.ts';
import { requirePreview } from '../previews.ts';

/**
 * Finds a page of a batch for the editor. Reads only the row with this slug.
 * @throws DomainError NOT_FOUND if the preview has no such page; CONFLICT while the batch runs, and
 *   if it was cancelled or its preview is gone
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

/** The URL for editing a row's page. null while the page can't be edited. */
export function rowEditUrl(
  { editing }: NeededPorts<'editing'>,
  { batchId, status }: Pick<Batch, 'batchId' | 'status'>,
  { state, targetPageSlug, previewUrl }: RowView,
): string | null {
  const isOpen = status !== 'running' && status !== 'cancelled' && previewUrl !== null;
  if (!isOpen || !(editableStates as readonly string[]).includes(state)) return null;
  return editUrl(editing.publicUrl(), batchId, targetPageSlug).href;
}

import type { RowAtPath } from '../../src/contract/batches/batchStore.ts';

/** Why a row fails whose page others changed, and what its retry does. */
export const changedByOthersError = ({ number, slug, isEdited }: RowAtPath) => ({
  number,
  error: isEdited
    ? `The page ${slug} was changed on the site after it was edited by hand in the preview. Retry the row ` +
      'to replace the page on the site with the edited page, or skip the row to discard the edit'
    : `The page ${slug} was changed on the site after the batch started. Retry the row to write ` +
      'the page again if a task created it, or skip the row',
});

import type { RowAtPath } from '../../src/contract/batches/batchStore.ts';

/** Why a row fails whose page others changed, and what its retry does. */
export const changedByOthersError = ({ number, slug, isEdited }: RowAtPath) => ({
  number,
  error: isEdited
    ? `The page on the site was changed after this one was edited by hand: ${slug}. Retry the row ` +
      'to put the edited page in its place, or leave it out (skip) to drop the edit'
    : `The page on the site was changed since the batch began: ${slug}. Retry the row to write ` +
      'it over a page that a task made, or leave it out (skip)',
});

import { createGrants } from '../../src/editor/grants.ts';
import type { PageEditor } from '../../src/editor/editor.ts';
import { DomainError } from '../../src/errors.ts';
import type { ShareLinks } from '../../src/organizations/shareLinks.ts';

/** Editing without any task: every one is unknown. Results have no versions and no conflicts. */
export function noEditing() {
  const unknown = () => Promise.reject(new DomainError('NOT_FOUND', 'Task not found'));
  const editor: PageEditor = {
    open: unknown,
    frame: unknown,
    save: unknown,
    begin: unknown,
    standing: unknown,
    removeFacts: unknown,
    replaceFacts: unknown,
    placeValues: unknown,
    omit: unknown,
    missing: () => Promise.resolve([]),
    undo: unknown,
    versions: () => Promise.resolve([]),
    update: () => Promise.resolve({ commit: 'c'.repeat(40), isNew: false }),
    conflicts: () => Promise.resolve([]),
  };
  const grants = createGrants(Buffer.alloc(32, 7));
  return { editor, grants, findTask: unknown, publicUrl: () => new URL('https://api.example.com') };
}

/** Every share is unknown. */
export function noShares(): ShareLinks {
  const none = () => Promise.resolve(null);
  const unknown = () => Promise.reject(new DomainError('NOT_FOUND', 'Share not found'));
  const listAll = () => Promise.resolve({ shares: [], more: false });
  return {
    create: unknown,
    listAll,
    open: none,
    find: none,
    revoke: unknown,
  };
}

/** For an editor of tasks alone. */
export const noBatches = {
  batches: { edit: () => Promise.reject(new Error('no batch is edited')) },
};

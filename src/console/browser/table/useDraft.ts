import { session } from '../client/session.ts';
import type { TableDraft } from './tableDraft.ts';
import { createStore, useStore } from '../store.ts';
import { tabMemory } from '../tabMemory.ts';

const WRITTEN_MS = 300;

/** The drafts that were shown since the page was loaded, by their names in `tabMemory`. */
const drafts = new Map<string, TableDraft | undefined>();
const draftChanges = createStore(0);
let writeTimer: ReturnType<typeof setTimeout> | undefined;

addEventListener('pagehide', writeAllDrafts);
session.listen(() => {
  if (session.get().phase === 'out') drafts.clear();
});

function writeAllDrafts(): void {
  clearTimeout(writeTimer);
  for (const [name, draft] of drafts) tabMemory.set(name, draft && JSON.stringify(draft));
}

function setDraft(name: string, draft: TableDraft | undefined): void {
  drafts.set(name, draft);
  clearTimeout(writeTimer);
  writeTimer = setTimeout(writeAllDrafts, draft ? WRITTEN_MS : 0);
  draftChanges.set(draftChanges.get() + 1);
}

function readDraft(name: string): TableDraft | undefined {
  const keptDraft = drafts.has(name) ? undefined : tabMemory.get(name);
  if (keptDraft !== undefined) drafts.set(name, JSON.parse(keptDraft) as TableDraft);
  return drafts.get(name);
}

export type ChangeDraft = (change: (draft: TableDraft) => TableDraft) => void;

/**
 * The table for a site that a person has not started yet. It survives a change of the screen and a
 * reload of the page.
 */
export function useDraft(siteId: string) {
  const currentSession = session.get();
  // A change of the type `TableDraft` needs a new number.
  const draftName = `table 3 ${currentSession.phase === 'in' ? currentSession.account.user.userId : ''} ${siteId}`;
  useStore(draftChanges);
  const changeDraft: ChangeDraft = (makeDraft) => {
    const draftBefore = readDraft(draftName);
    if (draftBefore) setDraft(draftName, makeDraft(draftBefore));
  };
  return {
    draft: readDraft(draftName),
    change: changeDraft,
    begin: (firstDraft: TableDraft) => setDraft(draftName, firstDraft),
    end: () => setDraft(draftName, undefined),
  };
}

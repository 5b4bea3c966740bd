import { session } from './client/session.ts';
import type { Draft } from './draft.ts';
import { createStore, useStore } from './store.ts';
import { tabMemory } from './tabMemory.ts';

const WRITTEN_MS = 300;

/** The drafts that were shown since the page was loaded, by their names in `tabMemory`. */
const drafts = new Map<string, Draft | undefined>();
const changes = createStore(0);
let timer: ReturnType<typeof setTimeout> | undefined;

addEventListener('pagehide', writeAll);
session.listen(() => {
  if (session.get().phase === 'out') drafts.clear();
});

function writeAll(): void {
  clearTimeout(timer);
  for (const [name, draft] of drafts) tabMemory.set(name, draft && JSON.stringify(draft));
}

function setDraft(name: string, draft: Draft | undefined): void {
  drafts.set(name, draft);
  clearTimeout(timer);
  timer = setTimeout(writeAll, draft ? WRITTEN_MS : 0);
  changes.set(changes.get() + 1);
}

function draftOf(name: string): Draft | undefined {
  const kept = drafts.has(name) ? undefined : tabMemory.get(name);
  if (kept !== undefined) drafts.set(name, JSON.parse(kept) as Draft);
  return drafts.get(name);
}

export type ChangeDraft = (change: (draft: Draft) => Draft) => void;

/** A site's table. It is kept while its person looks at another screen, or reloads the page. */
export function useDraft(siteId: string) {
  const now = session.get();
  // A change of `Draft` needs a new number.
  const name = `table 3 ${now.phase === 'in' ? now.account.user.userId : ''} ${siteId}`;
  useStore(changes);
  const change: ChangeDraft = (make) => {
    const before = draftOf(name);
    if (before) setDraft(name, make(before));
  };
  return {
    draft: draftOf(name),
    change,
    begin: (first: Draft) => setDraft(name, first),
    end: () => setDraft(name, undefined),
  };
}

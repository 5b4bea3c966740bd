import { session } from './client/session.ts';
import type { Draft } from './draft.ts';
import { createStore, useStore } from './store.ts';

/** Prefix of the keys in sessionStorage. A change of `Draft` needs a new number. */
const KEPT = 'table 2 ';
/** The most tables that are kept at once. */
const MOST = 5;
const WRITTEN_MS = 300;

/** Drafts by person and site, the latest last. They never leave this tab, and end with it. */
const drafts = createStore<ReadonlyMap<string, Draft>>(new Map());
const unwritten = new Set<string>();
/** Tables that are too large for the storage. */
const tooLarge = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;
let isRead = false;

/** Forgets all drafts on sign-out, and other people's drafts on sign-in. */
session.listen(() => {
  const now = session.get();
  if (now.phase === 'out') forget(() => true);
  if (now.phase === 'in') forget((key) => !key.startsWith(startOf(now.account.user.userId)));
});
addEventListener('pagehide', writeAll);
addEventListener('beforeunload', (event) => {
  writeAll();
  if ([...tooLarge].some((key) => drafts.get().has(key))) event.preventDefault();
});

const startOf = (userId: string) => `${KEPT}${userId} `;

function forget(isOver: (key: string) => boolean): void {
  for (const key of keptKeys()) if (isOver(key)) sessionStorage.removeItem(key);
  const left = [...drafts.get()].filter(([key]) => !isOver(key));
  if (left.length < drafts.get().size) drafts.set(new Map(left));
}

const keptKeys = () => Object.keys(sessionStorage).filter((key) => key.startsWith('table '));

/** Reads the drafts that were stored before the page was reloaded. */
function readAll(): void {
  if (isRead) return;
  isRead = true;
  const kept = keptKeys().filter((key) => key.startsWith(KEPT));
  if (kept.length > 0)
    drafts.set(
      new Map(kept.map((key) => [key, JSON.parse(sessionStorage.getItem(key)!) as Draft])),
    );
}

function writeAll(): void {
  clearTimeout(timer);
  for (const key of keptKeys())
    if (!drafts.get().has(key) && isRead) sessionStorage.removeItem(key);
  for (const key of unwritten) write(key, drafts.get().get(key));
  unwritten.clear();
}

/**
 * Stores a draft. If the storage is full, the draft stays in memory only, and the browser asks
 * before a reload loses it.
 */
function write(key: string, draft: Draft | undefined): void {
  tooLarge.delete(key);
  if (!draft) return;
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    sessionStorage.removeItem(key);
    tooLarge.add(key);
  }
}

function setDraft(key: string, draft: Draft | undefined): void {
  const others = [...drafts.get()].filter(([each]) => each !== key);
  drafts.set(new Map(draft ? [...others.slice(1 - MOST), [key, draft]] : others));
  unwritten.add(key);
  clearTimeout(timer);
  timer = setTimeout(writeAll, draft ? WRITTEN_MS : 0);
}

export type ChangeDraft = (change: (draft: Draft) => Draft) => void;

/** A site's table. It is kept while its person looks at another screen, or reloads the page. */
export function useDraft(siteId: string) {
  const now = session.get();
  const key = startOf(now.phase === 'in' ? now.account.user.userId : '') + siteId;
  readAll();
  const draft = useStore(drafts).get(key);
  const change: ChangeDraft = (make) => {
    const before = drafts.get().get(key);
    if (before) setDraft(key, make(before));
  };
  return {
    draft,
    change,
    begin: (first: Draft) => setDraft(key, first),
    end: () => setDraft(key, undefined),
  };
}

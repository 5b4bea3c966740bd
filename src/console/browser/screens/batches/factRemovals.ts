import { createStore, useStore } from '../../store.ts';

/** The notes whose facts this window removes from the pages of batches, or soon will. */
const pendingNotes = createStore<readonly string[]>([]);

/** The last request that changes pages of a batch. Each waits for the one before. */
let lastChange: Promise<unknown> = Promise.resolve();
/** The removal that has not begun. */
let nextRemoval: PlannedRemoval | undefined;

interface PlannedRemoval {
  batchId: string;
  noteIds: string[];
  outcome: Promise<unknown>;
}

/** Runs a request that changes pages of a batch once the one before has ended. */
export function changeInTurn<T>(send: () => Promise<T>): Promise<T> {
  nextRemoval = undefined;
  const change = lastChange.then(send, send);
  lastChange = change;
  return change;
}

/**
 * Removes the facts of a note from the pages of a batch. A removal takes a while, because it checks
 * each page. The notes whose facts a person removes meanwhile go together in the next request.
 * @param send sends one request for several notes
 */
export async function removeInTurn(
  { batchId, noteId }: { batchId: string; noteId: string },
  send: (noteIds: string[]) => Promise<unknown>,
): Promise<void> {
  pendingNotes.set([...pendingNotes.get(), noteId]);
  try {
    // whoever began the request reports its failure
    if (nextRemoval?.batchId === batchId) await joinRemoval(nextRemoval, noteId);
    else await beginRemoval(batchId, noteId, send);
  } finally {
    pendingNotes.set(pendingNotes.get().filter((pendingId) => pendingId !== noteId));
  }
}

async function joinRemoval({ noteIds, outcome }: PlannedRemoval, noteId: string): Promise<void> {
  noteIds.push(noteId);
  await outcome.catch(() => undefined);
}

function beginRemoval(
  batchId: string,
  noteId: string,
  send: (noteIds: string[]) => Promise<unknown>,
): Promise<unknown> {
  const noteIds = [noteId];
  const outcome = changeInTurn(() => {
    if (nextRemoval?.noteIds === noteIds) nextRemoval = undefined;
    return send(noteIds);
  });
  nextRemoval = { batchId, noteIds, outcome };
  return outcome;
}

export const usePendingNotes = () => useStore(pendingNotes);

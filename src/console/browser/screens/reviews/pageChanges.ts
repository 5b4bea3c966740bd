import { createStore, useStore } from '../../store.ts';

/** Requests of this window that change pages under review, such as the removal of a fact. */
const runningChanges = createStore(0);

/**
 * Waits for a request that changes pages under review. Marks would be for the earlier versions
 * meanwhile, so *Look* accepts none.
 */
export async function trackPageChange<T>(change: Promise<T>): Promise<T> {
  runningChanges.set(runningChanges.get() + 1);
  try {
    return await change;
  } finally {
    runningChanges.set(runningChanges.get() - 1);
  }
}

export const useIsChangingPages = () => useStore(runningChanges) > 0;

import type { TaskLeases } from '../../src/storage/taskLeases.ts';

/** Places for every task. */
export const unlimited: TaskLeases = {
  limit: Infinity,
  acquire: () => Promise.resolve('taken'),
  reacquire: () => Promise.resolve(true),
  release: () => Promise.resolve(),
  releaseEnded: () => Promise.resolve(),
  ofSites: () => Promise.resolve([]),
  claimUnchecked: () => Promise.resolve([]),
};

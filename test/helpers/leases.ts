import type { TaskLeases } from '../../src/storage/taskLeases.ts';

/** Places for every task. */
export const unlimited: TaskLeases = {
  limit: Infinity,
  take: () => Promise.resolve('taken'),
  takeAgain: () => Promise.resolve(true),
  giveBack: () => Promise.resolve(),
  ended: () => Promise.resolve(),
  ofSites: () => Promise.resolve([]),
  unchecked: () => Promise.resolve([]),
};

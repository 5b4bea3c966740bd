import type { ActivityDeps } from './deps.ts';

type Deps = Pick<ActivityDeps, 'reconcile' | 'log'>;

/**
 * Repairs Temporal's visibility. After a restored backup, it may list workflows as running that
 * have ended or never existed. Repeatable: a repaired entry is not found again.
 * @returns how many entries were checked, and how many were wrong
 */
export function createReconcile({ reconcile, log }: Deps) {
  return async (_: { task?: never }, signal: AbortSignal) => {
    const { described, ...wrong } = await reconcile(signal);
    const found = Object.entries(wrong).flatMap(([became, ids]) =>
      ids.map((workflowId) => ({ workflowId, became })),
    );
    for (const one of found)
      log.warn(
        one,
        one.became === 'left' ? 'may be wrongly listed as running' : 'wrongly listed as running',
      );
    return { described, wrong: found.length };
  };
}

import type { OpenableSite, SiteProblem } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import type { Repository } from './repository.ts';

/** Keeps what went wrong at a site's repository last; null: all is well. */
export type TellProblem = (siteId: string, problem: SiteProblem | null) => Promise<void>;

const fetching = ['fetchBase', 'fetchHead'] as const;
const pushing = ['commitTask', 'commitRestoring', 'commitEdit', 'publish', 'keepLive'] as const;

type Call = (...args: unknown[]) => Promise<unknown>;

/**
 * The same functions, whose failures at the remote are told, and the next success after one.
 * Nothing is told while nothing changes.
 * @param site as it is registered now, with what went wrong before
 */
export function watchProblems(
  site: OpenableSite,
  repository: Repository,
  tell: TellProblem,
): Repository {
  let known = site.repository.problem ?? null;
  const keep = async (problem: SiteProblem | null) => {
    if (problem?.text === known?.text && problem?.isOfPush === known?.isOfPush) return;
    known = problem;
    await tell(site.siteId, problem).catch(() => undefined); // the next step tells again
  };
  const watched =
    (name: keyof Repository, isOfPush: boolean) =>
    async (...args: unknown[]) => {
      try {
        const result = await (repository[name] as Call)(...args);
        if (known && (isOfPush || !known.isOfPush)) await keep(null);
        return result;
      } catch (error) {
        if (isOfRemote(error)) await keep({ text: error.message, isOfPush });
        throw error;
      }
    };
  const functions = [
    ...fetching.map((name) => [name, watched(name, false)]),
    ...pushing.map((name) => [name, watched(name, true)]),
  ];
  return { ...repository, ...(Object.fromEntries(functions) as Partial<Repository>) };
}

/** Whether the repository is the reason, not a task, this machine, or the end of the service. */
function isOfRemote(error: unknown): error is DomainError {
  if (!(error instanceof DomainError)) return false;
  const reason = error.details?.['reason'];
  return (
    error.code === 'PUSH_REFUSED' ||
    (error.code === 'GIT_FAILED' && reason !== undefined && reason !== 'disk')
  );
}

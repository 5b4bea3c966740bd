import type { SiteWithRepository } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import type { Repositories } from '../../sites/git/repository.ts';
import type { Deployments, PastPlace } from '../../storage/deployments.ts';

/** A commit that is or was at a site's live address. */
export interface ListedDeployment {
  commit: string;
  /** ISO 8601, UTC: when it went live, or else when it was committed; null where nobody knows any more. */
  at: string | null;
  taskId: string | null;
  isLive: boolean;
  /** The first line of its message, null where the commit is not on this machine. */
  message: string | null;
}

export interface DeploymentPart {
  deployments: ListedDeployment[];
  /** Where the list goes on, null at its end. */
  next: PastPlace | null;
}

export interface DeploymentList {
  /** The live deployment, then those before it that can be put live again: of 30 days, the last one first. */
  list(site: SiteWithRepository, part: { after?: PastPlace | undefined; limit: number }): Promise<DeploymentPart>;
  /**
   * Throws unless this is a deployment that can be put live again: NOT_FOUND, CONFLICT where it is live.
   */
  requireRestorable(siteId: string, commit: string): Promise<void>;
}

/** Reads no remote: what a commit says is told where this machine has it. */
export function createDeploymentList(deps: {
  deployments: Pick<Deployments, 'live' | 'past' | 'wasLive'>;
  repositories: Pick<Repositories, 'open'>;
}): DeploymentList {
  const { deployments, repositories } = deps;
  return {
    async list(site, { after, limit }) {
      const { siteId } = site;
      const live = after === undefined ? await deployments.live(siteId) : null;
      const room = limit - (live ? 1 : 0);
      const past = await deployments.past(siteId, { after, limit: room + 1 });
      const shown = past.slice(0, room);
      const repository = repositories.open(site);
      const all = [...(live ? [{ ...live, isLive: true }] : []), ...shown.map((row) => ({ ...row, isLive: false }))];
      const listed = all.map(async ({ commit, taskId, deployedAt, isLive }): Promise<ListedDeployment> => {
        const told = await repository.summary(commit);
        const own = taskId ?? told?.taskId ?? null;
        return { commit, isLive, at: deployedAt ?? told?.at ?? null, taskId: own, message: told?.message ?? null };
      });
      const next = past.length > room ? (shown.at(-1) ?? { endedAt: new Date().toISOString(), commit: '' }) : null;
      return { deployments: await Promise.all(listed), next };
    },

    async requireRestorable(siteId, commit) {
      if ((await deployments.live(siteId))?.commit === commit)
        throw new DomainError('CONFLICT', 'Deployment is live already');
      if (!(await deployments.wasLive(siteId, commit))) throw new DomainError('NOT_FOUND', 'Deployment not found');
    },
  };
}

import type { SiteWithRepository } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { Repositories } from '../sites/git/repository.ts';
import type { Deployments } from '../storage/deployments.ts';
import type { DeploymentFacts, PastPlace } from '../storage/liveDeployments.ts';

/** A commit that is live, or was. */
export interface ListedDeployment extends DeploymentFacts {
  isLive: boolean;
  /** The first line of the commit's message; null if this machine does not have the commit. */
  message: string | null;
}

export interface DeploymentPart {
  deployments: ListedDeployment[];
  /** Where the next page begins; null on the last page. */
  next: PastPlace | null;
}

export interface DeploymentList {
  /**
   * The live deployment, then the deployments of the last 30 days that can be restored, the latest
   * first.
   */
  list(
    site: SiteWithRepository,
    part: { after?: PastPlace | undefined; limit: number },
  ): Promise<DeploymentPart>;
  /**
   * A deployment that can be restored.
   * @throws DomainError NOT_FOUND, CONFLICT if it is live
   */
  restorable(siteId: string, commit: string): Promise<DeploymentFacts>;
}

/**
 * Lists deployments from local data only. Messages of commits that this machine does not have are
 * null.
 */
export function createDeploymentList(deps: {
  deployments: Pick<Deployments, 'live' | 'past' | 'findPast'>;
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
      const all = [
        ...(live ? [{ ...live, isLive: true }] : []),
        ...shown.map((row) => ({ ...row, isLive: false })),
      ];
      const listed = all.map(async (deployment): Promise<ListedDeployment> => {
        const told = await repository.summary(deployment.commit);
        return {
          ...deployment,
          taskId: deployment.taskId ?? told?.taskId ?? null,
          message: told?.message ?? null,
        };
      });
      const next =
        past.length > room
          ? (shown.at(-1) ?? { endedAt: new Date().toISOString(), commit: '' })
          : null;
      return { deployments: await Promise.all(listed), next };
    },

    async restorable(siteId, commit) {
      if ((await deployments.live(siteId))?.commit === commit)
        throw new DomainError('CONFLICT', 'Deployment is live already');
      const past = await deployments.findPast(siteId, commit);
      if (!past) throw new DomainError('NOT_FOUND', 'Deployment not found');
      return past;
    },
  };
}

import type { SiteWithRepository } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { GitRepositories } from '../sites/git/repository.ts';
import type { Deployments } from '../storage/deployments.ts';
import type { DeploymentRecord, PastDeploymentPosition } from '../storage/liveDeployments.ts';

/** A commit that is live, or was. */
export interface ListedDeployment extends DeploymentRecord {
  isLive: boolean;
  /** The first line of the commit's message; null if this machine does not have the commit. */
  message: string | null;
}

export interface DeploymentListPart {
  deployments: ListedDeployment[];
  /** Where the next page begins; null on the last page. */
  next: PastDeploymentPosition | null;
}

export interface DeploymentListReader {
  /**
   * The live deployment, then the deployments of the last 30 days that can be restored, the latest
   * first.
   */
  list(
    site: SiteWithRepository,
    part: { after?: PastDeploymentPosition | undefined; limit: number },
  ): Promise<DeploymentListPart>;
  /**
   * A deployment that can be restored.
   * @throws DomainError NOT_FOUND, CONFLICT if it is live
   */
  restorable(siteId: string, commit: string): Promise<DeploymentRecord>;
}

/**
 * Lists deployments from local data only. Messages of commits that this machine does not have are
 * null.
 */
export function createDeploymentListReader(deps: {
  deployments: Pick<Deployments, 'live' | 'past' | 'findPast'>;
  repositories: Pick<GitRepositories, 'open'>;
}): DeploymentListReader {
  const { deployments, repositories } = deps;
  return {
    async list(site, { after, limit }) {
      const { siteId } = site;
      const live = after === undefined ? await deployments.live(siteId) : null;
      const roomForPast = limit - (live ? 1 : 0);
      const pastDeployments = await deployments.past(siteId, { after, limit: roomForPast + 1 });
      const shownDeployments = pastDeployments.slice(0, roomForPast);
      const repository = repositories.open(site);
      const allDeployments = [
        ...(live ? [{ ...live, isLive: true }] : []),
        ...shownDeployments.map((row) => ({ ...row, isLive: false })),
      ];
      const listedDeployments = allDeployments.map(
        async (deployment): Promise<ListedDeployment> => {
          const commitSummary = await repository.summary(deployment.commit);
          return {
            ...deployment,
            taskId: deployment.taskId ?? commitSummary?.taskId ?? null,
            message: commitSummary?.message ?? null,
          };
        },
      );
      const nextPlace =
        pastDeployments.length > roomForPast
          ? (shownDeployments.at(-1) ?? { endedAt: new Date().toISOString(), commit: '' })
          : null;
      return { deployments: await Promise.all(listedDeployments), next: nextPlace };
    },

    async restorable(siteId, commit) {
      if ((await deployments.live(siteId))?.commit === commit)
        throw new DomainError('CONFLICT', 'The deployment is already live');
      const pastDeployment = await deployments.findPast(siteId, commit);
      if (!pastDeployment) throw new DomainError('NOT_FOUND', 'Deployment not found');
      return pastDeployment;
    },
  };
}

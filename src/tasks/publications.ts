import type {
  ListedLiveStatus,
  LiveStatusResponse,
  PublicationResponse as PublicationAnswer,
} from '../contract/responses.ts';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { Publication } from '../contract/publication.ts';
import type { TaskPreview } from '../contract/site.ts';
import type { TaskFacts } from '../temporal/tasks/taskService.ts';
import type { NeededPorts } from './ports.ts';

export type PublicationPorts = NeededPorts<'publications' | 'deployments' | 'previewOriginOf'>;

export const nothingLive: LiveStatusResponse = { live: false, publication: null, base: null };

/**
 * Presents how a task's result went live: whether all, some or none of its pages are live now.
 * @param slugs the task's own pages; absent: all pages that went live with it
 */
export function presentPublication(
  { publishedAt, publishedBy, commit, live, replaced, replacedAt, replacedBy }: Publication,
  slugs?: string[],
): PublicationAnswer {
  const ownSlugs = slugs && new Set(slugs);
  const countOwn = (pages: string[]) =>
    ownSlugs ? pages.filter((slug) => ownSlugs.has(slug)).length : pages.length;
  const [liveCount, replacedCount] = [countOwn(live), countOwn(replaced)];
  const state = replacedCount === 0 ? 'live' : liveCount === 0 ? 'replaced' : 'partly-live';
  const replacement =
    replacedCount === 0 ? { replacedAt: null, replacedBy: null } : { replacedAt, replacedBy };
  return { state, publishedAt, publishedBy, deploymentId: commit, ...replacement };
}

/**
 * Reads whether and how a completed task's result is live. If it never went live, returns its base
 * task with its preview, as long as that one is not live either.
 * @param slugs returns the task's pages; called only if it went live
 */
export async function readLiveFacts(
  deps: PublicationPorts,
  organizationId: string,
  {
    taskId,
    slugs,
    about,
  }: { taskId: string; slugs: () => string[]; about: Pick<TaskFacts, 'siteId' | 'baseTaskId'> },
): Promise<LiveStatusResponse> {
  const { baseTaskId } = about;
  const [ownPublication] = await deps.publications.known([taskId]);
  if (ownPublication) {
    const pages = slugs();
    const preview = await deps.deployments.knownPreview(taskId);
    const publishedSlugs = new Set([...ownPublication.live, ...ownPublication.replaced]);
    const publication = {
      ...presentPublication(ownPublication, pages),
      livePages: ownPublication.live.filter((slug) => pages.includes(slug)),
      leftOutPages: pages.filter((slug) => !publishedSlugs.has(slug)),
      isEdited: isEditedSince(taskId, preview, ownPublication),
    };
    return { live: publication.state === 'live', publication, base: null };
  }
  if (baseTaskId === undefined) return nothingLive;
  const [base] = await deps.publications.known([baseTaskId]);
  if (base) return nothingLive;
  return {
    ...nothingLive,
    base: await baseFacts(deps, organizationId, { siteId: about.siteId, baseTaskId }),
  };
}

/**
 * Whether a task's result was edited by hand after it went live.
 * @param preview the task's preview
 */
export const isEditedSince = (
  taskId: string,
  preview: TaskPreview | null,
  { result }: Pick<Publication, 'result'>,
): boolean => preview !== null && preview.retainedBy === taskId && preview.commit !== result;

async function baseFacts(
  { deployments, previewOriginOf }: PublicationPorts,
  organizationId: string,
  { siteId, baseTaskId }: { siteId: string; baseTaskId: string },
): Promise<NonNullable<LiveStatusResponse['base']>> {
  const preview = await deployments.knownPreview(baseTaskId);
  const previewKey = { organizationId, siteId, taskId: baseTaskId };
  const previewUrl = preview?.isShown ? await previewOriginOf(previewKey) : null;
  return { taskId: baseTaskId, previewUrl: previewUrl === null ? null : `${previewUrl}/` };
}

/** Reads which tasks of a list are live, in the order of the list. */
export async function presentPublications(
  { publications }: NeededPorts<'publications'>,
  tasks: { taskId: string; status: string; slugs?: string[] }[],
): Promise<ListedLiveStatus[]> {
  const completedIds = tasks.flatMap(({ status, taskId }) =>
    status === 'completed' ? [taskId] : [],
  );
  const foundPublications = await publications.known(completedIds);
  const publicationOf = new Map(
    completedIds.map((taskId, index) => [taskId, foundPublications[index]]),
  );
  return tasks.map(({ taskId, slugs }) => {
    const ownPublication = publicationOf.get(taskId);
    const publication = ownPublication ? presentPublication(ownPublication, slugs) : null;
    const pages = slugs && new Set(slugs).size;
    return { live: publication?.state === 'live', publication, ...withoutUndefined({ pages }) };
  });
}

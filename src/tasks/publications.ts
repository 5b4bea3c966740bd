import type {
  ListedLive,
  LiveFacts,
  Publication as PublicationAnswer,
} from '../contract/answers.ts';
import { defined } from '../contract/defined.ts';
import type { Publication } from '../contract/published.ts';
import type { Preview } from '../contract/site.ts';
import type { ToldAbout } from '../temporal/tasks/tasks.ts';
import type { Needs } from './ports.ts';

export type PublicationDeps = Needs<'publications' | 'deployments' | 'previewAddress'>;

export const nothingLive: LiveFacts = { live: false, publication: null, base: null };

/** @param slugs the task's own pages; absent: all pages that went live with it */
export function presentPublication(
  { publishedAt, publishedBy, commit, live, replaced, replacedAt, replacedBy }: Publication,
  slugs?: string[],
): PublicationAnswer {
  const own = slugs && new Set(slugs);
  const count = (pages: string[]) =>
    own ? pages.filter((slug) => own.has(slug)).length : pages.length;
  const [shown, gone] = [count(live), count(replaced)];
  const state = gone === 0 ? 'live' : shown === 0 ? 'replaced' : 'partly-live';
  const times = gone === 0 ? { replacedAt: null, replacedBy: null } : { replacedAt, replacedBy };
  return { state, publishedAt, publishedBy, deploymentId: commit, ...times };
}

/**
 * Tells whether and how a completed task's result is live.
 * @param slugs returns its pages; called only if it went live
 */
export async function liveFactsOf(
  deps: PublicationDeps,
  organizationId: string,
  {
    taskId,
    slugs,
    about,
  }: { taskId: string; slugs: () => string[]; about: Pick<ToldAbout, 'siteId' | 'onto'> },
): Promise<LiveFacts> {
  const { onto } = about;
  const [own] = await deps.publications.known([taskId]);
  if (own) {
    const pages = slugs();
    const preview = await deps.deployments.knownPreview(taskId);
    const publication = {
      ...presentPublication(own, pages),
      livePages: own.live.filter((slug) => pages.includes(slug)),
      isEdited: isEdited(taskId, preview, own),
    };
    return { live: publication.state === 'live', publication, base: null };
  }
  if (onto === undefined) return nothingLive;
  const [base] = await deps.publications.known([onto]);
  if (base) return nothingLive;
  return {
    ...nothingLive,
    base: await baseOf(deps, organizationId, { siteId: about.siteId, onto }),
  };
}

/**
 * Whether a task's result was edited by hand after it went live.
 * @param preview the task's preview
 */
export const isEdited = (
  taskId: string,
  preview: Preview | null,
  { result }: Pick<Publication, 'result'>,
): boolean => preview !== null && preview.heldBy === taskId && preview.commit !== result;

async function baseOf(
  { deployments, previewAddress }: PublicationDeps,
  organizationId: string,
  { siteId, onto }: { siteId: string; onto: string },
): Promise<NonNullable<LiveFacts['base']>> {
  const preview = await deployments.knownPreview(onto);
  const key = { organizationId, siteId, taskId: onto };
  const address = preview?.isShown ? await previewAddress(key) : null;
  return { taskId: onto, previewUrl: address === null ? null : `${address}/` };
}

/** Tells which tasks of a list are live. */
export async function presentPublications(
  { publications }: Needs<'publications'>,
  tasks: { taskId: string; status: string; slugs?: string[] }[],
): Promise<ListedLive[]> {
  const ids = tasks.flatMap(({ status, taskId }) => (status === 'completed' ? [taskId] : []));
  const found = await publications.known(ids);
  const publicationOf = new Map(ids.map((taskId, at) => [taskId, found[at]]));
  return tasks.map(({ taskId, slugs }) => {
    const own = publicationOf.get(taskId);
    const publication = own ? presentPublication(own, slugs) : null;
    const pages = slugs && new Set(slugs).size;
    return { live: publication?.state === 'live', publication, ...defined({ pages }) };
  });
}

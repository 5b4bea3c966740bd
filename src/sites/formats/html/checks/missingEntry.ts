import type { SiteFiles } from '../../../checks/siteFiles.ts';
import { urlFolder } from '../../../pages/urls/urls.ts';
import type { StaleDetail } from '../../pageFindings.ts';
import { htmlPaths } from '../htmlPaths.ts';
import type { SubjectTraces } from './subjectTraces.ts';

/** Fewer links are a choice, such as "Read more", and no list of the other pages. */
const LEAST_LISTED = 2;

/**
 * Notes that a new page does not link to the page that it was made from, although it links to most
 * other pages of that folder. A list "Our other shops" has all shops but the one of its page.
 */
export function missingEntry(
  before: SubjectTraces,
  after: SubjectTraces,
  site: SiteFiles,
): StaleDetail[] {
  const former = htmlPaths.slugOf(before.path);
  if (before.path === after.path || before.linked.has(former) || after.linked.has(former))
    return [];
  const others = site.paths
    .filter((path) => htmlPaths.handles(path) && path !== before.path && path !== after.path)
    .map((path) => htmlPaths.slugOf(path))
    .filter((slug) => urlFolder(slug) === urlFolder(former) && slug !== '/');
  const listed = others.filter((slug) => before.linked.has(slug) && after.linked.has(slug));
  const isListed = listed.length >= LEAST_LISTED && listed.length * 2 > others.length;
  return isListed ? [unlinkedPage(former)] : [];
}

export const unlinkedPage = (slug: string): StaleDetail => ({
  noteText: `the page links to the other pages of the folder, but not to ${slug}`,
  values: [slug],
});

import { invalidInputError } from '../../../errors.ts';
import { truncateText, asOneLine } from '../../../text/text.ts';
import type { Note } from '../../../contract/task.ts';
import { checkSlug } from '../../../sites/pages/urls/slug.ts';
import type { SlotTexts } from '../../../sites/formats/pageParts.ts';
import type { TemplatePage } from '../agentTypes.ts';
import { requirePage } from './toolArguments.ts';
import type { PageFile } from '../../../contract/site.ts';
import type { SiteEdits } from '../site/siteEdits.ts';
import type { ToolContext } from './toolContext.ts';
import { pageExistsError } from '../../../sites/pages/listing/pageExists.ts';

interface CopyPageArguments {
  /** The slug of the page to copy. */
  template: string;
  slug: string;
  /** New texts by ids of the template's slots. */
  texts?: SlotTexts;
  notes?: Note[];
}

/**
 * Creates a page as a copy of another one, with new texts for some of its slots.
 * @throws DomainError NOT_FOUND, PAGE_EXISTS, or INVALID_INPUT for an invalid slug
 */
export async function copyPage(
  { site, warnings }: ToolContext,
  copyArguments: CopyPageArguments,
): Promise<void> {
  const template = requirePage(site, copyArguments.template);
  const target = await site.fileFor(checkNewSlug(copyArguments.slug), template);
  await site.create(template, target, { texts: copyArguments.texts ?? {} });
  warnings.add(...(copyArguments.notes ?? []));
}

/**
 * Reads a page as the template of a new page. Texts of the site's chrome are left out. The `claims`
 * are what may be false on the new page, such as quotes and ratings: see `PageClaim`.
 */
export async function readTemplatePage(
  { site }: ToolContext,
  pageArguments: { slug: string },
): Promise<TemplatePage> {
  const { slug, slots, groups, claims, blocks } = await site.template(
    requirePage(site, pageArguments.slug),
  );
  return { slug, slots: slots.filter(({ locked }) => !locked), groups, claims, blocks };
}

/** Normalizes the slug of a new page. Throws INVALID_INPUT if it is not valid. */
export function checkNewSlug(slug: string): string {
  const checkedSlug = checkSlug(slug);
  if ('problem' in checkedSlug) throw invalidInputError(pageTexts.invalidSlug(checkedSlug.problem));
  return checkedSlug.slug;
}

/** What was done with a whole page, or why it cannot be done. */
export const pageTexts = {
  invalidSlug: (problem: string) => `The new page's slug ${problem}`,
  movesHome: () => 'The home page "/" can\'t be moved',
  twoFiles: (slug: string) => `${slug} can't be moved: the site has two files for it`,
  exists: (slug: string) => pageExistsError(slug).message,
  moved: (slug: string, target: string) => `Moved ${slug} to ${target}`,
  deleted: (slug: string) => `Deleted ${slug}`,
  redirect: (slug: string, target: string, files: string[]) =>
    `; ${slug} redirects to ${target} by ${files.join(' and ')}`,
  selfRedirect: (slug: string) => `${slug} can't redirect to itself`,
  redirectedLinks: (slugs: string[]) => `; links from ${slugs.join(', ')} are redirected`,
  brokenLinks: (slugs: string[]) => `; it is still linked from ${slugs.join(', ')}`,
};

/**
 * Moves a page to another slug. Updates links to it on every page, its own URL and its relative
 * links. Returns a sentence on what was done.
 */
export async function movePage(
  context: ToolContext,
  moveArguments: { slug: string; to: string },
): Promise<string> {
  const { site } = context;
  const page = requirePage(site, moveArguments.slug);
  if (page.slug === '/') throw invalidInputError(pageTexts.movesHome());
  if (site.files().some(({ slug, path }) => slug === page.slug && path !== page.path))
    throw invalidInputError(pageTexts.twoFiles(page.slug));
  const target = await site.fileFor(checkNewSlug(moveArguments.to), page, page);
  if (target.path === page.path) throw pageExistsError(target.slug);
  await site.move(page, target);
  const redirectSentence = describeRedirect(context, page, target);
  return asOneLine(pageTexts.moved(page.slug, target.slug) + redirectSentence);
}

/** Tells which files redirect the old URL of a page. Adds notes on what prevents the redirect. */
function describeRedirect(
  { site, warnings }: ToolContext,
  page: PageFile,
  targetPage: PageFile,
): string {
  for (const problem of site.redirects.problems())
    warnings.addTested(
      {
        kind: 'part',
        text: truncateText(
          `The old address of ${page.slug} does not redirect to ${targetPage.slug}. ${problem}`,
          MAX_NOTE_LENGTH,
        ),
      },
      () => Promise.resolve(site.redirects.problems().includes(problem)),
    );
  const files = site.redirects.filesFor(page.path);
  return files.length === 0 ? '' : pageTexts.redirect(page.slug, targetPage.slug, files);
}

const MAX_NOTE_LENGTH = 400;

/**
 * Removes a page's `hreflang` links to the page at `slug`. If the page had none before the task,
 * its link to itself is removed too, unless links to a third page are left.
 */
export async function removeAlternateLinks(site: SiteEdits, page: PageFile, slug: string) {
  const sourceBefore = await site.before(page.path);
  const addedByTask = sourceBefore !== null && !sourceBefore.source.includes('hreflang');
  return site.rebuild(page, { kind: 'remove-alternates', slug, removesOwnLinks: addedByTask });
}

/**
 * Deletes a page.
 * @param deleteArguments.redirect slug of the page to which its URL redirects
 * @param deleteArguments.links `remove`: turns links to it into text, and removes its navigation
 *   entries
 * @returns a sentence on what was done, with the pages that still link to it
 */
export async function deletePage(
  context: ToolContext,
  deleteArguments: { slug: string; links?: 'remove'; redirect?: string },
): Promise<string> {
  const { site, warnings, texts } = context;
  const page = requirePage(site, deleteArguments.slug);
  const redirectPage =
    deleteArguments.redirect === undefined
      ? undefined
      : requirePage(site, deleteArguments.redirect);
  if (redirectPage?.path === page.path) throw invalidInputError(pageTexts.selfRedirect(page.slug));
  await site.remove(page, redirectPage);
  const redirectSentence = redirectPage ? describeRedirect(context, page, redirectPage) : '';
  for (const otherPage of site.files()) {
    const { slug } = page;
    if (deleteArguments.links) await site.rebuild(otherPage, { kind: 'remove-links', slug });
    // no reader and no tool sees these links
    if (await texts.mayLinkTo(await site.pageSource(otherPage), page))
      await removeAlternateLinks(site, otherPage, slug);
  }
  const linkingPages = await warnings.deleted(page);
  const describeLinks = redirectSentence ? pageTexts.redirectedLinks : pageTexts.brokenLinks;
  const linkSentence = linkingPages.length > 0 ? describeLinks(linkingPages) : '';
  return asOneLine(pageTexts.deleted(page.slug) + redirectSentence + linkSentence);
}

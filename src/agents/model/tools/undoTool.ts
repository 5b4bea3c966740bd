import { Joi } from '../../../boundedJoi.ts';
import type { PageFile } from '../../../contract/site.ts';
import { invalidInputError } from '../../../errors.ts';
import { requirePage, slugSchema } from '../../shared/tools/toolArguments.ts';
import { deletePage, removeAlternateLinks } from '../../shared/tools/wholePages.ts';
import type { ModelTool, ToolContext } from '../../shared/tools/toolContext.ts';
import { listBriefly } from './pagedLines.ts';

/** What the tool answers. */
export const undoTexts = {
  unchanged: (slug: string) => `${slug} is as the task found it`,
  otherPages: () => 'Other pages stay as they are now.',
  links: (slug: string) => `Links to ${slug} lead to it.`,
  translations: (slugs: string[]) => `${listBriefly(slugs)} no longer has an hreflang link to it.`,
  removed: (slug: string, deletionSentence: string) =>
    `The task made ${slug}: it is gone. ${deletionSentence}.`,
  lost: (slug: string) =>
    `The task made ${slug} and took it away again: there is nothing to bring back.`,
  replaced: (slug: string, slugBefore: string) =>
    `${slug} was ${slugBefore}, where another page is now: undo ${slugBefore}`,
  occupied: (slug: string, movedFrom: string) =>
    `${movedFrom} was moved to ${slug}: move it away first, then undo ${slug}`,
};

export const undoTool: ModelTool = {
  name: 'undo',
  description:
    'Brings a page back as the task found it, also a deleted or moved one; a page that the task made goes.',
  schema: Joi.object({ slug: slugSchema }),
  run: (context: ToolContext, { slug }: { slug: string }) => {
    const { site } = context;
    const originalFiles = site.committedFiles(slug);
    if (originalFiles.length > 0) return restorePage(context, slug, originalFiles);
    const slugBefore = site.moved().find(({ to }) => to === slug)?.from;
    if (slugBefore === undefined) return removeCreatedPage(context, slug);
    const pageAtOldSlug = site.find(slugBefore);
    if (pageAtOldSlug) throw invalidInputError(undoTexts.replaced(slug, slugBefore));
    return restorePage(context, slugBefore, site.committedFiles(slugBefore));
  },
};

async function removeCreatedPage(context: ToolContext, slug: string): Promise<string> {
  if (!context.site.find(slug) && context.site.hasCreated(slug))
    return joinSentences(undoTexts.lost(slug));
  const page = requirePage(context.site, slug);
  const deletionSentence = await deletePage(context, { slug: page.slug });
  return joinSentences(undoTexts.removed(slug, deletionSentence));
}

const joinSentences = (...sentences: string[]) => [...sentences, undoTexts.otherPages()].join(' ');

async function restorePage(
  context: ToolContext,
  slug: string,
  originalFiles: PageFile[],
): Promise<string> {
  const { site } = context;
  if (originalFiles.every((page) => site.isUnchanged(page))) return undoTexts.unchanged(slug);
  const movedPages = site.moved();
  const pageMovedHere = movedPages.find(({ to: slugAfter }) => slugAfter === slug);
  if (pageMovedHere) throw invalidInputError(undoTexts.occupied(slug, pageMovedHere.from));
  const currentPage = site.find(slug);
  const isReplaced =
    currentPage !== undefined && !originalFiles.some(({ path }) => path === currentPage.path);
  const slugAfter = movedPages.find(({ from }) => from === slug)?.to;
  if (isReplaced || (currentPage && slugAfter !== undefined)) await site.remove(currentPage);
  const movedAway = slugAfter === undefined ? undefined : site.find(slugAfter);
  if (movedAway) {
    await site.move(movedAway, originalFiles[0]!);
  }
  for (const page of originalFiles) await site.restore(page);
  const changedTranslations = await removeTranslationLinks(context, slug);
  return joinSentences(
    `${undoTexts.unchanged(slug)}.`,
    ...(movedAway ? [undoTexts.links(movedAway.slug)] : []),
    ...(changedTranslations.length > 0 ? [undoTexts.translations(changedTranslations)] : []),
  );
}

/** Removes the `hreflang` links to a page from pages that the task created. @returns their slugs */
async function removeTranslationLinks({ site }: ToolContext, slug: string): Promise<string[]> {
  const changedSlugs: string[] = [];
  for (const page of site.files())
    if (site.hasCreated(page.slug) && (await removeAlternateLinks(site, page, slug)))
      changedSlugs.push(page.slug);
  return changedSlugs;
}

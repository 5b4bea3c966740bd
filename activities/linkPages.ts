import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import type { Note } from '../src/contract/task.ts';
import type { PageTextCalls } from '../src/agents/shared/texts/textsPool.ts';
import type { Tree } from '../src/sites/git/repository.ts';
import type { SlotTexts } from '../src/sites/formats/pageParts.ts';
import {
  templateTextsNote,
  alreadyLinkedNote,
  unlinkedPagesNote,
  unlistedPageNote,
  unnamedBlockNote,
} from '../src/sites/pages/links/linkNotes.ts';
import { findUnlinkedPages, readLinkPage } from '../src/sites/pages/links/linkPage.ts';
import type { PageSource } from '../src/sites/formats/format.ts';
import type { PageMethods } from '../src/sites/pages/pages.ts';
import type { PageTarget } from '../src/sites/pages/listing/planTargets.ts';

interface PagesToLink {
  tree: Tree;
  template: PageSource;
  /**
   * The result of `readSiblings` for the template: its sibling pages, which may link to it.
   */
  siblings: PageSource[];
  /** `country`: the country of telephone numbers without a country code. */
  pages: (PageTarget & { texts: SlotTexts; removed?: string[]; country?: string })[];
  linkFrom: string | undefined;
}

interface LinkedPages {
  /** The page `linkFrom` before and after the change. null if it does not change. */
  page: { before: PageSource; after: string } | null;
  notes: Note[];
}

/**
 * Adds links to the new pages on the page `linkFrom`, by copies of the block there that links to
 * the template, such as a card or a menu entry. Without `linkFrom`, a note (for people to check)
 * names new pages without a link, and pages that could have it. Throws LINK_FROM_UNFIT.
 */
export async function linkPages(
  threads: { pages: PageMethods; texts: PageTextCalls },
  pagesToLink: PagesToLink,
): Promise<LinkedPages> {
  const { tree, template, siblings, pages: targets, linkFrom } = pagesToLink;
  const slug = threads.pages.slugOf(template.path);
  const templateFile = { slug, path: template.path };
  const targetSlugs = targets.map((target) => target.slug);
  if (targets.length === 0) return { page: null, notes: [] };
  if (linkFrom === undefined) {
    const linkCandidates = await findUnlinkedPages(tree, threads.pages, {
      template: templateFile,
      siblings,
      made: targetSlugs,
    });
    const isMissing = linkCandidates.linking.length > 0 && linkCandidates.unlinked.length > 0;
    return {
      page: null,
      notes: isMissing ? [unlinkedPagesNote(linkCandidates.unlinked, linkCandidates.linking)] : [],
    };
  }
  const { slots, blocks } = await threads.pages.readTemplate(template, siblings);
  const linkPage = await readLinkPage(tree, threads.pages, {
    linkFrom,
    template: { ...templateFile, slots },
  });
  const unlinkedTargets = targets.filter((target) => !linkPage.linked.includes(target.slug));
  const alreadyLinkedNotes = targets
    .filter((target) => !unlinkedTargets.includes(target))
    .map((target) => alreadyLinkedNote(target.slug, linkFrom));
  if (unlinkedTargets.length === 0) return { page: null, notes: alreadyLinkedNotes };
  const linkBlocks = await threads.texts.writeLinkBlocks(
    linkPage.block,
    { slug, slots, blocks },
    unlinkedTargets,
  );
  const linkItems = unlinkedTargets.map((target, i) => ({
    file: { slug: target.slug, path: target.path },
    texts: linkBlocks[i]!.texts,
    removed: linkBlocks[i]!.removed,
    ...withoutUndefined({ country: target.country }),
  }));
  const sitePaths = [...tree.entries.keys()];
  const changedPage = await threads.pages.addLinks({
    ...linkPage.question,
    items: linkItems,
    sitePaths,
  });
  const notes = linkItems.flatMap(({ file: { slug: page } }, i) => [
    ...(linkBlocks[i]!.isNamed ? [] : [unnamedBlockNote(page, linkFrom)]),
    ...(linkPage.isListed ? [unlistedPageNote(page, linkFrom)] : []),
    ...(linkBlocks[i]!.kept.length > 0
      ? [templateTextsNote(page, linkFrom, linkBlocks[i]!.kept)]
      : []),
  ]);
  return {
    page: { before: linkPage.question.page, after: changedPage },
    notes: [...alreadyLinkedNotes, ...notes],
  };
}

import { defined } from '../src/contract/defined.ts';
import type { Note } from '../src/contract/task.ts';
import type { Texts } from '../src/agents/tools/textsPool.ts';
import type { Tree } from '../src/sites/git/repository.ts';
import type { SlotTexts } from '../src/sites/formats/page.ts';
import {
  keptTexts,
  linkedAlready,
  unlinked,
  unlisted,
  unnamedBlock,
} from '../src/sites/pages/linkNotes.ts';
import { pagesWithoutLinks, readLinkPage } from '../src/sites/pages/linkPage.ts';
import type { PageSource } from '../src/sites/formats/format.ts';
import type { Pages } from '../src/sites/pages/pages.ts';
import type { Target } from '../src/sites/pages/planTargets.ts';

interface MadePages {
  tree: Tree;
  template: PageSource;
  /**
   * The result of `readSisters` for the template: its neighbours, in which its links are searched.
   */
  sisters: PageSource[];
  /** `country`: the country of telephone numbers without a country code. */
  pages: (Target & { texts: SlotTexts; country?: string })[];
  linkFrom: string | undefined;
}

interface Linked {
  /** The page `linkFrom` before and after the change. null if it does not change. */
  page: { before: PageSource; after: string } | null;
  notes: Note[];
}

/**
 * Adds links to the new pages on the page `linkFrom`. Without `linkFrom`, a note names the pages
 * that could have such links. Throws LINK_FROM_UNFIT.
 */
export async function linkPages(
  threads: { pages: Pages; texts: Texts },
  made: MadePages,
): Promise<Linked> {
  const { tree, template, sisters, pages: targets, linkFrom } = made;
  const slug = threads.pages.slugOf(template.path);
  const file = { slug, path: template.path };
  const slugs = targets.map((target) => target.slug);
  if (targets.length === 0) return { page: null, notes: [] };
  if (linkFrom === undefined) {
    const found = await pagesWithoutLinks(tree, threads.pages, {
      template: file,
      sisters,
      made: slugs,
    });
    const isMissing = found.linking.length > 0 && found.unlinked.length > 0;
    return { page: null, notes: isMissing ? [unlinked(found.unlinked, found.linking)] : [] };
  }
  const { slots } = await threads.pages.readTemplate(template, sisters);
  const from = await readLinkPage(tree, threads.pages, { linkFrom, template: { ...file, slots } });
  const missing = targets.filter((target) => !from.linked.includes(target.slug));
  const there = targets
    .filter((target) => !missing.includes(target))
    .map((target) => linkedAlready(target.slug, linkFrom));
  if (missing.length === 0) return { page: null, notes: there };
  const blocks = await threads.texts.writeLinkBlocks(from.block, { slug, slots }, missing);
  const items = missing.map((target, i) => ({
    file: { slug: target.slug, path: target.path },
    texts: blocks[i]!.texts,
    ...defined({ country: target.country }),
  }));
  const sitePaths = [...tree.entries.keys()];
  const after = await threads.pages.addLinks({ ...from.question, items, sitePaths });
  const notes = items.flatMap(({ file: { slug: page } }, i) => [
    ...(blocks[i]!.isNamed ? [] : [unnamedBlock(page, linkFrom)]),
    ...(from.isListed ? [unlisted(page, linkFrom)] : []),
    ...(blocks[i]!.kept.length > 0 ? [keptTexts(page, linkFrom, blocks[i]!.kept)] : []),
  ]);
  return { page: { before: from.question.page, after }, notes: [...there, ...notes] };
}

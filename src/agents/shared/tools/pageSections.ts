import type { PageSection } from '../../../sites/formats/pageParts.ts';
import { requirePage } from './toolArguments.ts';
import { removePagePart } from './removePagePart.ts';
import type { ToolContext } from './toolContext.ts';

/** The sections and tables of a page. */
export type SectionListing = PageSection[];

/** Removes a section (a part with a heading of its own) or a table from a page. */
export async function removeSectionFromPage(
  context: ToolContext,
  { slug, id }: { slug: string; id: string },
): Promise<void> {
  const page = requirePage(context.site, slug);
  await removePagePart(context, page, { kind: 'remove-section', id });
}

interface MoveSectionArguments {
  slug: string;
  id: string;
  where: 'before' | 'after';
  /** The id of the other section. */
  other: string;
}

/** Moves a section of a page before or after another one, without changing its bytes. */
export async function moveSectionOnPage(
  { site }: ToolContext,
  { slug, ...change }: MoveSectionArguments,
): Promise<void> {
  await site.rebuild(requirePage(site, slug), { kind: 'move-section', ...change });
}

import type { Section } from '../../sites/formats/page.ts';
import { pageAt } from './arguments.ts';
import { removePart } from './removePart.ts';
import type { ToolContext } from './tool.ts';

/** The sections and tables of a page. */
export type SectionListing = Section[];

/** Removes a section or a table from a page. */
export async function removeSection(
  context: ToolContext,
  { slug, id }: { slug: string; id: string },
): Promise<void> {
  const page = pageAt(context.site, slug);
  await removePart(context, page, { kind: 'remove-section', id });
}

interface MoveSection {
  slug: string;
  id: string;
  where: 'before' | 'after';
  /** The id of the other section. */
  other: string;
}

/** Moves a section of a page before or after another one, byte for byte. */
export async function moveSection(
  { site }: ToolContext,
  { slug, ...change }: MoveSection,
): Promise<void> {
  await site.rebuild(pageAt(site, slug), { kind: 'move-section', ...change });
}

import { noteOn } from '../../contract/task.ts';
import type { Section } from '../../sites/formats/page.ts';
import { anchorsOf, warnOfAnchors } from './anchors.ts';
import { pageAt } from './arguments.ts';
import { stillInData, textsOf } from './dataTwins.ts';
import { recountLinks } from './linking.ts';
import type { ToolContext } from './tool.ts';

/** The sections and tables of a page. */
export type SectionListing = Section[];

export const listSections = (
  { site }: ToolContext,
  { slug }: { slug: string },
): Promise<SectionListing> => site.ask(pageAt(site, slug), 'sections');

/** Takes a section or a table out of a page. The warnings name links that led into it. */
export async function removeSection(
  context: ToolContext,
  { slug, id }: { slug: string; id: string },
): Promise<void> {
  const { site, warnings } = context;
  const page = pageAt(site, slug);
  const before = await anchorsOf(site, page);
  const slots = await textsOf(context, page);
  await site.rebuild(page, { kind: 'remove-section', id });
  if (stillInData(slots, await textsOf(context, page)))
    warnings.add(
      noteOn(page.slug, 'structured-data', 'the structured data still names what was removed'),
    );
  await warnOfAnchors(context, page, before);
  await recountLinks(site, warnings, page);
}

interface MoveSection {
  slug: string;
  id: string;
  where: 'before' | 'after';
  /** The id of another section. */
  other: string;
}

/** Puts a section of a page before or after another one, byte for byte. */
export async function moveSection(
  { site }: ToolContext,
  { slug, ...change }: MoveSection,
): Promise<void> {
  await site.rebuild(pageAt(site, slug), { kind: 'move-section', ...change });
}

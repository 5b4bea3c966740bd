import MagicString from 'magic-string';
import { invalidInput } from '../../../invalidInput.ts';
import { baseHref, parseDocument, rangeOf, within, type Element } from '../document.ts';
import type { Range } from '../../../../text/range.ts';
import { createIds, idsOf, renamedSource } from '../groups/cloneIds.ts';
import type { Page } from '../openPage.ts';
import { moveAddresses } from '../links/relocate.ts';

/**
 * The source of a section for another page. Its addresses still lead to the same places. Ids that
 * the other page already has are renamed, with references to them.
 * @param from.roots the section's elements, which are siblings
 * @throws DomainError INVALID_INPUT if the two pages read addresses differently
 */
export function copySection(
  { page, roots }: { page: Page; roots: Element[] },
  to: Page,
  sitePaths: string[],
) {
  if ((baseHref(page) ?? '') !== (baseHref(to) ?? ''))
    throw invalidInput(
      `${page.file.slug} and ${to.file.slug} have a different <base>: no section can be copied`,
    );
  const elements = within(roots);
  const edit = new MagicString(page.source);
  const own = new Set(elements.flatMap(idsOf));
  if (page.file.path !== to.file.path)
    moveAddresses(edit, page, { target: to.file, sitePaths }, { elements, own });
  const moved = parseDocument(page.bom + edit.toString());
  const same = new Map(page.elements.map((element, i) => [element, moved.elements[i]!]));
  const copied = elements.map((element) => same.get(element)!);
  const taken = new Set(to.elements.flatMap(idsOf));
  const colliding = copied.filter((element) => idsOf(element).some((id) => taken.has(id)));
  const renamed = createIds(to, [...own])(colliding);
  return { source: renamedSource(moved, stretchOf(copied), copied, renamed), elements };
}

function stretchOf(elements: Element[]): Range {
  const ranges = elements.map(rangeOf).filter(({ start }) => start !== -1);
  return {
    start: Math.min(...ranges.map(({ start }) => start)),
    end: Math.max(...ranges.map(({ end }) => end)),
  };
}

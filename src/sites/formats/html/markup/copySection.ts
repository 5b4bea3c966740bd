import MagicString from 'magic-string';
import type { PageFile } from '../../../../contract/site.ts';
import { DomainError } from '../../../../errors.ts';
import { baseHref, parseDocument, type Element, type HtmlDocument } from '../document.ts';
import type { Range } from '../../../../text/range.ts';
import { createIds, idsOf, renamedSource } from '../groups/cloneIds.ts';
import { within } from '../openPage.ts';
import { moveAddresses } from '../links/relocate.ts';

/** A stretch of a page, and the elements in it. */
export interface Copied {
  source: string;
  elements: Element[];
}

/**
 * The bytes of a section for another page: its addresses lead where they led, and ids that the
 * other page has already are new ones, with what refers to them.
 * @param roots the section's elements, which stand side by side
 * @throws DomainError INVALID_INPUT where the two pages read addresses in different ways
 */
export function copySection(
  from: { page: HtmlDocument; file: PageFile; roots: Element[] },
  to: { page: HtmlDocument; file: PageFile },
  sitePaths: string[],
): Copied {
  if ((baseHref(from.page) ?? '') !== (baseHref(to.page) ?? ''))
    throw new DomainError(
      'INVALID_INPUT',
      `${from.file.slug} and ${to.file.slug} have a different <base>: no section can be copied`,
    );
  const elements = from.roots.flatMap(within);
  const edit = new MagicString(from.page.source);
  const own = new Set(elements.flatMap(idsOf));
  if (from.file.path !== to.file.path)
    moveAddresses(
      edit,
      from.page,
      { template: from.file, target: to.file, sitePaths },
      { elements, own },
    );
  const order = [...from.page.numbers.keys()];
  const moved = parseDocument(from.page.bom + edit.toString());
  const now = [...moved.numbers.keys()];
  const same = new Map(order.map((element, i) => [element, now[i]!]));
  const copied = elements.map((element) => same.get(element)!);
  const taken = new Set([...to.page.numbers.keys()].flatMap(idsOf));
  const colliding = copied.filter((element) => idsOf(element).some((id) => taken.has(id)));
  const renamed = createIds(to.page, [...own])(colliding);
  return { source: renamedSource(moved, rangeOf(copied), copied, renamed), elements };
}

const rangeOf = (elements: Element[]): Range => ({
  start: Math.min(
    ...elements.map(({ sourceCodeLocation: place }) => place?.startOffset ?? Infinity),
  ),
  end: Math.max(...elements.map(({ sourceCodeLocation: place }) => place?.endOffset ?? 0)),
});

import type { Node } from 'jsonc-parser';
import type MagicString from 'magic-string';
import type { Claim } from '../../page.ts';
import { escapeMarks } from '../../../pages/slotText.ts';
import { remembered } from '../../../remembered.ts';
import { removeElement } from '../writeAttributes.ts';
import type { Element, HtmlDocument } from '../document.ts';
import type { Range } from '../../../../text/range.ts';
import { type JsonLeaf, readJson } from '../slots/jsonLd.ts';
import { jsonOf, leavesOf } from '../slots/plainSlotPlaces.ts';
import { isMapOfData } from './findMaps.ts';

const said = /^(?:reviewBody|description|text|name|headline)$/;
type Path = JsonLeaf['path'];

/** The reviews and maps in a block of structured data. */
export function jsonClaims(page: HtmlDocument, element: Element): Claim[] {
  const leaves = leavesOf(page, element).map((leaf, i) => ({
    ...leaf,
    id: `s${page.numbers.get(element)}.${i}`,
  }));
  const maps = leaves.filter(
    ({ path, value }) => typeof value === 'string' && isMapOfData(keyOf(path), value),
  );
  const reviews = Map.groupBy(leaves, ({ path }) => reviewIn(path) ?? '');
  reviews.delete('');
  return [
    ...maps.map(({ id, value }): Claim => ({
      id,
      kind: 'map',
      text: String(value),
      slots: [],
      byline: [],
    })),
    ...[...reviews.values()].flatMap((own): Claim[] => {
      const body =
        own.find(({ path }) => keyOf(path) === 'reviewBody') ??
        own.find(({ path }) => said.test(keyOf(path)) && !path.includes('author'));
      if (!body) return [];
      const byline = own
        .filter(({ path }) => path.includes('author') && keyOf(path) === 'name')
        .map(({ id }) => id);
      const slots = own.map(({ id }) => id);
      return [{ id: body.id, kind: 'quote', text: escapeMarks(String(body.value)), slots, byline }];
    }),
  ];
}

const keyOf = (path: Path) => String(path.findLast((step) => typeof step === 'string') ?? '');

/** The path of the review that a value belongs to; undefined for none. */
function reviewIn(path: Path): string | undefined {
  const at = path.findIndex((step) => step === 'review' || step === 'reviews');
  if (at === -1) return undefined;
  return path.slice(0, typeof path[at + 1] === 'number' ? at + 2 : at + 1).join('\n');
}

/** Objects that are useless without one of their parts, by property and type (schema.org). */
const wholes = new Set(
  'aggregateRating review reviews geo address openingHoursSpecification offers priceSpecification reviewRating'.split(
    ' ',
  ),
);
const types = new Set(
  'AggregateRating Review GeoCoordinates PostalAddress OpeningHoursSpecification Offer'.split(' '),
);

/**
 * Removes values from the page's structured data. Also removes objects that are useless without
 * them, and objects and lists that become empty. For coordinates in the head, removes the `meta`
 * element.
 * @param ids ids of values: `s12.3`, `s7.content`
 */
export function dropValues(edit: MagicString, page: HtmlDocument, ids: ReadonlySet<string>) {
  for (const [element, number] of page.numbers) {
    if (element.tagName === 'meta' && ids.has(`s${number}.content`)) removeElement(edit, element);
    if (element.tagName !== 'script') continue;
    const leaves = leavesOf(page, element);
    const dropped = leaves.filter((_, i) => ids.has(`s${number}.${i}`));
    const json = dropped.length > 0 ? jsonOf(element) : undefined;
    const end = element.sourceCodeLocation?.endTag?.startOffset;
    const root = json && readJson(page.source.slice(json.offset, end)).root;
    if (!json || !root) continue;
    const starts = new Set(dropped.map(({ start }) => start - json.offset));
    const isGone = goneFrom(starts);
    if (isGone(root)) removeElement(edit, element);
    else
      for (const range of rangesOf(root, isGone))
        edit.remove(range.start + json.offset, range.end + json.offset);
  }
}

const propertyOf = ({ parent }: Node): string =>
  parent?.type === 'property'
    ? String(parent.children?.[0]?.value)
    : parent?.type === 'array'
      ? propertyOf(parent)
      : '';
const typeOf = ({ children = [] }: Node) =>
  String(children.find(({ children: pair }) => pair?.[0]?.value === '@type')?.children?.[1]?.value);

/**
 * Makes a test for nodes to remove: those that start at these positions, and those that are useless
 * without them.
 */
function goneFrom(starts: ReadonlySet<number>): (node: Node) => boolean {
  const known = new Map<Node, boolean>();
  const find = (node: Node): boolean => {
    if (node.type === 'property')
      return node.children?.[1] !== undefined && isGone(node.children[1]);
    if (node.type !== 'object' && starts.has(node.offset)) return true;
    if (node.type !== 'object' && node.type !== 'array') return false;
    const children = node.children ?? [];
    const left = children.filter((child) => !isGone(child));
    if (left.length === children.length) return false;
    const isWhole =
      node.type === 'object' && (wholes.has(propertyOf(node)) || types.has(typeOf(node)));
    return isWhole || left.every((child) => String(child.children?.[0]?.value).startsWith('@'));
  };
  const isGone = (node: Node): boolean => remembered(known, node, () => find(node));
  return isGone;
}

/** The ranges to remove from a list or object that stays, with their commas. */
function rangesOf(node: Node, isGone: (node: Node) => boolean): Range[] {
  if (node.type === 'property') return rangesOf(node.children![1]!, isGone);
  const children = node.children ?? [];
  const isOut = children.map(isGone);
  const firstKept = isOut.indexOf(false);
  const endOf = (child: Node) => child.offset + child.length;
  return children.flatMap((child, i) => {
    if (!isOut[i]) return rangesOf(child, isGone);
    if (i < firstKept) return [{ start: child.offset, end: children[i + 1]!.offset }];
    return [{ start: endOf(children[i - 1]!), end: endOf(child) }];
  });
}

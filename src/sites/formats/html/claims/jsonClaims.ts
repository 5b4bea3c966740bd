import type { Node } from 'jsonc-parser';
import type MagicString from 'magic-string';
import type { PageClaim } from '../../pageParts.ts';
import { escapeMarks } from '../../../pages/texts/slotText.ts';
import { getOrCreate } from '../../../remembered.ts';
import { removeElement } from '../writeAttributes.ts';
import type { PageElement, HtmlDocument } from '../document.ts';
import type { TextRange } from '../../../../text/textRange.ts';
import { type JsonLeaf, readJson } from '../slots/jsonLd.ts';
import { readJsonLd, readJsonLeaves } from '../slots/plainSlotPlaces.ts';
import { isMapOfData } from './findMaps.ts';

const quoteProperties = /^(?:reviewBody|description|text|name|headline)$/;
type LeafPath = JsonLeaf['path'];

/** The reviews and maps in a block of structured data. */
export function findJsonClaims(page: HtmlDocument, element: PageElement): PageClaim[] {
  const leaves = readJsonLeaves(page, element).map((leaf, i) => ({
    ...leaf,
    id: `s${page.elementNumbers.get(element)}.${i}`,
  }));
  const maps = leaves.filter(
    ({ path, value }) => typeof value === 'string' && isMapOfData(propertyOfPath(path), value),
  );
  const reviews = Map.groupBy(leaves, ({ path }) => reviewPath(path) ?? '');
  reviews.delete('');
  return [
    ...maps.map(({ id, value }): PageClaim => ({
      id,
      kind: 'map',
      text: String(value),
      slots: [],
      byline: [],
    })),
    ...[...reviews.values()].flatMap((reviewLeaves): PageClaim[] => {
      const body =
        reviewLeaves.find(({ path }) => propertyOfPath(path) === 'reviewBody') ??
        reviewLeaves.find(
          ({ path }) => quoteProperties.test(propertyOfPath(path)) && !path.includes('author'),
        );
      if (!body) return [];
      const byline = reviewLeaves
        .filter(({ path }) => path.includes('author') && propertyOfPath(path) === 'name')
        .map(({ id }) => id);
      const slots = reviewLeaves.map(({ id }) => id);
      return [{ id: body.id, kind: 'quote', text: escapeMarks(String(body.value)), slots, byline }];
    }),
  ];
}

const propertyOfPath = (path: LeafPath) =>
  String(path.findLast((step) => typeof step === 'string') ?? '');

/** The path of the review that a value belongs to; undefined for none. */
function reviewPath(path: LeafPath): string | undefined {
  const index = path.findIndex((step) => step === 'review' || step === 'reviews');
  if (index === -1) return undefined;
  return path.slice(0, typeof path[index + 1] === 'number' ? index + 2 : index + 1).join('\n');
}

/** Objects that are useless without one of their parts, by property and type (schema.org). */
const wholeProperties = new Set(
  'aggregateRating review reviews geo address openingHoursSpecification offers priceSpecification reviewRating'.split(
    ' ',
  ),
);
const wholeTypes = new Set(
  'AggregateRating Review GeoCoordinates PostalAddress OpeningHoursSpecification Offer'.split(' '),
);

/**
 * Removes values from the page's structured data, and what is useless or empty without them.
 * Removes the `meta` element of coordinates in the head.
 * @param ids ids of values: `s12.3`, `s7.content`
 */
export function dropValues(
  sourceEditor: MagicString,
  page: HtmlDocument,
  ids: ReadonlySet<string>,
) {
  for (const [element, number] of page.elementNumbers) {
    if (element.tagName === 'meta' && ids.has(`s${number}.content`))
      removeElement(sourceEditor, element);
    if (element.tagName !== 'script') continue;
    const leaves = readJsonLeaves(page, element);
    const droppedLeaves = leaves.filter((_, i) => ids.has(`s${number}.${i}`));
    const json = droppedLeaves.length > 0 ? readJsonLd(element) : undefined;
    const end = element.sourceCodeLocation?.endTag?.startOffset;
    const root = json && readJson(page.source.slice(json.offset, end)).root;
    if (!json || !root) continue;
    const starts = new Set(droppedLeaves.map(({ start }) => start - json.offset));
    const isRemoved = createRemovalTest(starts);
    if (isRemoved(root)) removeElement(sourceEditor, element);
    else
      for (const range of removalRanges(root, isRemoved))
        sourceEditor.remove(range.start + json.offset, range.end + json.offset);
  }
}

const propertyOfNode = ({ parent }: Node): string =>
  parent?.type === 'property'
    ? String(parent.children?.[0]?.value)
    : parent?.type === 'array'
      ? propertyOfNode(parent)
      : '';
const schemaType = ({ children = [] }: Node) =>
  String(children.find(({ children: pair }) => pair?.[0]?.value === '@type')?.children?.[1]?.value);

/**
 * Makes a test for nodes to remove: those that start at these positions, and those that are useless
 * without them.
 */
function createRemovalTest(starts: ReadonlySet<number>): (node: Node) => boolean {
  const results = new Map<Node, boolean>();
  const isRemovable = (node: Node): boolean => {
    if (node.type === 'property')
      return node.children?.[1] !== undefined && isRemoved(node.children[1]);
    if (node.type !== 'object' && starts.has(node.offset)) return true;
    if (node.type !== 'object' && node.type !== 'array') return false;
    const children = node.children ?? [];
    const remainingChildren = children.filter((child) => !isRemoved(child));
    if (remainingChildren.length === children.length) return false;
    const isWhole =
      node.type === 'object' &&
      (wholeProperties.has(propertyOfNode(node)) || wholeTypes.has(schemaType(node)));
    return (
      isWhole ||
      remainingChildren.every((child) => String(child.children?.[0]?.value).startsWith('@'))
    );
  };
  const isRemoved = (node: Node): boolean => getOrCreate(results, node, () => isRemovable(node));
  return isRemoved;
}

/** The ranges to remove from a list or object that stays, with their commas. */
function removalRanges(node: Node, isRemoved: (node: Node) => boolean): TextRange[] {
  if (node.type === 'property') return removalRanges(node.children![1]!, isRemoved);
  const children = node.children ?? [];
  const areRemoved = children.map(isRemoved);
  const firstKept = areRemoved.indexOf(false);
  const nodeEnd = (child: Node) => child.offset + child.length;
  return children.flatMap((child, i) => {
    if (!areRemoved[i]) return removalRanges(child, isRemoved);
    if (i < firstKept) return [{ start: child.offset, end: children[i + 1]!.offset }];
    return [{ start: nodeEnd(children[i - 1]!), end: nodeEnd(child) }];
  });
}

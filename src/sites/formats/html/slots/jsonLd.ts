import { pathText } from '../../pathText.ts';
import { getNodeValue, parseTree, type Node, type ParseError } from 'jsonc-parser';
import type { TextRange } from '../../../../text/textRange.ts';
import { isDaysAt, isHoursAt } from '../../../pages/texts/hoursData.ts';

/** A string or number in a JSON text: its path, its value, and the source range of its literal. */
export interface JsonLeaf extends TextRange {
  path: (string | number)[];
  value: string | number;
  /** The range to remove with the property; absent for an object's first one, and in lists. */
  cut?: TextRange;
}

/** Deeper values are not for people, and their paths would take too much memory. */
const MAX_DEPTH = 32;

/** What XHTML and old browsers need around a script: the marks of comments and CDATA. */
const MARKS = /^(?:\s|;|\/\/|\/\*|\*\/|<!--|-->|<!\[CDATA\[|<!\]\]>|\]\]>|<!|>)*/;
const blank = (marks: string) => ' '.repeat(marks.length);

/** A JSON text without the marks around it, at the same positions. */
function withoutMarks(text: string): string {
  const [marks = ''] = MARKS.exec(text) ?? [];
  const first = text[marks.length];
  const head = first === '{' || first === '[' ? marks : '';
  const mark = text.lastIndexOf(']]>');
  const last =
    first === '['
      ? text.lastIndexOf(']', mark < 0 ? text.length : mark - 1)
      : text.lastIndexOf('}');
  const tail = text.slice(last + 1);
  return last > head.length && MARKS.exec(tail)?.[0] === tail
    ? blank(head) + text.slice(head.length, last + 1) + blank(tail)
    : text;
}

/**
 * Reads JSON as its writers mean it: with marks, comments, commas at the ends and a semicolon.
 * @returns the tree, and whether all of the text could be read
 */
export function readJson(text: string): { root: Node | undefined; isWhole: boolean } {
  const errors: ParseError[] = [];
  const root = parseTree(withoutMarks(text), errors, { allowTrailingComma: true });
  return { root, isWhole: errors.length === 0 };
}

/** JSON as programs read it; the text itself if it can't be read. */
export function strictJson(text: string): string {
  const { root, isWhole } = readJson(text);
  return root && isWhole ? JSON.stringify(getNodeValue(root)) : text;
}

/**
 * All strings and numbers of a JSON text in order, except those nested deeper than 32 levels. None
 * if the text is not JSON. Positions count from `offset`.
 */
export function parseJsonLeaves(text: string, offset: number): JsonLeaf[] {
  const { root, isWhole } = readJson(text);
  return root && isWhole ? leavesIn(root, offset) : [];
}

/** The values that people may read in a text that is not JSON, as far as they can be found. */
export function unreadValues(text: string): string[] {
  const { root, isWhole } = readJson(text);
  if (isWhole || text.trim() === '') return [];
  const values = root ? leavesIn(root, 0).filter(isHumanText) : [];
  return values.length > 0 ? values.map(({ value }) => String(value)) : [text.trim()];
}

function leavesIn(root: Node, offset: number): JsonLeaf[] {
  const leaves: JsonLeaf[] = [];
  const end = (node: Node) => offset + node.offset + node.length;
  const visit = (node: Node, path: (string | number)[], cut?: TextRange) => {
    if (path.length > MAX_DEPTH) return;
    const [key, value] = node.children ?? [];
    if (node.type === 'property' && key && value) visit(value, [...path, String(key.value)], cut);
    else if (node.type === 'object')
      node.children?.forEach((child, i, all) =>
        visit(child, path, i > 0 ? { start: end(all[i - 1]!), end: end(child) } : undefined),
      );
    else if (node.type === 'array')
      node.children?.forEach((child, i) => visit(child, [...path, i]));
    else {
      const value: unknown = node.value;
      if (typeof value === 'string' || typeof value === 'number')
        leaves.push({
          path,
          value,
          start: offset + node.offset,
          end: end(node),
          ...(cut && { cut }),
        });
    }
  };
  visit(root, []);
  return leaves;
}

/** Properties whose numbers state a fact about the page's subject. */
const factProperties = new Set(
  'latitude longitude price lowPrice highPrice minPrice maxPrice ratingValue bestRating reviewCount ratingCount telephone postalCode numberOfRooms maximumAttendeeCapacity value'.split(
    ' ',
  ),
);
/** schema.org properties whose strings are codes, not words for people. */
const codeProperties =
  /^(@.*|url|sameAs|logo|image|item|inLanguage|priceCurrency|currenciesAccepted|identifier|sku|mpn|gtin\d*|productID|target|urlTemplate|query-input|encodingFormat|contentUrl|embedUrl|thumbnailUrl|availability|itemCondition|eventStatus|eventAttendanceMode|duration|mainEntityOfPage|hasMap|acceptedPaymentMethod|unitCode|contactOption)$/;
const datePattern = /^\d{4}-\d{2}(-\d{2})?([T ].*)?$|^P(T?\d+[A-Z])+/;
const urlPattern = /^([a-z][a-z0-9+.-]*:\S|\/\/|[./#]\S*$)\S*$/i;

/** Whether a leaf is for people: words or a fact, but not a code, a date or a URL. */
export function isHumanText({ path, value }: JsonLeaf): boolean {
  const key = path.findLast((step) => typeof step === 'string') ?? '';
  if (typeof value === 'number') return factProperties.has(key);
  if (isHoursAt(pathText(path))) return value !== '';
  if (isDaysAt(pathText(path))) return false;
  return (
    !codeProperties.test(key) &&
    /[\p{L}\p{N}]/u.test(value) &&
    !datePattern.test(value) &&
    !urlPattern.test(value)
  );
}

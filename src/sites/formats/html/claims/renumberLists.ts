import type { Node } from 'jsonc-parser';
import type { Range } from '../../../../text/range.ts';

/** A number to write in JSON, and where. */
export interface NewNumber extends Range {
  literal: string;
}

/**
 * The new numbers for lists that lose entries (schema.org): `position` of the entries that stay, if
 * the entries were numbered in order, and `numberOfItems` of their object, if it was their count.
 * @param isGone whether a node is removed
 */
export function renumberLists(node: Node, isGone: (node: Node) => boolean): NewNumber[] {
  const children = (node.children ?? []).filter((child) => !isGone(child));
  return [
    ...(node.type === 'array' ? positionsIn(node, children) : []),
    ...(node.type === 'object' ? countIn(node, isGone) : []),
    ...children.flatMap((child) => renumberLists(child, isGone)),
  ];
}

function positionsIn({ children = [] }: Node, kept: Node[]): NewNumber[] {
  const positions = children.map((child) => valueOf(child, 'position'));
  const first = numberOf(positions[0]);
  const isInOrder = positions.every((value, i) => numberOf(value) === first + i);
  if (kept.length === children.length || !isInOrder) return [];
  return kept.map((child, i) => newNumber(valueOf(child, 'position')!, first + i));
}

function countIn(node: Node, isGone: (node: Node) => boolean): NewNumber[] {
  const count = valueOf(node, 'numberOfItems');
  const list = valueOf(node, 'itemListElement');
  const { children: entries = [] } = list ?? {};
  if (!count || !list || list.type !== 'array' || numberOf(count) !== entries.length) return [];
  const kept = isGone(list) ? [] : entries.filter((entry) => !isGone(entry));
  return kept.length === entries.length ? [] : [newNumber(count, kept.length)];
}

const valueOf = ({ type, children = [] }: Node, name: string): Node | undefined =>
  type === 'object'
    ? children.find(({ children: pair }) => pair?.[0]?.value === name)?.children?.[1]
    : undefined;

/** NaN for what is no whole number. */
const numberOf = (node: Node | undefined): number =>
  /^\d{1,9}$/.test(String(node?.value)) ? Number(node!.value) : NaN;

const newNumber = ({ type, offset, length }: Node, number: number): NewNumber => ({
  start: offset,
  end: offset + length,
  literal: type === 'string' ? `"${number}"` : String(number),
});

import type { Slot } from '../../sites/formats/page.ts';
import { fitText } from './fitText.ts';
import { formatMarks, parseMarks, plainOf, type Node } from './marks.ts';
import { replaceSpans, type Span } from './spans.ts';

export type Edit = Span & { text: string };

/**
 * Replaces spans of a slot's visible text and keeps its inline parts in place. If a span crosses a
 * part's edge, `fitText` places the parts.
 * @param edits spans of `plainText(slot.text)` that don't overlap
 */
export function replaceInSlot(
  { text, parts }: Pick<Slot, 'text' | 'parts'>,
  edits: Edit[],
): string {
  if (edits.length === 0) return text;
  const nodes = parseMarks(text) ?? [text];
  const sorted = edits.toSorted((a, b) => a.from - b.from);
  if (lieInRuns(nodes, sorted)) return formatMarks(editNodes(nodes, sorted));
  return fitText(text, parts, replaceSpans(plainOf(nodes), sorted).replace(/\s+/g, ' ').trim());
}

/**
 * Whether each edit lies within one run of text, between two marks. Runs and edits are sorted, so
 * one pass is enough.
 */
function lieInRuns(nodes: Node[], edits: Edit[]): boolean {
  const runs = runsOf(nodes);
  let next = 0;
  return edits.every(({ from, to }) => {
    while (next < runs.length && runs[next]!.to < to) next++;
    return next < runs.length && runs[next]!.from <= from;
  });
}

function runsOf(nodes: Node[]): Span[] {
  const runs: Span[] = [];
  eachText(nodes, (text, from) => {
    runs.push({ from, to: from + text.length });
    return text;
  });
  return runs;
}

function editNodes(nodes: Node[], edits: Edit[]): Node[] {
  const waiting = edits.toReversed();
  return eachText(nodes, (text, start) => {
    const own: Edit[] = [];
    while (waiting.length > 0 && waiting.at(-1)!.to <= start + text.length)
      own.push(waiting.pop()!);
    const shifted = own.map((edit) => ({ ...edit, from: edit.from - start, to: edit.to - start }));
    return replaceSpans(text, shifted);
  });
}

/** Applies `replace` to each run of text. `from` is the run's position in the plain text. */
function eachText(nodes: Node[], replace: (text: string, from: number) => string): Node[] {
  let at = 0;
  const walk = (node: Node): Node => {
    const from = at;
    if (typeof node !== 'string') {
      if (node.isVoid) at += plainOf([node]).length;
      return { ...node, children: node.children.map(walk) };
    }
    at += node.length;
    return replace(node, from);
  };
  return nodes.map(walk);
}

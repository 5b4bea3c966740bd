import type { Slot } from '../../sites/pages/format.ts';
import { fitText } from './fit.ts';
import { formatMarks, parseMarks, plainOf, type Node } from './marks.ts';
import { replaceSpans, type Span } from './words.ts';

export type Edit = Span & { text: string };

/**
 * Replaces spans of a slot's visible text and leaves its inline parts where they are; text that runs over a part's edge
 * is fitted anew.
 * @param edits spans of `plainText(slot.text)`, not overlapping
 */
export function replaceInSlot({ text, parts }: Pick<Slot, 'text' | 'parts'>, edits: Edit[]): string {
  if (edits.length === 0) return text;
  const nodes = parseMarks(text) ?? [text];
  const runs = runsOf(nodes, 0);
  if (edits.every((edit) => runs.some((run) => run.from <= edit.from && edit.to <= run.to))) {
    return formatMarks(editNodes(nodes, edits, 0));
  }
  return fitText(text, parts, replaceSpans(plainOf(nodes), edits).replace(/\s+/g, ' ').trim());
}

function runsOf(nodes: Node[], start: number): Span[] {
  let at = start;
  return nodes.flatMap((node) => {
    const from = at;
    at += plainOf([node]).length;
    return typeof node === 'string' ? [{ from, to: at }] : runsOf(node.children, from);
  });
}

function editNodes(nodes: Node[], edits: Edit[], start: number): Node[] {
  let at = start;
  return nodes.map((node) => {
    const from = at;
    at += plainOf([node]).length;
    if (typeof node !== 'string') return { ...node, children: editNodes(node.children, edits, from) };
    const own = edits.filter((edit) => from <= edit.from && edit.to <= at);
    return replaceSpans(
      node,
      own.map((edit) => ({ ...edit, from: edit.from - from, to: edit.to - from })),
    );
  });
}

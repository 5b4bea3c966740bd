import type { Slot } from '../../sites/formats/page.ts';
import { collapse } from '../../text/text.ts';
import { textChanges } from '../../text/textChanges.ts';
import { fitText, isLinkTag } from './fitText.ts';
import { formatMarks, parseMarks, plainOf, type Node } from './marks.ts';
import { overlaps, replaceSpans, type Span } from './spans.ts';

export type Edit = Span & { text: string };

/**
 * Replaces spans of a slot's visible text, and keeps its inline parts in place. If a span crosses a
 * part's edge, each of its words that changes is written where the old one was. If several links
 * would lose their text, `fitText` places the parts.
 * @param edits spans of `plainText(slot.text)` that don't overlap
 */
export function replaceInSlot(
  { text, parts }: Pick<Slot, 'text' | 'parts'>,
  edits: Edit[],
): string {
  if (edits.length === 0) return text;
  const nodes = parseMarks(text) ?? [text];
  const plain = plainOf(nodes);
  const sorted = edits.toSorted((a, b) => a.from - b.from);
  const inRuns = editsInRuns(plain, runsOf(nodes, parts), sorted);
  if (inRuns) return formatMarks(editNodes(nodes, inRuns));
  return fitText(text, parts, collapse(replaceSpans(plain, sorted)).trim());
}

/** A run of text between two marks, with the part and the link around it. */
interface TextRun extends Span {
  part: Span | null;
  link: Span | null;
}

function runsOf(
  nodes: Node[],
  tags: string[],
  around: TextRun = { from: 0, to: 0, part: null, link: null },
): TextRun[] {
  let { from } = around;
  return nodes.flatMap((node): TextRun[] => {
    const span = { from, to: from + plainOf([node]).length };
    from = span.to;
    if (typeof node === 'string') return [{ ...around, ...span }];
    if (node.isVoid) return [];
    const link = isLinkTag(tags[node.number - 1]) ? span : around.link;
    return runsOf(node.children, tags, { ...span, part: span, link });
  });
}

/**
 * The edits, each within one run. Runs and edits are sorted, so one pass is enough.
 * @returns null if more than one link would lose its text
 */
function editsInRuns(plain: string, runs: TextRun[], edits: Edit[]): Edit[] | null {
  const found: Edit[] = [];
  let first = 0;
  for (const edit of edits) {
    while (first < runs.length && runs[first]!.to < edit.from) first++;
    let end = first;
    while (end < runs.length && runs[end]!.from <= edit.to) end++;
    const own = runs.slice(first, end);
    const spread = own.some((run) => holds(run, edit))
      ? [edit]
      : wordEdits(plain, edit).map((one) => spreadOver(plain, own, one));
    for (const one of spread) {
      if (one === null) return null;
      found.push(...[one].flat());
    }
  }
  return found;
}

const holds = (outer: Span, { from, to }: Span) => outer.from <= from && to <= outer.to;

/** What an edit changes, word by word. */
function wordEdits(plain: string, { from, to, text }: Edit): Edit[] {
  // white space on both sides of a part, or a line break, stands for one space
  const pieces = plain.slice(from, to).match(/\s+|\S/gu) ?? [];
  const offsets = [from];
  for (const piece of pieces) offsets.push(offsets.at(-1)! + piece.length);
  const characters = pieces.map((piece) => (piece.trim() === '' ? ' ' : piece));
  return textChanges(characters, text).map((change) => ({
    from: offsets[change.from]!,
    to: offsets[change.to]!,
    text: change.text,
  }));
}

/** An edit of several runs: one of them gets the new text, and the others lose their words. */
function spreadOver(plain: string, runs: TextRun[], edit: Edit): Edit[] | null {
  if (runs.some((run) => holds(run, edit))) return [edit];
  const pieces = runs
    .filter((run) => overlaps(run, edit))
    .map((run) => ({
      ...run,
      from: Math.max(run.from, edit.from),
      to: Math.min(run.to, edit.to),
    }));
  if (pieces.length === 0 && edit.text.trim() === '') return [];
  const isWhole = (around: Span | null) => around !== null && holds(edit, around);
  const links = new Set(pieces.map(({ link }) => link).filter(isWhole));
  if (links.size > 1 || pieces.length === 0) return null;
  const byLength = pieces.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  const target =
    byLength.find(({ link }) => isWhole(link)) ??
    byLength.find(({ part }) => isWhole(part)) ??
    byLength[0];
  return pieces.map((piece) => {
    if (piece !== target) return { from: piece.from, to: piece.to, text: '' };
    // a space behind a part stays, so that the new text does not touch it
    const lead = piece.from > edit.from ? /^\s*/.exec(plain.slice(piece.from, piece.to))![0] : '';
    return { from: piece.from + lead.length, to: piece.to, text: edit.text };
  });
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

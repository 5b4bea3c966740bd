import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { collapseSpaces } from '../../../text/text.ts';
import { findTextChanges } from '../../../text/findTextChanges.ts';
import { fitText, isLinkTag } from './fitText.ts';
import { formatMarks, parseMarks, readPlainText, type MarkedNode } from './parseMarks.ts';
import { doSpansOverlap, replaceSpans, type TextSpan } from './textSpans.ts';

export type SpanEdit = TextSpan & { text: string };

/**
 * Replaces spans of a slot's visible text, and keeps its inline parts in place. If a span crosses a
 * part's edge, each of its words that changes is written where the old one was. If several links
 * would lose their text, `fitText` places the parts.
 * @param edits spans of `plainText(slot.text)` that don't overlap
 * @returns the new marked text
 */
export function replaceInSlot(
  { text, parts }: Pick<TextSlot, 'text' | 'parts'>,
  edits: SpanEdit[],
): string {
  if (edits.length === 0) return text;
  const nodes = parseMarks(text) ?? [text];
  const oldText = readPlainText(nodes);
  const sortedEdits = edits.toSorted((first, second) => first.from - second.from);
  const editsByRun = splitEditsByRun(oldText, findTextRuns(nodes, parts), sortedEdits);
  if (editsByRun) return formatMarks(editNodes(nodes, editsByRun));
  return fitText(text, parts, collapseSpaces(replaceSpans(oldText, sortedEdits)).trim());
}

/** A run of text between two marks, with the part and the link around it. */
interface TextRun extends TextSpan {
  part: TextSpan | null;
  link: TextSpan | null;
}

function findTextRuns(
  nodes: MarkedNode[],
  tags: string[],
  outerRun: TextRun = { from: 0, to: 0, part: null, link: null },
): TextRun[] {
  let { from } = outerRun;
  return nodes.flatMap((node): TextRun[] => {
    const span = { from, to: from + readPlainText([node]).length };
    from = span.to;
    if (typeof node === 'string') return [{ ...outerRun, ...span }];
    if (node.isVoid) return [];
    const link = isLinkTag(tags[node.number - 1]) ? span : outerRun.link;
    return findTextRuns(node.children, tags, { ...span, part: span, link });
  });
}

/**
 * The edits, each within one run. Runs and edits are sorted, so one pass is enough.
 * @returns null if more than one link would lose its text
 */
function splitEditsByRun(oldText: string, runs: TextRun[], edits: SpanEdit[]): SpanEdit[] | null {
  const splitEdits: SpanEdit[] = [];
  let firstRun = 0;
  for (const edit of edits) {
    while (firstRun < runs.length && runs[firstRun]!.to < edit.from) firstRun++;
    let endRun = firstRun;
    while (endRun < runs.length && runs[endRun]!.from <= edit.to) endRun++;
    const touchedRuns = runs.slice(firstRun, endRun);
    const spreadEdits = touchedRuns.some((run) => enclosesSpan(run, edit))
      ? [edit]
      : splitEditByWord(oldText, edit).map((partialEdit) =>
          spreadEdit(oldText, touchedRuns, partialEdit),
        );
    for (const partialEdit of spreadEdits) {
      if (partialEdit === null) return null;
      splitEdits.push(...[partialEdit].flat());
    }
  }
  return splitEdits;
}

const enclosesSpan = (outer: TextSpan, { from, to }: TextSpan) =>
  outer.from <= from && to <= outer.to;

/** Splits an edit into the changes of single words. */
function splitEditByWord(oldText: string, { from, to, text }: SpanEdit): SpanEdit[] {
  // white space on both sides of a part, or a line break, stands for one space
  const pieces = oldText.slice(from, to).match(/\s+|\S/gu) ?? [];
  const offsets = [from];
  for (const piece of pieces) offsets.push(offsets.at(-1)! + piece.length);
  const characters = pieces.map((piece) => (piece.trim() === '' ? ' ' : piece));
  return findTextChanges(characters, text).map((change) => ({
    from: offsets[change.from]!,
    to: offsets[change.to]!,
    text: change.text,
  }));
}

/** An edit of several runs: one of them gets the new text, and the others lose their words. */
function spreadEdit(oldText: string, runs: TextRun[], edit: SpanEdit): SpanEdit[] | null {
  if (runs.some((run) => enclosesSpan(run, edit))) return [edit];
  const pieces = runs
    .filter((run) => doSpansOverlap(run, edit))
    .map((run) => ({
      ...run,
      from: Math.max(run.from, edit.from),
      to: Math.min(run.to, edit.to),
    }));
  if (pieces.length === 0 && edit.text.trim() === '') return [];
  const isReplacedWhole = (enclosing: TextSpan | null) =>
    enclosing !== null && enclosesSpan(edit, enclosing);
  const links = new Set(pieces.map(({ link }) => link).filter(isReplacedWhole));
  if (links.size > 1 || pieces.length === 0) return null;
  const longestFirst = pieces.toSorted(
    (first, second) => second.to - second.from - (first.to - first.from),
  );
  const target =
    longestFirst.find(({ link }) => isReplacedWhole(link)) ??
    longestFirst.find(({ part }) => isReplacedWhole(part)) ??
    longestFirst[0];
  return pieces.map((piece) => {
    if (piece !== target) return { from: piece.from, to: piece.to, text: '' };
    // a space behind a part stays, so that the new text does not touch it
    const leadingSpace =
      piece.from > edit.from ? /^\s*/.exec(oldText.slice(piece.from, piece.to))![0] : '';
    return { from: piece.from + leadingSpace.length, to: piece.to, text: edit.text };
  });
}

function editNodes(nodes: MarkedNode[], edits: SpanEdit[]): MarkedNode[] {
  const waitingEdits = edits.toReversed();
  return mapTextNodes(nodes, (text, start) => {
    const nodeEdits: SpanEdit[] = [];
    while (waitingEdits.length > 0 && waitingEdits.at(-1)!.to <= start + text.length)
      nodeEdits.push(waitingEdits.pop()!);
    const shiftedEdits = nodeEdits.map((edit) => ({
      ...edit,
      from: edit.from - start,
      to: edit.to - start,
    }));
    return replaceSpans(text, shiftedEdits);
  });
}

/** Applies `replace` to each run of text. `from` is the run's position in the plain text. */
function mapTextNodes(
  nodes: MarkedNode[],
  replace: (text: string, nodeStart: number) => string,
): MarkedNode[] {
  let position = 0;
  const mapNode = (node: MarkedNode): MarkedNode => {
    const nodeStart = position;
    if (typeof node !== 'string') {
      if (node.isVoid) position += readPlainText([node]).length;
      return { ...node, children: node.children.map(mapNode) };
    }
    position += node.length;
    return replace(node, nodeStart);
  };
  return nodes.map(mapNode);
}

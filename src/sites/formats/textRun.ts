import { trimEndCharacters } from '../../contract/text/summaries.ts';
import { joinAtMarks, type TextMark, type TextPiece } from '../pages/texts/slotText.ts';
import type { TextRange } from '../../text/textRange.ts';
import { validHtmlText } from './escape.ts';
import { collapseSpaces } from '../../text/text.ts';

const BLANKS = ' \t\n\f\r';

/**
 * A piece of running text: words, a part with text in it, an atom (a line break, an image …), or
 * something that readers don't see. Parts and atoms have a name, such as `a`.
 */
export type RunPiece = TextRange &
  (
    | { kind: 'text'; value: string }
    | { kind: 'hidden' }
    | { kind: 'atom'; name: string }
    | { kind: 'part'; name: string; children: RunPiece[]; open: TextRange; close: TextRange }
  );

/** The start or end tag of a numbered part, or a part without text (`<br>`), with its range. */
export type RunMark = TextMark & TextRange;

/** The text between two marks. Comments can split it into several source ranges. */
export interface TextGap {
  at: number;
  texts: TextRange[];
  /** What readers don't see: comments, scripts. It stays where it is in the text. */
  hidden: TextRange[];
  value: string;
}

/** The layout of running text: gaps[0] marks[0] gaps[1] … marks[n-1] gaps[n]. */
export interface InlineTextRun {
  marks: RunMark[];
  gaps: TextGap[];
  /** The names of the numbered parts, such as `a`. */
  parts: string[];
  /** Whether white space is preserved, as in `pre`. */
  pre: boolean;
}

/** Lays out pieces of running text as the marks of their inline tags and the gaps between these. */
export function layOutRun(list: RunPiece[], pre: boolean): InlineTextRun {
  const run: InlineTextRun = {
    marks: [],
    gaps: [{ at: list[0]?.start ?? 0, texts: [], hidden: [], value: '' }],
    parts: [],
    pre,
  };
  addPieces(run, list);
  return run;
}

function addPieces(run: InlineTextRun, list: RunPiece[]) {
  for (const piece of list) {
    const gap = run.gaps.at(-1);
    const range = { start: piece.start, end: piece.end };
    if (piece.kind === 'hidden') gap?.hidden.push(range);
    else if (piece.kind === 'text') {
      gap?.texts.push(range);
      if (gap) gap.value += piece.value;
    } else {
      const part = run.parts.push(piece.name);
      if (piece.kind === 'atom') addMark(run, { kind: 'void', part, ...range });
      else {
        addMark(run, { kind: 'open', part, ...piece.open });
        addPieces(run, piece.children);
        addMark(run, { kind: 'close', part, ...piece.close });
      }
    }
  }
}

function addMark(run: InlineTextRun, mark: RunMark) {
  run.marks.push(mark);
  run.gaps.push({ at: mark.end, texts: [], hidden: [], value: '' });
}

/** The run's text in the form of `TextSlot.text`. */
export const runText = (run: InlineTextRun) => joinAtMarks(visibleTexts(run), run.marks);

/** The text of each gap as readers see it. */
export const visibleTexts = (run: InlineTextRun) =>
  tidyTexts(
    run,
    run.marks,
    run.gaps.map((gap) => gap.value),
  );

/**
 * Collapses white space in the texts between marks, as readers see it: none at the ends and around
 * line breaks, never two in a row.
 */
export function tidyTexts(
  { parts, pre }: InlineTextRun,
  marks: TextPiece[],
  texts: string[],
): string[] {
  if (pre) return trimEnds(texts.map(validHtmlText));
  const tidied: string[] = [];
  let isLineStart = true;
  let spaceIndex = -1;
  const endLine = () => {
    if (spaceIndex >= 0) tidied[spaceIndex] = (tidied[spaceIndex] ?? '').replace(/ $/, '');
    spaceIndex = -1;
    isLineStart = true;
  };
  for (const [i, raw] of texts.entries()) {
    const text = collapseSpaces(validHtmlText(raw));
    const visibleText = isLineStart ? text.replace(/^ /, '') : text;
    tidied.push(visibleText);
    if (visibleText) spaceIndex = visibleText.endsWith(' ') ? i : -1;
    if (visibleText) isLineStart = spaceIndex >= 0;
    const mark = marks[i];
    if (mark?.kind !== 'void') continue;
    if (parts[mark.part - 1] === 'br') endLine();
    else [isLineStart, spaceIndex] = [false, -1];
  }
  endLine();
  return tidied;
}

const trimEnds = (texts: string[]) =>
  texts.map((text, i) => {
    const trimmed = i === 0 ? text.replace(/^[ \t\n\f\r]+/, '') : text;
    return i === texts.length - 1 ? trimEndCharacters(trimmed, BLANKS) : trimmed;
  });

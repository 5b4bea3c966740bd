import { withoutEnd } from '../../../../contract/text.ts';
import { joinPieces, type Piece } from '../../../pages/slotText.ts';
import type { Range } from '../../../../text/range.ts';
import type { Inline } from './inline.ts';
import { carriable } from '../escape.ts';
import { collapse } from '../../../../text/text.ts';

const BLANKS = ' \t\n\f\r';

export type Mark = Exclude<Piece, { kind: 'text' }> & Range;

/** The text between two marks. Comments can split it into several source ranges. */
export interface Gap {
  at: number;
  texts: Range[];
  /** What readers don't see: comments, scripts. It stays where it is in the text. */
  hidden: Range[];
  value: string;
}

/** The layout of running text: gaps[0] marks[0] gaps[1] … marks[n-1] gaps[n]. */
export interface Run {
  marks: Mark[];
  gaps: Gap[];
  /** The element names of the numbered parts. */
  parts: string[];
  /** Whether white space is preserved, as in `pre`. */
  pre: boolean;
}

export function layOut(list: Inline[], pre: boolean): Run {
  const run: Run = {
    marks: [],
    gaps: [{ at: list[0]?.start ?? 0, texts: [], hidden: [], value: '' }],
    parts: [],
    pre,
  };
  addPieces(run, list);
  return run;
}

function addPieces(run: Run, list: Inline[]) {
  for (const piece of list) {
    const gap = run.gaps.at(-1);
    const range = { start: piece.start, end: piece.end };
    if (piece.kind === 'hidden') gap?.hidden.push(range);
    else if (piece.kind === 'text') {
      gap?.texts.push(range);
      if (gap) gap.value += piece.value;
    } else {
      const isCode = piece.kind === 'atom' && piece.isCode === true;
      const part = run.parts.push(isCode ? 'template-tag' : piece.element.tagName);
      if (piece.kind === 'atom') addMark(run, { kind: 'void', part, ...range });
      else {
        addMark(run, { kind: 'open', part, ...piece.open });
        addPieces(run, piece.children);
        addMark(run, { kind: 'close', part, ...piece.close });
      }
    }
  }
}

function addMark(run: Run, mark: Mark) {
  run.marks.push(mark);
  run.gaps.push({ at: mark.end, texts: [], hidden: [], value: '' });
}

/** The run's text in the form of `Slot.text`. */
export const runText = (run: Run) =>
  joinPieces(
    seenTexts(run).flatMap((text, i) => [
      { kind: 'text' as const, text },
      ...run.marks.slice(i, i + 1),
    ]),
  );

export const seenTexts = (run: Run) =>
  tidy(
    run,
    run.marks,
    run.gaps.map((gap) => gap.value),
  );

/**
 * Collapses white space as readers see it: none at the ends and around line breaks, never two in a
 * row.
 */
export function tidy({ parts, pre }: Run, marks: Piece[], texts: string[]): string[] {
  if (pre) return trimEnds(texts.map(carriable));
  const tidied: string[] = [];
  let lineStart = true;
  let spaceAt = -1;
  const endLine = () => {
    if (spaceAt >= 0) tidied[spaceAt] = (tidied[spaceAt] ?? '').replace(/ $/, '');
    spaceAt = -1;
    lineStart = true;
  };
  for (const [i, raw] of texts.entries()) {
    const text = collapse(carriable(raw));
    const seen = lineStart ? text.replace(/^ /, '') : text;
    tidied.push(seen);
    if (seen) spaceAt = seen.endsWith(' ') ? i : -1;
    if (seen) lineStart = spaceAt >= 0;
    const mark = marks[i];
    if (mark?.kind !== 'void') continue;
    if (parts[mark.part - 1] === 'br') endLine();
    else [lineStart, spaceAt] = [false, -1];
  }
  endLine();
  return tidied;
}

const trimEnds = (texts: string[]) =>
  texts.map((text, i) => {
    const started = i === 0 ? text.replace(/^[ \t\n\f\r]+/, '') : text;
    return i === texts.length - 1 ? withoutEnd(started, BLANKS) : started;
  });

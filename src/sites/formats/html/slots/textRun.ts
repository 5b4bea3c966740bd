import type MagicString from 'magic-string';
import { withoutEnd } from '../../../../contract/text.ts';
import { invalidInput } from '../../../invalidInput.ts';
import { joinPieces, parsePieces, type Piece } from '../../../pages/slotText.ts';
import type { Range } from '../../../../text/range.ts';
import type { Inline } from './inline.ts';
import { carriable, escapeText, isBlank } from '../escape.ts';
import { collapse } from '../../../../text/text.ts';

const BLANKS = ' \t\n\f\r';

type Mark = Exclude<Piece, { kind: 'text' }> & Range;

/** The text between two marks. Comments can split it into several source ranges. */
interface Gap {
  at: number;
  texts: Range[];
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
      const part = run.parts.push(piece.element.tagName);
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

const seenTexts = (run: Run) =>
  tidy(
    run,
    run.marks,
    run.gaps.map((gap) => gap.value),
  );

/**
 * Collapses white space as readers see it: none at the ends and around line breaks, never two in a
 * row.
 */
function tidy({ parts, pre }: Run, marks: Piece[], texts: string[]): string[] {
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

/**
 * Writes a slot's new text into its run. Tags stay in place, unless the text has parts of the same
 * element in another order.
 * @throws INVALID_INPUT for a part that is missing, doubled, unknown or nested differently
 */
export function writeRun(edit: MagicString, run: Run, text: string) {
  const pieces = parsePieces(text);
  const marks = pieces.filter((piece) => piece.kind !== 'text');
  checkParts(run, marks);
  const texts = [''];
  for (const piece of pieces)
    if (piece.kind === 'text') texts[texts.length - 1] += piece.text;
    else texts.push('');
  const wanted = tidy(run, marks, texts);
  const seen = seenTexts(run);
  if (marks.some((mark, i) => !sameMark(mark, run.marks[i])))
    return reorder(edit, run, marks, wanted);
  for (const [i, gap] of run.gaps.entries())
    if (wanted[i] !== seen[i])
      writeGap(edit, gap, {
        seen: seen[i] ?? '',
        wanted: wanted[i] ?? '',
        isFirst: atEdge(run, i - 1),
        isLast: atEdge(run, i),
        mayKeep: !run.pre && seen[i] !== ' ',
      });
}

const sameMark = (a: Piece, b: Piece | undefined) =>
  b !== undefined && a.kind !== 'text' && b.kind === a.kind && b.part === a.part;

/**
 * Whether white space beside mark `i` is always invisible: at a line break and at the run's ends.
 */
function atEdge({ marks, parts, pre }: Run, i: number) {
  const mark = marks[i];
  return mark === undefined || (!pre && mark.kind === 'void' && parts[mark.part - 1] === 'br');
}

/** The old and new text of a gap, and where its white space may be kept. */
interface GapChange {
  seen: string;
  wanted: string;
  /** Whether white space at its start (`isFirst`), or at its end (`isLast`), is invisible. */
  isFirst: boolean;
  isLast: boolean;
  /** Whether other white space is kept if both texts have it. */
  mayKeep: boolean;
}

function writeGap(edit: MagicString, gap: Gap, { seen, wanted, ...edge }: GapChange) {
  const [first, ...others] = gap.texts;
  if (!first) return void edit.appendLeft(gap.at, escapeText(wanted));
  const raw = edit.original.slice(first.start, first.end);
  const blank = isBlank(raw);
  const lead = /^[ \t\n\f\r]*/.exec(raw)?.[0] ?? '';
  const trail = blank || others.length > 0 ? '' : raw.slice(withoutEnd(raw, BLANKS).length);
  const keepLead = edge.isFirst || (edge.mayKeep && seen.startsWith(' ') && wanted.startsWith(' '));
  const keepTrail = edge.isLast || (edge.mayKeep && seen.endsWith(' ') && wanted.endsWith(' '));
  const core = wanted.slice(keepLead && wanted.startsWith(' ') ? 1 : 0);
  const text = keepTrail && trail && core.endsWith(' ') ? core.slice(0, -1) : core;
  edit.overwrite(
    first.start,
    first.end,
    (keepLead ? lead : '') + escapeText(text) + (keepTrail ? trail : ''),
  );
  for (const { start, end } of others) edit.overwrite(start, end, '');
}

function reorder(edit: MagicString, run: Run, marks: Piece[], texts: string[]) {
  const slices = new Map(
    run.marks.map((mark) => [`${mark.kind}${mark.part}`, edit.slice(mark.start, mark.end)]),
  );
  const content = texts.map((text, i) => {
    const mark = marks[i];
    const hidden =
      run.gaps[i]?.hidden.map(({ start, end }) => edit.slice(start, end)).join('') ?? '';
    return (
      escapeText(text) +
      hidden +
      (mark && mark.kind !== 'text' ? slices.get(`${mark.kind}${mark.part}`) : '')
    );
  });
  edit.overwrite(startOf(run), endOf(run), content.join(''));
}

const startOf = ({ gaps, marks }: Run) =>
  gaps[0]?.texts[0]?.start ?? gaps[0]?.hidden[0]?.start ?? marks[0]?.start ?? 0;
const endOf = ({ gaps, marks }: Run) =>
  Math.max(
    marks.at(-1)?.end ?? 0,
    gaps.at(-1)?.texts.at(-1)?.end ?? 0,
    gaps.at(-1)?.hidden.at(-1)?.end ?? 0,
  );

function checkParts(run: Run, marks: Piece[]) {
  const wanted = nesting(run.marks);
  const given = nesting(marks);
  for (const part of wanted.keys()) if (!given.has(part)) throw broken(`part <${part}> is missing`);
  for (const [part, around] of given)
    if (around !== wanted.get(part))
      throw broken(`part <${part}> is not one of this text's parts, or not at its level`);
}

/** Maps each part's number to its kind and the number of the part around it. */
function nesting(marks: Piece[]): Map<number, string> {
  const stack: number[] = [];
  const found = new Map<number, string>();
  for (const mark of marks) {
    if (mark.kind === 'text') continue;
    if (mark.kind === 'close') {
      if (stack.pop() !== mark.part) throw broken(`part </${mark.part}> closes what is not open`);
      continue;
    }
    if (found.has(mark.part)) throw broken(`part <${mark.part}> stands twice`);
    found.set(mark.part, `${mark.kind} in ${stack.at(-1) ?? 0}`);
    if (mark.kind === 'open') stack.push(mark.part);
  }
  if (stack.length > 0) throw broken(`part <${stack.at(-1)}> is not closed`);
  return found;
}

const broken = (problem: string) =>
  invalidInput(`${problem}; a text must hold every part of its slot once, nested as before`);

import type MagicString from 'magic-string';
import { parsePieces, type Piece } from '../../../pages/slotText.ts';
import { escapeText } from '../escape.ts';
import { checkParts } from './checkParts.ts';
import { rewriteSource, textKind } from './rewriteSource.ts';
import { readTextCharacters, seenSource } from './sourceCharacters.ts';
import { seenTexts, tidy, type Gap, type Run } from './textRun.ts';

/**
 * Writes a slot's new text into its run. Only what differs is written. Tags, and what readers don't
 * see, stay in place, unless the text has its parts in another order.
 * @throws INVALID_INPUT for a part that is missing, doubled, unknown or nested differently
 */
export function writeRun(edit: MagicString, run: Run, text: string) {
  const pieces = parsePieces(text);
  const marks = pieces.filter((piece) => piece.kind !== 'text');
  checkParts(run.marks, marks);
  const texts = [''];
  for (const piece of pieces)
    if (piece.kind === 'text') texts[texts.length - 1] += piece.text;
    else texts.push('');
  const seen = seenTexts(run);
  const wanted = tidy(run, marks, texts);
  const edges = edgesOf(run, marks, wanted);
  const change = { run, marks, seen, wanted, edges, oldEdges: edgesOf(run, run.marks, seen) };
  if (marks.some((mark, i) => !isSameMark(mark, run.marks[i]))) reorder(edit, change);
  else writeGaps(edit, change);
}

const isSameMark = (a: Piece, b: Piece | undefined) =>
  b !== undefined && a.kind !== 'text' && b.kind === a.kind && b.part === a.part;

/** The new marks of a run, and the old and new texts between marks. */
interface RunChange {
  run: Run;
  marks: Piece[];
  seen: string[];
  wanted: string[];
  edges: TextEdges;
  oldEdges: TextEdges;
}

/**
 * Whether readers see no white space at the start of each text between marks, and at its end: it
 * stands beside a line break, an end of the run, or other white space.
 */
interface TextEdges {
  starts: boolean[];
  ends: boolean[];
}

function writeGaps(edit: MagicString, change: RunChange) {
  const { run, wanted, edges } = change;
  for (const [i, gap] of run.gaps.entries()) {
    if (!isChanged(change, i)) continue;
    if (gap.texts.length === 0) {
      edit.appendLeft(gap.at, escapeText(wanted[i]!));
      continue;
    }
    const source = sourceOf(edit, change, i);
    const [keepLead, keepTrail] = [edges.starts[i]!, edges.ends[i]!];
    const written = rewriteSource(textKind, source, wanted[i]!, { keepLead, keepTrail });
    for (const [piece, { start, end }] of gap.texts.entries())
      if (written[piece] !== edit.original.slice(start, end))
        edit.overwrite(start, end, written[piece]!);
  }
}

const isChanged = ({ seen, wanted, edges, oldEdges }: RunChange, gap: number) =>
  wanted[gap] !== seen[gap] ||
  edges.starts[gap] !== oldEdges.starts[gap] ||
  edges.ends[gap] !== oldEdges.ends[gap];

const sourceOf = ({ original }: MagicString, { run, seen }: RunChange, gap: number) =>
  seenSource(
    run.gaps[gap]!.texts.map(({ start, end }) => readTextCharacters(original.slice(start, end))),
    seen[gap]!,
    run,
  );

function edgesOf({ parts }: Run, marks: Piece[], texts: string[]): TextEdges {
  const isBreak = (i: number) => {
    const mark = marks[i];
    return mark?.kind === 'void' ? parts[mark.part - 1] === 'br' : undefined;
  };
  const starts = [true];
  for (let i = 1; i < texts.length; i++) {
    const before = texts[i - 1]!;
    starts.push(isBreak(i - 1) ?? (before === '' ? starts[i - 1]! : before.endsWith(' ')));
  }
  const ends = [true];
  for (let i = texts.length - 2; i >= 0; i--)
    ends.unshift(isBreak(i) ?? (texts[i + 1] === '' ? ends[0]! : false));
  return { starts, ends };
}

/** Writes a text that has its parts in another order. What is before and behind these stays. */
function reorder(edit: MagicString, change: RunChange) {
  const [first, last] = movedMarks(change);
  const gaps = change.run.gaps.slice(first, last + 1);
  const pieces = gaps
    .flatMap(({ texts, hidden }) => [...texts, ...hidden])
    .sort((a, b) => a.start - b.start);
  const indexes = new Map(pieces.map((piece, i) => [piece, i]));
  const characters = gaps.flatMap(({ texts }, i) =>
    sourceOf(edit, change, first + i).characters.map(({ text, sources }) => ({
      text,
      // white space, such as a line break beside a tag, does not move with the texts
      sources: (text === ' ' ? [{ ...sources[0]!, raw: ' ', text }] : sources).map((one) => ({
        ...one,
        piece: indexes.get(texts[one.piece]!)!,
      })),
    })),
  );
  const source = { pieces: Math.max(1, pieces.length), lead: [], characters, trail: [] };
  const wanted = change.wanted.slice(first, last + 1);
  const insertions = tagsBetween(edit, change, { first, wanted });
  const written = rewriteSource(textKind, source, wanted.join(''), { insertions });
  const hidden = new Set(gaps.flatMap((gap) => gap.hidden));
  const content = written.map((raw, i) => {
    const piece = pieces[i];
    return piece && hidden.has(piece) ? raw + edit.slice(piece.start, piece.end) : raw;
  });
  edit.overwrite(startOf(gaps[0]!), endOf(gaps.at(-1)!), content.join(''));
}

/** The indexes of the first mark that moves, and of the one behind the last. */
function movedMarks(change: RunChange): [first: number, last: number] {
  const { run, marks } = change;
  const stays = (i: number) => isSameMark(marks[i]!, run.marks[i]);
  let first = 0;
  while (stays(first) && !isChanged(change, first)) first++;
  let last = marks.length;
  while (stays(last - 1) && !isChanged(change, last)) last--;
  return [first, last];
}

/** The tags between texts, by their positions in these texts. */
function tagsBetween(
  edit: MagicString,
  { run, marks }: RunChange,
  { first, wanted }: { first: number; wanted: string[] },
): Map<number, string> {
  const keyOf = (mark: Piece) => (mark.kind === 'text' ? '' : `${mark.kind}${mark.part}`);
  const own = new Map(run.marks.map((mark) => [keyOf(mark), mark]));
  const tags = new Map<number, string>();
  let position = 0;
  for (const [i, text] of wanted.slice(0, -1).entries()) {
    position += text.length;
    const { start, end } = own.get(keyOf(marks[first + i]!))!;
    tags.set(position, (tags.get(position) ?? '') + edit.slice(start, end));
  }
  return tags;
}

const startOf = ({ at, texts, hidden }: Gap) =>
  Math.min(texts[0]?.start ?? at, hidden[0]?.start ?? at, at);
const endOf = ({ at, texts, hidden }: Gap) =>
  Math.max(at, texts.at(-1)?.end ?? at, hidden.at(-1)?.end ?? at);

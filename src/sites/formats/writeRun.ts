import type MagicString from 'magic-string';
import { splitText, type TextPiece } from '../pages/texts/slotText.ts';
import { checkParts } from './checkParts.ts';
import { rewriteSource, type SourceKind } from './rewriteSource.ts';
import { alignSource } from './sourceCharacters.ts';
import { visibleTexts, tidyTexts, type TextGap, type InlineTextRun } from './textRun.ts';

/**
 * Writes a slot's new text into its run: the source of running text, as tags (marks) and the gaps
 * between them. Only what differs is written. Tags, and what readers don't see, stay in place,
 * unless the text has its parts in another order.
 * @param kind how texts are read and written in the source
 * @throws INVALID_INPUT for a part that is missing, duplicate, unknown or nested differently
 */
export function writeRun(
  sourceEditor: MagicString,
  { run, kind }: { run: InlineTextRun; kind: SourceKind },
  text: string,
) {
  const { texts, marks } = splitText(text);
  checkParts(run.marks, marks);
  const oldTexts = visibleTexts(run);
  const newTexts = tidyTexts(run, marks, texts);
  const edges = findTextEdges(run, marks, newTexts);
  const change = {
    run,
    kind,
    marks,
    seen: oldTexts,
    wanted: newTexts,
    edges,
    oldEdges: findTextEdges(run, run.marks, oldTexts),
  };
  if (marks.some((mark, i) => !isSameMark(mark, run.marks[i])))
    writeReordered(sourceEditor, change);
  else writeGaps(sourceEditor, change);
}

const isSameMark = (mark: TextPiece, otherMark: TextPiece | undefined) =>
  otherMark !== undefined &&
  mark.kind !== 'text' &&
  otherMark.kind === mark.kind &&
  otherMark.part === mark.part;

/** The new marks of a run, and the old and new texts between marks. */
interface RunChange {
  run: InlineTextRun;
  kind: SourceKind;
  marks: TextPiece[];
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

function writeGaps(sourceEditor: MagicString, change: RunChange) {
  const { run, kind, wanted, edges } = change;
  for (const [i, gap] of run.gaps.entries()) {
    if (!isGapChanged(change, i)) continue;
    if (gap.texts.length === 0) {
      sourceEditor.appendLeft(gap.at, kind.escape(wanted[i]!));
      continue;
    }
    const source = gapSource(sourceEditor, change, i);
    const [keepLead, keepTrail] = [edges.starts[i]!, edges.ends[i]!];
    const writtenTexts = rewriteSource(kind, source, wanted[i]!, { keepLead, keepTrail });
    for (const [piece, { start, end }] of gap.texts.entries())
      if (writtenTexts[piece] !== sourceEditor.original.slice(start, end))
        sourceEditor.overwrite(start, end, writtenTexts[piece]!);
  }
}

const isGapChanged = ({ seen, wanted, edges, oldEdges }: RunChange, gap: number) =>
  wanted[gap] !== seen[gap] ||
  edges.starts[gap] !== oldEdges.starts[gap] ||
  edges.ends[gap] !== oldEdges.ends[gap];

const gapSource = ({ original }: MagicString, { run, kind, seen }: RunChange, gap: number) =>
  alignSource(
    run.gaps[gap]!.texts.map(({ start, end }) => kind.read(original.slice(start, end))),
    seen[gap]!,
    run,
  );

function findTextEdges({ parts }: InlineTextRun, marks: TextPiece[], texts: string[]): TextEdges {
  const isBreak = (i: number) => {
    const mark = marks[i];
    return mark?.kind === 'void' ? parts[mark.part - 1] === 'br' : undefined;
  };
  const starts = [true];
  for (let i = 1; i < texts.length; i++) {
    const previousText = texts[i - 1]!;
    starts.push(
      isBreak(i - 1) ?? (previousText === '' ? starts[i - 1]! : previousText.endsWith(' ')),
    );
  }
  const ends = [true];
  for (let i = texts.length - 2; i >= 0; i--)
    ends.unshift(isBreak(i) ?? (texts[i + 1] === '' ? ends[0]! : false));
  return { starts, ends };
}

/** Writes a text that has its parts in another order. What is before and behind these stays. */
function writeReordered(sourceEditor: MagicString, change: RunChange) {
  const [first, last] = movedMarks(change);
  const gaps = change.run.gaps.slice(first, last + 1);
  const pieces = gaps
    .flatMap(({ texts, hidden }) => [...texts, ...hidden])
    .sort((first, second) => first.start - second.start);
  const indexes = new Map(pieces.map((piece, i) => [piece, i]));
  const characters = gaps.flatMap(({ texts }, i) =>
    gapSource(sourceEditor, change, first + i).characters.map(({ text, sources }) => ({
      text,
      // white space, such as a line break beside a tag, does not move with the texts
      sources: (text === ' ' ? [{ ...sources[0]!, raw: ' ', text }] : sources).map(
        (pieceSource) => ({
          ...pieceSource,
          piece: indexes.get(texts[pieceSource.piece]!)!,
        }),
      ),
    })),
  );
  const source = { pieces: Math.max(1, pieces.length), lead: [], characters, trail: [] };
  const changedTexts = change.wanted.slice(first, last + 1);
  const insertions = tagsBetween(sourceEditor, change, { first, wanted: changedTexts });
  const writtenTexts = rewriteSource(change.kind, source, changedTexts.join(''), { insertions });
  const hidden = new Set(gaps.flatMap((gap) => gap.hidden));
  const newContent = writtenTexts.map((raw, i) => {
    const piece = pieces[i];
    return piece && hidden.has(piece) ? raw + sourceEditor.slice(piece.start, piece.end) : raw;
  });
  sourceEditor.overwrite(gapStart(gaps[0]!), gapEnd(gaps.at(-1)!), newContent.join(''));
}

/** The indexes of the first mark that moves, and of the one behind the last. */
function movedMarks(change: RunChange): [first: number, last: number] {
  const { run, marks } = change;
  const isUnmoved = (i: number) => isSameMark(marks[i]!, run.marks[i]);
  let first = 0;
  while (isUnmoved(first) && !isGapChanged(change, first)) first++;
  let last = marks.length;
  while (isUnmoved(last - 1) && !isGapChanged(change, last)) last--;
  return [first, last];
}

/** The tags to write between the texts, by their positions in the joined texts. */
function tagsBetween(
  sourceEditor: MagicString,
  { run, marks }: RunChange,
  { first, wanted }: { first: number; wanted: string[] },
): Map<number, string> {
  const markKey = (mark: TextPiece) => (mark.kind === 'text' ? '' : `${mark.kind}${mark.part}`);
  const marksByKey = new Map(run.marks.map((mark) => [markKey(mark), mark]));
  const tags = new Map<number, string>();
  let position = 0;
  for (const [i, text] of wanted.slice(0, -1).entries()) {
    position += text.length;
    const { start, end } = marksByKey.get(markKey(marks[first + i]!))!;
    tags.set(position, (tags.get(position) ?? '') + sourceEditor.slice(start, end));
  }
  return tags;
}

const gapStart = ({ at, texts, hidden }: TextGap) =>
  Math.min(texts[0]?.start ?? at, hidden[0]?.start ?? at, at);
const gapEnd = ({ at, texts, hidden }: TextGap) =>
  Math.max(at, texts.at(-1)?.end ?? at, hidden.at(-1)?.end ?? at);

import { invalidInputError } from '../../../errors.ts';
import {
  lineAt,
  sourceLines,
  rangeOfLines,
  type SourceLines,
  useLineEnds,
} from '../../../text/sourceLines.ts';
import { hasCurrentMark, copyMarks } from './currentMarks.ts';
import {
  findCommonEnds,
  type CommonEnds,
  keepEdgeSpace,
  findMiddleRange,
  limitToWholeTags,
  type SourceReplacement,
} from './differingMiddle.ts';
import {
  findOverlap,
  readMiddle,
  findTextOccurrences,
  type PageFileSource,
  type SourceEdit,
  applyReplacements,
} from './editSource.ts';
import { findPageFolder, moveToFolder, type NormalForm, createNormalForm } from './normalForm.ts';

/** What became of edits that were repeated on another page. */
export interface RepeatedEdits {
  /** The new source; undefined if no edit changes the page. */
  source?: string;
  /** The indexes of the edits that could not be made. */
  missing: number[];
}

/**
 * Repeats edits of a page on another page that has the same blocks, such as the same footer. White
 * space and the way in which relative URLs are written may differ.
 * @throws DomainError INVALID_INPUT for an edit that copies a block to a place other than right
 *   behind it
 */
export function repeatEdits(
  page: PageFileSource,
  otherPage: PageFileSource,
  edits: SourceEdit[],
): RepeatedEdits {
  const lines = sourceLines(page.source);
  const form = createNormalForm(otherPage.source, findPageFolder(otherPage.path));
  const missingIndexes: number[] = [];
  const replacements = edits.flatMap((edit, index) => {
    const replacement = findBlockReplacement(
      form,
      otherPage,
      readEditedBlock(lines, edit),
      page.path,
    );
    if (!replacement) missingIndexes.push(index);
    return replacement ?? [];
  });
  if (replacements.length === 0 || findOverlap(replacements))
    return { missing: edits.map((_, index) => index) };
  const { source } = applyReplacements(otherPage.source, replacements);
  return { missing: missingIndexes, ...(source !== otherPage.source && { source }) };
}

/** An edit as an old and a new text, to find the same block on other pages. */
function readEditedBlock(lines: SourceLines, edit: SourceEdit): { old: string; new: string } {
  if ('old' in edit) return { old: edit.old.trim(), new: edit.new.trim() };
  const { source } = lines;
  const readLines = ([first, last]: [number, number]) => {
    const { start, end } = rangeOfLines(lines, first, last);
    return source.slice(start, end).trim();
  };
  if ('lines' in edit) return { old: readLines(edit.lines), new: edit.new.trim() };
  if (edit.after !== edit.copy[1])
    throw invalidInputError(
      'everywhere copies a block only behind itself: give its last line as after',
    );
  const block = readLines(edit.copy);
  return { old: block, new: block + lines.end + block };
}

/**
 * How many lines around what differs another page must have too, if its block differs elsewhere.
 */
const CONTEXT_LINES = 1;
/** Least characters that a block must have to be found by only some of its lines. */
const MIN_CONTEXT_LENGTH = 24;

/**
 * The replacement of a block on another page; undefined if the page has no such block, or several.
 */
function findBlockReplacement(
  form: NormalForm,
  otherPage: PageFileSource,
  block: { old: string; new: string },
  path: string,
): SourceReplacement | undefined {
  const [fromFolder, toFolder] = [findPageFolder(path), findPageFolder(otherPage.path)];
  const [oldForm, newForm] = [
    createNormalForm(block.old, fromFolder),
    createNormalForm(block.new, fromFolder),
  ];
  const commonEnds = findCommonEnds(oldForm, newForm);
  const blockPosition = findBlockPosition(form, block.old, { old: oldForm, common: commonEnds });
  if (!blockPosition) return undefined;
  const movedBlock = useLineEnds(
    moveToFolder(block.new, fromFolder, toFolder),
    sourceLines(otherPage.source),
  );
  // read in its own folder, it has the same normal form
  const movedForm = createNormalForm(movedBlock, toFolder);
  const findRange = ({ prefix, suffix }: CommonEnds) => {
    const { at, skipped, length } = blockPosition;
    const lengthBehind = oldForm.text.length - skipped - length;
    const endsInPart = {
      prefix: Math.max(0, prefix - skipped),
      suffix: Math.max(0, suffix - lengthBehind),
    };
    return findMiddleRange(form, endsInPart, { at, length });
  };
  const readDifference = (tagEnds: CommonEnds) => ({
    was: readMiddle(block.old, oldForm, tagEnds),
    now: readMiddle(movedBlock, movedForm, tagEnds),
  });
  const range = findRange(commonEnds);
  const changedText = otherPage.source.slice(range.start, range.end);
  if (![changedText, readDifference(commonEnds).now].some(hasCurrentMark))
    return keepEdgeSpace(otherPage.source, range, readDifference(commonEnds));
  const tagEnds = limitToWholeTags([oldForm, newForm], commonEnds);
  const wholeRange = findRange(tagEnds);
  const blockEnd = form.ends[blockPosition.at + blockPosition.length - 1];
  const ownMarkup = otherPage.source.slice(form.starts[blockPosition.at], blockEnd);
  const difference = readDifference(tagEnds);
  const text = copyMarks(ownMarkup, difference.now, (tag) => createNormalForm(tag, toFolder).text);
  return keepEdgeSpace(otherPage.source, wholeRange, { ...difference, now: text });
}

/**
 * Where a page has a block, or else the part of it around what differs. Either must occur only
 * once.
 */
function findBlockPosition(
  form: NormalForm,
  block: string,
  { old: oldForm, common: commonEnds }: { old: NormalForm; common: CommonEnds },
): { at: number; skipped: number; length: number } | undefined {
  const wholeBlock = { skipped: 0, length: oldForm.text.length };
  for (const { skipped, length } of [wholeBlock, selectAroundMiddle(block, oldForm, commonEnds)]) {
    if (length === 0) continue;
    const occurrences = findTextOccurrences(
      form.text,
      oldForm.text.slice(skipped, skipped + length),
    );
    if (occurrences.length > 1) return undefined;
    if (occurrences.length === 1) return { at: occurrences[0]!, skipped, length };
  }
  return undefined;
}

/** The part of a block's normal form that differs, with a line before and behind it. */
function selectAroundMiddle(block: string, form: NormalForm, commonEnds: CommonEnds) {
  const { start, end } = findMiddleRange(form, commonEnds, { at: 0, length: form.text.length });
  const lines = sourceLines(block);
  const firstLine = Math.max(1, lineAt(lines, Math.max(0, start - 1)) - CONTEXT_LINES + 1);
  const lastLine = Math.min(lines.starts.length, lineAt(lines, end) + CONTEXT_LINES - 1);
  const range = rangeOfLines(lines, firstLine, lastLine);
  const skipped = form.starts.findIndex((position) => position >= range.start);
  const endIndex = form.ends.findLastIndex((position) => position <= range.end) + 1;
  const length = skipped === -1 ? 0 : endIndex - skipped;
  return length < MIN_CONTEXT_LENGTH ? { skipped: 0, length: 0 } : { skipped, length };
}

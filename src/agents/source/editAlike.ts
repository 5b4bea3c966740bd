import { invalidInput } from '../../errors.ts';
import { lineAt, linesOf, rangeOfLines, type SourceLines, withEnds } from '../../text/lines.ts';
import { hasCurrentMark, withMarks } from './currentMarks.ts';
import {
  commonEnds,
  type CommonEnds,
  keepingSpace,
  middleOf,
  outsideTags,
  type Replacement,
} from './differingMiddle.ts';
import {
  overlapping,
  ownMiddle,
  placesOf,
  type Source,
  type SourceEdit,
  written,
} from './editSource.ts';
import { folderAt, forFolder, type NormalForm, normalForm } from './normalForm.ts';

/** What became of edits on another page that has the same blocks. */
export interface EditedAlike {
  /** Undefined if no edit has a place there. */
  source?: string;
  /** The edits without a place, by index. */
  missing: number[];
}

/**
 * Makes the same edits on another page, where it has the same blocks. White space and the way to
 * write relative addresses may differ.
 */
export function editAlike(page: Source, other: Source, edits: SourceEdit[]): EditedAlike {
  const lines = linesOf(page.source);
  const form = normalForm(other.source, folderAt(other.path));
  const missing: number[] = [];
  const made = edits.flatMap((edit, i) => {
    const found = alikeIn(form, other, blockOf(lines, edit), page.path);
    if (!found) missing.push(i);
    return found ?? [];
  });
  if (made.length === 0 || overlapping(made)) return { missing: edits.map((_, i) => i) };
  const { source } = written(other.source, made);
  return { missing, ...(source !== other.source && { source }) };
}

/** An edit as an old and a new text, to find the same block on other pages. */
function blockOf(lines: SourceLines, edit: SourceEdit): { old: string; new: string } {
  if ('old' in edit) return { old: edit.old.trim(), new: edit.new.trim() };
  const { source } = lines;
  const blockAt = ([first, last]: [number, number]) => {
    const { start, end } = rangeOfLines(lines, first, last);
    return source.slice(start, end).trim();
  };
  if ('lines' in edit) return { old: blockAt(edit.lines), new: edit.new.trim() };
  if (edit.after !== edit.copy[1])
    throw invalidInput('everywhere copies a block only behind itself: give its last line as after');
  const block = blockAt(edit.copy);
  return { old: block, new: block + lines.end + block };
}

/** The lines around what differs that must stand on another page too, if its block is another. */
const LINES_AROUND = 1;
/** A block must have this many characters to be found by less than all its lines. */
const LEAST_AROUND = 24;

/** The place of a block on another page; undefined if it has none, or several. */
function alikeIn(
  form: NormalForm,
  other: Source,
  block: { old: string; new: string },
  path: string,
): Replacement | undefined {
  const [from, to] = [folderAt(path), folderAt(other.path)];
  const [old, now] = [normalForm(block.old, from), normalForm(block.new, from)];
  const common = commonEnds(old, now);
  const place = placeOf(form, block.old, { old, common });
  if (!place) return undefined;
  const moved = withEnds(forFolder(block.new, from, to), linesOf(other.source));
  // read in its own folder, it has the same normal form
  const movedForm = normalForm(moved, to);
  const rangeAt = ({ prefix, suffix }: CommonEnds) => {
    const { at, skipped, length } = place;
    const behind = old.text.length - skipped - length;
    const inPart = { prefix: Math.max(0, prefix - skipped), suffix: Math.max(0, suffix - behind) };
    return middleOf(form, inPart, { at, length });
  };
  const differenceAt = (ends: CommonEnds) => ({
    was: ownMiddle(block.old, old, ends),
    now: ownMiddle(moved, movedForm, ends),
  });
  const range = rangeAt(common);
  const changed = other.source.slice(range.start, range.end);
  if (![changed, differenceAt(common).now].some(hasCurrentMark))
    return keepingSpace(other.source, range, differenceAt(common));
  const ends = outsideTags([old, now], common);
  const whole = rangeAt(ends);
  const last = form.ends[place.at + place.length - 1];
  const own = other.source.slice(form.starts[place.at], last);
  const difference = differenceAt(ends);
  const text = withMarks(own, difference.now, (tag) => normalForm(tag, to).text);
  return keepingSpace(other.source, whole, { ...difference, now: text });
}

/** Where a page has a block, or else the part of it around what differs, once. */
function placeOf(
  form: NormalForm,
  block: string,
  { old, common }: { old: NormalForm; common: CommonEnds },
): { at: number; skipped: number; length: number } | undefined {
  const whole = { skipped: 0, length: old.text.length };
  for (const { skipped, length } of [whole, aroundMiddle(block, old, common)]) {
    if (length === 0) continue;
    const places = placesOf(form.text, old.text.slice(skipped, skipped + length));
    if (places.length > 1) return undefined;
    if (places.length === 1) return { at: places[0]!, skipped, length };
  }
  return undefined;
}

/** The part of a block's normal form that differs, with a line before and behind it. */
function aroundMiddle(block: string, form: NormalForm, common: CommonEnds) {
  const { start, end } = middleOf(form, common, { at: 0, length: form.text.length });
  const lines = linesOf(block);
  const first = Math.max(1, lineAt(lines, Math.max(0, start - 1)) - LINES_AROUND + 1);
  const last = Math.min(lines.starts.length, lineAt(lines, end) + LINES_AROUND - 1);
  const range = rangeOfLines(lines, first, last);
  const skipped = form.starts.findIndex((at) => at >= range.start);
  const until = form.ends.findLastIndex((at) => at <= range.end) + 1;
  const length = skipped === -1 ? 0 : until - skipped;
  return length < LEAST_AROUND ? { skipped: 0, length: 0 } : { skipped, length };
}

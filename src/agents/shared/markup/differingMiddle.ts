import type { TextRange } from '../../../text/textRange.ts';
import type { NormalForm } from './normalForm.ts';

/** How many characters two normal forms have in common at their start and at their end. */
export interface CommonEnds {
  prefix: number;
  suffix: number;
}

/**
 * Finds what an old and a new text have in common at their start and at their end, so that only the
 * middle is replaced. URLs and the names of tags are never cut.
 */
export function findCommonEnds(oldForm: NormalForm, newForm: NormalForm): CommonEnds {
  const shorterLength = Math.min(oldForm.text.length, newForm.text.length);
  let prefix = 0;
  while (prefix < shorterLength && oldForm.text[prefix] === newForm.text[prefix]) prefix++;
  while (isInsideUrl(oldForm, prefix) || isInsideUrl(newForm, prefix)) prefix--;
  prefix = Math.min(...[oldForm, newForm].map(({ text }) => findTagNameStart(text, prefix)));
  let suffix = 0;
  const fromEnd = ({ text }: NormalForm) => text[text.length - 1 - suffix];
  while (suffix < shorterLength - prefix && fromEnd(oldForm) === fromEnd(newForm)) suffix++;
  while (
    isInsideUrl(oldForm, oldForm.text.length - suffix) ||
    isInsideUrl(newForm, newForm.text.length - suffix)
  )
    suffix--;
  suffix = Math.min(
    ...[oldForm, newForm].map(
      ({ text }) => text.length - findTagNameEnd(text, text.length - suffix),
    ),
  );
  return moveToWholeElements(oldForm, newForm, { prefix, suffix });
}

/**
 * If a text is only inserted or removed, moves it to the left until it consists of whole elements,
 * provided that the same text results: `</li>|<li>B</li>|<li>` instead of `</li><li>|B</li><li>|`.
 */
function moveToWholeElements(
  oldForm: NormalForm,
  newForm: NormalForm,
  common: CommonEnds,
): CommonEnds {
  const { prefix, suffix } = common;
  if (Math.min(oldForm.text.length, newForm.text.length) > prefix + suffix) return common;
  const { text } = oldForm.text.length < newForm.text.length ? newForm : oldForm;
  const length = text.length - prefix - suffix;
  for (let distance = 0; length > 0 && distance <= prefix; distance++) {
    const start = prefix - distance;
    const movedEnds = { prefix: start, suffix: suffix + distance };
    const isOutsideUrls = [oldForm, newForm].every(
      (form) =>
        !isInsideUrl(form, start) && !isInsideUrl(form, form.text.length - movedEnds.suffix),
    );
    if (isOutsideUrls && isWholeElements(text, start, length)) return movedEnds;
    if (text[start - 1] !== text[start - 1 + length]) break;
  }
  return common;
}

/** Whether a part of a text begins with a start tag, and ends with an end tag or is one tag. */
function isWholeElements(text: string, start: number, length: number): boolean {
  if (text[start] !== '<' || text[start + 1] === '/' || text[start + length - 1] !== '>')
    return false;
  const lastTagStart = text.lastIndexOf('<', start + length - 1);
  return lastTagStart === start || text[lastTagStart + 1] === '/';
}

/** Whether an index is inside a URL, which is replaced as a whole or not at all. */
const isInsideUrl = ({ starts }: NormalForm, index: number) =>
  index > 0 && index < starts.length && starts[index] === starts[index - 1];

/**
 * Shortens the common ends so that they cut no tag: each tag is replaced as a whole or not at all.
 */
export function limitToWholeTags(forms: NormalForm[], { prefix, suffix }: CommonEnds): CommonEnds {
  const starts = forms.map(({ text }) => findTagStart(text, prefix));
  const ends = forms.map(({ text }) => text.length - findTagEnd(text, text.length - suffix));
  return { prefix: Math.min(prefix, ...starts), suffix: Math.min(suffix, ...ends) };
}

/** The start of the tag that contains an index; the index itself if it is outside of tags. */
function findTagStart(text: string, index: number): number {
  const start = text.lastIndexOf('<', index - 1);
  return index > 0 && start > text.lastIndexOf('>', index - 1) ? start : index;
}

/**
 * The start of the tag whose name contains an index; otherwise the index itself. A normal form has
 * no white space beside tags, so white space beside two different tags belongs to what differs.
 */
function findTagNameStart(text: string, index: number): number {
  const start = findTagStart(text, index);
  return /^<\/?[\w:-]*$/.test(text.slice(start, index)) ? start : index;
}

/** The end of a tag if only the rest of its name is behind an index; otherwise the index itself. */
function findTagNameEnd(text: string, index: number): number {
  const end = findTagEnd(text, index);
  return /^[\w:-]*\/?>$/.test(text.slice(index, end)) ? end : index;
}

function findTagEnd(text: string, index: number): number {
  if (findTagStart(text, index) === index) return index;
  const end = text.indexOf('>', index);
  return end === -1 ? index : end + 1;
}

/**
 * The range of a source between the common ends. `at` and `length`: where the old text is in the
 * normal form of the source.
 */
export function findMiddleRange(
  { starts, ends }: NormalForm,
  { prefix, suffix }: CommonEnds,
  { at: formStart, length }: { at: number; length: number },
): TextRange {
  const formEnd = formStart + length;
  const start = prefix > 0 ? ends[formStart + prefix - 1]! : (starts[formStart] ?? 0);
  const end = suffix > 0 ? starts[formEnd - suffix]! : (ends[formEnd - 1] ?? start);
  return { start, end: Math.max(start, end) };
}

/** A range of a source, with the text that replaces it. */
export interface SourceReplacement extends TextRange {
  text: string;
}

/** What differs between an old and a new text. */
interface TextDifference {
  was: string;
  now: string;
}

/**
 * Makes the replacement of a range of a source. White space at the edges stays as the source has
 * it, unless it is what differs. New lines are indented like those of the source.
 */
export function keepEdgeSpace(
  source: string,
  range: TextRange,
  { was, now }: TextDifference,
): SourceReplacement {
  const { start, end } = range;
  const oldText = source.slice(start, end);
  const [oldLead, oldTrail] = [readLeadingSpace(oldText), readTrailingSpace(oldText)];
  if (now.trim() === '' && oldText.trim() !== '') {
    if (oldTrail !== '') return { start, end: end - oldTrail.length, text: '' };
    return { start: now === '' ? start : start + oldLead.length, end, text: '' };
  }
  const [lead, trail] = [readLeadingSpace(now), now.trim() === '' ? '' : readTrailingSpace(now)];
  const newWords = now.slice(lead.length, now.length - trail.length);
  const sourceSpace = oldText === '' ? findLineBreakBefore(source, start, now) : oldText;
  const isBlank = oldText.trim() === '';
  const newLead =
    chooseSpace(lead, isBlank ? sourceSpace : oldLead) ??
    (readLeadingSpace(was) === '' ? oldLead : '');
  const hasNoLines = isBlank && lead === '' && !oldText.includes('\n');
  const newTrail =
    chooseSpace(trail, isBlank ? sourceSpace : oldTrail) ??
    (readTrailingSpace(was) === '' && !hasNoLines ? oldTrail : '');
  return { ...range, text: newLead + copyIndentation(newWords, lead, newLead) + newTrail };
}

/**
 * The white space for an edge: that of the source, if both have some; undefined if the new text has
 * none.
 */
function chooseSpace(newSpace: string, sourceSpace: string): string | undefined {
  if (newSpace === '') return undefined;
  return sourceSpace === '' ? newSpace : sourceSpace;
}

/** The line break and indentation of the line at a position, for a text that has new lines. */
function findLineBreakBefore(source: string, position: number, text: string): string {
  if (!readLeadingSpace(text).includes('\n') && !readTrailingSpace(text).includes('\n')) return '';
  const lineBreak = source.lastIndexOf('\n', position - 1);
  if (lineBreak === -1) return '';
  const indentation = /^[ \t]*/.exec(source.slice(lineBreak + 1, position))![0];
  return (source[lineBreak - 1] === '\r' ? '\r\n' : '\n') + indentation;
}

/** A text whose further lines are indented like the source instead of like its own first line. */
function copyIndentation(text: string, lead: string, sourceLead: string): string {
  if (!lead.includes('\n') || !sourceLead.includes('\n')) return text;
  const indentation = lead.slice(lead.lastIndexOf('\n'));
  return text.replaceAll(indentation, sourceLead.slice(sourceLead.lastIndexOf('\n')));
}

const readLeadingSpace = (text: string) => /^\s*/.exec(text)![0];
const readTrailingSpace = (text: string) => text.slice(text.trimEnd().length);

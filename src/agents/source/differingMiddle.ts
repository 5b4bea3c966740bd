import type { Range } from '../../text/range.ts';
import type { NormalForm } from './normalForm.ts';

/** How many characters two normal forms have in common at their start and at their end. */
export interface CommonEnds {
  prefix: number;
  suffix: number;
}

export function commonEnds(old: NormalForm, now: NormalForm): CommonEnds {
  const most = Math.min(old.text.length, now.text.length);
  let prefix = 0;
  while (prefix < most && old.text[prefix] === now.text[prefix]) prefix++;
  while (isInAddress(old, prefix) || isInAddress(now, prefix)) prefix--;
  prefix = Math.min(...[old, now].map(({ text }) => startOfName(text, prefix)));
  let suffix = 0;
  const fromEnd = ({ text }: NormalForm) => text[text.length - 1 - suffix];
  while (suffix < most - prefix && fromEnd(old) === fromEnd(now)) suffix++;
  while (isInAddress(old, old.text.length - suffix) || isInAddress(now, now.text.length - suffix))
    suffix--;
  suffix = Math.min(
    ...[old, now].map(({ text }) => text.length - endOfName(text, text.length - suffix)),
  );
  return wholeElements(old, now, { prefix, suffix });
}

/**
 * Moves what is only inserted or removed to the left until it is whole elements, if the same text
 * comes out: `</li>|<li>B</li>|<li>` rather than `</li><li>|B</li><li>|`.
 */
function wholeElements(old: NormalForm, now: NormalForm, common: CommonEnds): CommonEnds {
  const { prefix, suffix } = common;
  if (Math.min(old.text.length, now.text.length) > prefix + suffix) return common;
  const { text } = old.text.length < now.text.length ? now : old;
  const length = text.length - prefix - suffix;
  for (let moved = 0; length > 0 && moved <= prefix; moved++) {
    const start = prefix - moved;
    const ends = { prefix: start, suffix: suffix + moved };
    const isApart = [old, now].every(
      (form) => !isInAddress(form, start) && !isInAddress(form, form.text.length - ends.suffix),
    );
    if (isApart && areElements(text, start, length)) return ends;
    if (text[start - 1] !== text[start - 1 + length]) break;
  }
  return common;
}

/** Whether a part of a text begins with a start tag, and ends with an end tag or is one tag. */
function areElements(text: string, start: number, length: number): boolean {
  if (text[start] !== '<' || text[start + 1] === '/' || text[start + length - 1] !== '>')
    return false;
  const last = text.lastIndexOf('<', start + length - 1);
  return last === start || text[last + 1] === '/';
}

/** Whether an index is inside an address, which is replaced as a whole or not at all. */
const isInAddress = ({ starts }: NormalForm, index: number) =>
  index > 0 && index < starts.length && starts[index] === starts[index - 1];

/** What is common outside of tags, so that each tag is replaced as a whole or not at all. */
export function outsideTags(forms: NormalForm[], { prefix, suffix }: CommonEnds): CommonEnds {
  const starts = forms.map(({ text }) => startOfTag(text, prefix));
  const ends = forms.map(({ text }) => text.length - endOfTag(text, text.length - suffix));
  return { prefix: Math.min(prefix, ...starts), suffix: Math.min(suffix, ...ends) };
}

/** Where the tag begins that an index is inside of; else the index. */
function startOfTag(text: string, index: number): number {
  const start = text.lastIndexOf('<', index - 1);
  return index > 0 && start > text.lastIndexOf('>', index - 1) ? start : index;
}

/**
 * Where the tag begins in whose name an index is; else the index. A normal form has no white space
 * beside tags: of two different tags, that of each belongs to what differs.
 */
function startOfName(text: string, index: number): number {
  const start = startOfTag(text, index);
  return /^<\/?[\w:-]*$/.test(text.slice(start, index)) ? start : index;
}

/** Where the tag ends of which an index leaves only the end of its name; else the index. */
function endOfName(text: string, index: number): number {
  const end = endOfTag(text, index);
  return /^[\w:-]*\/?>$/.test(text.slice(index, end)) ? end : index;
}

function endOfTag(text: string, index: number): number {
  if (startOfTag(text, index) === index) return index;
  const end = text.indexOf('>', index);
  return end === -1 ? index : end + 1;
}

/** The range between what is common, in the text of a normal form from `at` on. */
export function middleOf(
  { starts, ends }: NormalForm,
  { prefix, suffix }: CommonEnds,
  { at, length }: { at: number; length: number },
): Range {
  const last = at + length;
  const start = prefix > 0 ? ends[at + prefix - 1]! : (starts[at] ?? 0);
  const end = suffix > 0 ? starts[last - suffix]! : (ends[last - 1] ?? start);
  return { start, end: Math.max(start, end) };
}

/** A range of a source, with the text that replaces it. */
export interface Replacement extends Range {
  text: string;
}

/** What differs between an old and a new text. */
interface Difference {
  was: string;
  now: string;
}

/**
 * Replaces a range of a source. White space at the edges stays as the source has it, unless it is
 * what differs, and new lines are indented as those of the source.
 */
export function keepingSpace(source: string, range: Range, { was, now }: Difference): Replacement {
  const { start, end } = range;
  const old = source.slice(start, end);
  const [oldLead, oldTrail] = [leadOf(old), trailOf(old)];
  if (now.trim() === '' && old.trim() !== '') {
    if (oldTrail !== '') return { start, end: end - oldTrail.length, text: '' };
    return { start: now === '' ? start : start + oldLead.length, end, text: '' };
  }
  const [lead, trail] = [leadOf(now), now.trim() === '' ? '' : trailOf(now)];
  const words = now.slice(lead.length, now.length - trail.length);
  const own = old === '' ? breakBefore(source, start, now) : old;
  const isBlank = old.trim() === '';
  const first = spaceOf(lead, isBlank ? own : oldLead) ?? (leadOf(was) === '' ? oldLead : '');
  const isBare = isBlank && lead === '' && !old.includes('\n');
  const last =
    spaceOf(trail, isBlank ? own : oldTrail) ?? (trailOf(was) === '' && !isBare ? oldTrail : '');
  return { ...range, text: first + indentedLike(words, lead, first) + last };
}

/** White space of the source in place of that of a new text; undefined if that has none. */
function spaceOf(now: string, own: string): string | undefined {
  if (now === '') return undefined;
  return own === '' ? now : own;
}

/** The line break and indentation of the line at a position, for a text that has new lines. */
function breakBefore(source: string, position: number, text: string): string {
  if (!leadOf(text).includes('\n') && !trailOf(text).includes('\n')) return '';
  const at = source.lastIndexOf('\n', position - 1);
  if (at === -1) return '';
  const indentation = /^[ \t]*/.exec(source.slice(at + 1, position))![0];
  return (source[at - 1] === '\r' ? '\r\n' : '\n') + indentation;
}

/** A text whose further lines are indented as the source instead of as the first line. */
function indentedLike(text: string, lead: string, own: string): string {
  if (!lead.includes('\n') || !own.includes('\n')) return text;
  const indentation = lead.slice(lead.lastIndexOf('\n'));
  return text.replaceAll(indentation, own.slice(own.lastIndexOf('\n')));
}

const leadOf = (text: string) => /^\s*/.exec(text)![0];
const trailOf = (text: string) => text.slice(text.trimEnd().length);

import { mapById } from '../../../contract/mapById.ts';
import { noteValues, type RemovableNote } from '../../../contract/task.ts';
import type { PageClaim, SlotTexts, TextSlot } from '../../../sites/formats/pageParts.ts';
import { quoteText } from '../../../text/text.ts';
import type { NoteReplacement, NoteReplacementJob } from '../../agentPorts.ts';
import type { TemplatePage } from '../../shared/agentTypes.ts';
import type { Fact } from '../../shared/facts/findFacts.ts';
import { matchAddresses, readPostalAddress } from '../../shared/facts/postalAddress.ts';
import { createReplacementText } from '../../shared/page/replacementFacts.ts';
import { isHiddenValueId, type CarriedOverStatement } from '../../shared/page/templateOutcome.ts';
import { foldWords } from '../../shared/text/foldText.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import { replaceInSlot, type SpanEdit } from '../../shared/text/replaceInSlot.ts';
import { findWords } from '../../shared/text/textSpans.ts';
import { changeFacts } from '../../shared/texts/changeFacts.ts';
import { findPageStatements, locateNoteValue, matchesValue } from './notedStatements.ts';

/** Why a value can't be replaced on a page. */
export const replacementProblems = {
  missing: 'the page has no text with it',
  picture: 'it is not a text',
  paragraphs: 'it has several paragraphs',
  number: 'the structured data needs a number, so type one',
  address: 'the address has parts, so type all of it, with its street and town',
  author: (count: number) => `the author has ${count} parts, so type ${count}, divided by commas`,
};

/** New texts of spans of a page's texts, or why the page stays as it is. */
type ValueEdit =
  | {
      edits: SlotEdit[];
      /** Texts that are written already. */
      texts?: SlotTexts;
      links?: Record<string, string>;
      /** Another notation of the value, in structured data, which stays. */
      left?: string;
    }
  | { problem: string };
type SlotEdit = SpanEdit & { slot: TextSlot };

/**
 * Plans to replace what notes report on a page by a text that a person typed, such as "$4,800" by
 * "from $5,200". Other notations of the same fact change too: a telephone number in structured data
 * and in `tel:` links, or a price as a number. All other text of the page stays.
 * @throws DomainError INVALID_INPUT if the text is not a telephone number or an e-mail address, but
 *   replaces one
 */
export function replaceNotedValues({
  page,
  notes,
  value: onlyValue,
  text,
}: NoteReplacementJob): NoteReplacement {
  const replacement: NoteReplacement = { texts: {}, links: {}, replaced: [], sentences: [] };
  let { slots } = page;
  for (const note of notes)
    for (const value of onlyValue === undefined ? noteValues(note) : [onlyValue]) {
      const edit = replaceValue({ ...page, slots }, { note, value, text });
      const texts = 'problem' in edit ? {} : { ...edit.texts, ...writeEdits(edit.edits) };
      if ('problem' in edit || Object.keys(texts).length === 0) {
        const problem = 'problem' in edit ? edit.problem : replacementProblems.missing;
        replacement.sentences.push(`${page.slug}: ${unreplacedSentence(value, problem)}`);
        continue;
      }
      Object.assign(replacement.texts, texts);
      Object.assign(replacement.links, edit.links);
      slots = slots.map((slot) => ({ ...slot, text: texts[slot.id] ?? slot.text }));
      if (edit.left === undefined) replacement.replaced.push({ id: note.id, value });
      else replacement.sentences.push(`${page.slug}: ${leftInDataSentence(edit.left)}`);
    }
  return replacement;
}

const quoteValue = (value: string) => quoteText(value, MAX_QUOTED_LENGTH);
const MAX_QUOTED_LENGTH = 90;

export const unreplacedSentence = (value: string, problem: string) =>
  `${quoteValue(value)} was not replaced, because ${problem}. Edit the page by hand`;
export const leftInDataSentence = (value: string) =>
  `the structured data still has ${quoteValue(value)}. Edit it by hand`;

const writeEdits = (edits: SlotEdit[]): SlotTexts =>
  Object.fromEntries(
    [...Map.groupBy(edits, ({ slot }) => slot)].map(([slot, slotEdits]) => [
      slot.id,
      replaceInSlot(slot, slotEdits),
    ]),
  );

interface TypedValue {
  note: RemovableNote;
  value: string;
  text: string;
}

function replaceValue(page: TemplatePage, { note, value, text }: TypedValue): ValueEdit {
  const statements = findPageStatements(page);
  const noted = locateNoteValue(note, value, { statements, slots: page.slots });
  const contact = noted.find(({ kind }) => kind === 'telephone' || kind === 'email');
  if (contact) return replaceContact(page, contact, text);
  const authors = note.kind === 'quote' ? findAuthors(page, value) : [];
  if (authors.length > 0)
    return joinEdits(authors.map((claim) => replaceAuthor(page, claim, text)));
  const facts = noted.flatMap(({ fact }) => fact ?? []);
  if (facts[0]?.kind === 'address') return replaceAddress(facts, text);
  return joinEdits([
    ...facts.map((fact) => replaceFact(fact, { value, text })),
    ...noted
      .filter(({ fact }) => !fact)
      .map((statement) => replaceStatement(page, statement, { value, text })),
  ]);
}

/** Several edits as one; the first problem, if there is one: a page changes as a whole or stays. */
function joinEdits(edits: ValueEdit[]): ValueEdit {
  const joined: ValueEdit & { edits: SlotEdit[] } = { edits: [] };
  for (const edit of edits) {
    if ('problem' in edit) return edit;
    joined.edits.push(...edit.edits);
    if (edit.left !== undefined) joined.left = edit.left;
  }
  return joined;
}

/** Structured data and links follow, as they do for a prompt that changes a number. */
function replaceContact(
  { slots, links = [] }: TemplatePage,
  { kind, text: from }: CarriedOverStatement,
  to: string,
): ValueEdit {
  const change = { kind: kind === 'email' ? 'email' : 'telephone', from, to } as const;
  const changed = changeFacts({ slots, links, groups: [] }, change);
  const targets = changed.links.map(({ id, target }): [string, string] => [id, target]);
  return { edits: [], texts: changed.texts, links: Object.fromEntries(targets) };
}

function replaceAddress(facts: Fact[], text: string): ValueEdit {
  const newTexts = matchAddresses(facts, readPostalAddress([text], {}));
  if (newTexts.size < facts.length || [...newTexts.values()].includes(''))
    return { problem: replacementProblems.address };
  return { edits: [...newTexts].map(([fact, newText]) => replaceSpan(fact, newText)) };
}

function replaceFact(fact: Fact, { value, text }: Pick<TypedValue, 'value' | 'text'>): ValueEdit {
  const { kind, slot } = fact;
  const isNumber = kind === 'price' || kind === 'rating' || kind === 'reviews';
  const isData = slot.role === 'structured-data';
  if (isData && isNumber && !/\d/.test(text)) return { problem: replacementProblems.number };
  if (isData && !isNumber && !matchesValue(fact.text, value)) return { edits: [], left: fact.text };
  return {
    edits: [replaceSpan(fact, createReplacementText(fact, text, { country: undefined }))],
  };
}

function replaceSpan({ slot, from, to }: Fact, newText: string): SlotEdit {
  const text = omitRepeatedWords(plainText(slot.text).slice(0, from), newText);
  return { slot, from, to, text };
}

/** `From $4,800` with the new text `from $5,200` must not become `From from $5,200`. */
function omitRepeatedWords(before: string, text: string): string {
  const words = text.split(' ');
  const wordsBefore = foldWords(before).split(' ');
  for (let count = Math.min(words.length - 1, MOST_REPEATED_WORDS); count > 0; count--) {
    const beginning = foldWords(words.slice(0, count).join(' '));
    if (beginning !== '' && beginning === wordsBefore.slice(-count).join(' '))
      return words.slice(count).join(' ');
  }
  return text;
}

const MOST_REPEATED_WORDS = 3;

function replaceStatement(
  { slots, claims = [] }: TemplatePage,
  { kind, ids, slot: slotId }: CarriedOverStatement,
  { value, text }: Pick<TypedValue, 'value' | 'text'>,
): ValueEdit {
  const slotsById = mapById(slots);
  const claim = claims.find(({ id }) => id === ids[0]);
  if (kind === 'quote' && claim) return replaceQuote(claim, slotsById, text);
  const slot = slotId === null ? undefined : slotsById.get(slotId);
  if (kind === 'map' || !slot) return { problem: replacementProblems.picture };
  const plain = plainText(slot.text);
  if (matchesValue(plain, value)) return { edits: [replaceWholeText(slot, text)] };
  const spans = findWords(plain, value, { anyCase: true });
  return { edits: spans.map(({ from, to }) => ({ slot, from, to, text })) };
}

function replaceQuote(
  { id, slots, byline }: PageClaim,
  slotsById: ReadonlyMap<string, TextSlot>,
  text: string,
): ValueEdit {
  const lines = isHiddenValueId(id)
    ? [id]
    : slots.filter((slotId) => !byline.includes(slotId) && !slotId.includes('.'));
  const [slot, ...otherLines] = lines.flatMap((slotId) => slotsById.get(slotId) ?? []);
  if (!slot) return { problem: replacementProblems.picture };
  if (otherLines.length > 0) return { problem: replacementProblems.paragraphs };
  const plain = plainText(slot.text);
  const from = /^["“„«]/u.test(plain) ? 1 : 0;
  const to = plain.length - (/["”“»]$/u.test(plain) ? 1 : 0);
  return { edits: [{ slot, from, to, text: text.replace(/^["“„«]|["”“»]$/gu, '') }] };
}

const findByline = ({ slots }: TemplatePage, { byline }: Pick<PageClaim, 'byline'>) =>
  slots.filter(({ id }) => byline.includes(id));

/** The quotes whose author a note names. */
const findAuthors = (page: TemplatePage, value: string) =>
  (page.claims ?? []).filter((claim) => {
    const author = findByline(page, claim).map(({ text }) => plainText(text));
    return claim.kind === 'quote' && author.length > 0 && matchesValue(author.join(', '), value);
  });

/** Replaces the author of a quote, also in structured data. Name and role may be two texts. */
function replaceAuthor(page: TemplatePage, claim: PageClaim, text: string): ValueEdit {
  const byline = findByline(page, claim);
  const parts = byline.length === 1 ? [text] : text.split(',').map((part) => part.trim());
  if (parts.length !== byline.length || parts.includes(''))
    return { problem: replacementProblems.author(byline.length) };
  const newTexts = new Map(
    byline.map((slot, index) => [foldWords(plainText(slot.text)), parts[index]!]),
  );
  const repeated = page.slots.filter(
    ({ role, text: old }) => role === 'structured-data' && newTexts.has(foldWords(plainText(old))),
  );
  return {
    edits: [...byline, ...repeated].map((slot) =>
      replaceWholeText(slot, newTexts.get(foldWords(plainText(slot.text)))!),
    ),
  };
}

const replaceWholeText = (slot: TextSlot, text: string): SlotEdit => ({
  slot,
  from: 0,
  to: plainText(slot.text).length,
  text,
});

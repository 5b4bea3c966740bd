import type { CellRemark } from '../../../contract/checks.ts';
import {
  keyFields,
  mergeNotes,
  slotFields,
  valueFields,
} from '../../../contract/notes/mergeNotes.ts';
import { type Note, type NoteKind, createPageNote } from '../../../contract/task.ts';
import { listFirstNames } from '../../../contract/text/summaries.ts';
import {
  type OpaqueText,
  type TextSlot,
  type SlotTexts,
  isHeadline,
  isUnseenRole,
} from '../../../sites/formats/pageParts.ts';
import { telephonesIn } from '../../../text/telephone.ts';
import { truncateText, isMailbox } from '../../../text/text.ts';
import { foldWords } from '../text/foldText.ts';
import { plainText } from '../text/parseMarks.ts';
import type { ContextData } from '../context/contextData.ts';
import type { ContextValue } from '../context/contextValues.ts';
import type { DroppedContent } from './dropCarriedOver.ts';
import { historyIn } from './historySentences.ts';
import type { PageTopics } from './pageTopics.ts';
import type { FactKind } from '../facts/factPatterns.ts';
import { isSameFact, containsFact, type Fact } from '../facts/findFacts.ts';
import { type CarriedOverStatement, getStatementNoteKind } from './templateOutcome.ts';
import { factKeys } from '../context/contextKeys.ts';

/** A written page, with everything that its notes are made from. */
export interface PageNoteSources {
  slug: string;
  subject: PageTopics | null;
  slots: readonly TextSlot[];
  written: SlotTexts;
  /** Texts that the page keeps byte for byte, such as lines of front matter. */
  opaque: readonly OpaqueText[];
  /** Titles of other pages, by slug. */
  titles: Readonly<Record<string, string>>;
  /** The keys of front matter that all other pages of the template's folder have. */
  missingKeys: readonly string[];
  /** Statements that only hold for the template and are still on the page, and what was removed. */
  carriedOver: readonly CarriedOverStatement[];
  dropped: DroppedContent | null;
  replaced: Map<Fact, string>;
  context: ContextData;
  unplaced: string[];
  /** Why facts of the context have no place, by their kind. */
  unplacedReasons: ReadonlyMap<FactKind, string>;
  /** The keys and headings of the context's values. */
  ownerNames: ReadonlySet<string>;
  /** Values of the context that the page does not show. */
  unused: ContextValue[];
  /** Problems of values in the context. */
  remarks: readonly CellRemark[];
  /** Sentences on how lists were filled in. */
  notes: readonly string[];
  /** Whether the page or another warning mentions anything of the context. */
  isUsed: boolean;
}

const MAX_LISTED_PER_KIND = 8;
const MAX_LISTED_LENGTH = 90;
const MAX_VALUE_LENGTH = 300;

/**
 * Writes the notes on a new page: what a person should check, in one note of each kind. They name
 * texts and facts that are still the template's, and values of the context that have no place.
 */
export function createPageWarnings(page: PageNoteSources): Note[] {
  const contents: NoteContent[] = [
    ...createUnusedWarnings(page),
    ...createJunkWarnings(page),
    ...createUnplacedWarnings(page),
    ...createNamingWarnings(page),
    ...createTitleWarnings(page),
    ...createKeyWarnings(page),
    ...sharedWarnings(page),
    ...commonWarnings(page),
    ...page.notes.map((sentence): NoteContent => ({ kind: 'part', noteText: sentence })),
    ...createCarriedOverWarnings(page),
    ...opaqueWarnings(page),
    ...createRemovalWarnings(page),
    ...createLinkWarnings(page),
  ];
  return mergeNotes(contents.map((content) => createWarningNote(page.slug, content)));
}

/** The content of a note, without its page. */
interface NoteContent {
  kind: NoteKind;
  noteText: string;
  values?: string[];
  slots?: string[];
  keys?: string[];
}

/** A value as notes have it. */
export const shortenNoteValue = (value: string) => truncateText(value, MAX_VALUE_LENGTH);

const createWarningNote = (
  page: string,
  { kind, noteText, values = [], slots = [], keys = [] }: NoteContent,
): Note =>
  createPageNote(page, kind, noteText, {
    ...valueFields(values.map(shortenNoteValue)),
    ...slotFields(slots),
    ...keyFields(keys),
  });

export const INVALID_VALUE_SENTENCE = 'a value of the context was left out: ';

/** Values of the context that were left out because they are invalid. */
const createJunkWarnings = ({ remarks }: PageNoteSources): NoteContent[] =>
  remarks
    .filter(({ severity }) => severity === 'error')
    .map(({ label, message, value }) => ({
      kind: 'unused',
      noteText: `${INVALID_VALUE_SENTENCE}${message}${label === '' ? '' : ` (${shortenQuotedText(label)})`}`,
      values: [value],
    }));

export const namingSentence = (name: 'title' | 'headline') =>
  `the ${name} is still the one of the template`;

/** Notes on a title or headline that is still the one of the template. */
function createNamingWarnings({ slots, written }: PageNoteSources): NoteContent[] {
  const naming: ['title' | 'headline', (slot: TextSlot) => boolean][] = [
    ['title', ({ role }) => role === 'title'],
    // some pages have counters in first-level headings
    ['headline', (slot) => isHeadline(slot) && /\p{L}/u.test(plainText(slot.text))],
  ];
  return naming.flatMap(([name, fits]) =>
    slots
      .filter((slot) => fits(slot) && !(slot.id in written))
      .map(({ id, text }) => ({
        kind: 'template',
        slots: [id],
        noteText: namingSentence(name),
        values: [text],
      })),
  );
}

export const sameTitleSentence = (slugs: string[]) =>
  `${listFirstNames(slugs)} ${slugs.length === 1 ? 'has' : 'have'} the same title`;

/** A note on other pages with the title of the new one. */
function createTitleWarnings({ slots, written, titles, slug }: PageNoteSources): NoteContent[] {
  const title = slots.find(({ role }) => role === 'title');
  const newTitle = title && written[title.id];
  if (newTitle === undefined) return [];
  const isSame = (text: string) => foldWords(text) === foldWords(plainText(newTitle));
  const slugs = Object.keys(titles).filter((one) => one !== slug && isSame(titles[one]!));
  if (slugs.length === 0) return [];
  return [{ kind: 'part', slots: [title!.id], noteText: sameTitleSentence(slugs), values: slugs }];
}

export const missingKeysSentence = (keys: readonly string[]) =>
  `the front matter lacks what the other pages of its folder have: ${listQuotedTexts([...keys])}`;

const createKeyWarnings = ({ missingKeys }: PageNoteSources): NoteContent[] =>
  missingKeys.length === 0
    ? []
    : [{ kind: 'part', noteText: missingKeysSentence(missingKeys), values: [...missingKeys] }];

/**
 * A note on texts that were kept although they name the template's topic: other pages have them
 * too, or they tell the history of a place, so they are not about the template.
 */
function sharedWarnings({ slots, written, subject }: PageNoteSources): NoteContent[] {
  const keptTexts = slots
    .filter(({ role }) => !isUnseenRole(role))
    .flatMap(({ id, text, shared }) => {
      const [old, now] = [plainText(text), plainText(written[id] ?? text)];
      if (shared === 'text') return now === old ? [{ id, text: old }] : [];
      const history = subject ? historyIn(old, subject.old) : [];
      const sentences = history.map(({ from, to }) => old.slice(from, to).trim());
      return sentences.filter((one) => now.includes(one)).map((one) => ({ id, text: one }));
    });
  if (keptTexts.length === 0) return [];
  return [
    {
      kind: 'template',
      slots: keptTexts.map(({ id }) => id),
      noteText: `texts were kept, because they describe history or are on other pages too: ${listQuotedTexts(keptTexts.map(({ text }) => text))}`,
      values: keptTexts.map(({ text }) => text),
    },
  ];
}

export const commonTextSentence = (texts: string[]) =>
  `texts were replaced, although the other pages have them too: ${listQuotedTexts(texts)}`;

/** A note on replaced texts that all other pages have: they may be the site's, as a brand is. */
function commonWarnings({ slots, written }: PageNoteSources): NoteContent[] {
  const replaced = slots.filter(({ id, text, common }) => common && (written[id] ?? text) !== text);
  if (replaced.length === 0) return [];
  const texts = replaced.map(({ id, text }) => ({ id, text: plainText(text) }));
  return [
    {
      kind: 'template',
      slots: texts.map(({ id }) => id),
      noteText: commonTextSentence(texts.map(({ text }) => text)),
      values: texts.map(({ text }) => text),
    },
  ];
}

/** @param label the kind of the facts, such as `price` */
export const carriedOverSentence = (label: string, texts: string[]) =>
  `${describeCount(label, texts.length)} of the template: ${listQuotedTexts(texts)}`;

/** One note for each kind of fact kept from the template. */
function createCarriedOverWarnings({
  carriedOver: carriedOverStatements,
}: PageNoteSources): NoteContent[] {
  return groupByLabel(carriedOverStatements).map(([label, statements]) => ({
    kind: getStatementNoteKind(statements[0]!.kind),
    noteText: carriedOverSentence(
      label,
      statements.map(({ text }) => text),
    ),
    values: statements.map(({ text }) => text),
    slots: [...new Set(statements.flatMap(({ slot }) => slot ?? []))],
  }));
}

const OPAQUE: Record<OpaqueText['kind'], string> = {
  'front matter': 'its front matter',
  'template tag': 'template tags',
  'unread data': "structured data that can't be read",
};

/** One note for each kind of text that is kept byte for byte. */
const opaqueWarnings = ({ opaque }: PageNoteSources): NoteContent[] =>
  [...Map.groupBy(opaque, ({ kind }) => kind)].map(([kind, texts]) => ({
    kind: 'template',
    noteText: `text of the template is kept in ${OPAQUE[kind]}: ${listQuotedTexts(texts.map(({ text }) => text))}`,
    values: texts.map(({ text }) => text),
  }));

/** `the price`, `3 prices`, `2 authors of a new quote` */
function describeCount(label: string, count: number): string {
  if (count === 1 || /(?:hours|coordinates)$/.test(label)) return `the ${label}`;
  const [, noun = label, ending = ''] = /^(.*?)( of .*)?$/.exec(label) ?? [];
  return `${count} ${noun}${noun.endsWith('s') ? 'es' : 's'}${ending}`;
}

/** Notes on removed facts, with emptied sections, and on links to what was removed. */
function createRemovalWarnings({ dropped }: PageNoteSources): NoteContent[] {
  if (!dropped) return [];
  const facts = groupByLabel(dropped.removedStatements).map(([label, statements]) => ({
    noteText: `the ${label} ${listQuotedTexts(statements.map(({ text }) => text))}`,
    values: statements.map(({ text }) => text),
  }));
  const sections = dropped.sections.map((heading) => ({
    noteText: `the section "${shortenQuotedText(heading)}"`,
    values: [heading],
  }));
  const removedParts = [...sections, ...facts];
  const sentences = removedParts.map((part) => part.noteText).join('; ');
  const removed: NoteContent = {
    kind: 'requested',
    noteText: `parts were removed, because the context has no values for them: ${truncateText(sentences, MAX_VALUE_LENGTH)}`,
    values: removedParts.flatMap(({ values }) => values),
  };
  return [
    ...(removedParts.length > 0 ? [removed] : []),
    ...dropped.links.map((id): NoteContent => ({
      kind: 'part',
      noteText: `a link leads to "#${shortenQuotedText(id)}", which was removed`,
      values: [`#${id}`],
    })),
  ];
}

/** Groups by label, without repeated statements. */
function groupByLabel(
  statements: readonly CarriedOverStatement[],
): [string, CarriedOverStatement[]][] {
  const distinct = statements.filter(
    (statement, index) =>
      !statements.slice(0, index).some((earlier) => isSameStatement(earlier, statement)),
  );
  return [...Map.groupBy(distinct, ({ label }) => label)];
}

/** Whether two statements are the same, even if one is in a form for programs. */
export function isSameStatement(
  first: CarriedOverStatement,
  second: CarriedOverStatement,
): boolean {
  if (first.kind !== second.kind) return false;
  // a note names the template's address only once, although structured data has it in parts
  if (/address(?:Region|Country)/.test(second.fact?.slot.jsonPath ?? '')) return true;
  if (first.fact && second.fact)
    return isSameFact(first.fact, second.fact) || containsFact(first.fact, second.fact);
  return (
    foldWords(first.text) === foldWords(second.text) || (first.kind === 'map' && second.isHidden)
  );
}

function listQuotedTexts(texts: string[], limit = MAX_LISTED_PER_KIND): string {
  const quotedTexts = texts.slice(0, limit).map((text) => `"${shortenQuotedText(text)}"`);
  if (texts.length > limit) quotedTexts.push(`and ${texts.length - limit} more`);
  return quotedTexts.join(', ');
}

/**
 * Notes on links that keep their old target. A link follows the telephone number that it shows. It
 * follows an e-mail address only if it shows nothing else
 * (sites/formats/html/links/followContacts.ts).
 */
function createLinkWarnings({ replaced }: PageNoteSources): NoteContent[] {
  const unfollowedFacts = [...replaced].filter(
    ([{ kind, slot, text }, newText]) =>
      (kind === 'telephone' || kind === 'email') &&
      hasLink(slot) &&
      !((kind === 'telephone' || showsNothingBut(slot, text)) && isContactTarget(newText)),
  );
  return unfollowedFacts.map(([{ label, text, slot }]) => {
    const noteText = contactLinkSentence(label, text);
    return { kind: 'part', slots: [slot.id], noteText, values: [text] };
  });
}

export const contactLinkSentence = (label: string, contact: string) =>
  `the link of the new ${label} still leads to "${contact}" from the template`;

const showsNothingBut = (slot: TextSlot, text: string) => `>${slot.text}<`.includes(`>${text}<`);
const isContactTarget = (text: string) => telephonesIn(text).length === 1 || isMailbox(text);
const hasLink = ({ role, parts }: TextSlot) =>
  role === 'link' || role === 'button' || parts.includes('a');

export const UNUSED_CONTEXT_SENTENCE =
  'no part of the context was used. Write it as a JSON object, YAML, `Key: value` lines, Markdown with headings, or whole sentences';

const createUnusedWarnings = ({ context, remarks, isUsed }: PageNoteSources): NoteContent[] =>
  isUsed || remarks.length > 0 || context.source === ''
    ? []
    : [
        {
          kind: 'unused',
          noteText: UNUSED_CONTEXT_SENTENCE,
        },
      ];

const MAX_OWNERS = 5;
/** Keys that a person can give a place, and the characters of each, as in the request's schema. */
const [MAX_KEYS, MAX_KEY_LENGTH] = [20, 100];
const MAX_VALUES_PER_OWNER = 4;

/** A note on the parts of the context that are not on the page, by key or heading. */
function createUnplacedWarnings({
  unplaced,
  unplacedReasons,
  ownerNames: owners,
  unused,
  isUsed,
}: PageNoteSources): NoteContent[] {
  if (!isUsed) return [];
  const belongsToOwner = createOwnerTest(owners);
  const otherParts = unplaced.filter((name) => !belongsToOwner(name));
  const byOwner = [...Map.groupBy(unused, ({ owner }) => owner)];
  const namedOwners = byOwner.slice(0, MAX_OWNERS).map(([owner, ownerValues]) => {
    const [reason] = [...unplacedReasons].filter(([kind]) =>
      listPartKeys(foldWords(kind)).includes(foldWords(owner)),
    );
    return describeUnusedValues(
      ownerValues.map(({ text }) => text),
      shortenQuotedText(owner),
      reason?.[1],
    );
  });
  const remainingCount = byOwner
    .slice(MAX_OWNERS)
    .reduce((sum, [, ownerValues]) => sum + ownerValues.length, 0);
  const parts = [
    ...otherParts.map(shortenQuotedText),
    ...namedOwners,
    ...(remainingCount > 0 ? [moreValuesPart(remainingCount)] : []),
  ];
  const values = [...otherParts, ...unused.map(({ text }) => text)];
  const keys = byOwner.map(([owner]) => owner).filter(isShortKey);
  return parts.length === 0
    ? []
    : [
        {
          kind: 'unused',
          noteText: unusedValuesSentence(parts),
          values,
          keys: keys.slice(0, MAX_KEYS),
        },
      ];
}

/** Whether a key can be a column's. A longer one is a sentence. */
const isShortKey = (key: string) => key.length <= MAX_KEY_LENGTH;

/** @param reason why the values have no place on the page */
export const describeUnusedValues = (texts: string[], owner: string, reason?: string) =>
  `${listQuotedTexts(texts, MAX_VALUES_PER_OWNER)} (${owner}${reason === undefined ? '' : `: ${reason}`})`;

export const moreValuesPart = (count: number) =>
  `${count} more ${count === 1 ? 'value' : 'values'}`;

/** @param parts what is not used, each with its key: `"Ana" (team)` */
export const unusedValuesSentence = (parts: readonly string[]) =>
  `values of the context were not used: ${parts.join('; ')}`;

/** The name of a part without a place, without the reason in brackets. */
const foldPartName = (name: string) => foldWords(name.split(' (', 1)[0]!);
const listPartKeys = (part: string) => (part in factKeys ? factKeys[part as FactKind] : []);

/** Makes a check whether a part's values belong to one of these keys. */
function createOwnerTest(owners: ReadonlySet<string>): (name: string) => boolean {
  const foldedOwners = new Set([...owners].map(foldWords));
  return (name) => {
    const part = foldPartName(name);
    const words = part.split(' ');
    const beginnings = words.map((_, i) => words.slice(0, i + 1).join(' '));
    return (
      part in factKeys ||
      beginnings.some((beginning) => foldedOwners.has(beginning)) ||
      listPartKeys(part).some((key) => foldedOwners.has(key))
    );
  };
}

const shortenQuotedText = (text: string) => truncateText(text, MAX_LISTED_LENGTH);

/**
 * Removes slots from a note, if the page's blocks differ from the template's: its slots have other
 * ids.
 */
export const omitSlots = ({ slot: _, slots: __, ...note }: Note): Note => note;

import type { CellRemark } from '../../contract/check.ts';
import { mergeNotes, slotsIn, valuesIn } from '../../contract/mergedNotes.ts';
import { type Note, type NoteKind, noteOn } from '../../contract/task.ts';
import {
  type OpaqueText,
  type Slot,
  type SlotTexts,
  isHeadline,
  isUnseen,
} from '../../sites/formats/page.ts';
import { telephonesIn } from '../../text/telephone.ts';
import { cut, isMailbox } from '../../text/text.ts';
import { foldWords } from '../text/fold.ts';
import { plainText } from '../text/marks.ts';
import type { ContextData } from '../context/contextData.ts';
import type { Leaf } from '../context/contextLeaves.ts';
import type { Dropped } from './dropKept.ts';
import { historyIn } from './history.ts';
import type { Subject } from './subject.ts';
import type { FactKind } from '../facts/factPatterns.ts';
import { isSameFact, saysFact, type Fact } from '../facts/findFacts.ts';
import { type Kept, noteKindOf } from './outcome.ts';
import { factKeys } from '../context/contextKeys.ts';

/** A written page, with everything that its notes are made from. */
export interface Written {
  slug: string;
  subject: Subject | null;
  slots: readonly Slot[];
  written: SlotTexts;
  /** What the page has as the template has it. */
  opaque: readonly OpaqueText[];
  /** What only holds for the template, and which of it was removed. */
  kept: readonly Kept[];
  dropped: Dropped | null;
  replaced: Map<Fact, string>;
  context: ContextData;
  unplaced: string[];
  /** The keys and headings of the context's values. */
  owners: ReadonlySet<string>;
  /** Values of the context that the page does not show. */
  unused: Leaf[];
  /** Problems of values in the context. */
  remarks: readonly CellRemark[];
  /** Sentences on how lists were filled in. */
  notes: readonly string[];
  /** Whether the page or another warning mentions anything of the context. */
  isUsed: boolean;
}

const MOST_OF_A_KIND = 8;
const LONGEST_TEXT = 90;
const LONGEST = 300;

/**
 * What a person should check on a new page, one note of each kind: texts and facts kept from the
 * template, and values of the context that have no place.
 */
export function warningsOf(page: Written): Note[] {
  const all: Said[] = [
    ...unusedWarnings(page),
    ...junkWarnings(page),
    ...unplacedWarnings(page),
    ...namingWarnings(page),
    ...sharedWarnings(page),
    ...page.notes.map((says): Said => ({ kind: 'part', says })),
    ...keptWarnings(page),
    ...opaqueWarnings(page),
    ...removedWarnings(page),
    ...linkWarnings(page),
  ];
  return mergeNotes(all.map((said) => noteOf(page.slug, said)));
}

/** The content of a note, without its page. */
interface Said {
  kind: NoteKind;
  says: string;
  values?: string[];
  slots?: string[];
}

const noteOf = (page: string, { kind, says, values = [], slots = [] }: Said): Note =>
  noteOn(page, kind, says, {
    ...valuesIn(values.map((value) => cut(value, LONGEST))),
    ...slotsIn(slots),
  });

/** Values of the context that were left out because they are invalid. */
const junkWarnings = ({ remarks }: Written): Said[] =>
  remarks
    .filter(({ severity }) => severity === 'error')
    .map(({ label, message, value }) => ({
      kind: 'unused',
      says: `of the context ${message}${label === '' ? '' : ` (${shortened(label)})`}`,
      values: [value],
    }));

/** A title or headline of the template. */
function namingWarnings({ slots, written }: Written): Said[] {
  const naming: ['title' | 'headline', (slot: Slot) => boolean][] = [
    ['title', ({ role }) => role === 'title'],
    ['headline', isHeadline],
  ];
  return naming.flatMap(([name, is]) =>
    slots
      .filter((slot) => is(slot) && !(slot.id in written))
      .map(({ id, text }) => ({
        kind: 'template',
        slots: [id],
        says: `the ${name} is the template's`,
        values: [text],
      })),
  );
}

/** Texts that still name what the template is about, as they are not about the template. */
function sharedWarnings({ slots, written, subject }: Written): Said[] {
  const kept = slots
    .filter(({ role }) => !isUnseen(role))
    .flatMap(({ id, text, shared }) => {
      const [old, now] = [plainText(text), plainText(written[id] ?? text)];
      if (shared === 'text') return now === old ? [{ id, text: old }] : [];
      const history = subject ? historyIn(old, subject.old) : [];
      const sentences = history.map(({ from, to }) => old.slice(from, to).trim());
      return sentences.filter((one) => now.includes(one)).map((one) => ({ id, text: one }));
    });
  if (kept.length === 0) return [];
  return [
    {
      kind: 'template',
      slots: kept.map(({ id }) => id),
      says: `kept, as it tells history, or as other pages have it too: ${listed(kept)}`,
      values: kept.map(({ text }) => text),
    },
  ];
}

/** One note for each kind of fact kept from the template: `3 prices of the template: …`. */
function keptWarnings({ kept }: Written): Said[] {
  return byLabel(kept).map(([label, same]) => ({
    kind: noteKindOf(same[0]!.kind),
    says: `${counted(label, same.length)} of the template: ${listed(same)}`,
    values: same.map(({ text }) => text),
    slots: [...new Set(same.flatMap(({ slot }) => slot ?? []))],
  }));
}

const OPAQUE: Record<OpaqueText['kind'], string> = {
  'front matter': 'its front matter',
  'template tag': 'template tags',
  'unread data': "structured data that can't be read",
};

/** One note for each kind of text that is kept byte for byte. */
const opaqueWarnings = ({ opaque }: Written): Said[] =>
  [...Map.groupBy(opaque, ({ kind }) => kind)].map(([kind, texts]) => ({
    kind: 'template',
    says: `${OPAQUE[kind]} stayed as on the template: ${listed(texts)}`,
    values: texts.map(({ text }) => text),
  }));

/** `the price`, `3 prices`, `2 authors of a new quote` */
function counted(label: string, count: number): string {
  if (count === 1 || /(?:hours|coordinates)$/.test(label)) return `the ${label}`;
  const [, noun = label, rest = ''] = /^(.*?)( of .*)?$/.exec(label) ?? [];
  return `${count} ${noun}${noun.endsWith('s') ? 'es' : 's'}${rest}`;
}

/** Notes on removed facts, with emptied sections, and on links to what was removed. */
function removedWarnings({ dropped }: Written): Said[] {
  if (!dropped) return [];
  const facts = byLabel(dropped.went).map(([label, same]) => ({
    says: `the ${label} ${listed(same)}`,
    values: same.map(({ text }) => text),
  }));
  const sections = dropped.sections.map((heading) => ({
    says: `the section "${shortened(heading)}"`,
    values: [heading],
  }));
  const gone = [...sections, ...facts];
  const says = gone.map((one) => one.says).join('; ');
  const removed: Said = {
    kind: 'changed',
    says: `removed, as the context does not give it: ${cut(says, LONGEST)}`,
    values: gone.flatMap(({ values }) => values),
  };
  return [
    ...(gone.length > 0 ? [removed] : []),
    ...dropped.links.map((id): Said => ({
      kind: 'part',
      says: `a link leads to "#${shortened(id)}", which was removed`,
      values: [`#${id}`],
    })),
  ];
}

/** Groups by label, without repeated statements. */
function byLabel(kept: readonly Kept[]): [string, Kept[]][] {
  const distinct = kept.filter((own, i) => !kept.slice(0, i).some((other) => isSame(other, own)));
  return [...Map.groupBy(distinct, ({ label }) => label)];
}

/** Whether two statements are the same, even if one is in a form for programs. */
export function isSame(a: Kept, b: Kept): boolean {
  if (a.kind !== b.kind) return false;
  // the template's address is told as one value
  if (/address(?:Region|Country)/.test(b.fact?.slot.jsonPath ?? '')) return true;
  if (a.fact && b.fact) return isSameFact(a.fact, b.fact) || saysFact(a.fact, b.fact);
  return foldWords(a.text) === foldWords(b.text) || (a.kind === 'map' && b.isHidden);
}

function listed(same: { text: string }[], most = MOST_OF_A_KIND): string {
  const texts = same.slice(0, most).map(({ text }) => `"${shortened(text)}"`);
  if (same.length > most) texts.push(`and ${same.length - most} more`);
  return texts.join(', ');
}

/**
 * Notes on links that keep their old target. A link follows the telephone number that it shows. It
 * follows an e-mail address only if it shows nothing else
 * (sites/formats/html/links/followContacts.ts).
 */
function linkWarnings({ replaced }: Written): Said[] {
  const kept = [...replaced].filter(
    ([{ kind, slot, text }, now]) =>
      (kind === 'telephone' || kind === 'email') &&
      isLink(slot) &&
      !((kind === 'telephone' || showsOnly(slot, text)) && isTarget(now)),
  );
  return kept.map(([{ label, text, slot }]) => {
    const says = `the link behind the new ${label} still leads to the template's "${text}"`;
    return { kind: 'part', slots: [slot.id], says, values: [text] };
  });
}

const showsOnly = (slot: Slot, text: string) => `>${slot.text}<`.includes(`>${text}<`);
const isTarget = (text: string) => telephonesIn(text).length === 1 || isMailbox(text);
const isLink = ({ role, parts }: Slot) =>
  role === 'link' || role === 'button' || parts.includes('a');

const unusedWarnings = ({ context, remarks, isUsed }: Written): Said[] =>
  isUsed || remarks.length > 0 || context.source === ''
    ? []
    : [
        {
          kind: 'unused',
          says: 'nothing of the context was used: a JSON object, YAML, `Key: value` lines, Markdown with headings and whole sentences are understood',
        },
      ];

const MOST_OWNERS = 5;
const MOST_VALUES = 4;

/** A note on the parts of the context that are not on the page, by key or heading. */
function unplacedWarnings({ unplaced, owners, unused, isUsed }: Written): Said[] {
  if (!isUsed) return [];
  const isOwner = ownersOf(owners);
  const others = unplaced.filter((name) => !isOwner(name));
  const byOwner = [...Map.groupBy(unused, ({ owner }) => owner)];
  const named = byOwner.slice(0, MOST_OWNERS).map(([owner, leaves]) => {
    const where = [shortened(owner), ...reasonsFor(owner, unplaced)].join(': ');
    return `${listed(leaves, MOST_VALUES)} (${where})`;
  });
  const rest = byOwner.slice(MOST_OWNERS).reduce((sum, [, leaves]) => sum + leaves.length, 0);
  const parts = [...others.map(shortened), ...named, ...(rest > 0 ? [`${rest} more values`] : [])];
  const values = [...others, ...unused.map(({ text }) => text)];
  return parts.length === 0
    ? []
    : [{ kind: 'unused', says: `not used of the context: ${parts.join('; ')}`, values }];
}

/** The name of a part without a place, without the reason in brackets. */
const baseOf = (name: string) => foldWords(name.split(' (', 1)[0]!);
const keysOf = (part: string) => (part in factKeys ? factKeys[part as FactKind] : []);

/** Makes a check whether a part's values belong to one of these keys. */
function ownersOf(owners: ReadonlySet<string>): (name: string) => boolean {
  const folded = new Set([...owners].map(foldWords));
  return (name) => {
    const part = baseOf(name);
    const words = part.split(' ');
    const starts = words.map((_, i) => words.slice(0, i + 1).join(' '));
    return (
      part in factKeys ||
      starts.some((start) => folded.has(start)) ||
      keysOf(part).some((key) => folded.has(key))
    );
  };
}

/** Why a fact under a key has no place. */
const reasonsFor = (owner: string, unplaced: readonly string[]) =>
  unplaced
    .filter((name) => keysOf(baseOf(name)).includes(foldWords(owner)))
    .flatMap((name) => /\((the template has .*)\)$/.exec(name)?.[1] ?? [])
    .slice(0, 1);

const shortened = (text: string) => cut(text, LONGEST_TEXT);

/**
 * Removes slots from a note, if the page's blocks differ from the template's: its slots have other
 * ids.
 */
export const withoutSlots = ({ slot: _, slots: __, ...note }: Note): Note => note;

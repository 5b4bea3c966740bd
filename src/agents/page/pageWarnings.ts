import type { CellRemark } from '../../contract/check.ts';
import { type Note, type NoteKind, noteOn } from '../../contract/task.ts';
import { type Slot, type SlotTexts, isHeadline } from '../../sites/formats/page.ts';
import { telephonesIn } from '../../text/telephone.ts';
import { cut, isMailbox } from '../../text/text.ts';
import { foldWords } from '../text/fold.ts';
import type { ContextData } from '../context/contextData.ts';
import type { Leaf } from '../context/contextLeaves.ts';
import type { Dropped } from './dropKept.ts';
import type { FactKind } from '../facts/factPatterns.ts';
import { isSameFact, saysFact, type Fact } from '../facts/findFacts.ts';
import type { Kept } from './outcome.ts';
import { factKeys } from '../context/contextKeys.ts';

/** A written page, with everything that its notes are made from. */
export interface Written {
  slug: string;
  slots: readonly Slot[];
  written: SlotTexts;
  /** Whether every page of the site has the template's headline. */
  isSiteHeadline: boolean;
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

const MOST = 20;
const MOST_OF_A_KIND = 8;
const LONGEST_TEXT = 90;
const LONGEST = 300;
const MOST_VALUES_OF_A_NOTE = 50;

/**
 * What a person should check on a new page: texts and facts kept from the template, and values of
 * the context that have no place.
 */
export function warningsOf(page: Written): Note[] {
  const all: Said[] = [
    ...unusedWarnings(page),
    ...junkWarnings(page),
    ...namingWarnings(page),
    ...page.notes.map((says): Said => ({ kind: 'list', says })),
    ...keptWarnings(page),
    ...removedWarnings(page),
    ...linkWarnings(page),
    ...unplacedWarnings(page),
  ];
  const distinct = [...Map.groupBy(all, ({ says }) => says).values()];
  const notes = distinct.map(([said]) => noteOf(page.slug, said!));
  return atMost(MOST, notes, page.slug);
}

/** The first notes on a page, and a note on how many more there are. */
export function atMost(most: number, notes: Note[], page: string): Note[] {
  const rest = notes.length - most;
  if (rest <= 0) return notes;
  return [...notes.slice(0, most), noteOn(page, 'more', `${rest} more of this kind`)];
}

/** The content of a note, without its page. */
interface Said extends Pick<Note, 'slot' | 'slots' | 'value' | 'values'> {
  kind: NoteKind;
  says: string;
}

function noteOf(page: string, { kind, says, value, values, ...slots }: Said): Note {
  const several = severalOf(values, value);
  const note = noteOn(page, kind, says, {
    ...slots,
    ...(value !== undefined && { value: cut(value, LONGEST) }),
    ...(several && { values: several }),
  });
  return { ...note, text: cut(note.text, LONGEST) };
}

/** Values of the context that were left out because they are invalid. */
const junkWarnings = ({ remarks }: Written): Said[] =>
  remarks
    .filter(({ severity }) => severity === 'error')
    .map(({ label, message, value }) => ({
      kind: 'junk',
      says: `of the context ${message}${label === '' ? '' : ` (${shortened(label)})`}`,
      value,
    }));

/** The values of a note; undefined if there is only its `value`. */
function severalOf(values: readonly string[] = [], value?: string): string[] | undefined {
  if (values.length === 0 || (values.length === 1 && values[0] === value)) return undefined;
  return values.slice(0, MOST_VALUES_OF_A_NOTE).map((one) => cut(one, LONGEST));
}

function namingWarnings({ slots, written, isSiteHeadline }: Written): Said[] {
  const naming: ['title' | 'headline', (slot: Slot) => boolean][] = [
    ['title', ({ role }) => role === 'title'],
    ['headline', (slot) => isHeadline(slot) && !isSiteHeadline],
  ];
  return naming.flatMap(([kind, is]) =>
    slots
      .filter((slot) => is(slot) && !(slot.id in written))
      .map(({ id, text }) => ({
        kind,
        slot: id,
        says: `the ${kind} is the template's`,
        value: text,
      })),
  );
}

/** One note for each kind of fact kept from the template. */
function keptWarnings({ kept }: Written): Said[] {
  return byLabel(kept).map(([label, same]) => {
    const are = isPlural(label) ? 'are' : 'is';
    const says =
      same.length === 1
        ? `the ${label} ${listed(same)} ${are} the template's`
        : `the ${label} ${are} the template's: ${listed(same)}`;
    return aboutKept(same[0]!.kind, same, says);
  });
}

const LONGEST_LIST = 200;

/**
 * Notes on removed facts, several kinds in one note, with emptied sections and broken links to
 * them.
 */
function removedWarnings({ dropped }: Written): Said[] {
  if (!dropped) return [];
  const sections = dropped.sections.map((heading) => ({
    says: `the section "${shortened(heading)}"`,
    values: [heading],
  }));
  const facts = byLabel(dropped.went).map(([label, same]) => ({
    says: `the ${label} ${listed(same)}`,
    values: same.map(({ text }) => text),
  }));
  const notes: { says: string; values: string[] }[] = [];
  for (const { says, values } of [...facts, ...sections]) {
    const last = notes.at(-1);
    if (!last || last.says.length + says.length > LONGEST_LIST) notes.push({ says, values });
    else
      notes[notes.length - 1] = {
        says: `${last.says}; ${says}`,
        values: [...last.values, ...values],
      };
  }
  return [
    ...notes.map(({ says, values }): Said => ({
      kind: 'removed',
      says: `removed, as the context does not give it: ${says}`,
      value: values.join('; '),
    })),
    ...dropped.links.map((id): Said => ({
      kind: 'link',
      says: `a link leads to "#${shortened(id)}", which was removed`,
      value: `#${id}`,
    })),
  ];
}

const isPlural = (label: string) => /^(?:opening hours|coordinates)$/.test(label);

/** Groups by label, without repeated statements. */
function byLabel(kept: readonly Kept[]): [string, Kept[]][] {
  const distinct = kept.filter((own, i) => !kept.slice(0, i).some((other) => isSame(other, own)));
  return [...Map.groupBy(distinct, labelOf).values()].map((same) => [nameOf(same), same]);
}

const labelOf = ({ kind, label }: Kept) => (kind === 'address' ? 'address' : label);

/** The name of a group of facts. Parts of an address have their own labels. */
const nameOf = (same: Kept[]) =>
  same.every(({ label }) => label === same[0]!.label) ? same[0]!.label : labelOf(same[0]!);

/** Whether two statements are the same, even if one is in a form for programs. */
export function isSame(a: Kept, b: Kept): boolean {
  if (a.kind !== b.kind) return false;
  if (a.fact && b.fact) return isSameFact(a.fact, b.fact) || saysFact(a.fact, b.fact);
  return foldWords(a.text) === foldWords(b.text) || (a.kind === 'map' && b.isHidden);
}

function listed(same: { text: string }[], most = MOST_OF_A_KIND): string {
  const texts = same.slice(0, most).map(({ text }) => `"${shortened(text)}"`);
  if (same.length > most) texts.push(`and ${same.length - most} more`);
  return texts.join(', ');
}

function aboutKept(kind: NoteKind, same: Kept[], says: string): Said {
  const said = {
    kind,
    says,
    value: same.map(({ text }) => text).join('; '),
    values: same.flatMap(({ text, own }) => own?.values ?? text),
  };
  const slots = [...new Set(same.flatMap(({ slot, own }) => own?.slots ?? slot ?? []))];
  const [slot, ...others] = slots.slice(0, MOST_VALUES_OF_A_NOTE);
  if (slot === undefined) return said;
  return others.length === 0 ? { ...said, slot } : { ...said, slots: [slot, ...others] };
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
    return { kind: 'link', slot: slot.id, says, value: text };
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

/** Notes on parts of the context that are not on the page, by key or heading. */
function unplacedWarnings({ unplaced, owners, unused, isUsed }: Written): Said[] {
  if (!isUsed) return [];
  const isOwner = ownersOf(owners);
  const others = unplaced.filter((name) => !isOwner(name));
  const byOwner = [...Map.groupBy(unused, ({ owner }) => owner)];
  const named = byOwner.slice(0, MOST_OWNERS).map(([owner, leaves]): Said => {
    const where = [shortened(owner), ...reasonsFor(owner, unplaced)].join(': ');
    const says = `not used of the context: ${listed(leaves, MOST_VALUES)} (${where})`;
    const values = leaves.map(({ text }) => text);
    return { kind: 'unused', says, value: values.join('; '), values };
  });
  const rest = byOwner.slice(MOST_OWNERS).reduce((sum, [, leaves]) => sum + leaves.length, 0);
  const more: Said[] =
    rest > 0 ? [{ kind: 'unused', says: `not used of the context: ${rest} more values` }] : [];
  return [
    ...others.map((name): Said => ({
      kind: 'unused',
      says: `not used of the context: ${shortened(name)}`,
      value: name,
    })),
    ...named,
    ...more,
  ];
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

import { type Note, type NoteKind, noteOn } from '../../../contract/task.ts';
import type { Slot, SlotTexts } from '../../../sites/pages/format.ts';
import { isHeadline } from '../../../sites/pages/format.ts';
import { cut, isMailbox } from '../../../sites/html/text.ts';
import { findWords } from '../../text/words.ts';
import type { ContextData } from '../context/data.ts';
import { isSameFact, saysFact, type Fact } from './facts.ts';

interface Written {
  slug: string;
  slots: readonly Slot[];
  written: SlotTexts;
  /** Facts of the texts that were not given. */
  facts: Fact[];
  replaced: Map<Fact, string>;
  context: ContextData;
  unplaced: string[];
  /** What the filling of lists has to say. */
  notes: readonly string[];
  /** Whether the page or another warning has anything of the context. */
  isUsed: boolean;
}

const MOST = 20;
const MOST_OF_A_KIND = 8;
const LONGEST_TEXT = 90;
const LONGEST = 300;

/**
 * What a person should check on a new page: texts and facts that are still the template's, and data that found no
 * place.
 */
export function warningsOf(page: Written): Note[] {
  const all: Said[] = [
    ...unusedWarnings(page),
    ...namingWarnings(page),
    ...page.notes.map((says): Said => ({ kind: 'list', says })),
    ...factWarnings(page),
    ...linkWarnings(page),
    ...unplacedWarnings(page),
  ];
  const distinct = [...Map.groupBy(all, ({ says }) => says).values()];
  const notes = distinct.map(([said]) => noteOf(page.slug, said!));
  const rest = notes.length - MOST;
  return rest > 0 ? [...notes.slice(0, MOST), noteOn(page.slug, 'more', `${rest} more of this kind`)] : notes;
}

/** What a note says of the page. */
interface Said extends Pick<Note, 'slot' | 'value'> {
  kind: NoteKind;
  says: string;
}

function noteOf(page: string, { kind, says, value, ...slot }: Said): Note {
  const note = noteOn(page, kind, says, { ...slot, ...(value !== undefined && { value: cut(value, LONGEST) }) });
  return { ...note, text: cut(note.text, LONGEST) };
}

function namingWarnings({ slots, written }: Written): Said[] {
  const naming: ['title' | 'headline', (slot: Slot) => boolean][] = [
    ['title', ({ role }) => role === 'title'],
    ['headline', isHeadline],
  ];
  return naming.flatMap(([kind, is]) =>
    slots
      .filter((slot) => is(slot) && !(slot.id in written))
      .map(({ id, text }) => ({ kind, slot: id, says: `the ${kind} is the template's`, value: text })),
  );
}

/**
 * Kept facts, each once and those of a kind together, those of the visible page first; what the context says too is no
 * longer the template's.
 */
function factWarnings({ facts, replaced, context }: Written): Said[] {
  const kept = facts.filter(
    (fact) => !replaced.has(fact) && findWords(context.source, fact.text, { anyCase: true }).length === 0,
  );
  const isHidden = ({ slot }: Fact) => slot.role === 'structured-data';
  const ordered = [...kept.filter((fact) => !isHidden(fact)), ...kept.filter(isHidden)];
  const distinct = ordered.filter(
    (fact, i) => !ordered.slice(0, i).some((other) => isSameFact(other, fact) || saysFact(other, fact)),
  );
  return [...Map.groupBy(distinct, ({ label }) => label)].map(([label, same]) => keptFacts(label, same));
}

function keptFacts(label: string, facts: Fact[]): Said {
  const [{ kind, slot, text: value }, ...others] = facts as [Fact, ...Fact[]];
  const says = keptTexts(label, facts);
  return others.length === 0 ? { kind, slot: slot.id, says, value } : { kind, says };
}

function keptTexts(label: string, facts: Fact[]): string {
  const are = /^(?:opening hours|coordinates)$/.test(label) ? 'are' : 'is';
  const texts = facts.slice(0, MOST_OF_A_KIND).map(({ text }) => `"${shortened(text)}"`);
  if (facts.length > texts.length) texts.push(`and ${facts.length - texts.length} more`);
  return texts.length === 1
    ? `the ${label} ${texts[0]} ${are} the template's`
    : `the ${label} ${are} the template's: ${texts.join(', ')}`;
}

/**
 * A link that shows its number or address and nothing else follows it (sites/html/links/contacts.ts); any other keeps
 * its target.
 */
function linkWarnings({ replaced }: Written): Said[] {
  const kept = [...replaced].filter(
    ([{ kind, slot, text }, now]) =>
      (kind === 'telephone' || kind === 'email') && isLink(slot) && !(showsOnly(slot, text) && isTarget(now)),
  );
  return kept.map(([{ label, text, slot }]) => {
    const says = `the link behind the new ${label} still leads to the template's "${text}"`;
    return { kind: 'link', slot: slot.id, says, value: text };
  });
}

const showsOnly = (slot: Slot, text: string) => `>${slot.text}<`.includes(`>${text}<`);
const isTarget = (text: string) => /^\+[\d\s().\-–/]{6,24}$/.test(text) || isMailbox(text);
const isLink = ({ role, parts }: Slot) => role === 'link' || role === 'button' || parts.includes('a');

const unusedWarnings = ({ context, isUsed }: Written): Said[] =>
  isUsed || context.source === ''
    ? []
    : [
        {
          kind: 'unused',
          says: 'nothing of the context was used: a JSON object, YAML, `Key: value` lines, Markdown with headings and whole sentences are understood',
        },
      ];

const unplacedWarnings = ({ unplaced }: Written): Said[] =>
  unplaced.map((name) => ({ kind: 'unused', says: `not used of the context: ${shortened(name)}`, value: name }));

const shortened = (text: string) => cut(text, LONGEST_TEXT);

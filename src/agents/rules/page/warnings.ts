import type { Slot, SlotTexts } from '../../../sites/pages/format.ts';
import { isHeadline } from '../../../sites/pages/format.ts';
import { isNumber } from '../../../sites/html/links/dialling.ts';
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
export function warningsOf(page: Written): string[] {
  const all = [
    ...unusedWarnings(page),
    ...namingWarnings(page),
    ...page.notes,
    ...factWarnings(page),
    ...linkWarnings(page),
    ...unplacedWarnings(page),
  ];
  const warnings = [...new Set(all)].map((warning) => cut(`${page.slug}: ${warning}`, LONGEST));
  const rest = warnings.length - MOST;
  return rest > 0 ? [...warnings.slice(0, MOST), `${page.slug}: ${rest} more of this kind`] : warnings;
}

function namingWarnings({ slots, written }: Written): string[] {
  const naming: [string, (slot: Slot) => boolean][] = [
    ['title', ({ role }) => role === 'title'],
    ['headline', isHeadline],
  ];
  return naming.flatMap(([name, is]) =>
    slots.filter((slot) => is(slot) && !(slot.id in written)).map(() => `the ${name} is the template's`),
  );
}

/**
 * Kept facts, each once and those of a kind together, those of the visible page first; what the context says too is no
 * longer the template's.
 */
function factWarnings({ facts, replaced, context }: Written): string[] {
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

function keptFacts(label: string, facts: Fact[]): string {
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
function linkWarnings({ replaced }: Written): string[] {
  const kept = [...replaced].filter(
    ([{ kind, slot, text }, now]) =>
      (kind === 'telephone' || kind === 'email') && isLink(slot) && !(showsOnly(slot, text) && isTarget(now)),
  );
  return kept.map(([{ label, text }]) => `the link behind the new ${label} still leads to the template's "${text}"`);
}

const showsOnly = (slot: Slot, text: string) => `>${slot.text}<`.includes(`>${text}<`);
const isTarget = (text: string) => isNumber(text) || isMailbox(text);
const isLink = ({ role, parts }: Slot) => role === 'link' || role === 'button' || parts.includes('a');

const unusedWarnings = ({ context, isUsed }: Written): string[] =>
  isUsed || context.source === ''
    ? []
    : [
        'nothing of the context was used: a JSON object, YAML, `Key: value` lines, Markdown with headings and whole sentences are understood',
      ];

const unplacedWarnings = ({ unplaced }: Written): string[] =>
  unplaced.map((name) => `not used of the context: ${shortened(name)}`);

const shortened = (text: string) => cut(text, LONGEST_TEXT);

import type { Slot } from '../../../sites/formats/page.ts';
import { plainText } from '../../text/marks.ts';
import { matchFacts, readCounterparts, type Counterparts } from '../../page/counterparts.ts';
import type { FactKind } from '../../facts/factPatterns.ts';
import { factsOf, isSameFact, type Fact, MOST_FACTS } from '../../facts/findFacts.ts';
import { townOf } from '../../page/subject.ts';
import type { PageInput } from '../../page/pageInput.ts';
import type { Checked } from './checkAnswer.ts';

/**
 * Whether a text only repeats the page's content for programs. Such a text follows automatically if
 * a model leaves it out.
 */
export const isHidden = ({ role, id }: Slot) =>
  ['structured-data', 'social-title', 'social-description'].includes(role) ||
  (role === 'image-alt' && id.endsWith('.content'));

/** Kinds of facts of which a page has only one, maybe in many places. */
const SINGLE: FactKind[] = ['telephone', 'email', 'rating', 'reviews'];

/** New texts of the template's facts, in texts that still have as many facts of the kind. */
function changedFacts(written: ReadonlyMap<Slot, string>): Map<Fact, string> {
  const changed = new Map<Fact, string>();
  for (const [slot, text] of written) {
    if (slot.id.includes('+')) continue;
    const [before, now] = [
      Map.groupBy(factsOf(slot), kindOf),
      Map.groupBy(factsOf({ ...slot, text }), kindOf),
    ];
    for (const [kind, facts] of before) {
      const others = now.get(kind) ?? [];
      if (others.length !== facts.length) continue;
      for (const [i, fact] of facts.entries())
        if (!isSameFact(fact, others[i]!) && plainText(slot.text) !== plainText(text))
          changed.set(fact, others[i]!.text);
    }
  }
  return changed;
}

const kindOf = ({ kind }: Fact) => kind;

/**
 * The replacements for facts: from the context, else as the new texts replaced the same fact.
 * @param changed replaced facts in texts that a model wrote
 */
function matchedFacts(
  facts: Fact[],
  changed: ReadonlyMap<Fact, string>,
  counterparts: Counterparts,
) {
  const values = new Map(counterparts.values);
  for (const kind of SINGLE) {
    const said = [...changed].filter(([fact]) => fact.kind === kind);
    const distinct = [...new Set(said.map(([, text]) => text))];
    if (!values.has(kind) && distinct.length === 1) values.set(kind, distinct);
  }
  return matchFacts(facts, { ...counterparts, values });
}

/** What happens to the template's facts. */
export interface Facts {
  /** Facts of each text that the model left out, without quotes. */
  unwrittenFacts: ReadonlyMap<Slot, Fact[]>;
  /** Facts that are still on the page, and facts that were replaced. */
  standingFacts: Fact[];
  /** Replacements for facts in texts for programs. */
  replaced: ReadonlyMap<Fact, string>;
  /** Replacements for facts in texts for people, as the model wrote them. */
  changed: ReadonlyMap<Fact, string>;
  /** The context's values for facts that the page states only in part. */
  placed: ReadonlyMap<Fact, string>;
  replacementFacts: Counterparts;
}

/**
 * Finds what happens to the template's facts.
 * `texts`: all new texts. `given`: the texts that a model wrote.
 */
export function readFacts(
  { templateSlots: own, context, topics: subject, quotedIds: quoted }: PageInput,
  { slots, texts: given }: Checked,
  texts: ReadonlyMap<Slot, string>,
): Facts {
  const all = new Map(
    slots.filter(({ id }) => !quoted.has(id)).map((slot) => [slot, factsOf(slot)]),
  );
  const bySlot = new Map([...all].filter(([slot]) => !given.has(slot)));
  const isLeft = ({ slot }: Fact) => !given.has(slot);
  const facts = [...all.values()].flat().slice(0, MOST_FACTS);
  const changed = changedFacts(given);
  const counterparts = readCounterparts(context, new Set(), townOf(own, subject));
  const matched = matchedFacts(facts, changed, counterparts);
  const replaced = new Map(
    [...matched.replaced].filter(([fact]) => isHidden(fact.slot) && isLeft(fact)),
  );
  const standing = [
    ...facts.filter((fact) => isLeft(fact) && !texts.has(fact.slot)),
    ...copiedFacts(own, given),
  ];
  return { unwrittenFacts: bySlot, standingFacts: standing, replaced, changed, placed: matched.placed, replacementFacts: counterparts };
}

/** Facts of the template that a model wrote again, in any place. */
function copiedFacts(own: readonly Slot[], texts: ReadonlyMap<Slot, string>): Fact[] {
  const known = Map.groupBy(own.flatMap(factsOf).slice(0, MOST_FACTS), ({ kind }) => kind);
  const facts = [...texts]
    .flatMap(([slot, text]) => factsOf({ ...slot, text }))
    .slice(0, MOST_FACTS);
  return facts.filter((fact) => known.get(fact.kind)?.some((other) => isSameFact(other, fact)));
}

import type { Slot } from '../../../sites/pages/format.ts';
import { plainText } from '../../text/marks.ts';
import type { Counterparts } from '../../rules/page/counterparts.ts';
import { matchFacts } from '../../rules/page/counterparts.ts';
import type { FactKind } from '../../rules/page/factPatterns.ts';
import { factsOf, isSameFact, type Fact } from '../../rules/page/facts.ts';

/** Whether a text only repeats for programs what the page says: it follows by itself where a model leaves it out. */
export const isHidden = ({ role, id }: Slot) =>
  ['structured-data', 'social-title', 'social-description'].includes(role) ||
  (role === 'image-alt' && id.endsWith('.content'));

/** Kinds that a page says one of, in many places. */
const SINGLE: FactKind[] = ['telephone', 'email', 'rating', 'reviews'];

/** Facts of the template in texts that have others of their kind now, in the same number. */
export function changedFacts(written: ReadonlyMap<Slot, string>): Map<Fact, string> {
  const changed = new Map<Fact, string>();
  for (const [slot, text] of written) {
    const [before, now] = [Map.groupBy(factsOf(slot), kindOf), Map.groupBy(factsOf({ ...slot, text }), kindOf)];
    for (const [kind, facts] of before) {
      const others = now.get(kind) ?? [];
      if (others.length !== facts.length) continue;
      for (const [i, fact] of facts.entries())
        if (!isSameFact(fact, others[i]!) && plainText(slot.text) !== plainText(text)) changed.set(fact, others[i]!.text); // prettier-ignore
    }
  }
  return changed;
}

const kindOf = ({ kind }: Fact) => kind;

/**
 * What facts of hidden texts become: what the context says, else what the page says in place of the same fact.
 * @param changed those of the texts that a model wrote
 */
export function hiddenFacts(
  facts: Fact[],
  changed: ReadonlyMap<Fact, string>,
  counterparts: Counterparts,
  slots: readonly Slot[],
) {
  const values = new Map(counterparts.values);
  for (const kind of SINGLE) {
    const said = [...changed].filter(([fact]) => fact.kind === kind && facts.some((own) => isSameFact(own, fact)));
    const distinct = [...new Set(said.map(([, text]) => text))];
    if (!values.has(kind) && distinct.length === 1) values.set(kind, distinct);
  }
  return matchFacts(facts, { ...counterparts, values }, slots);
}

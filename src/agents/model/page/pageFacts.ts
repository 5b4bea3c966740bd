import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import {
  matchFacts,
  readReplacementFacts,
  type ReplacementFacts,
} from '../../shared/page/replacementFacts.ts';
import type { FactKind } from '../../shared/facts/factPatterns.ts';
import { findSlotFacts, isSameFact, type Fact, MOST_FACTS } from '../../shared/facts/findFacts.ts';
import { findTopicTown } from '../../shared/page/pageTopics.ts';
import type { PageInput } from '../../shared/page/pageInput.ts';
import type { CheckedAnswer } from './checkAnswer.ts';

/**
 * Whether a text only repeats the page's content for programs. Such a text follows automatically if
 * a model leaves it out.
 */
export const isForPrograms = ({ role, id }: TextSlot) =>
  ['structured-data', 'social-title', 'social-description'].includes(role) ||
  (role === 'image-alt' && id.endsWith('.content'));

/** Kinds of facts of which a page has only one value, which may be in many texts. */
const SINGLE_KINDS: FactKind[] = ['telephone', 'email', 'rating', 'reviews'];

/**
 * The facts of the template that a model changed, with their new texts. Only texts that still have
 * as many facts of the kind count, since otherwise nobody knows which fact replaced which.
 */
function findChangedFacts(writtenTexts: ReadonlyMap<TextSlot, string>): Map<Fact, string> {
  const changedFacts = new Map<Fact, string>();
  for (const [slot, text] of writtenTexts) {
    if (slot.id.includes('+')) continue;
    const [oldFactsByKind, newFactsByKind] = [
      Map.groupBy(findSlotFacts(slot), factKindOf),
      Map.groupBy(findSlotFacts({ ...slot, text }), factKindOf),
    ];
    for (const [kind, facts] of oldFactsByKind) {
      const newFacts = newFactsByKind.get(kind) ?? [];
      if (newFacts.length !== facts.length) continue;
      for (const [index, fact] of facts.entries())
        if (!isSameFact(fact, newFacts[index]!) && plainText(slot.text) !== plainText(text))
          changedFacts.set(fact, newFacts[index]!.text);
    }
  }
  return changedFacts;
}

const factKindOf = ({ kind }: Fact) => kind;

/**
 * The replacements for facts: from the context, or else as the new texts replaced the same fact.
 * @param changedFacts replaced facts in texts that a model wrote
 */
function matchPageFacts(
  facts: Fact[],
  changedFacts: ReadonlyMap<Fact, string>,
  replacementFacts: ReplacementFacts,
) {
  const values = new Map(replacementFacts.values);
  for (const kind of SINGLE_KINDS) {
    const changesOfKind = [...changedFacts].filter(([fact]) => fact.kind === kind);
    const distinctTexts = [...new Set(changesOfKind.map(([, text]) => text))];
    if (!values.has(kind) && distinctTexts.length === 1) values.set(kind, distinctTexts);
  }
  return matchFacts(facts, { ...replacementFacts, values });
}

/**
 * What became of the template's facts. A fact is a statement such as a price or a telephone number.
 */
export interface PageFacts {
  /** The facts of each text that the model did not write, except for quotes. */
  unwrittenFacts: ReadonlyMap<TextSlot, Fact[]>;
  /**
   * Facts that are still on the page: in texts that nobody changed, or because the model wrote them
   * again. Facts with a replacement in `replaced` are among them.
   */
  standingFacts: Fact[];
  /** Replacements for facts in texts for programs. */
  replaced: ReadonlyMap<Fact, string>;
  /** Replacements for facts in texts for people, as the model wrote them. */
  changed: ReadonlyMap<Fact, string>;
  /** The context's values for facts that the page states only in part. */
  placed: ReadonlyMap<Fact, string>;
  replacementFacts: ReplacementFacts;
}

/**
 * Finds out what became of the template's facts. `writtenTexts`: the texts that the model wrote.
 * @param texts all new texts, including those that follow a text of the model
 */
export function readPageFacts(
  { templateSlots, context, topics, quotedIds }: PageInput,
  { slots, texts: writtenTexts }: CheckedAnswer,
  texts: ReadonlyMap<TextSlot, string>,
): PageFacts {
  const factsBySlot = new Map(
    slots.filter(({ id }) => !quotedIds.has(id)).map((slot) => [slot, findSlotFacts(slot)]),
  );
  const unwrittenFacts = new Map([...factsBySlot].filter(([slot]) => !writtenTexts.has(slot)));
  const isUnwritten = ({ slot }: Fact) => !writtenTexts.has(slot);
  const facts = [...factsBySlot.values()].flat().slice(0, MOST_FACTS);
  const changedFacts = findChangedFacts(writtenTexts);
  const replacementFacts = readReplacementFacts(
    context,
    new Set(),
    findTopicTown(templateSlots, topics),
  );
  const matched = matchPageFacts(facts, changedFacts, replacementFacts);
  const replacedFacts = new Map(
    [...matched.replaced].filter(([fact]) => isForPrograms(fact.slot) && isUnwritten(fact)),
  );
  const standingFacts = [
    ...facts.filter((fact) => isUnwritten(fact) && !texts.has(fact.slot)),
    ...findCopiedFacts(templateSlots, writtenTexts),
  ];
  return {
    unwrittenFacts,
    standingFacts,
    replaced: replacedFacts,
    changed: changedFacts,
    placed: matched.placed,
    replacementFacts,
  };
}

/** Facts of the template that a model wrote again, in any text. */
function findCopiedFacts(
  templateSlots: readonly TextSlot[],
  texts: ReadonlyMap<TextSlot, string>,
): Fact[] {
  const templateFacts = Map.groupBy(
    templateSlots.flatMap(findSlotFacts).slice(0, MOST_FACTS),
    ({ kind }) => kind,
  );
  const facts = [...texts]
    .flatMap(([slot, text]) => findSlotFacts({ ...slot, text }))
    .slice(0, MOST_FACTS);
  return facts.filter((fact) =>
    templateFacts.get(fact.kind)?.some((templateFact) => isSameFact(templateFact, fact)),
  );
}

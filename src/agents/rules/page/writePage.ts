import { defined } from '../../../contract/defined.ts';
import { limits, type PageItem } from '../../../contract/task.ts';
import { isLonger } from '../../../contract/text.ts';
import { DomainError } from '../../../errors.ts';
import type { Slot, SlotTexts } from '../../../sites/formats/page.ts';
import type { GeneratedPage, TemplatePage } from '../../agent.ts';
import { fitByline, fitText } from '../../text/fit.ts';
import { plainText } from '../../text/marks.ts';
import { findWords } from '../../text/words.ts';
import type { CellRemark } from '../../../contract/check.ts';
import type { ContextData } from '../../context/data.ts';
import { leavesOf } from '../../context/leaves.ts';
import { isBrokenData } from '../../context/readContext.ts';
import { isEnglish } from '../../page/articles.ts';
import { dropKept } from '../../page/dropKept.ts';
import { contactsOf, matchFacts, readCounterparts } from '../../page/counterparts.ts';
import { MOST_FACTS, factsOf, factsOrClosed, type Fact } from '../../facts/findFacts.ts';
import { fillSlots } from './fillSlots.ts';
import { givenContext } from '../../context/givenContext.ts';
import { followGiven } from '../../page/follow.ts';
import { keptOf } from '../../page/keptFromTemplate.ts';
import { languageOf } from '../../context/language.ts';
import { fieldNamed, isFactKey, names } from '../../context/contextKeys.ts';
import { regionsOf } from '../../facts/regions.ts';
import { rewriteText, type Rewriting } from '../../page/rewrite.ts';
import { findSubject, townOf } from '../../page/subject.ts';
import { unusedOf } from '../../page/unused.ts';
import { warningsOf, withoutSlots } from '../../page/warnings.ts';

/**
 * Writes a page's texts from the item's context and the template's own texts; it never invents any.
 * Keys and headings of the context fill the slots they name, the template's subject becomes the
 * item's in all other texts, facts stay unless the context has their counterpart. Same input, same
 * output.
 * @throws DomainError LIMIT_EXCEEDED for a context that is too long, and for a text with too many
 *   parts to be fitted
 */
export const writePage = (template: TemplatePage, item: PageItem): GeneratedPage =>
  judgeAndWrite(template, item).page;

/** The same, with what is wrong with values of the context. */
export function judgeAndWrite(
  template: TemplatePage,
  item: PageItem,
): { page: GeneratedPage; remarks: CellRemark[] } {
  if (isLonger(item.context, limits.contextLength))
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The context is over ${limits.contextLength} characters long`,
    );
  const own = template.slots.filter(({ locked }) => !locked);
  const context = givenContext(item.context, item.targetPageSlug, own);
  const subject = findSubject({ ...template, slots: own }, item, context);
  const rewriting = {
    subject,
    replaced: new Map<Fact, string>(),
    regions: regionsOf(own),
    isEnglish: isEnglish(own),
  };
  const quoted = new Set(
    (template.claims ?? []).flatMap(({ kind, slots }) => (kind === 'quote' ? slots : [])),
  );
  const renamed = once((slot: Slot) => plainText(rewriteText(slot, factsOf(slot), rewriting)));
  const filling = fillSlots(own, template.groups ?? [], context, renamed, quoted);
  const { texts, unplaced, slots, counts, lists, notes } = filling;
  const isFilled = texts.size > 0;
  followGiven(filling);
  const factsBySlot = new Map(
    slots
      .filter((slot) => !texts.has(slot) && !quoted.has(slot.id))
      .map((slot) => [slot, factsOrClosed(slot)]),
  );
  const facts = [...factsBySlot.values()].flat().slice(0, MOST_FACTS);
  const fields = context.fields.filter(
    (field) => !(isFactKey(field.key) && filling.used.has(field)),
  );
  const counterparts = readCounterparts({ ...context, fields }, lists, townOf(own, subject));
  const matched = matchFacts(facts, counterparts, slots);
  const { replaced, areHoursLeft } = matched;
  const kept = keptOf({
    template,
    slots,
    texts,
    facts,
    replaced,
    areHoursLeft,
    context,
    rating: counterparts.values.get('rating')?.[0],
  });
  const dropped = item.facts === 'drop' ? dropKept(template, slots, kept) : null;
  const shown = dropped ? slots.filter(({ id }) => !dropped.gone.has(id)) : slots;
  const written = writeAll(shown, texts, factsBySlot, quoted, { ...rewriting, replaced });
  const slug = item.targetPageSlug;
  const language = languageOf(context);
  const leaves = readable(context, unplaced).filter(({ text }) => text !== language?.given);
  const left = [...unplaced, ...matched.unplaced];
  const isNamed = namesSubject(context, rewriting) || fieldNamed(context, names.language) !== null;
  const isUsed =
    !isBrokenData(context) && (isFilled || replaced.size > 0 || left.length > 0 || isNamed);
  const told = warningsOf({
    slug,
    slots: shown,
    written,
    kept: dropped ? dropped.stayed : kept,
    dropped,
    replaced,
    context,
    unplaced: left,
    owners: new Set([...leaves.map(({ owner }) => owner), ...context.fields.map(({ key }) => key)]),
    unused: unusedOf(
      leaves,
      shown,
      written,
      { texts, replaced, subject, placed: matched.placed },
      slug,
    ),
    notes: [...(context.notes ?? []), ...notes, ...matched.notes],
    remarks: [...(context.remarks ?? []), ...filling.unfit],
    isUsed,
  });
  const removed = dropped?.removed ?? [];
  const isAsTemplate = Object.keys(counts).length === 0 && removed.length === 0;
  const page: GeneratedPage = {
    texts: written,
    ...defined({
      lang: language?.tag,
      country: counterparts.country,
      contacts: contactsOf(counterparts),
    }),
    ...(Object.keys(counts).length > 0 && { groups: counts }),
    ...(removed.length > 0 && { removed }),
    // where other blocks stand than on the template, the slots behind them have other ids
    notes: isAsTemplate ? told : told.map(withoutSlots),
  };
  return { page, remarks: [...(context.remarks ?? []), ...filling.unfit] };
}

/** What a slot is asked for again and again. */
function once(read: (slot: Slot) => string): (slot: Slot) => string {
  const known = new Map<Slot, string>();
  return (slot) => {
    const text = known.get(slot) ?? read(slot);
    known.set(slot, text);
    return text;
  };
}

/**
 * Values to be looked for on the page: the lines of an order to a writer are none, which is said
 * already.
 */
const readable = (context: ContextData, unplaced: readonly string[]) =>
  leavesOf(context).filter(
    ({ owner }) => owner !== 'text' || !unplaced.some((name) => name.startsWith('instructions')),
  );

const namesSubject = ({ source }: ContextData, { subject }: Rewriting) =>
  subject !== null && findWords(source, subject.new, { anyCase: true }).length > 0;

/**
 * Every text that differs from the template's, by slot id. Nobody's words change: a quote stays as
 * it was said.
 */
function writeAll(
  slots: readonly Slot[],
  given: ReadonlyMap<Slot, string>,
  facts: Map<Slot, Fact[]>,
  quoted: ReadonlySet<string>,
  rewriting: Rewriting,
): SlotTexts {
  const written: SlotTexts = {};
  for (const slot of slots) {
    const text = given.get(slot);
    if (text === undefined && quoted.has(slot.id)) continue;
    const next =
      text === undefined
        ? rewriteText(slot, facts.get(slot) ?? [], rewriting)
        : fitGiven(slot, text);
    if (next !== slot.text) written[slot.id] = next;
  }
  return written;
}

const fitGiven = (slot: Slot, text: string) =>
  plainText(slot.text) === text
    ? slot.text
    : (fitByline(slot.text, text) ?? fitText(slot.text, slot.parts, text.replaceAll('\n', ', ')));

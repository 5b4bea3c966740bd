import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { mergeNotes } from '../../../contract/notes/mergeNotes.ts';
import type { Note } from '../../../contract/task.ts';
import type { GroupSizes, TextSlot, SlotTexts } from '../../../sites/formats/pageParts.ts';
import type { GeneratedPage } from '../agentTypes.ts';
import { readContextContacts, type ReplacementFacts } from './replacementFacts.ts';
import { dropCarriedOver } from './dropCarriedOver.ts';
import { findCarriedOver } from './findCarriedOver.ts';
import type { CarriedOverStatement, TemplateOutcome } from './templateOutcome.ts';
import type { PageInput } from './pageInput.ts';
import { createPageWarnings, omitSlots, type PageNoteSources } from './pageWarnings.ts';

/**
 * Plans a new page from a template and an item's context. The rules and language models share it.
 *
 * 1. `pageInput.ts` and `pageTopics.ts` read the context, and find what both pages are about.
 * 2. An agent decides on new texts. `pageFilling.ts` collects them, `writeMember.ts` writes a
 *    member of a group, `updateFollowingTexts.ts` the texts that repeat others, and
 *    `rewriteText.ts` puts the new topic into the rest. `replacementFacts.ts` finds the new facts,
 *    such as prices.
 * 3. `findCarriedOver.ts` finds what the page still has of the template although it may be wrong
 *    there, such as its prices. If the item asks for it, `dropCarriedOver.ts` removes that.
 * 4. `pageWarnings.ts`, `groupNotes.ts` and `unusedValues.ts` write the notes for people.
 *
 * For example, the template is about Austin and has a price, and the context only says
 * `City: Lisbon`. The page gets the text `{ s12: 'Web design in Lisbon' }`, and a note with the
 * kind `price` and the text `/locations/lisbon: the price of the template: "$4,900"`.
 */

/**
 * The planned page, before facts that only the template gives are removed. `write` and
 * `collectNoteSources` are called once, with what the page shows after that.
 */
interface PageDraft extends Pick<TemplateOutcome, 'slots' | 'texts' | 'facts' | 'replaced'> {
  counts: Readonly<GroupSizes>;
  replacementFacts: ReplacementFacts;
  /** The page's language as a BCP 47 tag. */
  lang: string | undefined;
  /** The marked texts that differ from the template's, for the remaining slots. */
  write: (shownSlots: readonly TextSlot[]) => SlotTexts;
  collectNoteSources: (page: ComposedPage) => ComposedNoteSources;
}

/** A page's slots and texts, and everything on it that only the template gives. */
export interface ComposedPage {
  shown: readonly TextSlot[];
  written: SlotTexts;
  carriedOver: readonly CarriedOverStatement[];
}

/** What the notes for people are made of. `more` follows after all other notes. */
type ComposedNoteSources = Omit<
  PageNoteSources,
  | 'slug'
  | 'subject'
  | 'opaque'
  | 'titles'
  | 'missingKeys'
  | 'slots'
  | 'written'
  | 'carriedOver'
  | 'dropped'
  | 'context'
> & {
  more?: Note[];
};

/**
 * Composes a page from a draft. If the item says `facts: "drop"`, removes what only the template
 * gives.
 */
export function composePage(
  { template, item, context, topics: subject }: PageInput,
  { slots, counts, replacementFacts, lang, write, collectNoteSources, ...draft }: PageDraft,
): ComposedPage & { page: GeneratedPage } {
  const rating = replacementFacts.values.get('rating')?.[0];
  const carriedOver = findCarriedOver({ ...draft, template, slots, context, rating });
  const dropped = item.facts === 'drop' ? dropCarriedOver(template, slots, carriedOver) : null;
  const shownSlots = dropped ? slots.filter(({ id }) => !dropped.goneIds.has(id)) : slots;
  const writtenTexts = write(shownSlots);
  const { more: moreNotes = [], ...noteSources } = collectNoteSources({
    shown: shownSlots,
    written: writtenTexts,
    carriedOver,
  });
  const warnings = createPageWarnings({
    ...noteSources,
    slug: item.targetPageSlug,
    subject,
    opaque: template.opaque ?? [],
    titles: template.titles ?? {},
    missingKeys: template.missingKeys ?? [],
    slots: shownSlots,
    written: writtenTexts,
    carriedOver: dropped ? dropped.remainingStatements : carriedOver,
    dropped,
    context,
    notes: [...(context.notes ?? []), ...noteSources.notes],
  });
  const notes = mergeNotes([...warnings, ...moreNotes]);
  const removedIds = dropped?.removed ?? [];
  const areGroupsChanged = Object.keys(counts).length > 0;
  // a list of pages gets an entry for the new one
  const isListed = shownSlots.some(({ id, shared }) => shared === 'entry' && id in writtenTexts);
  const page: GeneratedPage = {
    texts: writtenTexts,
    ...withoutUndefined({
      lang,
      country: replacementFacts.country,
      contacts: readContextContacts(replacementFacts),
    }),
    ...(areGroupsChanged && { groups: counts }),
    ...(removedIds.length > 0 && { removed: removedIds }),
    // if the page's blocks differ from the template's, later slots have other ids
    notes: areGroupsChanged || isListed || removedIds.length > 0 ? notes.map(omitSlots) : notes,
  };
  return { page, shown: shownSlots, written: writtenTexts, carriedOver };
}

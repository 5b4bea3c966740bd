import { defined } from '../../contract/defined.ts';
import { mergeNotes } from '../../contract/mergedNotes.ts';
import type { Note } from '../../contract/task.ts';
import type { GroupCounts, Slot, SlotTexts } from '../../sites/formats/page.ts';
import type { GeneratedPage } from '../agent.ts';
import { contactsOf, type Counterparts } from './counterparts.ts';
import { dropKept } from './dropKept.ts';
import { keptOf } from './keptFromTemplate.ts';
import type { Kept, Outcome } from './outcome.ts';
import type { PageInput } from './pageInput.ts';
import { warningsOf, withoutSlots, type Written } from './pageWarnings.ts';

/** The planned page, before facts that only the template gives are removed. */
interface Draft extends Pick<Outcome, 'slots' | 'texts' | 'facts' | 'replaced'> {
  counts: Readonly<GroupCounts>;
  counterparts: Counterparts;
  /** The page's language as a BCP 47 tag. */
  lang: string | undefined;
  /** The marked texts that differ from the template's, for the remaining slots. */
  write: (shown: readonly Slot[]) => SlotTexts;
  judge: (page: Composed) => Judgement;
}

/** A page's slots and texts, and everything on it that only the template gives. */
export interface Composed {
  shown: readonly Slot[];
  written: SlotTexts;
  kept: readonly Kept[];
}

/** The notes for people. `more` follows after all other notes. */
type Judgement = Omit<
  Written,
  'slug' | 'subject' | 'opaque' | 'slots' | 'written' | 'kept' | 'dropped' | 'context'
> & {
  more?: Note[];
};

/** Composes a page from a draft. Removes what only the template gives, if the item asks for it. */
export function composePage(
  { template, item, context, subject }: PageInput,
  { slots, counts, counterparts, lang, write, judge, ...draft }: Draft,
): Composed & { page: GeneratedPage } {
  const rating = counterparts.values.get('rating')?.[0];
  const kept = keptOf({ ...draft, template, slots, context, rating });
  const dropped = item.facts === 'drop' ? dropKept(template, slots, kept) : null;
  const shown = dropped ? slots.filter(({ id }) => !dropped.gone.has(id)) : slots;
  const written = write(shown);
  const { more = [], ...judgement } = judge({ shown, written, kept });
  const told = warningsOf({
    ...judgement,
    slug: item.targetPageSlug,
    subject,
    opaque: template.opaque ?? [],
    slots: shown,
    written,
    kept: dropped ? dropped.stayed : kept,
    dropped,
    context,
    notes: [...(context.notes ?? []), ...judgement.notes],
  });
  const notes = mergeNotes([...told, ...more]);
  const removed = dropped?.removed ?? [];
  const areGroupsChanged = Object.keys(counts).length > 0;
  // a list of pages gets an entry for the new one
  const isListed = shown.some(({ id, shared }) => shared === 'entry' && id in written);
  const page: GeneratedPage = {
    texts: written,
    ...defined({ lang, country: counterparts.country, contacts: contactsOf(counterparts) }),
    ...(areGroupsChanged && { groups: counts }),
    ...(removed.length > 0 && { removed }),
    // if the page's blocks differ from the template's, later slots have other ids
    notes: areGroupsChanged || isListed || removed.length > 0 ? notes.map(withoutSlots) : notes,
  };
  return { page, shown, written, kept };
}

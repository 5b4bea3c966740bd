import { createSays } from '../../../contract/containedValues.ts';
import { type DropNote, type Note, noteOn, slotsOf, valuesOf } from '../../../contract/task.ts';
import type { Slot } from '../../../sites/formats/page.ts';
import { cut } from '../../../text/text.ts';
import type { TemplatePage } from '../../agent.ts';
import type { DropJob, DroppedNotes } from '../../port.ts';
import { foldWords } from '../../text/fold.ts';
import { plainText } from '../../text/marks.ts';
import { readContext } from '../../context/readContext.ts';
import { dropKept, type Dropped } from '../../page/dropKept.ts';
import { factsOrClosed, MOST_FACTS } from '../../facts/findFacts.ts';
import { keptOf } from '../../page/keptFromTemplate.ts';
import { type Kept, noteKindOf } from '../../page/outcome.ts';
import { isSame } from '../../page/pageWarnings.ts';

const LONGEST_TEXT = 90;

/**
 * Finds the subjects of notes on a page, and removes them like `facts: drop`. A subject that the
 * page no longer has counts as removed.
 */
export function dropNoted({ page, notes }: DropJob): DroppedNotes {
  const all = factsIn(page);
  const found = new Map(notes.map((note) => [note, foundOf(note, all, page.slots)]));
  const given = [...found.values()].flat().flatMap(({ kept }) => kept);
  const dropped = dropKept(page, page.slots, [...new Set(given)]);
  const isGone = ({ ids }: Kept) => ids.some((id) => dropped.goneIds.has(id));
  const gone = [...found].filter(([, values]) => values.every(({ kept }) => kept.every(isGone)));
  const left = [...new Set(given)].filter((kept) => !isGone(kept));
  const slug = page.slug;
  return {
    removed: dropped.removed,
    dropped: gone.map(([{ id }]) => id),
    says: [
      ...wentFrom(slug, dropped),
      ...left.map((kept) => `${slug}: ${named(kept)} can't go by itself: edit it by hand`),
    ],
    notes: dropped.links.map((id) =>
      noteOn(slug, 'part', `a link leads to "#${shortened(id)}", which was removed`, {
        value: `#${id}`,
      }),
    ),
  };
}

/** All facts of a page about one business, place or client. */
function factsIn(template: TemplatePage): Kept[] {
  const facts = template.slots.flatMap((slot) => factsOrClosed(slot)).slice(0, MOST_FACTS);
  const nothing = {
    texts: new Map(),
    replaced: new Map(),
    context: readContext(''),
    rating: undefined,
  };
  return keptOf({ template, slots: template.slots, facts, ...nothing });
}

/** Where each of a note's values stands on the page. */
function foundOf(
  note: DropNote,
  all: Kept[],
  slots: readonly Slot[],
): { value: string; kept: Kept[] }[] {
  const ofKind = all.filter(({ kind }) => noteKindOf(kind) === note.kind);
  return valuesOf(note).map((value) => {
    const own = ofKind.filter(({ text }) => isText(text, value));
    const same = ofKind.filter((kept) => own.some((one) => kept === one || isSame(one, kept)));
    return { value, kept: same.length > 0 ? same : slotsWith(value, note, slots) };
  });
}

/**
 * Texts with a value that is not recognized as a fact: a model wrote it.
 */
function slotsWith(value: string, note: Note, slots: readonly Slot[]): Kept[] {
  const named = new Set(slotsOf(note));
  const saying = slots.filter((slot) => createSays([plainText(slot.text)])(value));
  const own = saying.filter(({ id }) => named.has(id));
  return (own.length > 0 ? own : saying).map(({ id, text, role }) => ({
    kind: 'text',
    label: 'text',
    text: plainText(text),
    slot: id,
    isHidden: role === 'structured-data',
    ids: [id],
  }));
}

/** The beginning of a value that was shortened. */
const beginning = (value: string) =>
  value.endsWith('…') ? foldWords(value.slice(0, -1)) : undefined;

function isText(text: string, value: string): boolean {
  const begins = beginning(value);
  return begins === undefined
    ? foldWords(text) === foldWords(value)
    : foldWords(text).startsWith(begins);
}

function wentFrom(slug: string, { removedStatements: went, sections }: Dropped): string[] {
  const distinct = went.filter((kept, i) => !went.slice(0, i).some((other) => isSame(other, kept)));
  const parts = [
    ...distinct.map(named),
    ...sections.map((heading) => `the section "${shortened(heading)}"`),
  ];
  return parts.length === 0 ? [] : [`${slug}: took out ${parts.join(', ')}`];
}

const named = ({ label, text }: Kept) => `the ${label} "${shortened(text)}"`;
const shortened = (text: string) => cut(text, LONGEST_TEXT);

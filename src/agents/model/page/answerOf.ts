import { defined } from '../../../contract/defined.ts';
import { limits, type Note, noteOn, type PageItem, type RejectedPage } from '../../../contract/task.ts';
import { cut } from '../../../sites/html/text.ts';
import type { Slot, SlotTexts } from '../../../sites/pages/format.ts';
import { escapeMarks } from '../../../sites/pages/slots.ts';
import type { GeneratedPage, PageAnswer, TemplatePage } from '../../agent.ts';
import { plainText } from '../../text/marks.ts';
import { findWords } from '../../text/words.ts';
import type { ContextData } from '../../rules/context/data.ts';
import { leavesOf, type Leaf } from '../../rules/context/leaves.ts';
import { readContext } from '../../rules/context/readContext.ts';
import { isEnglish } from '../../rules/page/articles.ts';
import { readCounterparts, type Counterparts } from '../../rules/page/counterparts.ts';
import { dropKept } from '../../rules/page/dropKept.ts';
import { emptyEntry } from '../../rules/page/entries.ts';
import { factsOf, isSameFact, type Fact } from '../../rules/page/facts.ts';
import { notesOn } from '../../rules/page/fillGroups.ts';
import { createFilling } from '../../rules/page/filling.ts';
import { followGiven } from '../../rules/page/follow.ts';
import { keptOf } from '../../rules/page/kept.ts';
import { languageTag } from '../../rules/page/language.ts';
import { commonTexts, slotsOf } from '../../rules/page/memberSlots.ts';
import { regionsOf } from '../../rules/page/regions.ts';
import { rewriteText } from '../../rules/page/rewrite.ts';
import { findSubject, type Subject } from '../../rules/page/subject.ts';
import { unusedOf } from '../../rules/page/unused.ts';
import { warningsOf } from '../../rules/page/warnings.ts';
import { languageOf, MOST_FACTS, townOf } from '../../rules/page/writePage.ts';
import { readAnswer } from './answer.ts';
import { checkAnswer, LANGUAGE, type Checked } from './checkAnswer.ts';
import { inventedIn, inventedQuotes, knownFrom, readsGerman } from './invented.ts';
import { namesSubject } from './problems.ts';
import { changedFacts, hiddenFacts, isHidden } from './twins.ts';
import { unusedByModel } from './unused.ts';

/** What a model was asked to write. */
interface Asked {
  template: TemplatePage;
  item: PageItem;
  /** The template's slots that are not locked. */
  own: Slot[];
  context: ContextData;
  subject: Subject | null;
  /** Ids of slots that somebody says, or that name who. */
  quoted: ReadonlySet<string>;
}

/**
 * Reads a model's answer for a page: checks it, lets what repeats a text or a fact follow, and finds what a person
 * should know, as the rules do for the pages that they write.
 * @param value the answer as it came, undefined where it is no JSON
 * @returns the page, or what is wrong with the answer
 */
export function answerOf({ template, item }: { template: TemplatePage; item: PageItem }, value: unknown): PageAnswer {
  const answer = readAnswer(value);
  if (typeof answer === 'string') return rejected(value, [answer]);
  const own = template.slots.filter(({ locked }) => !locked);
  const context = readContext(item.context, item.targetPageSlug);
  const subject = findSubject({ ...template, slots: own }, item, context);
  const quoted = new Set((template.claims ?? []).flatMap(({ kind, slots }) => (kind === 'quote' ? slots : [])));
  const asked: Asked = { template, item, own, context, subject, quoted };
  const checked = checkAnswer(answer, own, template.groups ?? []);
  const given = languageOf(context);
  const lang = checked.lang === undefined ? given?.tag : languageTag(checked.lang);
  if (lang === null) checked.problems.push(`"${LANGUAGE}" is no BCP 47 tag of a language: "${cut(checked.lang!, 60)}"`);
  if (checked.problems.length > 0) return rejected(value, checked.problems);
  const { page, problems } = composePage(asked, checked, lang ?? undefined);
  return problems.length > 0 ? rejected(value, problems) : page;
}

const MOST_PROBLEMS = 20;
const LONGEST_PROBLEM = 300;

function rejected(answer: unknown, problems: string[]): { rejected: RejectedPage } {
  const told = problems.slice(0, MOST_PROBLEMS).map((problem) => cut(problem, LONGEST_PROBLEM));
  if (problems.length > MOST_PROBLEMS) told.push(`${problems.length - MOST_PROBLEMS} more of this kind`);
  const isKept = Buffer.byteLength(JSON.stringify(answer ?? null)) <= 2 * limits.pageTextsBytes;
  return { rejected: { answer: isKept ? (answer ?? null) : null, problems: told } };
}

/** The page that a checked answer makes of the template. */
function composePage(asked: Asked, checked: Checked, lang: string | undefined) {
  const { template, item, own, context, subject } = asked;
  const { slots, counts } = checked;
  const texts = withFollowers(asked, checked);
  const facts = readFacts(asked, checked, texts);
  const { replaced, counterparts } = facts;
  const rating = counterparts.values.get('rating')?.[0];
  const kept = keptOf({ template, slots, texts, facts: facts.standing, replaced, context, rating });
  const dropped = item.facts === 'drop' ? dropKept(template, slots, kept) : null;
  const shown = dropped ? slots.filter(({ id }) => !dropped.gone.has(id)) : slots;
  const written = writeAll(asked, checked, shown, texts, facts);
  const told = warningsOf({
    slug: item.targetPageSlug,
    slots: shown,
    written,
    kept: dropped ? dropped.stayed : kept,
    dropped,
    replaced: changedOn(shown, [...replaced, ...facts.changed]),
    context,
    unplaced: [],
    owners: new Set(),
    unused: unusedValues(context, shown, written, lang !== undefined, (leaves) =>
      unusedOf(leaves, shown, written, { texts, replaced, subject }, item.targetPageSlug),
    ),
    notes: [...(context.notes ?? []), ...groupNotes(template, own, counts), ...facts.notes],
    isUsed: true,
  });
  const notes = [...told, ...inventedNotes(asked, changedOn(shown, [...checked.texts]))];
  const removed = dropped?.removed ?? [];
  const isAsTemplate = Object.keys(counts).length === 0 && removed.length === 0;
  const page: GeneratedPage = {
    texts: written,
    ...defined({ lang, country: counterparts.country }),
    ...(Object.keys(counts).length > 0 && { groups: counts }),
    ...(removed.length > 0 && { removed }),
    // where other blocks stand than on the template, the slots behind them have other ids
    notes: isAsTemplate ? notes : notes.map(({ slot: _, ...note }) => note),
  };
  return { page, problems: [...leftovers(asked, checked, shown, written), ...tooMuch(written)] };
}

/** New texts as people read them: those of the model, and those of the head that follow one of them. */
function withFollowers({ template, quoted }: Asked, { slots, texts }: Checked): ReadonlyMap<Slot, string> {
  const filling = createFilling({ slots, groups: template.groups ?? [], quoted });
  for (const [slot, text] of texts) filling.put(slot, plainText(text));
  followGiven(filling);
  return filling.texts;
}

/** What becomes of the template's facts. */
interface Facts {
  /** Those of each text that no one wrote, but for quotes. */
  bySlot: ReadonlyMap<Slot, Fact[]>;
  /** Those that still stand on the page, and those that were replaced. */
  standing: Fact[];
  /** New texts of those that programs read. */
  replaced: ReadonlyMap<Fact, string>;
  /** New texts of those that people read, where the model wrote them. */
  changed: ReadonlyMap<Fact, string>;
  counterparts: Counterparts;
  notes: string[];
}

function readFacts(
  { own, context, subject, quoted }: Asked,
  { slots, texts: given }: Checked,
  texts: ReadonlyMap<Slot, string>,
): Facts {
  // prettier-ignore
  const left = slots.filter((slot) => !texts.has(slot) && !quoted.has(slot.id));
  const bySlot = new Map(left.map((slot) => [slot, factsOf(slot)]));
  const facts = [...bySlot.values()].flat().slice(0, MOST_FACTS);
  const changed = changedFacts(given);
  const counterparts = readCounterparts(context, new Set(), townOf(own, subject));
  const { replaced, notes } = hiddenFacts(facts.filter(({ slot }) => isHidden(slot)), changed, counterparts, slots); // prettier-ignore
  return { bySlot, standing: [...facts, ...copiedFacts(own, given)], replaced, changed, counterparts, notes };
}

/** Every text that differs from the template's: what only programs read is about the new subject too. */
function writeAll(
  { own, subject }: Asked,
  checked: Checked,
  shown: readonly Slot[],
  texts: ReadonlyMap<Slot, string>,
  { bySlot, replaced }: Facts,
): SlotTexts {
  // prettier-ignore
  const rewriting = { subject, replaced: new Map(replaced), regions: regionsOf(own), isEnglish: isEnglish(own) };
  const written: SlotTexts = {};
  for (const slot of shown) {
    const follower = texts.has(slot) ? escapeMarks(texts.get(slot)!) : undefined;
    const facts = isHidden(slot) ? bySlot.get(slot) : undefined;
    const text = checked.texts.get(slot) ?? follower ?? (facts ? rewriteText(slot, facts, rewriting) : slot.text);
    if (text !== slot.text) written[slot.id] = text;
  }
  return written;
}

/** Changes of texts that the page shows. */
function changedOn<Key extends Fact | Slot>(shown: readonly Slot[], changes: [Key, string][]): Map<Key, string> {
  const ids = new Set(shown.map(({ id }) => id));
  return new Map(changes.filter(([key]) => ids.has('slot' in key ? key.slot.id : key.id)));
}

/** Values of the context that the page says neither word for word nor in a copywriter's words. */
function unusedValues(
  context: ContextData,
  shown: readonly Slot[],
  written: SlotTexts,
  isTranslated: boolean,
  wordForWord: (leaves: Leaf[]) => Leaf[],
): Leaf[] {
  // prettier-ignore
  const leaves = leavesOf(context).filter(({ text }) => text !== languageOf(context)?.given);
  const said = shown.map((slot) => plainText(written[slot.id] ?? slot.text));
  return unusedByModel(wordForWord(leaves), said, isTranslated);
}

/** Facts of the template that a model wrote again, at any place. */
function copiedFacts(own: readonly Slot[], texts: ReadonlyMap<Slot, string>): Fact[] {
  const known = Map.groupBy(own.flatMap((slot) => factsOf(slot)).slice(0, MOST_FACTS), ({ kind }) => kind);
  const facts = [...texts].flatMap(([slot, text]) => factsOf({ ...slot, text })).slice(0, MOST_FACTS);
  return facts.filter((fact) => known.get(fact.kind)?.some((other) => isSameFact(other, fact)));
}

/**
 * Texts that name the template's subject where the context does not: those of the model, and those that it left out,
 * but for what somebody says.
 */
function leftovers(
  { context, subject, quoted }: Asked,
  { texts }: Checked,
  shown: readonly Slot[],
  written: SlotTexts,
): string[] {
  // prettier-ignore
  if (!subject || findWords(context.source, subject.old, { anyCase: true }).length > 0) return [];
  const textOf = ({ id, text }: Slot) => written[id] ?? text;
  return shown
    .filter((slot) => texts.has(slot) || !(isHidden(slot) || quoted.has(slot.id)))
    .filter((slot) => namesSubject(slot, textOf(slot), subject))
    .map((slot) => `${slot.id} names the template's subject ${JSON.stringify(subject.old)}: "${cut(plainText(textOf(slot)), LONGEST_TEXT)}"`); // prettier-ignore
}

const LONGEST_TEXT = 120;

function tooMuch(written: SlotTexts): string[] {
  const bytes = Buffer.byteLength(JSON.stringify(written));
  return bytes > limits.pageTextsBytes
    ? [`The texts have ${bytes} bytes; ${limits.pageTextsBytes} are possible: write shorter ones`]
    : [];
}

function groupNotes({ groups = [] }: TemplatePage, own: Slot[], counts: Readonly<Record<string, number>>): string[] {
  return groups
    .filter(({ id }) => id in counts)
    .flatMap((group) => {
      const entries = Array.from({ length: counts[group.id]! }, () => emptyEntry);
      const common = commonTexts(slotsOf(own, { group, mark: '' }));
      return notesOn(own, group, { name: group.section ?? group.id, entries }, common);
    });
}

const MOST_INVENTED = 10;
const MOST_OF_A_TEXT = 8;
const LONGEST_NOTE = 300;
const LONGEST_VALUE = 60;

/** Facts, numbers and names that a model wrote, and that are in neither the context nor the template. */
function inventedNotes({ template, item, own, context, subject }: Asked, texts: ReadonlyMap<Slot, string>): Note[] {
  const given = [context.source, item.context, item.targetPageSlug, template.slug, subject?.new ?? ''];
  const known = knownFrom([...given, ...(template.siteTexts ?? []), ...own.map(({ text }) => plainText(text))]);
  const isGerman = readsGerman([...texts.values()].map(plainText));
  const quotes = inventedQuotes(template.claims ?? [], texts, known);
  const note = (slot: Slot, says: string, value: string) =>
    noteOn(item.targetPageSlug, 'invented', cut(`${says}, in neither the context nor the template`, LONGEST_NOTE), { slot: slot.id, value: cut(value, LONGEST_NOTE) }); // prettier-ignore
  const notes = [
    ...quotes.map((slot) => note(slot, `a quote says "${cut(plainText(texts.get(slot)!), LONGEST_VALUE)}"`, plainText(texts.get(slot)!))), // prettier-ignore
    ...[...texts].flatMap(([slot, text]) => {
      const invented = quotes.includes(slot) ? [] : inventedIn(slot, text, known, isGerman).slice(0, MOST_OF_A_TEXT);
      const listed = invented.map((value) => `"${cut(value, LONGEST_VALUE)}"`).join(', ');
      return invented.length === 0 ? [] : [note(slot, `a text says ${listed}`, invented.join('; '))];
    }),
  ];
  const rest = notes.length - MOST_INVENTED;
  if (rest <= 0) return notes;
  return [...notes.slice(0, MOST_INVENTED), noteOn(item.targetPageSlug, 'more', `${rest} more of this kind`)];
}

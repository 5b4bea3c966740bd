import {
  type AnsweredQuestion,
  limits,
  type PageItem,
  type RejectedPage,
} from '../../../contract/task.ts';
import { cut } from '../../../text/text.ts';
import type { Slot, SlotTexts } from '../../../sites/formats/page.ts';
import { escapeMarks } from '../../../sites/pages/slotText.ts';
import type { PageAnswer, TemplatePage } from '../../agent.ts';
import { plainText } from '../../text/marks.ts';
import { leavesOf, type Leaf } from '../../context/contextLeaves.ts';
import { isEnglish } from '../../page/articles.ts';
import { composePage, type Composed } from '../../page/composePage.ts';
import type { Fact } from '../../facts/findFacts.ts';
import { createFilling } from '../../page/filling.ts';
import { followGiven } from '../../page/followGiven.ts';
import { languageTag } from '../../../text/languageTag.ts';
import { languageOf } from '../../context/pageLanguage.ts';
import { rewriteText } from '../../page/rewriteText.ts';
import { unusedOf } from '../../page/unusedValues.ts';
import { readAnswer } from './answer.ts';
import { readPageInput, type PageInput } from '../../page/pageInput.ts';
import { checkLinks } from './checkLinks.ts';
import { checkAnswer, LANGUAGE, type Checked } from './checkAnswer.ts';
import { groupNotes, inventedNotes } from './modelNotes.ts';
import { heard, unansweredNotes } from './pageQuestions.ts';
import { isBanned, namesSubject } from './problems.ts';
import { isHidden, readFacts, type Facts } from './pageFacts.ts';
import { repeatsOf } from './repeats.ts';
import { unusedByModel } from './unusedByModel.ts';

interface AnsweredJob {
  template: TemplatePage;
  item: PageItem;
  questions?: AnsweredQuestion[];
}

/**
 * Converts a model's answer to a page: checks it, updates texts and facts that repeat a new one,
 * and makes notes for people as the embedded rules do.
 * @param job.questions what people were asked: their answers count as given
 * @param value the raw answer, undefined if it is no JSON
 * @returns the page, or what is wrong with the answer
 */
export function answerOf({ template, item, questions }: AnsweredJob, value: unknown): PageAnswer {
  const answer = readAnswer(value);
  if (typeof answer === 'string') return rejected(value, [answer]);
  const input = { ...readPageInput(template, item), item: heard(item, questions) };
  const checked = checkAnswer(answer, input.templateSlots, template.groups ?? []);
  const { links, problems: wrongLinks } = checkLinks(answer, input, checked);
  checked.problems.push(...wrongLinks);
  const given = languageOf(input.context);
  const lang = checked.lang === undefined ? given?.tag : languageTag(checked.lang);
  if (lang === null)
    checked.problems.push(
      `"${LANGUAGE}" is no BCP 47 tag of a language: "${cut(checked.lang!, 60)}"`,
    );
  if (checked.problems.length > 0) return rejected(value, checked.problems);
  const { page, problems } = pageOf(input, checked, lang ?? undefined);
  if (problems.length > 0) return rejected(value, problems);
  const notes = [...page.notes, ...unansweredNotes(item.targetPageSlug, questions)];
  return { ...page, notes, ...(Object.keys(links).length > 0 && { links }) };
}

const MOST_PROBLEMS = 20;
const LONGEST_PROBLEM = 1_000;

/** A rejected answer, with the first of its problems. */
export function rejected(answer: unknown, problems: string[]): { rejected: RejectedPage } {
  const told = problems.slice(0, MOST_PROBLEMS).map((problem) => cut(problem, LONGEST_PROBLEM));
  if (problems.length > MOST_PROBLEMS)
    told.push(`${problems.length - MOST_PROBLEMS} more of this kind`);
  const isKept = Buffer.byteLength(JSON.stringify(answer ?? null)) <= 2 * limits.pageTextsBytes;
  return { rejected: { answer: isKept ? (answer ?? null) : null, problems: told } };
}

/** Makes a page of a checked answer, and lists problems of that page. */
function pageOf(input: PageInput, checked: Checked, lang: string | undefined) {
  const { template, templateSlots: own } = input;
  const { slots, counts } = checked;
  const texts = withFollowers(input, checked);
  const facts = readFacts(input, checked, texts);
  const { page, shown, written } = composePage(input, {
    slots,
    texts,
    facts: facts.standingFacts,
    replaced: facts.replaced,
    counts,
    replacementFacts: facts.replacementFacts,
    lang,
    write: (shown) => writeAll(input, checked, shown, { texts, facts }),
    judge: (composed) => ({
      replaced: changedOn(composed.shown, [...facts.replaced, ...facts.changed]),
      unplaced: [],
      ownerNames: new Set(),
      unused: unusedValues(input, composed, { texts, facts, isTranslated: lang !== undefined }),
      remarks: input.context.remarks ?? [],
      notes: groupNotes(template, own, checked),
      isUsed: true,
      more: inventedNotes(input, changedOn(composed.shown, [...checked.texts]), lang),
    }),
  });
  const leftovers = namingOldSubject(input, checked, { shown, written });
  return { page, problems: [...leftovers, ...tooMuch(written)] };
}

/** New plain texts: those of the model, and texts of the head that repeat one of them. */
function withFollowers(
  { template, quotedIds: quoted }: PageInput,
  { slots, texts }: Checked,
): ReadonlyMap<Slot, string> {
  const filling = createFilling({ slots, groups: template.groups ?? [], quoted });
  for (const [slot, text] of texts) filling.put(slot, plainText(text));
  for (const [slot, leader] of repeatsOf(slots)) {
    const text = texts.get(leader);
    if (text !== undefined && !texts.has(slot)) filling.put(slot, plainText(text));
  }
  followGiven(filling);
  return filling.texts;
}

/** All texts that differ from the template's, including texts that only programs read. */
function writeAll(
  { templateSlots: own, topics: subject }: PageInput,
  checked: Checked,
  shown: readonly Slot[],
  { texts, facts: { unwrittenFacts: bySlot, replaced } }: NewTexts,
): SlotTexts {
  const rewriting = {
    subject,
    replaced: new Map(replaced),
    isEnglish: isEnglish(own),
  };
  const textOf = (slot: Slot) => {
    const facts = isHidden(slot) ? (bySlot.get(slot) ?? []) : [];
    const isFollower = texts.has(slot) && !facts.some((fact) => replaced.has(fact));
    if (isFollower) return checked.texts.get(slot) ?? escapeMarks(texts.get(slot)!);
    return isHidden(slot) && bySlot.has(slot) ? rewriteText(slot, facts, rewriting) : slot.text;
  };
  const written = shown
    .map((slot) => [slot, textOf(slot)] as const)
    .filter(([slot, text]) => text !== slot.text);
  return Object.fromEntries(written.map(([{ id }, text]) => [id, text]));
}

/** Changes of texts that the page shows. */
function changedOn<Key extends Fact | Slot>(
  shown: readonly Slot[],
  changes: [Key, string][],
): Map<Key, string> {
  const ids = new Set(shown.map(({ id }) => id));
  return new Map(changes.filter(([key]) => ids.has('slot' in key ? key.slot.id : key.id)));
}

interface NewTexts {
  texts: ReadonlyMap<Slot, string>;
  facts: Facts;
}

/**
 * Values of the context that the page states neither literally nor rephrased. A text that only
 * programs read does not count if the text for people is still the template's.
 */
function unusedValues(
  { context, topics: subject, item }: PageInput,
  { shown, written, carriedOver: kept }: Composed,
  { texts, facts, isTranslated }: NewTexts & { isTranslated: boolean },
): Leaf[] {
  const standing = new Set(kept.filter(({ isHidden }) => !isHidden).map(({ kind }) => kind));
  const replaced = new Map([...facts.replaced].filter(([{ kind }]) => !standing.has(kind)));
  const isContradicted = (slot: Slot) =>
    isHidden(slot) && !!facts.unwrittenFacts.get(slot)?.some(({ kind }) => standing.has(kind));
  const agreeing = shown.filter((slot) => !isContradicted(slot));
  const language = languageOf(context)?.given;
  const leaves = leavesOf(context).filter(({ text }) => text !== language);
  const unused = unusedOf(
    leaves,
    { slug: item.targetPageSlug, slots: agreeing, written },
    { texts, replaced, topics: subject, placed: facts.placed },
  );
  return unusedByModel(
    unused,
    agreeing.map((slot) => plainText(written[slot.id] ?? slot.text)),
    { isTranslated },
  );
}

/**
 * Texts that still name the template's subject although the context does not: texts that the model
 * wrote, and texts that it left out. Quotes don't count.
 */
function namingOldSubject(
  { item, topics: subject, quotedIds: quoted }: PageInput,
  { texts }: Checked,
  { shown, written }: Pick<Composed, 'shown' | 'written'>,
): string[] {
  if (!subject || !isBanned(item, subject)) return [];
  const textOf = ({ id, text }: Slot) => written[id] ?? text;
  const named = shown
    .filter((slot) => texts.has(slot) || !(isHidden(slot) || quoted.has(slot.id)))
    .filter((slot) => namesSubject(slot, textOf(slot), subject));
  const ids = named.map(({ id }) => id).join(', ');
  return named.length === 0
    ? []
    : [`These texts name the template's subject "${subject.old}": ${ids}`];
}

function tooMuch(written: SlotTexts): string[] {
  const bytes = Buffer.byteLength(JSON.stringify(written));
  return bytes > limits.pageTextsBytes
    ? [`The texts have ${bytes} bytes; ${limits.pageTextsBytes} are possible: write shorter ones`]
    : [];
}

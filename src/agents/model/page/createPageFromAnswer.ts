import {
  type AnsweredQuestion,
  limits,
  type PageItem,
  type RejectedPage,
} from '../../../contract/task.ts';
import { truncateText } from '../../../text/text.ts';
import type { TextSlot, SlotTexts } from '../../../sites/formats/pageParts.ts';
import { escapeMarks } from '../../../sites/pages/texts/slotText.ts';
import type { PageAnswer, TemplatePage } from '../../shared/agentTypes.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import { listContextValues, type ContextValue } from '../../shared/context/contextValues.ts';
import { isEnglishPage } from '../../shared/page/englishArticles.ts';
import { composePage, type ComposedPage } from '../../shared/page/composePage.ts';
import type { Fact } from '../../shared/facts/findFacts.ts';
import { createPageFilling } from '../../shared/page/pageFilling.ts';
import { updateFollowingTexts } from '../../shared/page/updateFollowingTexts.ts';
import { languageTag } from '../../../text/languageTag.ts';
import { readContextLanguage } from '../../shared/context/pageLanguage.ts';
import { rewriteText } from '../../shared/page/rewriteText.ts';
import { findUnusedValues } from '../../shared/page/unusedValues.ts';
import { readModelAnswer } from './answerForm.ts';
import { answerProblems } from './answerProblems.ts';
import { readPageInput, type PageInput } from '../../shared/page/pageInput.ts';
import { checkAnsweredLinks } from './checkAnsweredLinks.ts';
import { checkAnswer, LANGUAGE, type CheckedAnswer } from './checkAnswer.ts';
import { listChangedGroupNotes, listInventionNotes } from './modelNotes.ts';
import { addAnswersToContext, listUnansweredNotes } from './pageQuestions.ts';
import { isTopicBanned, namesTemplateTopic } from './textProblems.ts';
import { isForPrograms, readPageFacts, type PageFacts } from './pageFacts.ts';
import { findRepeatedTexts } from './repeatedTexts.ts';
import { selectUnusedByModel } from './unusedByModel.ts';

interface AnsweredJob {
  template: TemplatePage;
  item: PageItem;
  questions?: AnsweredQuestion[];
}

/**
 * Converts a model's answer to a page: checks it, updates texts and facts that repeat a new one,
 * and makes notes for people as the rules do.
 * @param job.questions what people were asked. Their answers count as part of the context
 * @param value the raw answer; undefined if it is not JSON
 * @returns the page, or the rejected answer with what is wrong with it
 */
export function createPageFromAnswer(
  { template, item, questions }: AnsweredJob,
  value: unknown,
): PageAnswer {
  const answer = readModelAnswer(value);
  if (typeof answer === 'string') return rejectAnswer(value, [answer]);
  const input = { ...readPageInput(template, item), item: addAnswersToContext(item, questions) };
  const checked = checkAnswer(answer, input.templateSlots, template.groups ?? []);
  const { links, problems: wrongLinks } = checkAnsweredLinks(answer, input, checked);
  checked.problems.push(...wrongLinks);
  const contextLanguage = readContextLanguage(input.context);
  const lang = checked.lang === undefined ? contextLanguage?.tag : languageTag(checked.lang);
  if (lang === null) checked.problems.push(answerProblems.notLanguage(LANGUAGE, checked.lang!));
  if (checked.problems.length > 0) return rejectAnswer(value, checked.problems);
  const { page, problems } = composeModelPage(input, checked, lang ?? undefined);
  if (problems.length > 0) return rejectAnswer(value, problems);
  const notes = [...page.notes, ...listUnansweredNotes(item.targetPageSlug, questions)];
  return { ...page, notes, ...(Object.keys(links).length > 0 && { links }) };
}

const MOST_PROBLEMS = 20;
const LONGEST_PROBLEM = 1_000;

/** A rejected answer, with the first of its problems. */
export function rejectAnswer(answer: unknown, problems: string[]): { rejected: RejectedPage } {
  const listedProblems = problems
    .slice(0, MOST_PROBLEMS)
    .map((problem) => truncateText(problem, LONGEST_PROBLEM));
  if (problems.length > MOST_PROBLEMS)
    listedProblems.push(answerProblems.furtherProblems(problems.length - MOST_PROBLEMS));
  const fitsLimit = Buffer.byteLength(JSON.stringify(answer ?? null)) <= 2 * limits.pageTextsBytes;
  return { rejected: { answer: fitsLimit ? (answer ?? null) : null, problems: listedProblems } };
}

/** Makes a page of a checked answer, and lists problems of that page. */
function composeModelPage(input: PageInput, checked: CheckedAnswer, lang: string | undefined) {
  const { template, templateSlots } = input;
  const { slots, counts } = checked;
  const texts = addFollowingTexts(input, checked);
  const facts = readPageFacts(input, checked, texts);
  const { page, shown, written } = composePage(input, {
    slots,
    texts,
    facts: facts.standingFacts,
    replaced: facts.replaced,
    counts,
    replacementFacts: facts.replacementFacts,
    lang,
    write: (shownSlots) => writeModelTexts(input, checked, shownSlots, { texts, facts }),
    collectNoteSources: (composed) => ({
      replaced: selectShownChanges(composed.shown, [...facts.replaced, ...facts.changed]),
      unplaced: [],
      unplacedReasons: new Map(),
      ownerNames: new Set(),
      unused: findValuesUnusedByModel(input, composed, {
        texts,
        facts,
        isTranslated: lang !== undefined,
      }),
      remarks: input.context.remarks ?? [],
      notes: listChangedGroupNotes(template, templateSlots, checked),
      isUsed: true,
      more: listInventionNotes(input, selectShownChanges(composed.shown, [...checked.texts]), lang),
    }),
  });
  const oldTopicProblems = findOldTopicProblems(input, checked, { shown, written });
  return { page, problems: [...oldTopicProblems, ...findSizeProblems(written)] };
}

/** New plain texts: those of the model, and texts of the head that repeat one of them. */
function addFollowingTexts(
  { template, quotedIds }: PageInput,
  { slots, texts }: CheckedAnswer,
): ReadonlyMap<TextSlot, string> {
  const filling = createPageFilling({ slots, groups: template.groups ?? [], quoted: quotedIds });
  for (const [slot, text] of texts) filling.put(slot, plainText(text));
  for (const [slot, leader] of findRepeatedTexts(slots)) {
    const text = texts.get(leader);
    if (text !== undefined && !texts.has(slot)) filling.put(slot, plainText(text));
  }
  updateFollowingTexts(filling);
  return filling.texts;
}

/** All marked texts that differ from the template's, including texts that only programs read. */
function writeModelTexts(
  { templateSlots, topics }: PageInput,
  checked: CheckedAnswer,
  shownSlots: readonly TextSlot[],
  { texts, facts: { unwrittenFacts: bySlot, replaced } }: NewTexts,
): SlotTexts {
  const rewriting = {
    topics,
    replaced: new Map(replaced),
    isEnglish: isEnglishPage(templateSlots),
  };
  const createNewText = (slot: TextSlot) => {
    const facts = isForPrograms(slot) ? (bySlot.get(slot) ?? []) : [];
    const isFollower = texts.has(slot) && !facts.some((fact) => replaced.has(fact));
    if (isFollower) return checked.texts.get(slot) ?? escapeMarks(texts.get(slot)!);
    return isForPrograms(slot) && bySlot.has(slot)
      ? rewriteText(slot, facts, rewriting)
      : slot.text;
  };
  const changedTexts = shownSlots
    .map((slot) => [slot, createNewText(slot)] as const)
    .filter(([slot, text]) => text !== slot.text);
  return Object.fromEntries(changedTexts.map(([{ id }, text]) => [id, text]));
}

/** Selects the changes of texts, or of facts in texts, that the page shows. */
function selectShownChanges<Key extends Fact | TextSlot>(
  shownSlots: readonly TextSlot[],
  changes: [Key, string][],
): Map<Key, string> {
  const ids = new Set(shownSlots.map(({ id }) => id));
  return new Map(changes.filter(([key]) => ids.has('slot' in key ? key.slot.id : key.id)));
}

interface NewTexts {
  texts: ReadonlyMap<TextSlot, string>;
  facts: PageFacts;
}

/**
 * Values of the context that the page states neither literally nor rephrased. A text that only
 * programs read does not count if the text for people is still the template's.
 */
function findValuesUnusedByModel(
  { context, topics, item }: PageInput,
  { shown, written, carriedOver: statements }: ComposedPage,
  { texts, facts, isTranslated }: NewTexts & { isTranslated: boolean },
): ContextValue[] {
  const visibleKinds = new Set(
    statements.filter(({ isHidden }) => !isHidden).map(({ kind }) => kind),
  );
  const replaced = new Map([...facts.replaced].filter(([{ kind }]) => !visibleKinds.has(kind)));
  const isContradicted = (slot: TextSlot) =>
    isForPrograms(slot) &&
    !!facts.unwrittenFacts.get(slot)?.some(({ kind }) => visibleKinds.has(kind));
  const agreeingSlots = shown.filter((slot) => !isContradicted(slot));
  const language = readContextLanguage(context)?.given;
  const contextValues = listContextValues(context).filter(({ text }) => text !== language);
  const unusedValues = findUnusedValues(
    contextValues,
    { slug: item.targetPageSlug, slots: agreeingSlots, written },
    { texts, replaced, topics, placed: facts.placed },
  );
  return selectUnusedByModel(
    unusedValues,
    agreeingSlots.map((slot) => plainText(written[slot.id] ?? slot.text)),
    { isTranslated },
  );
}

/**
 * Problems of texts that still name the template's topic although the context does not: texts that
 * the model wrote, and texts that it left out. Quotes don't count.
 */
function findOldTopicProblems(
  { item, topics, quotedIds }: PageInput,
  { texts }: CheckedAnswer,
  { shown, written }: Pick<ComposedPage, 'shown' | 'written'>,
): string[] {
  if (!topics || !isTopicBanned(item, topics)) return [];
  const readNewText = ({ id, text }: TextSlot) => written[id] ?? text;
  const namingSlots = shown
    .filter((slot) => texts.has(slot) || !(isForPrograms(slot) || quotedIds.has(slot.id)))
    .filter((slot) => namesTemplateTopic(slot, readNewText(slot), topics));
  const ids = namingSlots.map(({ id }) => id);
  return ids.length === 0 ? [] : [answerProblems.oldTopic(topics.old, ids)];
}

function findSizeProblems(writtenTexts: SlotTexts): string[] {
  const bytes = Buffer.byteLength(JSON.stringify(writtenTexts));
  return bytes > limits.pageTextsBytes ? [answerProblems.largeTexts(bytes)] : [];
}

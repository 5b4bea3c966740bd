import type { ModelMessage } from 'ai';
import { truncateText } from '../../../text/text.ts';
import type { PageWritingJob } from '../../shared/agentTypes.ts';
import { removeInvisible } from '../../../contract/text/removeInvisible.ts';
import { readPageInput } from '../../shared/page/pageInput.ts';
import type { ContextData } from '../../shared/context/contextData.ts';
import { readTemplateOutline } from './templateOutline.ts';
import {
  addBars,
  type ModelPageJob,
  createQuestionMessages,
  questionTexts,
} from './pageQuestions.ts';
import { isTopicBanned } from './textProblems.ts';

/**
 * The request to a model for a page. Parts that many pages share come first, since providers cache
 * the beginning.
 * @throws DomainError LIMIT_EXCEEDED for a context that is too long
 */
export function createPageRequest(pageJob: ModelPageJob): ModelMessage[] {
  const { template, item, rejected } = pageJob;
  const { topics, context } = readPageInput(template, item);
  const topicBan =
    topics && isTopicBanned(item, topics) ? ` ${requestTexts.oldTopic(topics.old)}` : '';
  const prompt = [
    requestTexts.template(template.slug),
    readTemplateOutline(template),
    ...describeSite(template.siteTexts ?? []),
    requestTexts.newPage(item.targetPageSlug) + topicBan,
    requestTexts.context,
    addBars(removeInvisible(item.context)),
    ...describeJunk(context),
    questionTexts.write,
  ].join('\n\n');
  return [
    { role: 'user', content: prompt },
    ...createQuestionMessages(pageJob),
    ...createRepairMessages(rejected),
  ];
}

const quoteVisible = (text: string) => JSON.stringify(removeInvisible(text));

/** What the request says around the outline and the context. */
export const requestTexts = {
  template: (slug: string) => `The template is the page ${quoteVisible(slug)}.`,
  newPage: (slug: string) => `The new page is ${quoteVisible(slug)}.`,
  oldTopic: (topic: string) =>
    `The template is about ${quoteVisible(topic)}: no text of the new page names it.`,
  context: 'Its context, each line behind a bar:',
  junk: 'These values of it are no values, but errors: no text has them:',
  siteTexts: 'On every page of the site stands, and stays:',
};

const MOST_JUNK = 40;

/**
 * Names the values of the context that are junk, such as `#REF!`, and must not appear on the page.
 * The texts that they would replace stay as they are.
 */
function describeJunk({ remarks = [] }: ContextData): string[] {
  const junk = remarks.filter(({ severity }) => severity === 'error').slice(0, MOST_JUNK);
  const listedValues = junk.map(({ label, value }) =>
    label === '' ? quoteVisible(value) : `${quoteVisible(value)} (${quoteVisible(label)})`,
  );
  return listedValues.length === 0 ? [] : [`${requestTexts.junk} ${listedValues.join(', ')}`];
}

const MOST_TEXTS = 40;
const LONGEST_TEXT = 100;

/** Short facts about the site, such as its name, menu and footer, from the texts on every page. */
function describeSite(texts: readonly string[]): string[] {
  const distinctTexts = [...new Set(texts)].slice(0, MOST_TEXTS);
  const listedTexts = distinctTexts.map((text) => quoteVisible(truncateText(text, LONGEST_TEXT)));
  return listedTexts.length === 0 ? [] : [`${requestTexts.siteTexts} ${listedTexts.join(', ')}`];
}

/** The messages that return a rejected answer to the model, with its problems. */
function createRepairMessages(rejected: PageWritingJob['rejected']): ModelMessage[] {
  if (!rejected) return [];
  const { answer, problems } = rejected;
  const listedProblems = problems
    .map((problem) => `- ${removeInvisible(problem).replaceAll('\n', ' ')}`)
    .join('\n');
  const repairPrompt = `This can't be used as it is:\n${listedProblems}\n\nAnswer the whole object again, with these problems solved and all else as it was.`;
  const rejectedJson = JSON.stringify(answer ?? { texts: [], groups: [] }, (_, value: unknown) =>
    typeof value === 'string' ? removeInvisible(value) : value,
  );
  return [
    { role: 'assistant', content: removeInvisible(rejectedJson) },
    { role: 'user', content: repairPrompt },
  ];
}

import type { ModelMessage } from 'ai';
import { cut } from '../../../text/text.ts';
import type { PageJob } from '../../agent.ts';
import { visible } from '../../../contract/visible.ts';
import { readPageInput } from '../../page/pageInput.ts';
import type { ContextData } from '../../context/contextData.ts';
import { outlineOf } from './outline.ts';
import { barred, type PageWriting, questionMessages } from './pageQuestions.ts';
import { isBanned } from './problems.ts';

/**
 * The request to a model for a page. Parts that many pages share come first, since providers cache
 * the beginning.
 * @throws DomainError LIMIT_EXCEEDED for a context that is too long
 */
export function requestOf(job: PageWriting): ModelMessage[] {
  const { template, item, rejected } = job;
  const { topics: subject, context } = readPageInput(template, item);
  const ban =
    subject && isBanned(item, subject)
      ? ` The template is about ${quote(subject.old)}: no text of the new page names it.`
      : '';
  const prompt = [
    `The template is the page ${quote(template.slug)}.`,
    outlineOf(template),
    ...siteOf(template.siteTexts ?? []),
    `The new page is ${quote(item.targetPageSlug)}.${ban}`,
    'Its context, each line behind a bar:',
    barred(visible(item.context)),
    ...junkOf(context),
    'Write the texts of the new page.',
  ].join('\n\n');
  return [{ role: 'user', content: prompt }, ...questionMessages(job), ...mending(rejected)];
}

const quote = (text: string) => JSON.stringify(visible(text));

const MOST_JUNK = 40;

/** Values that must not appear in texts. The texts that they would replace stay as they are. */
function junkOf({ remarks = [] }: ContextData): string[] {
  const junk = remarks.filter(({ severity }) => severity === 'error').slice(0, MOST_JUNK);
  const listed = junk.map(({ label, value }) =>
    label === '' ? quote(value) : `${quote(value)} (${quote(label)})`,
  );
  return listed.length === 0
    ? []
    : [`These values of it are no values, but errors: no text has them: ${listed.join(', ')}`];
}

const MOST_TEXTS = 40;
const LONGEST_TEXT = 100;

/** Short facts about the site, such as its name, menu and footer, from the texts on every page. */
function siteOf(texts: readonly string[]): string[] {
  const distinct = [...new Set(texts)].slice(0, MOST_TEXTS);
  const listed = distinct.map((text) => quote(cut(text, LONGEST_TEXT)));
  return listed.length === 0
    ? []
    : [`On every page of the site stands, and stays: ${listed.join(', ')}`];
}

function mending(rejected: PageJob['rejected']): ModelMessage[] {
  if (!rejected) return [];
  const { answer, problems } = rejected;
  const listed = problems
    .map((problem) => `- ${visible(problem).replaceAll('\n', ' ')}`)
    .join('\n');
  const again = `This can't be used as it is:\n${listed}\n\nAnswer the whole object again, with these problems solved and all else as it was.`;
  const before = JSON.stringify(answer ?? { texts: [], groups: [] }, (_, value: unknown) =>
    typeof value === 'string' ? visible(value) : value,
  );
  return [
    { role: 'assistant', content: visible(before) },
    { role: 'user', content: again },
  ];
}

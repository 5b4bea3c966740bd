import { limits } from '../../../contract/task.ts';
import { MAX_MEMBERS } from '../../../sites/formats/pageParts.ts';
import { quoteText, truncateText } from '../../../text/text.ts';
import { type JunkCode, junkNames } from '../../shared/text/junkNames.ts';

const LONGEST_LIST = 200;
const quoteId = (id: string) => quoteText(id, 40);

/** What can be wrong with a model's answer, in sentences for the model and for people. */
export const answerProblems = {
  noJson: () => 'The answer is not JSON',
  wrongForm: (reason: string) => `The answer does not have the required form: ${reason}`,
  nothingNew: () => 'The answer has no new text',
  notLanguage: (key: string, tag: string) =>
    `"${key}" is not a BCP 47 language tag: "${truncateText(tag, 60)}"`,
  furtherProblems: (count: number) => `${count} more of this kind`,

  unknownText: (id: string) => `There is no text ${quoteId(id)}`,
  repeatedText: (id: string) => `${quoteId(id)} occurs twice in the texts`,
  removedMember: (id: string) =>
    `${id} belongs to a member that you remove from its group. Leave the text out, or keep the member`,
  oldTopic: (topic: string, ids: string[]) =>
    `These texts name the template's topic "${topic}": ${ids.join(', ')}`,
  largeTexts: (bytes: number) =>
    `The texts have ${bytes} bytes, and at most ${limits.pageTextsBytes} are allowed: write shorter texts`,

  unknownGroup: (id: string) => `There is no group ${quoteId(id)}`,
  repeatedGroup: (id: string) => `${quoteId(id)} occurs twice in the groups`,
  manyMembers: () => 'The groups have too many members, and the page gets too large',
  memberCount: (id: string, members: number) =>
    `${quoteId(id)} can't have ${members} members: 1 to ${MAX_MEMBERS} are allowed`,
  keptMembers: (id: string, keep: readonly number[], memberCount: number) =>
    `${quoteId(id)} can't keep ${truncateText(keep.join(', '), 60)}: it has the members 1 to ${memberCount}, and "keep" names each once in rising order`,
  keptCount: (id: string, keptCount: number, members: number) =>
    `${quoteId(id)} can't keep ${keptCount} members if it has only ${members}`,
  copiedTexts: (ids: string[]) =>
    `New members have texts of others: write new ones, or "", for ${truncateText(ids.join(', '), LONGEST_LIST)}`,

  unknownLink: (id: string) => `${quoteId(id)} is not a link of the new page`,
  repeatedLink: (id: string) => `${quoteId(id)} occurs twice in the links`,
  longLink: (id: string) =>
    `${quoteId(id)} leads to a URL of more than ${limits.urlLength} characters`,
  hiddenRecipients: (id: string) =>
    `${quoteId(id)} leads to an email address with further recipients`,
  inventedLink: (id: string, target: string) =>
    `${quoteId(id)} leads to ${quoteText(target)}, which is in neither the context nor the template`,
  brokenLink: (id: string, target: string, reason: string) =>
    `The link ${id} can't lead to ${target}: ${reason}`,
};

/** What can be wrong with the new text of a slot. */
export const textProblems = {
  markup: (id: string) => `${id} has markup in it: only its own marks can stand there`,
  reference: (id: string) => `${id} has a character reference in it: write the character`,
  markdown: (id: string) => `${id} has Markdown in it: write plain text`,
  /** @param marks the slot's text with its marks; undefined if it has none */
  brokenMarks: (id: string, marks?: string) =>
    `${id} has broken marks: it has ${marks === undefined ? 'no marks' : `each of its marks once, nested as in ${quoteText(marks, 200)}`}`,
  junk: (id: string, code: JunkCode) =>
    `${id} is ${junkNames[code]}: leave the text out, or write a real one`,
  otherKind: (id: string, fills: string) =>
    `${id} has no ${fills} in it, and shows one: leave it out where the context has none`,
  hoursData: (id: string) => `${id} has opening hours for programs: leave it out`,
  empty: (id: string) => `${id} is empty, which this kind of text can't be`,
  long: (id: string, width: number, limit: { longest: number; oldWidth: number }) =>
    `${id} has ${width} characters: at most ${limit.longest} are allowed in place of ${limit.oldWidth}`,
};

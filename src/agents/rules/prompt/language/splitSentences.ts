import { type QuotedPrompt, restoreQuotes } from './extractQuotes.ts';

/** A sentence of a prompt, such as `Please move /about to /company.` */
export interface PromptSentence {
  /** What wordings are compared with, with a space before each word: ` move /about to /company`. */
  words: string;
  /** The sentence as the prompt has it, for messages. */
  text: string;
}

const ABBREVIATION = '(?<!\\b(?:Inc|Ltd|Co|Corp|Bros|Jr|Sr|St|Dr|Mr|Mrs|Ms))';
const BULLET_MARK = /^\s*(?:[-*•–]|\(?\d{1,2}[.)](?!\d))\s*/;
const POLITE_BEGINNING =
  /^(?: ,| (?:please|kindly|also|then|next|finally|first|now|and|so|hi|hello|hey|let 's|(?:can|could|would|will) you|(?:i|we) (?:want|need|would like|'d like|want you|need you|would like you) to))+(?= )/i;
const POLITE_ENDING =
  /(?: ,)?(?: (?:please|too|as well|thanks|thank you|cheers|many thanks)(?: (?:a lot|in advance|very much))?| ,){1,6}$/i;

/** Splits a prompt at line ends, semicolons and final marks. Removes bullets and polite words. */
export const splitIntoSentences = (prompt: QuotedPrompt): PromptSentence[] =>
  prompt.text
    .split(/[\n\r;]+/)
    .map((line) => line.replace(BULLET_MARK, ''))
    .flatMap((line) => line.split(new RegExp(`${ABBREVIATION}(?<=[.!?])(?=\\s|$)`, 'i')))
    .map((text) => ({ words: normalizeSentence(text), text: restoreQuotes(text, prompt) }))
    .filter(({ words }) => words !== '');

function normalizeSentence(sentence: string): string {
  const spacedSentence = ` ${sentence.trim()}`
    .replace(/’/g, "'")
    .replace(/ ?[.!]{1,9}$/, (mark) => (endsWithAbbreviation(sentence) ? mark : ''))
    .replace(/([,:])(?=\s|$)/g, ' $1')
    .replace(/\((?!\d{1,9}\))/g, ' ( ')
    .replace(/(?<!\(\d{1,9})\)/g, ' ')
    .replace(/\b(it|there|that)'s\b/gi, '$1 is')
    .replace(/'(s|d)\b/g, " '$1")
    .replace(/\s+/g, ' ')
    .trimEnd();
  const isRequest = /^ (?:(?:please|can you|could you|would you|will you)) /i.test(spacedSentence);
  const request = isRequest ? spacedSentence.replace(/ ?\?$/, '') : spacedSentence;
  return request
    .replace(POLITE_BEGINNING, '')
    .replace(POLITE_ENDING, '')
    .replace(/^ (?:hi|hello|hey)$/i, '');
}

const endsWithAbbreviation = (sentence: string) =>
  /\b(?:Inc|Ltd|Co|Corp|Bros|Jr|Sr)\.$/.test(sentence.trim());

/** The joints of a sentence, after which another instruction may begin: `and`, `then`, a comma. */
export const findJoints = (words: string): { at: number; end: number }[] =>
  [...words.matchAll(/(?: ,)? (?:and then|and also|and|then|plus)(?= )| ,(?= )/gi)].map(
    ({ index, 0: text }) => ({ at: index, end: index + text.length }),
  );

/** Removes polite words from the beginning of what follows a joint. */
export const removePoliteWords = (words: string): string => words.replace(POLITE_BEGINNING, '');

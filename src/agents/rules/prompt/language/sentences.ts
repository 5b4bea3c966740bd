import { type QuotedPrompt, unquoted } from './quotes.ts';

/** A sentence of a prompt. */
export interface Sentence {
  /** With a space before each word, comma and colon. */
  words: string;
  /** As the prompt has it. */
  text: string;
}

const ABBREVIATION = '(?<!\\b(?:Inc|Ltd|Co|Corp|Bros|Jr|Sr|St|Dr|Mr|Mrs|Ms))';
const BULLET = /^\s*(?:[-*•–]|\(?\d{1,2}[.)](?!\d))\s*/;
const POLITE =
  /^(?: ,| (?:please|kindly|also|then|next|finally|first|now|and|so|hi|hello|hey|let 's|(?:can|could|would|will) you|(?:i|we) (?:want|need|would like|'d like|want you|need you|would like you) to))+(?= )/i;
const THANKS =
  /(?: ,)?(?: (?:please|too|as well|thanks|thank you|cheers|many thanks)(?: (?:a lot|in advance|very much))?| ,){1,6}$/i;

/** Splits a prompt into sentences, at line ends and at marks. Drops bullets and polite words. */
export const sentencesOf = (prompt: QuotedPrompt): Sentence[] =>
  prompt.text
    .split(/[\n\r;]+/)
    .map((line) => line.replace(BULLET, ''))
    .flatMap((line) => line.split(new RegExp(`${ABBREVIATION}(?<=[.!?])(?=\\s|$)`, 'i')))
    .map((text) => ({ words: wordsOf(text), text: unquoted(text, prompt) }))
    .filter(({ words }) => words !== '');

function wordsOf(sentence: string): string {
  const spaced = ` ${sentence.trim()}`
    .replace(/’/g, "'")
    .replace(/ ?[.!]{1,9}$/, (mark) => (endsShort(sentence) ? mark : ''))
    .replace(/([,:])(?=\s|$)/g, ' $1')
    .replace(/\((?!\d{1,9}\))/g, ' ( ')
    .replace(/(?<!\(\d{1,9})\)/g, ' ')
    .replace(/\b(it|there|that)'s\b/gi, '$1 is')
    .replace(/'(s|d)\b/g, " '$1")
    .replace(/\s+/g, ' ')
    .trimEnd();
  const isRequest = /^ (?:(?:please|can you|could you|would you|will you)) /i.test(spaced);
  const asked = isRequest ? spaced.replace(/ ?\?$/, '') : spaced;
  return asked
    .replace(POLITE, '')
    .replace(THANKS, '')
    .replace(/^ (?:hi|hello|hey)$/i, '');
}

const endsShort = (sentence: string) => /\b(?:Inc|Ltd|Co|Corp|Bros|Jr|Sr)\.$/.test(sentence.trim());

/** The places where another instruction may begin: behind `, and`, `and` or a comma. */
export const jointsOf = (words: string): { at: number; end: number }[] =>
  [...words.matchAll(/(?: ,)? (?:and then|and also|and|then|plus)(?= )| ,(?= )/gi)].map(
    ({ index, 0: text }) => ({ at: index, end: index + text.length }),
  );

/** Drops polite words behind a joint. */
export const withoutPolite = (words: string): string => words.replace(POLITE, '');

import { removeInvisible } from '../../../contract/text/removeInvisible.ts';

const MAX_MESSAGE_LENGTH = 240;
/**
 * If a provider's message shares this many consecutive characters with a text of the request, it
 * quotes that text.
 */
const MIN_QUOTE_LENGTH = 12;

/**
 * Cleans a provider's failure message for our own error: one line, cut, without anything that looks
 * like a key. Returns '' if it is not a text, or quotes a text of the request.
 */
export function cleanProviderMessage(
  message: unknown,
  { texts, secrets }: { texts: string[]; secrets: string[] },
): string {
  if (typeof message !== 'string') return '';
  const sentence = toOneLine(message.slice(0, MAX_MESSAGE_LENGTH * 4));
  if (quotesAnyText(sentence, texts.map(toOneLine))) return '';
  const withoutSecrets = secrets
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '…'), sentence);
  return withoutSecrets.replace(/[\w*.-]{24,}/g, '…').slice(0, MAX_MESSAGE_LENGTH);
}

const toOneLine = (text: string) => removeInvisible(text).replace(/\s+/g, ' ').trim();

/**
 * Checks every fourth position of the words: this finds quotes of 15 characters and whole short
 * texts.
 */
function quotesAnyText(sentence: string, texts: string[]): boolean {
  for (let position = 0; position + MIN_QUOTE_LENGTH <= sentence.length; position += 4)
    if (texts.some((text) => text.includes(sentence.slice(position, position + MIN_QUOTE_LENGTH))))
      return true;
  return texts.some(
    (text) => text.length >= 4 && text.length < MIN_QUOTE_LENGTH + 4 && sentence.includes(text),
  );
}

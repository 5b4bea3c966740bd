import { visible } from '../../contract/visible.ts';

const LENGTH = 240;
/**
 * If a provider's message shares this many consecutive characters with a text of the request, it
 * quotes that text.
 */
const RUN = 12;

/**
 * Cleans a provider's failure message: one line, cut, without anything that looks like a key.
 * Returns '' if it quotes a text of the request, or is no text.
 */
export function providerWords(
  message: unknown,
  { texts, secrets }: { texts: string[]; secrets: string[] },
): string {
  if (typeof message !== 'string') return '';
  const words = oneLine(message.slice(0, LENGTH * 4));
  if (quotes(words, texts.map(oneLine))) return '';
  const known = secrets
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '…'), words);
  return known.replace(/[\w*.-]{24,}/g, '…').slice(0, LENGTH);
}

const oneLine = (text: string) => visible(text).replace(/\s+/g, ' ').trim();

/**
 * Checks every fourth position of the words: this finds quotes of 15 characters and whole short
 * texts.
 */
function quotes(words: string, texts: string[]): boolean {
  for (let at = 0; at + RUN <= words.length; at += 4)
    if (texts.some((text) => text.includes(words.slice(at, at + RUN)))) return true;
  return texts.some((text) => text.length >= 4 && text.length < RUN + 4 && words.includes(text));
}

import { visible } from '../../contract/visible.ts';

const LENGTH = 240;
/**
 * Characters in a row that a text of a request and a provider's message have in common only where
 * one quotes the other.
 */
const RUN = 12;

/**
 * A provider's message about a failure, cut and on one line: '' where it quotes a text of the
 * request, or is no text. What looks like a key is left out.
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
 * Looks at every fourth place of the words: a quote of 15 characters or a whole short text is
 * found.
 */
function quotes(words: string, texts: string[]): boolean {
  for (let at = 0; at + RUN <= words.length; at += 4)
    if (texts.some((text) => text.includes(words.slice(at, at + RUN)))) return true;
  return texts.some((text) => text.length >= 4 && text.length < RUN + 4 && words.includes(text));
}

import { hasWords } from '../../../text/text.ts';
import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { quoteText } from '../../../text/text.ts';
import type { ToolContext } from '../../shared/tools/toolContext.ts';

const MAX_SEARCHED_TEXTS = 5;
const MIN_TEXT_LENGTH = 8;
const MAX_NAMED_LINES = 6;

/**
 * Finds texts that were replaced in one place of a page, but that the page still has elsewhere,
 * such as in the titles for social networks.
 * @param source the page's source after the edits
 * @param changedSlots the replaced texts, as they were
 * @returns sentences that name each text and its lines
 */
export async function findRemainingTexts(
  { texts }: ToolContext,
  source: string,
  changedSlots: TextSlot[],
): Promise<string[]> {
  const plainTexts = (await texts.plain(changedSlots)).map(({ text }) => text.trim());
  const searchedTexts = [...new Set(plainTexts)].filter(
    (text) => text.length >= MIN_TEXT_LENGTH && hasWords(text) && !text.includes('\n'),
  );
  const sentences: string[] = [];
  for (const text of searchedTexts.slice(0, MAX_SEARCHED_TEXTS)) {
    const { hits } = await texts.linesWith(source, text);
    const lines = hits.slice(0, MAX_NAMED_LINES).map(({ line }) => line);
    if (lines.length > 0) sentences.push(remainingTextSentence(text, lines));
  }
  return sentences;
}

export const remainingTextSentence = (text: string, lines: number[]) =>
  `The page still says ${quoteText(text)} in line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}`;

import { hasWords } from '../../../text/text.ts';
import type { Slot } from '../../../sites/formats/page.ts';
import { quoted } from '../../../text/text.ts';
import type { ToolContext } from '../tool.ts';

const MOST_TEXTS = 5;
const LEAST_LENGTH = 8;
const MOST_LINES = 6;

/**
 * Where a page still says what was replaced in it, such as in the titles for social networks: `The
 * page still says "Our team" in line 9`.
 * @param changed the replaced texts, as they were
 */
export async function stillSaid(
  { texts }: ToolContext,
  source: string,
  changed: Slot[],
): Promise<string[]> {
  const plain = (await texts.plain(changed)).map(({ text }) => text.trim());
  const asked = [...new Set(plain)].filter(
    (text) => text.length >= LEAST_LENGTH && hasWords(text) && !text.includes('\n'),
  );
  const found: string[] = [];
  for (const text of asked.slice(0, MOST_TEXTS)) {
    const { hits } = await texts.linesWith(source, text);
    const lines = hits.slice(0, MOST_LINES).map(({ line }) => line);
    if (lines.length > 0)
      found.push(
        `The page still says ${quoted(text)} in line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}`,
      );
  }
  return found;
}

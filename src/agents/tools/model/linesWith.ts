import { plainMarks } from '../../text/fold.ts';

/** A line of a file, counted from 1, with the text around the hit. */
export interface LineHit {
  line: number;
  text: string;
}

const EXCERPT = 120;
const MOST_LINES = 1_000;

/**
 * The first lines of a file that contain these words, in any case, each with the text around its
 * first hit.
 */
export function linesWith(source: string, words: string): { count: number; hits: LineHit[] } {
  const wanted = plainMarks(words).toLowerCase();
  const hits: LineHit[] = [];
  let count = 0;
  for (const [i, line] of source.split('\n').entries()) {
    const at = plainMarks(line).toLowerCase().indexOf(wanted);
    if (at === -1) continue;
    count++;
    if (hits.length === MOST_LINES) continue;
    const [from, to] = [Math.max(0, at - EXCERPT), at + words.length + EXCERPT];
    const text = line.slice(from, to).toWellFormed().trim();
    hits.push({ line: i + 1, text: (from > 0 ? '…' : '') + text + (to < line.length ? '…' : '') });
  }
  return { count, hits };
}

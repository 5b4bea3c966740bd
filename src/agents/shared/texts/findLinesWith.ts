import { plainMarks } from '../text/foldText.ts';

/** A line of a file, counted from 1, with the text around the hit. */
export interface LineHit {
  line: number;
  text: string;
}

const EXCERPT_LENGTH = 120;
const MAX_LINES = 1_000;

/**
 * Finds the lines of a file that contain these words, in any case. Returns their number, and the
 * first of them, each with the text around its first hit.
 */
export function findLinesWith(source: string, words: string): { count: number; hits: LineHit[] } {
  const lowerWords = plainMarks(words).toLowerCase();
  const hits: LineHit[] = [];
  let count = 0;
  for (const [index, line] of source.split('\n').entries()) {
    const position = plainMarks(line).toLowerCase().indexOf(lowerWords);
    if (position === -1) continue;
    count++;
    if (hits.length === MAX_LINES) continue;
    const [excerptStart, excerptEnd] = [
      Math.max(0, position - EXCERPT_LENGTH),
      position + words.length + EXCERPT_LENGTH,
    ];
    const text = line.slice(excerptStart, excerptEnd).toWellFormed().trim();
    hits.push({
      line: index + 1,
      text: (excerptStart > 0 ? '…' : '') + text + (excerptEnd < line.length ? '…' : ''),
    });
  }
  return { count, hits };
}

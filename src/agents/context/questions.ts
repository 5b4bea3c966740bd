import type { Section } from './data.ts';

const QUESTION = /^(?:\*\*|__)?(?:q|question|f|frage)(?: ?\d{1,3})?[:.](?:\*\*|__)?\s+(\S.*)$/iu;
const ANSWER = /^(?:\*\*|__)?(?:a|answer|antwort)(?: ?\d{1,3})?[:.](?:\*\*|__)?\s+(\S.*)$/iu;
const BOLD = /^(?:\*\*|__)([^*_]{2,200}\?)(?:\*\*|__)(.*)$/u;

/** Whether a line is a question and nothing else: its answer stands below it. */
export const isQuestion = (line: string) =>
  QUESTION.test(line) || BOLD.exec(line)?.[2]?.trim() === '';

/**
 * Questions with their answers, which may be several lines: `Q: Why?`, `A: Because.`, or `**Why?**`
 * and the answer behind or below it.
 * @param lines of one block
 * @param plain gives a line's text without inline marks
 * @returns null where a line before the first question, or a question without an answer, stands
 *   among them
 */
export function readQuestions(
  lines: string[],
  plain: (line: string) => string,
  isBold = true,
): Section[] | null {
  const found: { heading: string; answer: string[] }[] = [];
  for (const line of lines) {
    const [, bold, behind = ''] = (isBold && BOLD.exec(line)) || [];
    const heading = QUESTION.exec(line)?.[1] ?? bold;
    const answer = heading === undefined ? (ANSWER.exec(line)?.[1] ?? line) : behind.trim();
    if (heading !== undefined) found.push({ heading: plain(heading), answer: [] });
    else if (found.length === 0) return null;
    if (answer !== '') found.at(-1)!.answer.push(plain(answer));
  }
  if (found.length === 0 || found.some(({ answer }) => answer.length === 0)) return null;
  return found.map(({ heading, answer }) => ({
    name: heading,
    heading,
    paragraphs: [answer.join(' ')],
    items: [],
    sections: [],
  }));
}

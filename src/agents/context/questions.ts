import { newSection, type Section } from './contextData.ts';

const QUESTION = /^(?:\*\*|__)?(?:q|question|f|frage)(?: ?\d{1,3})?[:.](?:\*\*|__)?\s+(\S.*)$/iu;
const ANSWER = /^(?:\*\*|__)?(?:a|answer|antwort)(?: ?\d{1,3})?[:.](?:\*\*|__)?\s+(\S.*)$/iu;
const BOLD = /^(?:\*\*|__)([^*_]{2,200}\?)(?:\*\*|__)(.*)$/u;

/** Whether a line is a question, without an answer behind it. */
export const isQuestion = (line: string) =>
  QUESTION.test(line) || BOLD.exec(line)?.[2]?.trim() === '';

/**
 * Reads questions with their answers: `Q: Why?`, `A: Because.`, or `**Why?**` with the answer after
 * or below it. An answer may have several lines.
 * @param lines of one block
 * @param plain removes a line's inline marks
 * @param isBold whether a line in bold may be a question
 * @returns null if a line stands before the first question, or a question has no answer
 */
export function readQuestions(
  lines: string[],
  plain: (line: string) => string,
  { isBold = true } = {},
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
  return found.map(({ heading, answer }) =>
    newSection(heading, { heading, paragraphs: [answer.join(' ')] }),
  );
}

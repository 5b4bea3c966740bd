import { newSection, type ContextSection } from './contextData.ts';

const QUESTION_LINE =
  /^(?:\*\*|__)?(?:q|question|f|frage)(?: ?\d{1,3})?[:.](?:\*\*|__)?\s+(\S.*)$/iu;
const ANSWER_LINE = /^(?:\*\*|__)?(?:a|answer|antwort)(?: ?\d{1,3})?[:.](?:\*\*|__)?\s+(\S.*)$/iu;
const BOLD_QUESTION = /^(?:\*\*|__)([^*_]{2,200}\?)(?:\*\*|__)(.*)$/u;

/** Whether a line is a question, without an answer behind it. */
export const isQuestionLine = (line: string) =>
  QUESTION_LINE.test(line) || BOLD_QUESTION.exec(line)?.[2]?.trim() === '';

/**
 * Reads questions with their answers: `Q: Why?`, `A: Because.`, or `**Why?**` with the answer after
 * or below it. An answer may have several lines.
 * @param lines of one block
 * @param toPlainText removes a line's inline marks
 * @param isBold whether a line in bold may be a question
 * @returns null if a line stands before the first question, or a question has no answer
 */
export function readQuestionLines(
  lines: string[],
  toPlainText: (line: string) => string,
  { isBold = true } = {},
): ContextSection[] | null {
  const questions: { heading: string; answer: string[] }[] = [];
  for (const line of lines) {
    const [, boldQuestion, textBehind = ''] = (isBold && BOLD_QUESTION.exec(line)) || [];
    const heading = QUESTION_LINE.exec(line)?.[1] ?? boldQuestion;
    const answer =
      heading === undefined ? (ANSWER_LINE.exec(line)?.[1] ?? line) : textBehind.trim();
    if (heading !== undefined) questions.push({ heading: toPlainText(heading), answer: [] });
    else if (questions.length === 0) return null;
    if (answer !== '') questions.at(-1)!.answer.push(toPlainText(answer));
  }
  if (questions.length === 0 || questions.some(({ answer }) => answer.length === 0)) return null;
  return questions.map(({ heading, answer }) =>
    newSection(heading, { heading, paragraphs: [answer.join(' ')] }),
  );
}

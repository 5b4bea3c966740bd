import { type ModelQuestion, limits } from '../../../contract/task.ts';
import { collapseSpaces, truncateText } from '../../../text/text.ts';
import { cleanModelText } from './cleanModelText.ts';

/** A language model's question as people see it: plain words, at most as long as the limits. */
export function cleanQuestion({ question, options }: ModelQuestion): ModelQuestion {
  const cleanOptions = options
    .slice(0, limits.optionsPerQuestion)
    .map((option) => truncateText(collapseSpaces(cleanModelText(option)), limits.optionLength));
  return {
    question: truncateText(cleanModelText(question), limits.questionLength),
    options: [...new Set(cleanOptions)].filter((line) => line !== ''),
  };
}

import { type AskedQuestion, limits } from '../../contract/task.ts';
import { collapse, cut } from '../../text/text.ts';
import { plainWords } from './plainWords.ts';

/** A language model's question as people see it: plain words, at most as long as the limits. */
export function askedOf({ question, options }: AskedQuestion): AskedQuestion {
  const lines = options
    .slice(0, limits.optionsPerQuestion)
    .map((option) => cut(collapse(plainWords(option)), limits.optionLength));
  return {
    question: cut(plainWords(question), limits.questionLength),
    options: [...new Set(lines)].filter((line) => line !== ''),
  };
}

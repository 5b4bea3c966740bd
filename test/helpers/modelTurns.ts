import type { Answer, ModelRequest } from './modelServer.ts';

/** A call of a tool by a scripted model. */
export type Call = NonNullable<Answer['calls']>[number];

export const call = (name: string, args: Record<string, unknown>): Call => ({
  name,
  arguments: args,
});

/** What the tools have answered the model, the oldest first. */
export const answersIn = ({ messages }: ModelRequest): string[] =>
  messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

/** The first group of a pattern in the newest answer that matches it. Throws where none does. */
export const idIn = (asked: ModelRequest, pattern: RegExp): string =>
  found(answersIn(asked).reverse(), pattern);

/** The same in the oldest answer that matches. */
export const firstIdIn = (asked: ModelRequest, pattern: RegExp): string =>
  found(answersIn(asked), pattern);

function found(answers: string[], pattern: RegExp): string {
  const id = answers.find((answer) => pattern.test(answer))?.match(pattern)?.[1];
  if (id === undefined) throw new Error(`Nothing matches ${pattern} in ${answers.join('\n')}`);
  return id;
}

/** How many turns the model has had. */
export const turnsIn = ({ messages }: ModelRequest): number =>
  messages.filter(({ role }, i) => role === 'assistant' && messages[i - 1]?.role !== 'assistant')
    .length;

import type { Answer, Script } from '../../helpers/modelServer.ts';

export type Call = NonNullable<Answer['calls']>[number];

/** What the tools have answered a model so far. */
export interface Seen {
  /** The first group of a pattern in the newest answer that matches it. Throws where none does. */
  id: (pattern: RegExp) => string;
  /** The same in the oldest answer that matches. */
  firstId: (pattern: RegExp) => string;
}

/** A turn: its calls, from what the model has seen. */
export type Calls = (seen: Seen) => Call[];

/** What a good model does for a prompt. */
export interface GoodModel {
  /** Its turns before the one that finishes. */
  turns: Calls[];
  /** The arguments of `finish`, once for each time that it is called. */
  finish?: Record<string, unknown>[];
}

export const call = (name: string, args: Record<string, unknown>): Call => ({
  name,
  arguments: args,
});

/** Reads pages before anything else. */
export const look =
  (...slugs: string[]): Calls =>
  () =>
    slugs.map((slug) => call('read_page', { slug }));

/** Writes texts of a page: by the pattern that finds the id of each. */
export const write =
  (slug: string, ...texts: [id: RegExp, text: string][]): Calls =>
  ({ id }) => [
    call('set_texts', { slug, edits: texts.map(([at, text]) => ({ id: id(at), text })) }),
  ];

const DONE = [{ summary: 'Done as asked.' }];

/**
 * A scripted model that makes the turns of the edit whose prompt it is given. It sees only what the
 * service sends, so it says when it does not find what it needs.
 */
export function scriptOf(edits: { prompt: string; good?: GoodModel }[]): Script {
  return ({ messages }) => {
    const asked = messages.find(({ role }) => role === 'user')!.content;
    const { good } = edits.find(({ prompt }) => asked.includes(prompt))!;
    const { turns, finish = DONE } = good!;
    const at = messages.filter(({ role }) => role === 'assistant').length;
    const answers = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    try {
      const calls = turns[at]?.(seenIn(answers));
      return { calls: calls ?? [finished(finish[at - turns.length] ?? finish.at(-1)!)] };
    } catch (error) {
      return { calls: [finished({ error: `Script: ${(error as Error).message}` })] };
    }
  };
}

const finished = (args: Record<string, unknown>) => call('finish', { summary: '', ...args });

const seenIn = (answers: string[]): Seen => ({
  id: (pattern) => idIn(answers.toReversed(), pattern),
  firstId: (pattern) => idIn(answers, pattern),
});

function idIn(answers: string[], pattern: RegExp): string {
  const found = answers.find((answer) => pattern.test(answer))?.match(pattern)?.[1];
  if (found === undefined) throw new Error(`nothing matches ${pattern} in ${answers.join('\n')}`);
  return found;
}

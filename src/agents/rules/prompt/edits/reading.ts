import type { Call } from './calls.ts';

/** Rounds of calls that read, each answered by what the tools said; at last the calls that edit. */
export type Work = Generator<Call[], Call[], string[]>;

export const listGroups = (slug: string): Call => ({ name: 'list_groups', arguments: { slug } });
export const readSlots = (slug: string): Call => ({ name: 'read_slots', arguments: { slug } });

/** What one call answers. */
export function* ask<Answer>(call: Call): Generator<Call[], Answer, string[]> {
  const [answer] = yield [call];
  return JSON.parse(answer!) as Answer;
}

/** What several calls answer. */
export function* askAll<Answer>(calls: Call[]): Generator<Call[], Answer[], string[]> {
  if (calls.length === 0) return [];
  const answers = yield calls;
  return answers.map((answer) => JSON.parse(answer) as Answer);
}

import type { Answer, Edit, Reading } from '../../../siteCalls.ts';

/** Rounds of questions about the site, each with its answers; at last the edits. */
export type Work = Generator<Reading[], Edit[], unknown[]>;

type Question<Name extends Reading['name']> = Extract<Reading, { name: Name }>;

export const listGroups = (slug: string) => ({ name: 'list_groups' as const, arguments: { slug } });
export const readSlots = (slug: string) => ({ name: 'read_slots' as const, arguments: { slug } });

/** The answer to one question. */
export function* ask<Name extends Reading['name']>(
  question: Question<Name>,
): Generator<Reading[], Answer<Name>, unknown[]> {
  const [answer] = yield [question];
  return answer as Answer<Name>;
}

/** The answers to several questions of one kind. */
export function* askAll<Name extends Reading['name']>(
  questions: Question<Name>[],
): Generator<Reading[], Answer<Name>[], unknown[]> {
  return questions.length === 0 ? [] : ((yield questions) as Answer<Name>[]);
}

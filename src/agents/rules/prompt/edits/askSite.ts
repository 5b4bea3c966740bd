import type { Answer, Edit, Reading } from '../../../siteCalls.ts';

/**
 * A generator that yields rounds of questions about the site, receives their answers, and returns
 * the edits at the end.
 */
export type Work = Generator<Reading[], Edit[], unknown[]>;

type Call = Edit | Reading;
type Named<Name extends Call['name']> = Extract<Call, { name: Name }>;

/** Creates a question about the site, or an edit. */
export const call = <Name extends Call['name']>(name: Name, args: Named<Name>['arguments']) =>
  ({ name, arguments: args }) as Named<Name>;

export const listGroups = (slug: string) => call('list_groups', { slug });
export const readSlots = (slug: string) => call('read_slots', { slug });

/** Asks one question, and returns its answer. */
export function* ask<Name extends Reading['name']>(
  question: Named<Name>,
): Generator<Reading[], Answer<Name>, unknown[]> {
  const [answer] = yield* askAll([question]);
  return answer!;
}

/** Asks several questions of one kind in one round, and returns their answers. */
export function* askAll<Name extends Reading['name']>(
  questions: Named<Name>[],
): Generator<Reading[], Answer<Name>[], unknown[]> {
  return questions.length === 0 ? [] : ((yield questions) as Answer<Name>[]);
}

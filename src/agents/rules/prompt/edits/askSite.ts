import type { Answer, Edit, Reading } from '../../../siteCalls.ts';

/** Yields questions about the site, gets their answers, and returns the edits in the end. */
export type Work = Generator<Reading[], Edit[], unknown[]>;

type Call = Edit | Reading;
type Named<Name extends Call['name']> = Extract<Call, { name: Name }>;

/** A question about the site, or an edit of it. */
export const call = <Name extends Call['name']>(name: Name, args: Named<Name>['arguments']) =>
  ({ name, arguments: args }) as Named<Name>;

export const listGroups = (slug: string) => call('list_groups', { slug });
export const readSlots = (slug: string) => call('read_slots', { slug });

/** The answer to one question. */
export function* ask<Name extends Reading['name']>(
  question: Named<Name>,
): Generator<Reading[], Answer<Name>, unknown[]> {
  const [answer] = yield* askAll([question]);
  return answer!;
}

/** The answers to several questions of one kind. */
export function* askAll<Name extends Reading['name']>(
  questions: Named<Name>[],
): Generator<Reading[], Answer<Name>[], unknown[]> {
  return questions.length === 0 ? [] : ((yield questions) as Answer<Name>[]);
}

import type { RulesQueryResult, RulesEdit, RulesQuery } from '../../../shared/tools/rulesCalls.ts';

/**
 * A generator that yields rounds of questions about the site, receives their answers, and returns
 * the edits at the end.
 */
export type StepWork = Generator<RulesQuery[], RulesEdit[], unknown[]>;

type SiteCall = RulesEdit | RulesQuery;
type NamedSiteCall<Name extends SiteCall['name']> = Extract<SiteCall, { name: Name }>;

/** Creates a question about the site, or an edit. */
export const createSiteCall = <Name extends SiteCall['name']>(
  name: Name,
  callArguments: NamedSiteCall<Name>['arguments'],
) => ({ name, arguments: callArguments }) as NamedSiteCall<Name>;

export const createGroupsQuery = (slug: string) => createSiteCall('list_groups', { slug });
export const createSlotsQuery = (slug: string) => createSiteCall('read_slots', { slug });

/** Asks one question, and returns its answer. */
export function* querySite<Name extends RulesQuery['name']>(
  query: NamedSiteCall<Name>,
): Generator<RulesQuery[], RulesQueryResult<Name>, unknown[]> {
  const [answer] = yield* queryAll([query]);
  return answer!;
}

/** Asks several questions of one kind in one round, and returns their answers. */
export function* queryAll<Name extends RulesQuery['name']>(
  queries: NamedSiteCall<Name>[],
): Generator<RulesQuery[], RulesQueryResult<Name>[], unknown[]> {
  return queries.length === 0 ? [] : ((yield queries) as RulesQueryResult<Name>[]);
}

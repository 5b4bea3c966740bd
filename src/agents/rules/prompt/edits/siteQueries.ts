import type { RulesQueryResult, RulesEdit, RulesQuery } from '../../../shared/tools/rulesCalls.ts';

/**
 * A generator that works out a step's edits. It yields queries of the site, some at a time, gets
 * their answers in the same order, and returns the edits at the end. `advanceStep` runs it.
 */
export type StepWork = Generator<RulesQuery[], RulesEdit[], unknown[]>;

type SiteCall = RulesEdit | RulesQuery;
type NamedSiteCall<Name extends SiteCall['name']> = Extract<SiteCall, { name: Name }>;

/** Creates a query of the site, or an edit: `createSiteCall('read_slots', { slug: '/about' })`. */
export const createSiteCall = <Name extends SiteCall['name']>(
  name: Name,
  callArguments: NamedSiteCall<Name>['arguments'],
) => ({ name, arguments: callArguments }) as NamedSiteCall<Name>;

export const createGroupsQuery = (slug: string) => createSiteCall('list_groups', { slug });
export const createSlotsQuery = (slug: string) => createSiteCall('read_slots', { slug });

/** Yields one query, and returns its answer. Call it with `yield*`. */
export function* querySite<Name extends RulesQuery['name']>(
  query: NamedSiteCall<Name>,
): Generator<RulesQuery[], RulesQueryResult<Name>, unknown[]> {
  const [answer] = yield* queryAll([query]);
  return answer!;
}

/** Yields several queries of one kind together, and returns their answers. */
export function* queryAll<Name extends RulesQuery['name']>(
  queries: NamedSiteCall<Name>[],
): Generator<RulesQuery[], RulesQueryResult<Name>[], unknown[]> {
  return queries.length === 0 ? [] : ((yield queries) as RulesQueryResult<Name>[]);
}

import { Joi } from '../../../joi.ts';
import type { PageFile } from '../../../contract/site.ts';
import { finalError, onCode } from '../../../errors.ts';
import type { SlotGroup } from '../../../sites/formats/page.ts';
import { noMember } from '../grouping.ts';
import type { ToolContext } from '../tool.ts';
import { groupOn, pageFor } from './findOrSuggest.ts';
import { reached, sisterPlaces } from './sisterPlaces.ts';

export const group = Joi.string().max(100).required();
export const index = Joi.number().integer().min(0);

/** Members of a group on a page. */
export interface Members {
  page: PageFile;
  group: SlotGroup;
  indexes: number[];
}

/** The members of a group that a call names. Throws NOT_FOUND, INVALID_INPUT. */
export async function membersFor(
  context: ToolContext,
  { slug, group: id, indexes }: { slug: string; group: string; indexes: number[] },
): Promise<Members> {
  const page = await pageFor(context, slug);
  const group = await groupOn(context, page, id);
  const missing = indexes.find((index) => index >= group.members.length);
  if (missing !== undefined) throw noMember(group, missing);
  return { page, group, indexes };
}

/** The same members on other pages: same place, same texts. */
async function sisterMembers(context: ToolContext, { page, group, indexes }: Members) {
  const slots = indexes.map((index) => group.members[index]!);
  const { found, without } = await sisterPlaces(context, page, slots.flat());
  const sisters: Members[] = [];
  for (const { page: other, ids } of found) {
    const groups = await context.site.ask(other, 'groups');
    const wanted = splitLike(ids, slots);
    const same = groups
      .map((group) => ({ page: other, group, indexes: wanted.map((ids) => indexIn(group, ids)) }))
      .find((members) => members.indexes.every((index) => index !== -1));
    if (same) sisters.push(same);
    else without.push(other);
  }
  return { sisters, without };
}

/** Splits a list into parts with the lengths of the lists in `like`. */
function splitLike<T>(list: T[], like: unknown[][]): T[][] {
  let at = 0;
  return like.map(({ length }) => list.slice(at, (at += length)));
}

/** Index of the member with exactly these texts; -1 if there is none. */
const indexIn = ({ members }: SlotGroup, ids: (string | null)[]) =>
  members.findIndex(
    (member) => member.length === ids.length && member.every((id, i) => id === ids[i]),
  );

/**
 * Changes members on one page, or on every page that has them.
 * @returns the group's new outline, and how many pages refused the change
 */
export async function changeMembers(
  context: ToolContext,
  members: Members,
  { isEverywhere, change }: { isEverywhere: boolean; change: (members: Members) => Promise<void> },
): Promise<string> {
  const { sisters, without } = isEverywhere
    ? await sisterMembers(context, members)
    : { sisters: [], without: [] };
  await change(members);
  const { page, group } = members;
  if (!isEverywhere) return `Done\n${await outlineOf(context, page, group.id)}`;
  const pages = [page];
  const refused: string[] = [];
  for (const sister of sisters) {
    const error = await change(sister).catch(finalError);
    if (error) refused.push(error.message);
    else pages.push(sister.page);
  }
  const problems = refused.length > 0 ? `; ${refused.length} refused: ${refused[0]}` : '';
  return `Done${reached({ pages, without })}${problems}\n${await outlineOf(context, page, group.id)}`;
}

/** A group's outline after a change, which may have left no group. */
export async function outlineOf({ site }: ToolContext, page: PageFile, group: string) {
  const outline = await site.outline(page, { group }).catch(onCode(['INVALID_INPUT'], null));
  return outline ?? `${group} is no group any more; all other ids stay`;
}

import { invalidInput } from '../../../invalidInput.ts';
import type { Rebuilt } from '../../changes.ts';
import type { GroupChange } from '../../format.ts';
import type { SlotGroup } from '../../page.ts';
import { exchanged } from '../changes/recompose.ts';
import { idsAfter, type Page } from '../openPage.ts';
import type { Group } from './findGroups.ts';
import { membersAt, reorder, usableGroups } from './usableGroups.ts';

/** A group, with the id by which the task knows it. */
export interface KnownGroup {
  id: string;
  group: Group;
}

export function knownGroups(page: Page): KnownGroup[] {
  const names = page.ids?.groups ?? {};
  const known = new Map(Object.entries(names).map(([id, now]) => [now, id]));
  return usableGroups(page).map((group) => {
    const { id } = group.slotGroup;
    // a known id never names another group
    return { id: known.get(id) ?? (Object.hasOwn(names, id) ? `${id}b` : id), group };
  });
}

/** Finds a group by its id. Throws INVALID_INPUT for an unknown one. */
export function groupOf(groups: KnownGroup[], id: string): Group {
  const found = groups.find((group) => group.id === id);
  if (!found) throw invalidInput(`The page has no group "${id.slice(0, 40)}"`);
  return found.group;
}

export function changeGroup(page: Page, change: GroupChange): Rebuilt {
  const { id } = groupOf(knownGroups(page), change.group).slotGroup;
  if (change.kind === 'members') {
    const after = reorder(page, id, change);
    return { source: after.bom + after.source, ids: idsAfter(after, page.ids) };
  }
  const [one, other] = membersAt(page, id, change.members);
  return exchanged(page, one!, other!);
}

export const groupsOf = (page: Page): SlotGroup[] =>
  knownGroups(page).map(({ id, group }) => ({ ...group.slotGroup, id }));

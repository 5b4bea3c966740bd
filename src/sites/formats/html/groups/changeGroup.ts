import { invalidInput } from '../../../invalidInput.ts';
import type { Rebuilt } from '../../changes.ts';
import type { FormatGroups, GroupChange, PageSource } from '../../format.ts';
import { exchanged } from '../changes/recompose.ts';
import { within } from '../document.ts';
import { isLink } from '../links/pageLinks.ts';
import { idOf, idsAfter, openPage, type Page } from '../openPage.ts';
import type { Group } from './findGroups.ts';
import { membersAt, reorder, usableGroups } from './usableGroups.ts';

/** A group, with the id by which the task knows it. */
export interface KnownGroup {
  id: string;
  group: Group;
}

export function knownGroups(page: Page): KnownGroup[] {
  const known = new Map(Object.entries(page.ids?.groups ?? {}).map(([id, now]) => [now, id]));
  return usableGroups(page).map((group) => {
    const { id } = group.slotGroup;
    return { id: known.get(id) ?? id, group };
  });
}

/** Finds a group by its id. Throws INVALID_INPUT for an unknown one. */
export function groupOf(groups: KnownGroup[], id: string): Group {
  const found = groups.find((group) => group.id === id);
  if (!found) throw invalidInput(`The page has no group "${id.slice(0, 40)}"`);
  return found.group;
}

/** Keeps a group's id as long as one of its texts is left. */
function followGroup(before: Page, id: string, rebuilt: Rebuilt): Rebuilt {
  const own = new Set(
    knownGroups(before)
      .find((one) => one.id === id)
      ?.group.slotGroup.members.flat(),
  );
  const now = usableGroups(openPage({ ...before.file, ...rebuilt })).find(({ slotGroup }) =>
    slotGroup.members.flat().some((slot) => own.has(slot)),
  )?.slotGroup;
  if (!now || now.id === id) return rebuilt;
  return { ...rebuilt, ids: { ...rebuilt.ids, groups: { ...rebuilt.ids.groups, [id]: now.id } } };
}

function rebuild(source: PageSource, change: GroupChange): Rebuilt {
  const page = openPage(source);
  const group = page.ids?.groups?.[change.group] ?? change.group;
  if (change.kind === 'members') {
    const after = reorder(page, group, change.order);
    const ids = idsAfter(after, page.ids);
    return followGroup(page, change.group, { source: after.bom + after.source, ids });
  }
  const [one, other] = membersAt(page, group, change.members);
  return followGroup(page, change.group, exchanged(page, one!, other!));
}

export const groupCalls: FormatGroups = {
  groups: (page) =>
    knownGroups(openPage(page)).map(({ id, group }) => ({ ...group.slotGroup, id })),
  groupLinks(source, id) {
    const page = openPage(source);
    return groupOf(knownGroups(page), id).members.map(({ elements }) =>
      within(elements)
        .filter(isLink)
        .map((link) => `${idOf(page, link)}.href`),
    );
  },
  rebuild,
};

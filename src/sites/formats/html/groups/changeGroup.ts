import type { Edited } from '../../changes.ts';
import type { GroupChange } from '../../format.ts';
import { exchanged } from '../changes/recompose.ts';
import { numbersAfter, type Page } from '../openPage.ts';
import { membersAt, reorder } from './usableGroups.ts';

/** Changes a group. Throws INVALID_INPUT for an unknown group or index. */
export function changeGroup(page: Page, change: GroupChange): Edited {
  if (change.kind === 'members') {
    const after = reorder(page, change.group, change);
    return { source: after.bom + after.source, numbers: numbersAfter(after) };
  }
  const [one, other] = membersAt(page, change.group, change.members);
  return exchanged(page, one!, other!);
}

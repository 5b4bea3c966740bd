import type { EditedPageSource } from '../../changes.ts';
import type { GroupChange } from '../../format.ts';
import { exchangeRanges } from '../changes/recompose.ts';
import { renumberElements, type HtmlPage } from '../openHtmlPage.ts';
import { memberRanges, reorderMembers } from './usableGroups.ts';

/**
 * Gives a group other members (`members`), or swaps two of its members (`exchange`). findGroups.ts
 * explains groups. In `<ul><li>One</li><li>Two</li></ul>`, exchanging the members 0 and 1 of the
 * group gives `<ul><li>Two</li><li>One</li></ul>`.
 * @returns the new source, and the numbers of its elements, so that every element keeps the id by
 *   which the task knows it
 * @throws INVALID_INPUT for an unknown group or index
 */
export function changeGroup(page: HtmlPage, change: GroupChange): EditedPageSource {
  if (change.kind === 'members') {
    const reorderedPage = reorderMembers(page, change.group, change);
    return {
      source: reorderedPage.bom + reorderedPage.source,
      elementNumbers: renumberElements(reorderedPage),
    };
  }
  const [range, otherRange] = memberRanges(page, change.group, change.memberIndexes);
  return exchangeRanges(page, range!, otherRange!);
}

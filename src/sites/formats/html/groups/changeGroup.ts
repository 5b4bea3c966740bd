import type { EditedPageSource } from '../../changes.ts';
import type { GroupChange } from '../../format.ts';
import { exchangeRanges } from '../changes/recompose.ts';
import { renumberElements, type HtmlPage } from '../openHtmlPage.ts';
import { memberRanges, reorderMembers } from './usableGroups.ts';

/**
 * Gives a group other members (`members`), or swaps two of its members (`exchange`).
 * @returns the new source and the numbers of its elements
 * @throws INVALID_INPUT for an unknown group or index
 */
export function changeGroup(page: HtmlPage, change: GroupChange): EditedPageSource {
  if (change.kind === 'members') {
    const reorderedPage = reorderMembers(page, change.group, change);
    return {
      source: reorderedPage.bom + reorderedPage.source,
      numbers: renumberElements(reorderedPage),
    };
  }
  const [range, otherRange] = memberRanges(page, change.group, change.members);
  return exchangeRanges(page, range!, otherRange!);
}

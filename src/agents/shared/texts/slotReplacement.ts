import type { SlotTexts } from '../../../sites/formats/pageParts.ts';

/**
 * The result of a replacement in a page's slots: the new texts, and how often the old text was
 * replaced (`count`), is there in another letter case, and is there inside of addresses. The last
 * two are not replaced.
 */
export interface SlotReplacement {
  texts: SlotTexts;
  count: number;
  otherCase: number;
  inAddresses: number;
}

export const createEmptyReplacement = (): SlotReplacement => ({
  texts: {},
  count: 0,
  otherCase: 0,
  inAddresses: 0,
});

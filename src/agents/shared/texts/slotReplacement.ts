import type { SlotTexts } from '../../../sites/formats/pageParts.ts';

/**
 * The result of a replacement in a page's slots: the new texts, how often the old text was
 * replaced, and how often it was not, since it is in another case or inside an address.
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

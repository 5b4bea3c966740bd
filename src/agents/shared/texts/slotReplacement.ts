import type { SlotTexts } from '../../../sites/formats/pageParts.ts';

/** The result of a replacement in a page's slots. */
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

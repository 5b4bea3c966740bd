import type { SlotTexts } from '../../sites/formats/page.ts';

/** The result of a replacement in a page's slots. */
export interface Replacement {
  texts: SlotTexts;
  /** What the writer should know of the new texts. */
  remarks: string[];
  count: number;
  otherCase: number;
  inAddresses: number;
  /**
   * Notations of the telephone number that were not replaced: with the country code, or without.
   */
  otherNumbers: string[];
  /** The replaced sum, as structured data states it. */
  bareAmounts: string[];
}

export const nothingReplaced = (): Replacement => ({
  texts: {},
  remarks: [],
  count: 0,
  otherCase: 0,
  inAddresses: 0,
  otherNumbers: [],
  bareAmounts: [],
});

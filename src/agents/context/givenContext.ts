import { countryOfNumber } from '../../text/dialling.ts';
import type { Slot } from '../../sites/formats/page.ts';
import { plainText } from '../text/marks.ts';
import type { ContextData } from './contextData.ts';
import { judged } from './judgeContext.ts';
import { readContext } from './readContext.ts';
import { countryCode } from '../facts/countries.ts';
import { factsOf } from '../facts/findFacts.ts';
import { addressKeys, fieldNamed } from './contextKeys.ts';

/**
 * Reads an item's context, and drops values that would be junk on a page.
 * @param slots the template's. They tell the country of telephone numbers if the context does not.
 */
export function givenContext(context: string, slug: string, slots: readonly Slot[]): ContextData {
  const read = readContext(context, slug);
  const named = fieldNamed(read, addressKeys.country)?.values[0];
  return judged(read, (named === undefined ? null : countryCode(named)) ?? countryOf(slots));
}

/** The country of the template's address or telephone number. */
function countryOf(slots: readonly Slot[]): string | undefined {
  for (const { jsonPath = '', text } of slots)
    if (/(?:^|\.)addressCountry(?:\.name)?$/.test(jsonPath))
      return countryCode(plainText(text)) ?? undefined;
  for (const slot of slots)
    for (const { kind, text } of factsOf(slot)) {
      const country = kind === 'telephone' ? countryOfNumber(text) : undefined;
      if (country !== undefined) return country;
    }
  return undefined;
}

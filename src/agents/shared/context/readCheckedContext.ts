import { countryOfNumber } from '../../../text/dialling.ts';
import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { plainText } from '../text/parseMarks.ts';
import type { ContextData } from './contextData.ts';
import { checkContextValues } from './checkContextValues.ts';
import { readContext } from './readContext.ts';
import { countryCode } from '../facts/countries.ts';
import { findSlotFacts } from '../facts/findFacts.ts';
import { addressKeys, findField } from './contextKeys.ts';

/**
 * Reads an item's context, and leaves out values that would be junk on a page.
 * @param slug the new page's
 * @param slots the template's. They tell the country of telephone numbers if the context does not.
 */
export function readCheckedContext(
  context: string,
  slug: string,
  slots: readonly TextSlot[],
): ContextData {
  const contextData = readContext(context, slug);
  const namedCountry = findField(contextData, addressKeys.country)?.values[0];
  return checkContextValues(
    contextData,
    (namedCountry === undefined ? null : countryCode(namedCountry)) ?? findTemplateCountry(slots),
  );
}

/** The country of the template's address or telephone number. */
function findTemplateCountry(slots: readonly TextSlot[]): string | undefined {
  for (const { jsonPath = '', text } of slots)
    if (/(?:^|\.)addressCountry(?:\.name)?$/.test(jsonPath))
      return countryCode(plainText(text)) ?? undefined;
  for (const slot of slots)
    for (const { kind, text } of findSlotFacts(slot)) {
      const country = kind === 'telephone' ? countryOfNumber(text) : undefined;
      if (country !== undefined) return country;
    }
  return undefined;
}

import { limits, type PageItem } from '../../../contract/task.ts';
import { isLonger } from '../../../contract/text/summaries.ts';
import { DomainError } from '../../../errors.ts';
import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { countryOfNumber } from '../../../text/dialling.ts';
import type { TemplatePage } from '../agentTypes.ts';
import { checkContextValues } from '../context/checkContextValues.ts';
import type { ContextData } from '../context/contextData.ts';
import { addressKeys, findField } from '../context/contextKeys.ts';
import { readContext } from '../context/readContext.ts';
import { countryCode } from '../facts/countries.ts';
import { findSlotFacts } from '../facts/findFacts.ts';
import { plainText } from '../text/parseMarks.ts';
import { findPageTopics, type PageTopics } from './pageTopics.ts';

/** The template and context that a page is written from. */
export interface PageInput {
  template: TemplatePage;
  item: PageItem;
  /** The template's slots that are not locked. */
  templateSlots: TextSlot[];
  context: ContextData;
  topics: PageTopics | null;
  /** Ids of slots with quotes or the names of quoted persons. */
  quotedIds: ReadonlySet<string>;
}

/**
 * Reads an item's context, and finds out what both pages are about.
 * @throws DomainError LIMIT_EXCEEDED if the context is too long
 */
export function readPageInput(template: TemplatePage, item: PageItem): PageInput {
  if (isLonger(item.context, limits.contextLength))
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The context is longer than ${limits.contextLength} characters`,
    );
  const templateSlots = template.slots.filter(({ locked }) => !locked);
  const context = readCheckedContext(item.context, item.targetPageSlug, templateSlots);
  const topics = findPageTopics({ ...template, slots: templateSlots }, item, context);
  const quotedIds = new Set(
    (template.claims ?? []).flatMap(({ kind, slots }) => (kind === 'quote' ? slots : [])),
  );
  return { template, item, templateSlots, context, topics, quotedIds };
}

/**
 * Reads an item's context, and leaves out values that would be junk on a page.
 * @param slug the new page's
 * @param slots the template's. They tell the country of telephone numbers if the context does not.
 */
function readCheckedContext(
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

import { limits, type PageItem } from '../../../contract/task.ts';
import { isLonger } from '../../../contract/text/summaries.ts';
import { DomainError } from '../../../errors.ts';
import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import type { TemplatePage } from '../agentTypes.ts';
import type { ContextData } from '../context/contextData.ts';
import { readCheckedContext } from '../context/readCheckedContext.ts';
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

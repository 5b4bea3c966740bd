import { limits, type PageItem } from '../../contract/task.ts';
import { isLonger } from '../../contract/text.ts';
import { DomainError } from '../../errors.ts';
import type { Slot } from '../../sites/formats/page.ts';
import type { TemplatePage } from '../agent.ts';
import type { ContextData } from '../context/contextData.ts';
import { givenContext } from '../context/givenContext.ts';
import { plainText } from '../text/marks.ts';
import { tellsHistory } from './history.ts';
import { findSubject, isNaming, type Subject } from './subject.ts';

/** The template and context that a page is written from. */
export interface PageInput {
  template: TemplatePage;
  item: PageItem;
  /** The template's slots that are not locked. */
  own: Slot[];
  context: ContextData;
  subject: Subject | null;
  /** Ids of slots with quotes or the names of quoted persons. */
  quoted: ReadonlySet<string>;
}

/** Reads an item's context. @throws DomainError LIMIT_EXCEEDED if it is too long */
export function readPageInput(template: TemplatePage, item: PageItem): PageInput {
  if (isLonger(item.context, limits.contextLength))
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The context is over ${limits.contextLength} characters long`,
    );
  const unlocked = template.slots.filter(({ locked }) => !locked);
  const context = givenContext(item.context, item.targetPageSlug, unlocked);
  const subject = findSubject({ ...template, slots: unlocked }, item, context);
  const own = unlocked.map((slot): Slot =>
    subject && !isNaming(slot) && tellsHistory(plainText(slot.text), subject.old)
      ? { ...slot, shared: 'text' }
      : slot,
  );
  const quoted = new Set(
    (template.claims ?? []).flatMap(({ kind, slots }) => (kind === 'quote' ? slots : [])),
  );
  return { template, item, own, context, subject, quoted };
}

import type { PageItem } from '../../contract/task.ts';
import type { Slot } from '../../sites/formats/page.ts';
import type { TemplatePage } from '../agent.ts';
import { findWords } from '../text/words.ts';
import type { ContextData } from '../context/data.ts';
import { givenContext } from '../context/givenContext.ts';
import { findSubject, type Subject } from './subject.ts';

/** What a model was asked to write. */
export interface Asked {
  template: TemplatePage;
  item: PageItem;
  /** The template's slots that are not locked. */
  own: Slot[];
  context: ContextData;
  subject: Subject | null;
  /** Whether no text may name the template's subject: the context does not. */
  isBanned: boolean;
  /** Ids of slots that somebody says, or that name who. */
  quoted: ReadonlySet<string>;
}

/** Reads what a model is asked for. */
export function readAsked(template: TemplatePage, item: PageItem): Asked {
  const own = template.slots.filter(({ locked }) => !locked);
  const context = givenContext(item.context, item.targetPageSlug, own);
  const subject = findSubject({ ...template, slots: own }, item, context);
  const isBanned =
    subject !== null && findWords(item.context, subject.old, { anyCase: true }).length === 0;
  const quoted = new Set(
    (template.claims ?? []).flatMap(({ kind, slots }) => (kind === 'quote' ? slots : [])),
  );
  return { template, item, own, context, subject, isBanned, quoted };
}

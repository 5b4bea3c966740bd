import { writePage } from '../../page/writePage.ts';
import type { Step } from '../planSteps.ts';
import { ask, type Work } from './askSite.ts';

/** A new page for another subject, as `generate_pages` writes it. */
export function* generatePage({
  slug,
  template,
  subject,
}: Extract<Step, { kind: 'generate' }>): Work {
  const reading = yield* ask({ name: 'read_template', arguments: { slug: template } });
  const item = { targetPageSlug: slug, context: JSON.stringify({ topic: subject }) };
  const { texts, notes } = writePage(reading, item);
  return [{ name: 'create_page', arguments: { template, slug, texts, notes } }];
}

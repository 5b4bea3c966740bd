import { writePage } from '../../page/writePage.ts';
import type { StepOf } from '../planSteps.ts';
import { ask, call, type Work } from './askSite.ts';

/** Creates a page for another subject, in the same way as `generate_pages`. */
export function* generatePage({ path: slug, template, subject }: StepOf<'generate'>): Work {
  const reading = yield* ask(call('read_template', { slug: template }));
  const item = {
    targetPageSlug: slug,
    context: JSON.stringify({ location: subject, topic: subject }),
  };
  const { texts, notes } = writePage(reading, item);
  return [call('create_page', { template, slug, texts, notes })];
}

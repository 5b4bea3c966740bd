import { writeRulesPage } from '../../page/writeRulesPage.ts';
import type { PromptStepOf } from '../promptSteps.ts';
import { querySite, createSiteCall, type StepWork } from './siteQueries.ts';

/** Creates a page about `subject` from a template, as a `generate_pages` task would. */
export function* createGeneratePageEdits({
  path: slug,
  template,
  subject,
}: PromptStepOf<'generate'>): StepWork {
  const templatePage = yield* querySite(createSiteCall('read_template', { slug: template }));
  const item = {
    targetPageSlug: slug,
    context: JSON.stringify({ location: subject, topic: subject }),
  };
  const { texts, notes } = writeRulesPage(templatePage, item);
  return [createSiteCall('create_page', { template, slug, texts, notes })];
}

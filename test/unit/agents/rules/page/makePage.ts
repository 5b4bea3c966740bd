import { writeRulesPage } from '../../../../../src/agents/rules/page/writeRulesPage.ts';
import { type Note, noteValues } from '../../../../../src/contract/task.ts';
import type { PageSource } from '../../../../../src/sites/formats/format.ts';
import { formatAt, pagePaths } from '../../../../../src/sites/formats/paths.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';

interface PageRequest {
  context: string;
  facts?: 'keep' | 'drop';
  slug?: string;
  siblings?: PageSource[];
  sitePaths?: string[];
}

/**
 * The page that a context makes of a template, as a task makes it, with its notes and the faults
 * that the checks find.
 */
export function makePage(
  template: PageSource,
  { slug = '/locations/ottawa', siblings = [], ...asked }: PageRequest,
) {
  const { slots, digest, ...content } = pageCalls.readTemplate(template, siblings);
  const unlocked = slots.filter(({ locked }) => !locked);
  const written = writeRulesPage(
    { ...content, slots: unlocked },
    { ...asked, targetPageSlug: slug },
  );
  const { texts, groups = {}, removed = [], country, contacts } = written;
  const isMarkdown = formatAt(template.path) === 'markdown';
  const path = isMarkdown ? pagePaths.pathOf(slug, template.path) : `${slug.slice(1)}.html`;
  const sitePaths = [template.path, ...(asked.sitePaths ?? [])];
  const html = pageCalls.create({
    template,
    target: { slug, path },
    texts,
    groups,
    removed,
    ...(country !== undefined && { country }),
    ...(contacts && { contacts }),
    sitePaths,
    digest,
    siblings,
  });
  const check = {
    path,
    before: template,
    after: html,
    sitePaths: [...sitePaths, path],
    removed,
    mayAddLinks: false,
  };
  const { violations: faults, staleDetails: beside } = pageCalls.check(check);
  return {
    html,
    written,
    notes: written.notes.map(({ text, ...note }) => ({
      ...note,
      text: text.slice(slug.length + 2),
    })),
    faults,
    beside: beside.map(({ noteText }) => noteText),
  };
}

/** A page of a place with some content, and its structured data. */
export const pageWith = (content: string, data?: object): PageSource => ({
  path: 'locations/austin.html',
  source: `<!doctype html><html lang="en"><head><title>Web design in Austin</title>${data ? `<script type="application/ld+json">${JSON.stringify(data)}</script>` : ''}</head><body><main><h1>Web design in Austin</h1>${content}</main></body></html>`,
});

/** Notes in short: `quote: the text that it is about`. */
export const inShort = (notes: Pick<Note, 'kind' | 'value' | 'values'>[]) =>
  notes.map(({ kind, ...note }) => `${kind}: ${noteValues(note).join('; ')}`);

import { expect } from 'chai';
import { createTemplatePage } from '../../../../../src/agents/shared/agentTypes.ts';
import { writeRulesPage } from '../../../../../src/agents/rules/page/writeRulesPage.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';

const page = (path: string, h1: string) => ({
  path,
  source: `<!doctype html><title>${path}</title><h1>${h1}</h1><main><h2>Hello</h2><p>Text of ${path}.</p></main>`,
});

/** The kinds of the notes on a new page that keeps its template's headline. */
function notesWith(template: string, ...others: string[]) {
  const siblings = others.map((h1, i) => page(`b${i}.html`, h1));
  const content = pageCalls.readTemplate(page('a.html', template), siblings);
  const item = { targetPageSlug: '/c', context: 'Title: C | Acme' };
  return writeRulesPage(createTemplatePage(content), item).notes.map(({ kind }) => kind);
}

describe('the note on the headline of a template', () => {
  it('is omitted if every page has the same headline', () => {
    expect(notesWith('Acme', 'Acme', 'Acme')).not.to.include('template');
    expect(notesWith('Acme', 'Acme')).not.to.include('template');
  });

  it('is kept if another page has another headline, and if there is no other page', () => {
    expect(notesWith('Acme', 'Acme', 'Prices')).to.include('template');
    expect(notesWith('Acme')).to.include('template');
  });
});

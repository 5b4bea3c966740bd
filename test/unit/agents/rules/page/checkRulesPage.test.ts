import { expect } from 'chai';
import { checkRulesPage } from '../../../../../src/agents/rules/page/checkRulesPage.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';
import { pageWith } from './makePage.ts';

describe('checkRulesPage(template, item)', () => {
  it('lists what stays in reading order, headings first', () => {
    const paragraphs = Array.from({ length: 210 }, (_, i) => `<p>A text number ${i}</p>`);
    const content = `${paragraphs.join('')}<h2>The last heading</h2>`;
    const template = pageCalls.readTemplate(pageWith(content), []);
    const item = { targetPageSlug: '/ottawa', context: 'Headline: Hello\nCity: Ottawa' };
    const { carriedOver } = checkRulesPage(template, item);
    expect(carriedOver).to.have.length(200);
    expect(carriedOver[0]).to.include({ label: 'heading', text: 'The last heading' });
    expect(carriedOver[1]).to.include({ label: 'paragraph' });
    const short = pageCalls.readTemplate(pageWith('<p>One text</p><h2>A heading</h2>'), []);
    const labels = checkRulesPage(short, item).carriedOver.map(({ label }) => label);
    expect(labels.indexOf('heading')).to.equal(0);
  });
});

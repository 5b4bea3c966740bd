import { resolve } from 'node:path';
import { expect } from 'chai';
import { createTemplatePage } from '../../../../../src/agents/shared/agentTypes.ts';
import { placeContextValues } from '../../../../../src/agents/rules/page/placeContextValues.ts';
import { readSiteTemplate } from '../../../../../src/sites/pages/templates.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { folderTree } from '../../memoryTree.ts';

const demo = folderTree(resolve(import.meta.dirname, '../../../../../src/demo/site'));

/** Gives columns of a context a place on Austin's page. */
async function placeOnAustin(context: string, places: Record<string, string>) {
  const template = await readSiteTemplate(demo, pages, 'locations/austin.html');
  const page = createTemplatePage(template);
  const { content, sentences } = placeContextValues({ page, context, places });
  return { texts: Object.values(content.texts), content, sentences };
}

describe('placeContextValues', () => {
  it('changes only the place that a person chose for a column', async () => {
    const context = 'City: Lisbon\nCustomer rating: 4.6\nSince: 2014';
    const { texts, sentences } = await placeOnAustin(context, { 'customer rating': 'Rating' });
    expect(texts).to.deep.equal(['4.6', 'Rated 4.6 out of 5 by 86 clients']);
    expect(sentences).to.deep.equal([]);
  });

  it('takes the part of a value that belongs to the place', async () => {
    const context = 'City: Lisbon\nCustomer rating: 4.6 (20)';
    const { texts, sentences } = await placeOnAustin(context, { 'customer rating': 'Rating' });
    expect(texts).to.deep.equal(['4.6', 'Rated 4.6 out of 5 by 86 clients']);
    expect(sentences).to.deep.equal([]);
  });

  it('writes several columns at once, also telephone numbers with their links', async () => {
    const context = 'City: Lisbon\nOffice line: +351 21 555 0100\nTeaser: Hello. You.';
    const places = { 'office line': 'Phone', teaser: 'Lead' };
    const { texts, content } = await placeOnAustin(context, places);
    expect(texts).to.include.members(['+351 21 555 0100', 'Hello. You.']);
    expect(content.contacts).to.deep.equal({ telephone: '+351 21 555 0100' });
  });

  for (const [context, place] of [
    ['Since: 2014', 'Date'],
    ['Since: ask at the desk', 'Phone'],
  ] as const)
    it(`changes nothing if the page has no place for ${context} as ${place}`, async () => {
      const both = `${context}\nTeaser: Hello. You.`;
      const { texts, sentences } = await placeOnAustin(both, { since: place, teaser: 'Lead' });
      expect(texts).to.deep.equal([]);
      expect(sentences).to.have.lengthOf(1);
      expect(sentences[0]).to.include(context.split(': ')[1]);
    });

  it('changes nothing for columns that the context lacks', async () => {
    const { texts, sentences } = await placeOnAustin('City: Lisbon', { constructor: 'Rating' });
    expect(texts).to.deep.equal([]);
    expect(sentences).to.deep.equal([
      '/locations/austin: the context of the page has no values with these keys',
    ]);
  });
});

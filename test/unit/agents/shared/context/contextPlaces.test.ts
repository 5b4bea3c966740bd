import { resolve } from 'node:path';
import { expect } from 'chai';
import { contextPlaces } from '../../../../../src/contract/contextPlaces.ts';
import { findValueKind } from '../../../../../src/agents/shared/context/valueKinds.ts';
import { foldWords } from '../../../../../src/agents/shared/text/foldText.ts';
import { writeRulesPage } from '../../../../../src/agents/rules/page/writeRulesPage.ts';
import { readSiteTemplate } from '../../../../../src/sites/pages/templates.ts';
import { folderTree } from '../../memoryTree.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';

const demo = folderTree(resolve(import.meta.dirname, '../../../../../src/demo/site'));

/** The notes and the texts of a page like Austin's, which a context with these lines gets. */
async function write(lines: Record<string, string>) {
  const { slots } = await readSiteTemplate(demo, pages, 'locations/austin.html');
  const context = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
  const { texts, notes } = writeRulesPage(
    { slug: '/locations/austin', slots },
    { targetPageSlug: '/locations/lisbon', context: context.join('\n') },
  );
  return { texts: Object.values(texts).join('\n'), notes };
}

describe('the places that people choose for columns', () => {
  for (const place of contextPlaces)
    it(`${place} is one that the agents know`, () => {
      expect(findValueKind(foldWords(place)).kind).to.not.equal('text');
    });

  it('put ratings, reviews and contacts where the template has its own', async () => {
    const values = {
      Rating: '4.6',
      Reviews: '312',
      Phone: '+351 21 555 0100',
      'E-mail': 'lisbon@northwind.example',
      Address: 'Rua Augusta 1, 1100-053 Lisboa',
    };
    const { texts, notes } = await write({ City: 'Lisbon', ...values });
    for (const value of Object.values(values)) expect(texts).to.include(value.split(',')[0]);
    expect(notes.filter(({ kind }) => kind === 'unused')).to.deep.equal([]);
  });

  it('are needed by a column whose own name says nothing to the agents', async () => {
    const { texts, notes } = await write({ City: 'Lisbon', 'Customer rating': '4.6' });
    expect(texts).to.not.include('4.6');
    expect(notes.find(({ kind }) => kind === 'unused')?.text).to.include('"4.6" (customer rating)');
  });
});

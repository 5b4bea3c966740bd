import { expect } from 'chai';
import type { PagesPool } from '../../../../../src/sites/pages/pages.ts';
import { createPagesPool } from '../../../../../src/sites/pages/pagesPool.ts';
import { cases } from '../../../../eval/cases.ts';
import { tryWording } from '../../../../eval/tryWording.ts';

describe('what people ask for', function () {
  this.timeout(120_000);
  let pages: PagesPool;
  before(() => void (pages = createPagesPool()));
  after(() => pages.close());

  for (const [i, one] of cases.entries())
    it(`changes what is asked for, and no other byte, in ${one.wordings.length} wordings: ${one.row} on ${one.site} (${i + 1})`, async () => {
      for (const wording of one.wordings)
        expect(await tryWording(pages, one, wording), wording).to.deep.equal({ is: 'understood' });
    });
});

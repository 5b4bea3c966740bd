import { expect } from 'chai';
import { cases } from '../../../../eval/cases.ts';
import { tryWording } from '../../../../eval/tryWording.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';

describe('what people ask for', function () {
  this.timeout(120_000);

  for (const [i, one] of cases.entries())
    it(`changes what is asked for, and no other byte, in ${one.wordings.length} wordings: ${one.row} on ${one.site} (${i + 1})`, async () => {
      for (const wording of one.wordings)
        expect(await tryWording(pages, one, wording), wording).to.deep.equal({ is: 'understood' });
    });
});

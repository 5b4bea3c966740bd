import { expect } from 'chai';
import { cases } from '../../../../eval/cases.ts';
import { tryWording } from '../../../../eval/tryWording.ts';
import { casesIn } from '../../../../helpers/cases.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';

describe('what people ask for', function () {
  this.timeout(120_000);

  for (const [i, one] of cases.entries()) {
    // the first of each case, and a few others: `npm run eval -- --agent rules` tries all of them too
    const wordings = casesIn(one.wordings);
    it(`changes what is asked for, and no other byte, in ${wordings.length} of ${one.wordings.length} wordings: ${one.row} on ${one.site} (${i + 1})`, async () => {
      for (const wording of wordings)
        expect(await tryWording(pages, one, wording), wording).to.deep.equal({ is: 'understood' });
    });
  }
});

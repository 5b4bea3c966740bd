import { parseArgs } from 'node:util';
import { createPagesPool } from '../../src/sites/pages/pagesPool.ts';
import { cases } from './cases.ts';
import { tryWording } from './tryWording.ts';

/** `npm run eval -- --agent rules`: every wording of every row, on the sites: understood, refused, or wrong. */
const { values } = parseArgs({ options: { agent: { type: 'string', default: 'rules' }, row: { type: 'string' } } });
if (values.agent !== 'rules') throw new Error(`There is no agent "${values.agent}"; there is: rules`);

const pages = createPagesPool();
const counts = { understood: 0, refused: 0, wrong: 0 };
for (const one of cases.filter(({ row }) => values.row === undefined || row === values.row)) {
  const own = { understood: 0, refused: 0, wrong: 0 };
  for (const wording of one.wordings) {
    const verdict = await tryWording(pages, one, wording);
    counts[verdict.is]++;
    own[verdict.is]++;
    if (verdict.is !== 'understood') console.log(`  ${verdict.is}: ${wording}\n    ${verdict.why}`);
  }
  console.log(`${one.row} on ${one.site}: ${JSON.stringify(own)}`);
}
console.log(`\nunderstood ${counts.understood}, refused ${counts.refused}, wrong ${counts.wrong}`);
await pages.close();
process.exitCode = counts.refused + counts.wrong === 0 ? 0 : 1;

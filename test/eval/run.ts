import { parseArgs } from 'node:util';
import type { Agent } from '../../src/agents/port.ts';
import { createAgents } from '../../src/agents/agents.ts';
import { createRulesAgent } from '../../src/agents/rules/agent.ts';
import { readConfig } from '../../src/config.ts';
import type { Pages } from '../../src/sites/pages/pages.ts';
import { createThreads } from '../../src/threads/threads.ts';
import { createPagesPool } from '../../src/sites/pages/pages.ts';
import { cases } from './cases.ts';
import { complaintsOf, heading, keep, type Prices, rowOf } from './quality/report.ts';
import { type Result, runAll, runEdits, wordFor } from './quality/run.ts';
import { scriptOf } from './quality/goodModel.ts';
import { kinds } from './quality/kinds.ts';
import { openScripted } from './quality/scripted.ts';
import { tryWording } from './tryWording.ts';

/**
 * `npm run eval -- --agent <model|rules|scripted>`: prompts and batches of pages with outcomes that
 * code decides. `scripted` is a good model without a provider, on the prompts whose turns are
 * written down. `--only NAME` runs some of them, `--report FOLDER` keeps diffs and pictures, `--prices
 * 3,0.3,15` adds what a million tokens cost. With the rules, every wording of every row of their
 * table is agent too: understood, refused, or wrong.
 */
const { values } = parseArgs({
  options: {
    agent: { type: 'string', default: 'rules' },
    row: { type: 'string' },
    only: { type: 'string', default: '' },
    report: { type: 'string' },
    prices: { type: 'string' },
  },
});

const pages = createPagesPool();
const threads = createThreads();
const rules = createRulesAgent(threads);
try {
  const isRules = values.agent === 'rules';
  if (isRules && values.only === '') process.exitCode = await tryWordings(pages, values.row);
  if (values.agent === 'scripted') await measureScripted();
  else if (values.row === undefined)
    await measure(runAll(isRules ? rules : await modelOf(values.agent), pages, values.only));
} finally {
  await Promise.all([pages.close(), threads.close()]);
}

/** The scripted good model, on the prompts that it knows. */
async function measureScripted(): Promise<void> {
  const { agent, close } = await openScripted(scriptOf(kinds), threads);
  try {
    await measure(
      runEdits(
        agent,
        pages,
        kinds.filter(({ name }) => name.includes(values.only)),
      ),
    );
  } finally {
    await close();
  }
}

/** A language model with the settings of the service. */
async function modelOf(name: string): Promise<Agent> {
  const { keys, baseUrl } = readConfig(process.env).agent;
  return (await createAgents({ models: [name], keys, baseUrl }, { rules, threads })).of(name);
}

async function measure(all: AsyncGenerator<Result>): Promise<void> {
  const prices = values.prices?.split(',').map(Number) as Prices | undefined;
  const results: Result[] = [];
  console.log(`\n${heading}`);
  for await (const result of all) {
    results.push(result);
    console.log(rowOf(result, prices));
  }
  for (const result of results)
    for (const complaint of complaintsOf(result)) console.log(`${result.name}: ${complaint}`);
  const count = (word: string) => results.filter((result) => wordFor(result) === word).length;
  console.log(`\nright ${count('right')}, refused ${count('refused')}, wrong ${count('wrong')}`);
  if (values.report !== undefined) await keep(values.report, results);
}

async function tryWordings(pages: Pages, row: string | undefined): Promise<number> {
  const counts = { understood: 0, refused: 0, wrong: 0 };
  for (const one of cases.filter((one) => row === undefined || one.row === row)) {
    const own = { understood: 0, refused: 0, wrong: 0 };
    for (const wording of one.wordings) {
      const verdict = await tryWording(pages, one, wording);
      counts[verdict.is]++;
      own[verdict.is]++;
      if (verdict.is !== 'understood')
        console.log(`  ${verdict.is}: ${wording}\n    ${verdict.why}`);
    }
    console.log(`${one.row} on ${one.site}: ${JSON.stringify(own)}`);
  }
  console.log(
    `\nunderstood ${counts.understood}, refused ${counts.refused}, wrong ${counts.wrong}`,
  );
  return counts.refused + counts.wrong === 0 ? 0 : 1;
}

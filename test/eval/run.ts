import { parseArgs } from 'node:util';
import type { LanguageModel } from '../../src/agents/agentPorts.ts';
import { createAgents } from '../../src/agents/createAgents.ts';
import { createRulesAgent } from '../../src/agents/rules/rulesAgent.ts';
import { readConfig } from '../../src/config.ts';
import { createThreadPool } from '../../src/threads/threadPool.ts';
import { createPagesPool } from '../../src/sites/pages/pages.ts';
import { complaintsOf, heading, keep, type Prices, rowOf } from './quality/report.ts';
import { type Result, runEdits, wordFor } from './quality/run.ts';
import { scriptOf } from './quality/goodModel.ts';
import { kinds } from './quality/kinds.ts';
import { openScripted } from './quality/scripted.ts';

/**
 * `npm run eval -- --agent <model|scripted>`: prompts with outcomes that code decides. `scripted`
 * is a good model without a provider. `--only NAME` runs some of them, `--report FOLDER` keeps what
 * they changed, `--prices 3,0.3,15` adds what a million tokens cost.
 */
const { values } = parseArgs({
  options: {
    agent: { type: 'string', default: 'scripted' },
    only: { type: 'string', default: '' },
    report: { type: 'string' },
    prices: { type: 'string' },
  },
});

const pages = createPagesPool();
const threads = createThreadPool();
try {
  const { agent, close } = await openAgent(values.agent);
  try {
    await measure(agent);
  } finally {
    await close?.();
  }
} finally {
  await Promise.all([pages.close(), threads.close()]);
}

/** The scripted model, or a language model with the settings of the service. */
async function openAgent(
  name: string,
): Promise<{ agent: LanguageModel; close?: () => Promise<unknown> }> {
  if (name === 'scripted') return openScripted(scriptOf(kinds), threads);
  const { keys, baseUrl } = readConfig(process.env).agent;
  const rules = createRulesAgent(threads);
  const agents = await createAgents({ models: [name], keys, baseUrl }, { rules, threads });
  return { agent: agents.of(name) as LanguageModel };
}

async function measure(agent: LanguageModel): Promise<void> {
  const prices = values.prices?.split(',').map(Number) as Prices | undefined;
  const results: Result[] = [];
  console.log(heading);
  const some = kinds.filter(({ name }) => name.includes(values.only));
  for await (const result of runEdits(agent, pages, some)) {
    results.push(result);
    console.log(rowOf(result, prices));
  }
  for (const result of results)
    for (const complaint of complaintsOf(result)) console.log(`${result.name}: ${complaint}`);
  const count = (word: string) => results.filter((result) => wordFor(result) === word).length;
  console.log(`\nright ${count('right')}, refused ${count('refused')}, wrong ${count('wrong')}`);
  if (values.report !== undefined) keep(values.report, results);
}

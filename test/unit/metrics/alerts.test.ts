import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { TaskProgress } from '../../../src/contract/responses/tasks.ts';
import { activityQueues, failureKinds } from '../../../src/contract/task.ts';
import { errorCodes } from '../../../src/errors.ts';
import { createMetrics } from '../../../src/metrics/registry.ts';
import { read } from '../../helpers/documents.ts';
import { readAlertGroups, readDashboard } from '../../helpers/prometheus.ts';

const { groups } = readAlertGroups();
const rules = groups.flatMap((group) => group.rules);
const { panels, templating } = readDashboard();
const queries = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ name: title, expr })),
);
/** Of the alerts, and of the dashboard's panels. */
const expressions = [...rules.map(({ alert, expr }) => ({ name: alert, expr })), ...queries];

/** Names in an expression that are neither functions, keywords, labels nor in quotes. */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\b(?:by|without) \([^)]*\)/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ');
  return [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !/^(and|or|by)$/.test(name));
}
/** The values that a rule names for a label. */
const valuesOf = (label: string) =>
  expressions.flatMap(({ expr }) =>
    [...expr.matchAll(new RegExp(`\\b${label}!?=~?"([^"]*)"`, 'g'))].flatMap(([, values]) =>
      values!.split('|'),
    ),
  );

describe('the alerts and the dashboard', () => {
  const metrics = createMetrics({ dataDir: '.' });
  after(() => metrics.close());

  it('has rules that Prometheus can read', () => {
    expect(groups.map(({ name }) => name)).to.deep.equal(['agent-tasks']);
    for (const rule of rules) {
      expect(rule.alert).to.match(/^AgentTasks[A-Z]\w+$/);
      expect(Object.keys(rule)).to.satisfy((keys: string[]) =>
        keys.every((key) => ['alert', 'expr', 'for', 'annotations'].includes(key)),
      );
      expect(rule.for ?? '1m').to.match(/^\d+[smh]$/);
      expect(rule.annotations.summary).to.be.a('string');
      for (const [open, close] of ['()', '{}', '[]'].map((pair) => [pair[0]!, pair[1]!] as const))
        expect(rule.expr.split(open).length, rule.expr).to.equal(rule.expr.split(close).length);
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).to.equal(rules.length);
  });

  it('names only served metrics and Prometheus’s own', async () => {
    const served = [...(await metrics.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(
      ([, name, type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    );
    for (const { name, expr } of expressions) expect(metricsIn(expr), name).to.not.be.empty;
    for (const name of expressions
      .flatMap(({ expr }) => metricsIn(expr))
      .filter((name) => !name.startsWith('temporal_')))
      expect([...served, 'up']).to.include(name);
  });

  it('names metrics of the SDK as the SDK does', () => {
    const bridge = createRequire(import.meta.url).resolve('@temporalio/core-bridge/package.json');
    const source = ['sdk-core/src', 'common/src']
      .map(
        (folder) => new URL(`sdk-core/crates/${folder}/telemetry/metrics.rs`, `file://${bridge}`),
      )
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const named = expressions
      .flatMap(({ expr }) => metricsIn(expr))
      .filter((name) => name.startsWith('temporal_'));
    expect(named).to.include('temporal_num_pollers');
    for (const name of named)
      expect(source).to.include(`"${name.replace(/^temporal_|_total$|_seconds_bucket$/g, '')}"`);
    for (const value of [...valuesOf('failure_reason'), ...valuesOf('poller_type')])
      expect(source).to.include(`"${value}"`);
  });

  it('has a runbook for each alert, in docs/operations.md', () => {
    const explained = [...read('docs/operations.md').matchAll(/^\| `(AgentTasks\w+)` \|/gm)];
    expect(explained.map(([, name]) => name)).to.deep.equal(rules.map(({ alert }) => alert));
  });

  it('has panels beside each other, for the job that a person chooses', () => {
    for (const { name, expr } of queries)
      for (const [selector] of expr.matchAll(/\{[^}]*\}/g))
        expect(selector, name).to.include('job="$job"');
    expect(templating.list.map(({ name }) => name)).to.deep.equal(['datasource', 'job']);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).to.equal(cells.length);
  });

  it('names only existing values of labels', () => {
    expect(['completed', ...failureKinds]).to.include.members(
      valuesOf('outcome').filter((value) => value !== 'accepted'),
    );
    const phases = (TaskProgress.properties.phase as unknown as { enum: string[] }).enum;
    expect(phases).to.include.members(valuesOf('phase'));
    expect([...Object.keys(errorCodes), 'OTHER']).to.include.members(valuesOf('code'));
    expect(Object.values(activityQueues)).to.include.members(valuesOf('queue'));
    expect(['queue', 'slot']).to.include.members(valuesOf('where'));
  });
});

import { globSync } from 'node:fs';
import { expect } from 'chai';
import { readBudgets } from '../../runner/budgets.ts';
import { cpuReport, summaryOf } from '../../runner/summary.ts';

const part = (name: string, cpu: number) => ({ name, cpu, seconds: 1, orphaned: 0 });

describe("the end of a test run's report", () => {
  const budgets = [
    { folder: 'test/unit', cpu: 10 },
    { folder: 'test/unit/sites', cpu: 5 },
  ];

  it('adds up CPU seconds in the innermost folder with a budget, and marks a folder that exceeds it', () => {
    const parts = [
      part('test/unit/config.test.ts', 2),
      part('test/unit/sites/a.test.ts', 3),
      part('test/unit/sites/deep/b.test.ts', 4),
      part('lint and types', 1.5),
    ];
    expect(cpuReport(parts, budgets).slice(1, 5)).to.deep.equal([
      '     7.0 s  test/unit/sites  (budget 5, EXCEEDED)',
      '     2.0 s  test/unit  (budget 10)',
      '     1.5 s  lint and types',
      '    10.5 s  in all',
    ]);
  });

  it('names the ten most expensive files, and adds processes without a file only to the folders', () => {
    const parts = Array.from({ length: 12 }, (_, n) => part(`test/unit/${n}.test.ts`, n));
    const report = cpuReport([...parts, part('the shared service', 99)], budgets);
    const files = report.slice(report.indexOf('The most expensive files:') + 1);
    expect(files.map((line) => line.trim().split('/').at(-1))).to.deep.equal(
      [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((n) => `${n}.test.ts`),
    );
  });

  it('ends with the counts of all runs in one line', () => {
    const run = { failures: [], parts: [] };
    const runs = [
      { ...run, passed: 3, failed: 0, skipped: 0 },
      { ...run, passed: 2, failed: 1, skipped: 0, failures: ['a.test.ts fails: oh'] },
    ];
    const lines = summaryOf(runs).split('\n');
    expect(lines.at(-1)).to.equal('5 passed, 1 failed, 0 skipped');
    expect(lines).to.include('  a.test.ts fails: oh');
  });
});

describe('the budgets of CONTRIBUTING.md', () => {
  const budgets = readBudgets();
  const budgetOf = (name: string) => budgets.find(({ folder }) => folder === name)?.cpu;

  it('has a row for every folder of tests', () => {
    const folders = globSync('test/*/**/*.test.ts').map((file) => file.split('/', 2).join('/'));
    expect(budgets.map(({ folder }) => folder)).to.include.members([...new Set(folders)]);
  });

  it('allow all parts of `npm test` together the CPU time of five minutes on two cores', () => {
    const apart = ['all of npm test', 'test/endurance', 'test/drills'];
    const parts = budgets.filter(({ folder }) => !apart.includes(folder));
    const sum = parts.reduce((total, { cpu }) => total + cpu, 0);
    expect(budgetOf('all of npm test')).to.equal(600);
    expect(sum).to.be.at.most(600);
  });
});

import { expect } from 'chai';
import { createRunUrl, runsUrl } from '../../../src/temporal/runUrl.ts';

describe('createRunUrl(uiUrl, namespace)', () => {
  for (const [uiUrl, base] of [
    ['http://127.0.0.1:8233', 'http://127.0.0.1:8233/'],
    ['https://temporal.example.com/', 'https://temporal.example.com/'],
    ['https://ops.example.com/temporal', 'https://ops.example.com/temporal/'],
    ['https://ops.example.com/temporal/', 'https://ops.example.com/temporal/'],
  ])
    it(`finds a run below ${uiUrl}`, () =>
      expect(createRunUrl(uiUrl, 'agent-tasks')('bg-1')).to.equal(
        `${base}namespaces/agent-tasks/workflows/bg-1`,
      ));

  it('escapes a namespace that is not a plain word', () =>
    expect(createRunUrl('http://ui', 'a/b ?#')('bg-1')).to.equal(
      'http://ui/namespaces/a%2Fb%20%3F%23/workflows/bg-1',
    ));

  it('returns nothing if there is no UI', () =>
    expect(createRunUrl(undefined, 'agent-tasks')('bg-1')).to.equal(null));
});

describe('runsUrl(uiUrl, namespace)', () => {
  for (const [uiUrl, namespace, expected] of [
    [
      'http://127.0.0.1:8233',
      'agent-tasks',
      'http://127.0.0.1:8233/namespaces/agent-tasks/workflows',
    ],
    [
      'https://ui.example/temporal',
      'a/b ?#',
      'https://ui.example/temporal/namespaces/a%2Fb%20%3F%23/workflows',
    ],
  ] as const)
    it(`is the list of ${namespace} at ${uiUrl}`, () =>
      expect(runsUrl(uiUrl, namespace)).to.equal(expected));
});

import { expect } from 'chai';
import { isSkippedDescription, webUrl } from '../../../src/forges/buildReports.ts';

/** What hosts write into the description of a green status. */
const skipped = [
  'Deploy Preview canceled.',
  'Deploy canceled.',
  'Canceled by Ignored Build Step',
  'Deployment was canceled.',
  'Cancelled',
  'Build skipped',
  'Skipped - not affected',
  'Ignored',
];
const built = [
  'Deploy Preview ready!',
  'Deployment has completed',
  'Deployed successfully',
  'Uncancelled orders are built',
  '',
  null,
  undefined,
];

describe('isSkippedDescription(description)', () => {
  for (const text of skipped)
    it(`treats "${text}" as a skipped build`, () =>
      expect(isSkippedDescription(text)).to.equal(true));
  for (const text of built)
    it(`treats ${JSON.stringify(text)} as a build`, () =>
      expect(isSkippedDescription(text)).to.equal(false));
});

describe('webUrl(url, base)', () => {
  for (const [url, expected] of [
    ['https://a.example/b', 'https://a.example/b'],
    ['/runs/1', 'https://forge.example/runs/1'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['', null],
    [null, null],
  ] as const)
    it(`reads ${JSON.stringify(url)}`, () =>
      expect(webUrl(url, 'https://forge.example/api/v1')).to.equal(expected));
});

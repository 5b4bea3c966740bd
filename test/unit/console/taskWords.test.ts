import { expect } from 'chai';
import {
  displayName,
  deploymentWords,
  stateWords,
} from '../../../src/console/browser/words/taskWords.ts';

describe("the console's words for what is live", () => {
  it('call a restored version by its local time, and others by their names', () => {
    const at = '2026-11-23T04:08:30.000Z';
    expect(displayName('x', at, 'UTC')).to.equal('Restored: version of Nov 23, 4:08');
    expect(displayName('x', at, 'Europe/Berlin')).to.equal('Restored: version of Nov 23, 5:08');
    expect(displayName('x', '2026-11-23T00:00:00.000Z', 'UTC')).to.equal(
      'Restored: version of Nov 23, 0:00',
    );
    expect(displayName('Ten cities', null)).to.equal('Ten cities');
  });

  for (const [pages, words] of [
    [{ created: 11, modified: 0, deleted: 1 }, '11 pages new, 1 page deleted'],
    [{ created: 0, modified: 1, deleted: 0 }, '1 page changed'],
    [{ created: 0, modified: 0, deleted: 0 }, 'No page changed'],
  ] as const)
    it(`say for a deployment: ${words}`, () => expect(deploymentWords(pages)).to.equal(words));

  for (const [task, words] of [
    [{ status: 'running', publication: null }, 'Running'],
    [{ status: 'running', publication: null, asks: true }, 'Has a question for you'],
    [{ status: 'failed', publication: null }, 'Failed'],
    [{ status: 'completed', publication: null, pages: 2 }, 'Ready to review'],
    [{ status: 'completed', publication: null }, 'Ready to review'],
    [{ status: 'completed', publication: null, pages: 0 }, 'Nothing to change'],
    [{ status: 'completed', publication: { state: 'live' } }, 'Live'],
    [{ status: 'completed', publication: { state: 'partly-live' } }, 'Partly live'],
    [{ status: 'completed', publication: { state: 'replaced' } }, 'Published, replaced since'],
    [
      { status: 'completed', publication: { state: 'live', isEdited: true } },
      'Edited since it went live',
    ],
    [{ status: 'completed', type: 'publish', publication: null, pages: 2 }, 'Not live'],
  ] as const)
    it(`say for a task: ${words}`, () => {
      expect(stateWords({ type: 'prompt', ...task })[1]).to.equal(words);
    });
});

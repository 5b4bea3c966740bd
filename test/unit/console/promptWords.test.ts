import { expect } from 'chai';
import { changedWords } from '../../../src/console/browser/words/promptWords.ts';

describe('the summary of a prompt', () => {
  for (const [created, modified, deleted, said] of [
    [[], [], [], 'This changes nothing.'],
    [[], ['/a'], [], 'This changes /a.'],
    [['/a', '/b'], ['/c'], ['/d'], 'This creates 2 pages: /a, /b; changes /c; deletes /d.'],
    [[], ['/a', '/b', '/c', '/d', '/e'], [], 'This changes 5 pages: /a, /b, /c and 2 more.'],
  ] as const)
    it(`says: ${said}`, () => {
      const changes = {
        pagesCreated: [...created],
        pagesModified: [...modified],
        pagesDeleted: [...deleted],
      };
      expect(changedWords(changes)).to.equal(said);
    });
});

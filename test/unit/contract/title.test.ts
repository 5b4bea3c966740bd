import { expect } from 'chai';
import { publishTitle, defaultTaskTitle } from '../../../src/contract/text/taskTitles.ts';
import type { TaskWork } from '../../../src/contract/task.ts';

const prompt = (prompt: string): TaskWork => ({ type: 'prompt', prompt });
const pages = (count: number, templatePageSlug = '/locations/austin'): TaskWork => ({
  type: 'generate_pages',
  templatePageSlug,
  items: Array.from({ length: count }, (_, i) => ({ targetPageSlug: `/p${i}`, context: 'x' })),
});

describe('defaultTaskTitle(work)', () => {
  for (const [work, title] of [
    [
      prompt('Change the headline of / to "Hello"\nThen more'),
      'Change the headline of / to "Hello"',
    ],
    [prompt('\n \u202E\n  Mend   the prices  \n'), 'Mend the prices'],
    [prompt('`*<>`'), 'Instructions'],
    [prompt('Use https://me:pw@example.com/ for it'), 'Use https://…@example.com/ for it'],
    [prompt('x '.repeat(10_000)), `${'x '.repeat(50).slice(0, 99)}…`],
    [pages(10), '10 pages from /locations/austin'],
    [pages(1), '1 page from /locations/austin'],
    [pages(2, `/${'a'.repeat(199)}`), `2 pages from /${'a'.repeat(185)}…`],
  ] as const)
    it(`is ${JSON.stringify(title.slice(0, 40))}`, () => {
      expect(defaultTaskTitle(work)).to.equal(title);
    });

  it('is never longer than a title may be', () => {
    for (const title of [
      defaultTaskTitle(pages(10, `/${'𝒂'.repeat(100)}`)),
      publishTitle('y'.repeat(200)),
    ])
      expect(title.length).to.be.at.most(200);
  });
});

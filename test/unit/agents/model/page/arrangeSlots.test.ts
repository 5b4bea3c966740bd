import { expect } from 'chai';
import { arrangeSlots } from '../../../../../src/agents/model/page/arrangeSlots.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';
import type { GroupSizes } from '../../../../../src/sites/formats/pageParts.ts';
import { pageWith } from '../../rules/page/makePage.ts';
import { siteTemplate, templateOf, type OpenTemplate } from './templates.ts';

const card = (n: number) =>
  `<div class="card"><h3>Card ${n}</h3><ul><li>One of ${n}</li><li>Two of ${n}</li></ul></div>`;
const nested = templateOf(pageWith(`<div class="grid">${card(1)}${card(2)}${card(3)}</div>`));
const [outer, ...inner] = nested.template.groups!;

/** Texts of the page that the template becomes. */
function made({ page, template, siblings, digest }: OpenTemplate, groups: GroupSizes): string[] {
  const html = pageCalls.create({
    template: page,
    target: { slug: '/locations/b', path: 'locations/b.html' },
    texts: {},
    groups,
    sitePaths: [page.path],
    digest,
    siblings,
  });
  const locked = new Set(template.siteTexts);
  return pageCalls
    .read({ path: page.path, source: html })
    .slots.map(({ text }) => text)
    .filter((text) => !locked.has(text));
}

const cases: [name: string, open: OpenTemplate, counts: GroupSizes][] = [
  ['nothing', nested, {}],
  ['fewer members', nested, { [outer!.id]: 1 }],
  ['more members', nested, { [outer!.id]: 5 }],
  ['members that stay', nested, { [outer!.id]: { members: 2, keep: [0, 2] } }],
  ['the last member alone', nested, { [outer!.id]: { members: 1, keep: [2] } }],
  ['members that stay, and new ones', nested, { [outer!.id]: { members: 3, keep: [1] } }],
  [
    'members that stay in an inner group and in one of a copy',
    nested,
    {
      [outer!.id]: { members: 3, keep: [0, 2] },
      [inner[2]!.id]: { members: 1, keep: [1] },
      [`${inner[outer!.pattern]!.id}+1`]: { members: 3, keep: [1] },
    },
  ],
  ['an inner group', nested, { [inner[0]!.id]: 4 }],
  ['an inner group of a copy', nested, { [outer!.id]: 4, [`${inner[outer!.pattern]!.id}+1`]: 5 }],
  [
    'all of them',
    nested,
    { [outer!.id]: 5, [inner[0]!.id]: 1, [`${inner[outer!.pattern]!.id}+2`]: 1 },
  ],
  [
    'groups side by side',
    siteTemplate('demo', 'locations/austin.html'),
    { g86: 5, g102: 1, g234: 12 },
  ],
];

describe('arrangeSlots(slots, groups, counts)', () => {
  for (const [name, open, counts] of cases)
    it(`returns the slots that the page will have: ${name}`, () => {
      const { slots, groups = [] } = open.template;
      const arranged = arrangeSlots(slots, groups, counts);
      const own = arranged.slots
        .map(({ text }) => text)
        .filter((text) => !open.template.siteTexts?.includes(text));
      expect(own).to.deep.equal(made(open, counts));
      expect(new Set(arranged.slots.map(({ id }) => id)).size).to.equal(arranged.slots.length);
      expect([...arranged.groups]).to.include.members(Object.keys(counts));
    });

  it('stops when a page gets too large', () => {
    const slots = nested.template.slots.flatMap((slot) =>
      Array.from({ length: 200 }, (_, i) => ({ ...slot, id: `${slot.id}${i}` })),
    );
    const members = [0, 1].map((i) => slots.filter((_, n) => n % 2 === i).map(({ id }) => id));
    const { isTooMuch, slots: some } = arrangeSlots(
      slots,
      [{ ...outer!, id: 'g1', members, pattern: 0 }],
      { g1: 12 },
    );
    expect(isTooMuch).to.equal(true);
    expect(some.length).to.be.below(3_100);
  });
});

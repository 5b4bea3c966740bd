import { expect } from 'chai';
import {
  findOddPages,
  type SiblingPage,
} from '../../../../../src/agents/shared/texts/findOddPages.ts';
import type { SlotRole } from '../../../../../src/sites/formats/pageParts.ts';

const text = (id: string, plain: string, role: SlotRole = 'paragraph', level?: number) => ({
  id,
  plain,
  role,
  section: null,
  ...(level !== undefined && { level }),
});
const towns = ['Lisbon', 'Porto', 'Faro', 'Braga', 'Evora', 'Coimbra'];
const templateTexts: Record<string, string> = {
  s1: 'Web design in Austin',
  s2: 'Web design in Austin',
  s3: '+1 512 555 0100',
};
/** A page about a town, with some of its texts replaced. null: the page lacks it. */
const page = (town: string, texts: Record<string, string | null | undefined> = {}): SiblingPage => {
  const all: Record<string, string | null | undefined> = {
    s1: `Web design in ${town}`,
    s2: `Web design in ${town}`,
    s3: `+351 22 000 00${town.length}${town.charCodeAt(0)}`,
    ...texts,
  };
  const roles: Record<string, SlotRole> = { s1: 'title', s2: 'heading' };
  return {
    slug: `/locations/${town.toLowerCase()}`,
    ownShare: 0.3,
    texts: Object.entries(all).flatMap(([place, plain]) =>
      plain === undefined
        ? []
        : {
            place,
            before: text(place, templateTexts[place]!, roles[place], 1),
            after: plain === null ? null : text(place, plain, roles[place], 1),
          },
    ),
  };
};
const siblings = towns.slice(1).map((town) => page(town));
const oddities = (odd: SiblingPage) => findOddPages([odd, ...siblings]).oddities[0];

describe('findOddPages(pages)', () => {
  it('finds nothing odd about pages that are alike, and lists each different text once', () => {
    const found = findOddPages([page('Lisbon'), ...siblings]);
    expect(found.oddities.flat()).to.deep.equal([]);
    // the title repeats the headline on every page
    expect(found.places.map(({ place }) => place)).to.deep.equal(['s2', 's3']);
  });

  it('lists a text that follows from others once, even if the headline of one page says more', () => {
    const headline = 'Web design in Lisbon and in all of the villages around it';
    const odd = page('Lisbon', { s2: headline });
    const withLead = (sibling: SiblingPage, town: string): SiblingPage => ({
      ...sibling,
      texts: [
        ...sibling.texts,
        ...['Our Austin studio', 'Visit us in Austin'].map((lead, index) => ({
          place: `s${4 + index}`,
          before: text(`s${4 + index}`, lead),
          after: text(`s${4 + index}`, lead.replace('Austin', town)),
        })),
      ],
    });
    const pages = [odd, ...siblings].map((sibling, index) => withLead(sibling, towns[index]!));
    // one of the texts that say the town alone, beside the headline and the phone
    expect(findOddPages(pages).places.map(({ place }) => place)).to.deep.equal(['s2', 's3', 's4']);
  });

  it('finds texts that are missing, unchanged, junk, or of another kind or length', () => {
    const cases: [Record<string, string | null | undefined>, string][] = [
      [{ s3: null }, 'missing'],
      [{ s3: undefined }, 'unchanged'],
      [{ s3: '#REF!' }, 'junk'],
      [{ s3: 'n/a' }, 'junk'],
      [{ s3: 'Call us' }, 'kind'],
      [{ s3: '+351 22 000 00 11, +351 22 000 00 12, +351 22 000 00 13, +351 22 000' }, 'length'],
    ];
    for (const [texts, code] of cases)
      expect(oddities(page('Lisbon', texts)), code).to.deep.equal([{ code, place: 's3' }]);
  });

  it('finds headlines that are much longer than the one of the template', () => {
    const s2 = `Web design in Lisbon, ${'Setubal and '.repeat(5)}Sintra`;
    expect(oddities(page('Lisbon', { s2 }))).to.deep.include({ code: 'wraps', place: 's2' });
    expect(oddities(page('Lisbon', { s2: 'Webdesignunternehmenssuche' }))).to.deep.include({
      code: 'wraps',
      place: 's2',
    });
  });

  it('finds addresses made from empty or broken cells', () => {
    for (const slug of ['/locations/n-a', '/locations/ref', '/locations/12', '/locations/row-7'])
      expect(oddities({ ...page('Lisbon'), slug }), slug).to.deep.equal([{ code: 'address' }]);
    for (const slug of ['/locations/reno', '/locations/row-house', '/'])
      expect(oddities({ ...page('Lisbon'), slug }), slug).to.deep.equal([]);
  });

  it('finds pages with little text of their own, and pages with the texts of another one', () => {
    expect(oddities({ ...page('Lisbon'), ownShare: 0.1 })).to.deep.equal([{ code: 'little-text' }]);
    const found = findOddPages([{ ...page('Porto'), slug: '/locations/oporto' }, ...siblings]);
    expect(found.oddities.slice(0, 3)).to.deep.equal([[{ code: 'same' }], [{ code: 'same' }], []]);
  });

  it('does not compare fewer than four pages with one another', () => {
    const { oddities: found } = findOddPages([
      page('Lisbon', { s3: null }),
      ...siblings.slice(0, 2),
    ]);
    expect(found.flat()).to.deep.equal([]);
  });
});

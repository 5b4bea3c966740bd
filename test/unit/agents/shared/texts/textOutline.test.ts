import { expect } from 'chai';
import { createTextOutline } from '../../../../../src/agents/shared/texts/textOutline.ts';
import type { TextSlot } from '../../../../../src/sites/formats/pageParts.ts';

const slot = (id: string, text: string, more: Partial<TextSlot> = {}): TextSlot => ({
  id,
  role: 'paragraph',
  section: null,
  text,
  parts: [],
  locked: false,
  ...more,
});

describe('createTextOutline(slots, view)', () => {
  const slots = [
    slot('s1', 'A title', { role: 'title' }),
    slot('s2', '<1>Plans</1>', { role: 'heading', level: 1 }),
    slot('s3', 'one\ntwo'),
    slot('s4', 'Contact', { role: 'link', locked: true }),
    slot('s5.1', 'Plans', { role: 'structured-data', jsonPath: 'name' }),
  ];

  it('has a line for each text of the page, with visible texts first', () => {
    expect(createTextOutline(slots, {})).to.deep.equal({
      outline: 's2 h1 Plans\ns3 paragraph one two\ns1 title A title\ns5.1 name Plans',
      maxLengths: { s2: 25, s3: 27, s1: 27, 's5.1': 25 },
      nextFrom: null,
    });
  });

  it('has a part for the head, and one for what other pages share', () => {
    expect(createTextOutline(slots, { part: 'head' }).outline).to.equal('s1 title A title');
    expect(createTextOutline(slots, { part: 'chrome' }).outline).to.equal('s4 link Contact');
  });

  it('says where a long page continues, and continues there', () => {
    const many = Array.from({ length: 450 }, (_, i) => slot(`s${i}`, 'A'));
    const first = createTextOutline(many, {});
    expect(first.nextFrom).to.equal('s200');
    expect(createTextOutline(many, { from: 's400' }).outline.split('\n')).to.have.length(50);
    expect(() => createTextOutline(many, { from: 's999' })).to.throw('no text "s999"');
    const long = ['a', 'b', 'c'].map((id) => slot(id, 'x'.repeat(20_000)));
    expect(createTextOutline(long, {}).outline.length).to.be.below(24_000);
  });
});

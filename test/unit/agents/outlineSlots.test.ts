import { expect } from 'chai';
import { slotsIn } from '../../../src/agents/outlineSlots.ts';
import type { Slot } from '../../../src/sites/formats/page.ts';

const slot = (id: string, text: string): Slot => ({
  id,
  role: 'paragraph',
  section: null,
  text,
  parts: [],
  locked: false,
});

describe('slotsIn(outline, slots, kinds)', () => {
  const slots = [
    slot('s1', 'Plans'),
    slot('s2', 'x'.repeat(300)),
    slot('s3', 'Hidden'),
    slot('s4', ''),
  ];
  const kinds = ['h1', 'p', 'p', 'title'];

  it('gives the slots that the outline shows, with the length that fits', () => {
    const outline =
      '3 texts are hidden\n[g1.0] [g2.1] s2 p xxx\n  s3 p of a text\ns1 h1 Plans\nhead:\ns4 title ';
    expect(slotsIn(outline, slots, kinds)).to.deep.equal({
      slots: [
        { id: 's2', kind: 'p', text: `${'x'.repeat(199)}…`, maxLength: 450 },
        { id: 's1', kind: 'h1', text: 'Plans', maxLength: 25 },
        { id: 's4', kind: 'title', text: '', maxLength: 20 },
      ],
      nextFrom: null,
    });
  });

  it('says where a long outline goes on', () => {
    expect(slotsIn('s1 h1 Plans\n3 more: from s2', slots, kinds)).to.include({ nextFrom: 's2' });
  });

  it('gives 200 at most, and says which comes next', () => {
    const many = Array.from({ length: 450 }, (_, i) => slot(`s${i}`, 'A'));
    const outline = many.map(({ id }) => `${id} p A`).join('\n');
    const found = slotsIn(outline, many, []);
    expect(found.slots).to.have.length(200);
    expect(found.nextFrom).to.equal('s200');
  });
});

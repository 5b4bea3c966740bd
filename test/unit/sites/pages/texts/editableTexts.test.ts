import { expect } from 'chai';
import fc from 'fast-check';
import {
  toEditableSlot,
  toSlotTexts,
  unknownTextError,
} from '../../../../../src/sites/pages/texts/editableTexts.ts';
import { asHtml } from '../../formats/html/asHtml.ts';

const page = (body: string) => `<!doctype html><html><head></head><body>${body}</body></html>`;
const slotsOf = (body: string) => asHtml.slots(page(body));
const source = '<p>Call <a href="/x">us</a> <b>today</b><br>or &lt;1&gt; write</p>';

describe('toEditableSlot(slot), toSlotTexts(slots, edits)', () => {
  it('splits a slot at its parts', () => {
    expect(slotsOf(source).map(toEditableSlot)).to.deep.equal([
      {
        id: 's3',
        role: 'paragraph',
        section: null,
        texts: ['Call ', 'us', ' ', 'today', '', 'or <1> write'],
        marks: ['a', '/a', 'b', '/b', 'br'],
      },
    ]);
  });

  it('puts any texts back so that only they change, while parts can be neither moved nor lost', () => {
    const slots = slotsOf(source);
    const words = fc.stringMatching(/^[a-z][!-~]{0,11}$/);
    fc.assert(
      fc.property(fc.array(words, { minLength: 6, maxLength: 6 }), (texts) => {
        const changed = asHtml.apply(page(source), toSlotTexts(slots, { s3: texts }));
        expect(changed.replace(/>[^<]*</g, '><')).to.equal(page(source).replace(/>[^<]*</g, '><'));
        expect(asHtml.slots(changed).map((slot) => toEditableSlot(slot).texts)).to.deep.equal([
          texts,
        ]);
      }),
    );
  });

  it('rejects unknown slots, and more or fewer texts than a slot has', () => {
    const slots = slotsOf(source);
    const refused = (edits: Record<string, string[]>) => () => toSlotTexts(slots, edits);
    expect(refused({ s9: ['x'] }))
      .to.throw(unknownTextError('s9').message)
      .with.property('code', 'INVALID_INPUT');
    expect(refused({ s3: ['x'] })).to.throw(/\bs3\b.*\b6\b.*\b1\b/);
    expect(refused({ s3: Array<string>(7).fill('') })).to.throw(/\b6\b.*\b7\b/);
  });
});

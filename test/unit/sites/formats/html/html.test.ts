import { expect } from 'chai';
import { casesIn } from '../../../../helpers/cases.ts';
import { asHtml } from './asHtml.ts';
import type { SlotTexts } from '../../../../../src/sites/formats/pageParts.ts';
import { escapeMarks } from '../../../../../src/sites/pages/texts/slotText.ts';
import { corpus } from '../../corpus.ts';
import { isWovenFrom, outside, replaceWords, skeleton } from './compare.ts';

const hostile = [
  'Plain words',
  'A </script><script>alert(1)</script> b',
  'A "><img src=x onerror=alert(1)> b',
  "A '><svg onload=alert(1)> b",
  'A </title><script>alert(1)</script> b',
  'A &amp; B &lt; C &copy D & E',
  'Quotes " and \' and ` end',
  'Emoji 👩‍💻 and äöü — “curly” \u00a0 no-break',
  'A <!-- x --> ]]> --> b',
  'A </p></li></td></div></body></html> b',
  'x=1 /> y',
  'Back\\slash \\n $x $& $1 end',
];

const replaceAll = (source: string, words: string): SlotTexts =>
  Object.fromEntries(
    asHtml.slots(source).map(({ id, text }) => [id, replaceWords(text, escapeMarks(words))]),
  );
/** A page without the author's name in its head, which follows the one that readers see. */
const withoutAuthor = (source: string) =>
  source.replace(/(<meta property="article:author" content=")[^"]*/, '$1');
const texts = (source: string): SlotTexts =>
  Object.fromEntries(asHtml.slots(source).map(({ id, text }) => [id, text]));

for (const { name, pages } of corpus)
  describe(`HTML: ${name}`, () => {
    for (const { path, source } of pages) {
      it(`returns ${path} byte for byte if every slot keeps its text`, () => {
        expect(asHtml.apply(source, texts(source))).to.equal(source);
      });

      for (const [form, variant] of [
        ['as it is', source],
        ['with CRLF and a byte order mark', `\uFEFF${source.replaceAll('\n', '\r\n')}`],
      ] as const)
        it(`replaces every text of ${path}, ${form}, and no other byte`, () => {
          const pieces = outside(withoutAuthor(variant));
          const shape = skeleton(variant);
          for (const words of casesIn(hostile)) {
            const given = replaceAll(variant, words);
            const result = asHtml.apply(variant, given);
            expect(texts(result), words).to.deep.equal(given);
            expect(outside(withoutAuthor(result)), words).to.deep.equal(pieces);
            expect(isWovenFrom(withoutAuthor(result), pieces), words).to.equal(true);
            expect(skeleton(result), words).to.deep.equal(shape);
          }
        });
    }
  });

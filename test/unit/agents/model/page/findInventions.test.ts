import { expect } from 'chai';
import {
  findInventions,
  createKnownContent,
} from '../../../../../src/agents/model/page/findInventions.ts';

const known = createKnownContent(['Bäckerei Nordlicht in Lübeck', 'Wir backen jeden Tag']);

const inventedOf = (text: string) =>
  findInventions(
    { id: 's1', role: 'paragraph', section: null, text, parts: [], locked: false },
    text,
    known,
    { isGerman: true },
  );

describe('findInventions, of German texts', () => {
  for (const text of [
    'Wir backen mit Leidenschaft Brot und Brötchen.',
    'Genießen Sie eine Tasse Kaffee in unserer Backstube.',
    'Für die Terminvereinbarung Online genügt eine Nachricht.',
    'Die Qualität Ihres Brotes liegt uns am Herzen.',
    'Wir geben Kindern Freude am Backen.',
    'Mit frischen Zutaten Freude schenken, seit vielen Jahren Handwerk.',
    'Ein Stück Kuchen zum Kaffee, für Ihre Feier Torten nach Wunsch.',
    'Besuchen Sie unser Café Bistro.',
  ])
    it(`does not take nouns for names: ${text}`, () => expect(inventedOf(text)).to.deep.equal([]));

  for (const [text, name] of [
    ['Das Haus gehört Karl Petersen in Lübeck.', 'Karl Petersen'],
    ['Das sagt auch unser Kunde Max Weber.', 'Kunde Max Weber'],
    ['Heute leiten Jens Krüger das Haus.', 'Jens Krüger'],
    ['Unser Mehl kommt von der Mühle Krause Söhne.', 'Mühle Krause Söhne'],
  ] as const)
    it(`names people whom nobody named: ${text}`, () =>
      expect(inventedOf(text).join()).to.include(name));
});

import { expect } from 'chai';
import { requestOf } from '../../../../../src/agents/model/page/requestOf.ts';
import { pageOf, problemsIn, renamed, siteTemplate } from './templates.ts';

const austin = siteTemplate('demo', 'locations/austin.html');
const idAt = (path: string) =>
  austin.template.slots.find(({ jsonPath }) => jsonPath?.endsWith(path))!.id;
const [days, opens, closes] = ['dayOfWeek', 'opens', 'closes'].map((field) =>
  idAt(`openingHoursSpecification[1].${field}`),
);
const lisbon = renamed(austin, 'Austin', 'Lisbon');

describe('opening hours of a page that a model writes', () => {
  it('are shown with their days', () => {
    const item = { targetPageSlug: '/locations/lisbon', context: 'City: Lisbon' };
    const [request] = requestOf({ template: austin.template, item });
    expect(request!.content)
      .to.match(/openingHoursSpecification\[1\]\.dayOfWeek 6 "Friday"\n/)
      .and.to.match(/openingHoursSpecification\[1\]\.opens 5 "09:00"\n/);
  });

  it('have the days and times of the answer, in the notation of the data', () => {
    const texts = { ...lisbon, [days!]: 'samedi', [opens!]: '10 am', [closes!]: '17h30' };
    const { html, faults } = pageOf(austin, { texts });
    expect(html()).to.match(/"dayOfWeek": "Saturday",\s+"opens": "10:00",\s+"closes": "17:30"/);
    expect(faults()).to.deep.equal([]);
  });

  it('are refused where they are no days or times', () => {
    const problems = (texts: Record<string, string>) =>
      problemsIn(austin, { texts: { ...lisbon, ...texts } }).join();
    expect(problems({ [days!]: 'Funday' })).to.contain(`${days} "Funday" is not understood here`);
    expect(problems({ [opens!]: 'closed' })).to.contain('a time of day: "17:30"');
    expect(problems({ [days!]: '' })).to.contain('days of the week');
  });
});

describe('notes on opening hours of a page that a model writes', () => {
  const notes = (texts: Record<string, string>, context: string) => {
    const page = pageOf(austin, { texts: { ...lisbon, ...texts } }, { context });
    return page.notes.filter(({ kind }) => kind === 'hours').map(({ text }) => text.slice(19));
  };
  const slots = austin.template.slots;
  const rowAt = (label: string) => {
    const at = slots.findIndex(({ text, role }) => text === label && role === 'table-cell');
    return [slots[at]!.id, slots[at + 1]!.id] as const;
  };
  const [fridayLabel, friday] = rowAt('Friday');
  const [weekend] = rowAt('Saturday and Sunday');
  const [, week] = rowAt('Monday to Thursday');
  const at = (n: number, field: string) => idAt(`openingHoursSpecification[${n}].${field}`);
  /** The page says on Friday what the context says on Saturday. */
  const hours = (day: string) => ({
    [week]: '9:00 am – 6:00 pm',
    [friday]: '10:00 am – 2:00 pm',
    [fridayLabel]: day,
    [weekend]: 'Sunday',
    [at(0, 'opens')]: '09:00',
    [at(0, 'closes')]: '18:00',
    [at(1, 'opens')]: '10:00',
    [at(1, 'closes')]: '14:00',
  });
  const contexts = [
    'City: Lisbon\nHours: Monday to Thursday 9:00–18:00, Saturday 10:00–14:00',
    'City: Lisbon\nMonday to Thursday: 9 am – 6 pm\nSaturday: 10 am – 2 pm',
    '{"city": "Lisbon", "hours": {"Monday to Thursday": "09:00-18:00", "Saturday": "10:00-14:00"}}',
    'City: Lisbon\n\nWe are open Monday to Thursday from 9:00 to 18:00 and on Saturdays from 10:00 to 14:00.',
    'Stadt: Lisbon\nÖffnungszeiten: Mo–Do 9:00–18:00 Uhr, Samstag 10:00–14:00 Uhr',
    'Ville: Lisbon\nHoraires: lundi au jeudi 9h–18h, samedi 10h–14h',
  ];

  for (const context of contexts)
    it(`say where its days are not those of the context: ${context}`, () => {
      const wrong = notes(hours('Friday'), context);
      const data =
        'the structured data states the opening hours Friday 10:00–14:00, the context Saturday 10:00–14:00';
      expect(wrong).to.include(data);
      expect(wrong).to.include(data.replace('the structured data', 'the page'));
      // the days of the structured data follow the row
      expect(notes(hours('Saturday'), context)).to.deep.equal([]);
      const half = { ...hours('Saturday'), [at(1, 'dayOfWeek')]: 'Sunday' };
      expect(notes(half, context)).to.deep.equal([data.replace('Friday', 'Sunday')]);
    });

  it('say where a day has other hours, and a day of the data is missing', () => {
    const context = 'City: Lisbon\nHours: Monday to Thursday 9:00–18:00, Friday 9:00–12:00';
    const other = notes({ ...hours('Friday') }, context);
    expect(other.join()).to.contain('Friday 10:00–14:00, the context Friday 09:00–12:00');
    const more = 'City: Lisbon\nHours: Monday to Saturday 9:00–18:00';
    const all = { [at(1, 'opens')]: '09:00', [at(1, 'closes')]: '18:00', [friday]: '9 am – 6 pm' };
    expect(notes({ ...hours('Friday'), ...all }, more)).to.deep.equal([
      "the structured data does not state the context's opening hours Saturday 09:00–18:00",
    ]);
  });

  it('say nothing where the context has no days', () => {
    for (const context of ['City: Lisbon', 'City: Lisbon\nHours: 10:00–14:00 and 9:00–18:00'])
      expect(notes(hours('Friday'), context).filter((text) => /context/.test(text))).to.deep.equal(
        [],
      );
  });
});

describe('notes on times, orders and words of a page that a model writes', () => {
  const said = (kind: 'invented' | 'unused', text: string, context: string, lang = 'en') =>
    pageOf(austin, { texts: { ...lisbon, s58: text, lang } }, { context }).said(kind);

  const notations = ['5:30 pm', '17:30', '5.30pm', '17h30', '17:30 Uhr', '5:30 p.m.', 'kl. 17.30'];
  for (const given of notations)
    it(`compare times as times: ${given}`, () => {
      for (const now of notations) {
        const text = `In Lisbon we are there until ${now}. We like guests.`;
        const context = `City: Lisbon\n\nThe studio in Lisbon is open until ${given}.`;
        expect(said('invented', text, context), now).to.deep.equal([]);
        expect(said('unused', text, context), now).to.deep.equal([]);
      }
      const other = said(
        'invented',
        'In Lisbon until 17:45.',
        `City: Lisbon\n\nOpen until ${given}.`,
      );
      expect(other).to.deep.equal(['17:45']);
    });

  it('compare hours as hours', () => {
    const context = 'City: Lisbon\nHours: Monday to Friday 9–17';
    for (const text of ['Mo–Fr 9:00–17:00 Uhr', 'Mon–Fri 9 to 5 pm', '9h–17h', '9 am – 5 pm'])
      expect(said('invented', `In Lisbon ${text}.`, context), text).to.deep.equal([]);
  });

  const orders = [
    'Keep the lead under 200 characters.',
    'Use a friendly tone.',
    'Do not mention prices.',
    'Please write at most 3 sentences in British English.',
    'Schreibe locker und höchstens 200 Zeichen.',
    'Bitte keine Preise nennen.',
    'Utilisez un ton amical, moins de 200 caractères.',
    'Ne mentionnez pas les prix.',
    'Usa un tono amable.',
    'No menciones los precios.',
    'Não use mais de 200 caracteres.',
    'Hold ingressen under 200 tegn.',
    'Ikke nevn priser.',
    'Gebruik een vriendelijke toon.',
  ];
  for (const order of orders)
    it(`take no order to the writer for a fact: ${order}`, () => {
      const text = 'Lisbon since 1999, with Marta Pinto.';
      for (const context of [`City: Lisbon\nNotes on it: ${order}`, `Lisbon\n\n${order}`])
        expect(said('unused', text, context)).to.deep.equal([]);
      const more = `City: Lisbon\n\n${order} We opened in 1987.`;
      expect(said('unused', text, more).join()).to.equal('1987');
    });

  const facts = [
    'Keep the receipt for 30 days.',
    'We do not use palm oil, and serve 45 guests.',
    'Use the headline "Summer 2031 in Lisbon".',
    'No more than 18 guests fit in.',
    'Mention that 95 guests fit in.',
  ];
  for (const fact of facts)
    it(`take what guests read for a fact: ${fact}`, () => {
      expect(said('unused', 'Welcome to Lisbon.', `City: Lisbon\n\n${fact}`)).to.have.length(1);
    });

  const sentences: [lang: string, text: string][] = [
    ['de', 'In Lisbon sagen alle: „Schnell und gut.“ Danach kommen Sie wieder.'],
    ['de', '1) Wählen Sie Lisbon. 2) Rufen Sie uns an; Unsere Leute helfen (Gerne auch abends).'],
    ['de', 'Ihre Website entsteht in Lisbon. Montags sind wir da, im März auch.'],
    ['fr', 'À Lisbon, nous écoutons. « Venez nous voir ! » Notre équipe répond (Toujours vite).'],
    ['fr', 'Vous cherchez un site ? Parlons-en à Lisbon. Chez nous, tout est simple.'],
    ['nb', 'Vi lager nettsider i Lisbon. Våre kunder ringer oss; Du får svar (Alltid samme dag).'],
    ['es', '¡Hola, Lisbon! ¿Quieres una web? Nuestros clientes vuelven. «Gracias por todo.»'],
    ['pt', 'Criamos sites em Lisbon. – Fale connosco! Nossos preços são claros.'],
    ['it', 'Siamo a Lisbon. » Vieni a trovarci! Le nostre pagine sono chiare.'],
    ['nl', 'Wij bouwen sites in Lisbon. ‘Kom langs.’ Onze prijzen zijn helder.'],
  ];
  for (const [lang, text] of sentences)
    it(`take no first word of a sentence for a name: ${text}`, () => {
      expect(said('invented', text, 'City: Lisbon', lang)).to.deep.equal([]);
    });
});

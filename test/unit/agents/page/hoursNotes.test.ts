import { expect } from 'chai';
import { readContext } from '../../../../src/agents/context/readContext.ts';
import { hoursNotes } from '../../../../src/agents/page/hoursNotes.ts';

/** The notes on a page that says `text`, made from `context`. */
function notesOn(context: string, text: string): string[] {
  const slot = {
    id: 's1',
    role: 'paragraph' as const,
    section: null,
    text,
    parts: [],
    locked: false,
  };
  const page = { shown: [slot], written: {}, kept: new Set<string>() };
  return hoursNotes('/x', readContext(context), page).map((note) => note.text);
}

describe('hoursNotes', () => {
  const rows: [context: string, page: string, wrong: string][] = [
    ['Saturday and Sunday 10:00-14:00', 'Saturday: 10:00-14:00', 'Saturday: 10:00-15:00'],
    [
      'Hours: Monday to Friday 9:00-17:00, Saturday and Sunday 10:00-14:00',
      'Saturday 10:00–14:00',
      'Saturday 9:00–17:00',
    ],
    ['We are open Sat & Sun from 10:00 to 14:00.', 'Saturday 10:00–14:00', 'Sat 10:00–13:00'],
    ['Saturday/Sunday 10 am – 2 pm', 'Sat 10:00–14:00', 'Sat 11:00–14:00'],
    [
      'Our studio is open Monday through Friday from 9 am to 5 pm and Saturday and Sunday from 10 am to 2 pm.',
      'Wednesday 9 am – 5 pm',
      'Wednesday 10 am – 2 pm',
    ],
    ['Every Monday and every Friday, 9:00–17:00', 'Monday 9:00–17:00', 'Monday 9:00–18:00'],
    ['Saturdays as well as Sundays 10:00–14:00', 'Saturday 10:00–14:00', 'Saturday 9:00–14:00'],
    ['Samstag und Sonntag: 10 bis 14 Uhr', 'Samstag 10–14 Uhr', 'Samstag 10–15 Uhr'],
    ['Le samedi et le dimanche de 10h à 14h', 'Samedi 10h00-14h00', 'Samedi 10h00-15h00'],
    ['Lun–Ven 9:00–17:00', 'Mercredi 9:00–17:00', 'Mercredi 9:00–18:00'],
    ['Sábado y domingo 10:00–14:00', 'Sábado 10:00–14:00', 'Sábado 10:00–15:00'],
    ['zaterdag en zondag 10:00–14:00', 'za 10:00–14:00', 'za 10:00–15:00'],
  ];
  for (const [context, page, wrong] of rows)
    it(`reads all days of "${context}"`, () => {
      expect(notesOn(context, page)).to.deep.equal([]);
      const [note, ...more] = notesOn(context, wrong);
      expect(more).to.deep.equal([]);
      expect(note).to.match(/^\/x: the page states the opening hours .*, the context /);
    });
});

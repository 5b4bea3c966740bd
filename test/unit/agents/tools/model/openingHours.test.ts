import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

/** A page of a shop whose structured data states these opening hours. */
const shop = (data: object) =>
  memoryTree({
    'visit.html': `<!doctype html>
<html lang="en"><head><title>Visit</title>
<script type="application/ld+json">
${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Store', ...data }, null, 2)}
</script>
</head><body><h1>Visit</h1><p>We like guests.</p></body></html>
`,
  });

interface Data {
  name: string;
  openingHours: string[];
  openingHoursSpecification: { dayOfWeek?: unknown; opens: string; closes: string }[];
  specialOpeningHoursSpecification: { validFrom: string; validThrough: string }[];
}

const entry = (dayOfWeek: unknown, opens = '09:00', closes = '18:00') => ({
  '@type': 'OpeningHoursSpecification',
  dayOfWeek,
  opens,
  closes,
});

/** The tools on such a page, with the ids of its values by their paths. */
async function open(data: object) {
  const { done, refusal, changed } = openModelTools(shop(data), pages);
  const outline = await done('read_page', { slug: '/visit' });
  const idOf = (path: string) => {
    const line = outline.split('\n').find((line) => line.includes(` ${path} `));
    return line!.split(' ')[0]!;
  };
  const edit = (texts: Record<string, string>) => ({
    slug: '/visit',
    edits: Object.entries(texts).map(([path, text]) => ({ id: idOf(path), text })),
  });
  const now = () => {
    const source = changed().get('visit.html')!;
    return JSON.parse(/ld\+json">([^]*?)<\/script>/.exec(source)![1]!) as Data;
  };
  return {
    outline,
    now,
    set: (texts: Record<string, string>) => done('set_texts', edit(texts)),
    refused: (texts: Record<string, string>) => refusal('set_texts', edit(texts)),
  };
}

describe('opening hours in structured data, for a language model', () => {
  it('are shown with their days', async () => {
    const { done } = openModelTools(demo, pages);
    const outline = await done('read_page', { slug: '/locations/austin' });
    expect(outline)
      .to.match(/openingHoursSpecification\[0\]\.dayOfWeek Monday, Tuesday, Wednesday, Thursday\n/)
      .and.to.match(
        /openingHoursSpecification\[1\]\.dayOfWeek Friday\n\S+ openingHoursSpecification\[1\]\.opens 09:00\n/,
      );
  });

  const forms: Record<string, [days: unknown, shown: string, now: unknown]> = {
    'a name': ['Friday', 'Friday', ['Saturday', 'Sunday']],
    'a list': [['Monday', 'Friday'], 'Monday, Friday', ['Saturday', 'Sunday']],
    'an address': [
      'https://schema.org/Friday',
      'Friday',
      ['https://schema.org/Saturday', 'https://schema.org/Sunday'],
    ],
    'a list of addresses': [
      ['http://schema.org/Friday'],
      'Friday',
      ['http://schema.org/Saturday', 'http://schema.org/Sunday'],
    ],
    'a list of codes': [['Mo', 'Th'], 'Monday, Thursday', ['Sa', 'Su']],
    'a list with public holidays': [
      ['Sunday', 'PublicHolidays'],
      'Sunday, PublicHolidays',
      ['Saturday', 'Sunday'],
    ],
  };
  for (const [what, [days, shown, written]] of Object.entries(forms))
    it(`are set, where the days are ${what}: in the same notation`, async () => {
      const { outline, set, now } = await open({
        openingHoursSpecification: [entry(days), entry('Tuesday')],
      });
      expect(outline).to.contain(`openingHoursSpecification[0].dayOfWeek ${shown}\n`);
      const first = 'openingHoursSpecification[0].dayOfWeek';
      await set({ [first]: 'Saturday and Sunday', 'openingHoursSpecification[1].opens': '10 am' });
      const [one, other] = now().openingHoursSpecification;
      expect(one!.dayOfWeek).to.deep.equal(written);
      expect(other).to.include({ dayOfWeek: 'Tuesday', opens: '10:00' });
      // the ids stay, whatever days the list has
      await set({ [first]: 'Wednesday', 'openingHoursSpecification[1].closes': '17h30' });
      const [again, last] = now().openingHoursSpecification;
      expect([again!.dayOfWeek].flat()).to.have.length(1);
      expect(last).to.include({ opens: '10:00', closes: '17:30' });
    });

  it('are shown and set in lines of days and hours, and for dates', async () => {
    const special = {
      '@type': 'OpeningHoursSpecification',
      validFrom: '2026-12-24',
      validThrough: '2026-12-26',
      opens: '00:00',
      closes: '00:00',
    };
    const { outline, set, refused, now } = await open({
      openingHours: ['Mo-Fr 09:00-18:00', 'Sa 10:00-14:00'],
      specialOpeningHoursSpecification: [special],
    });
    const path = 'specialOpeningHoursSpecification[0]';
    expect(outline)
      .to.contain('openingHours[1] Sa 10:00-14:00\n')
      .and.to.contain(`${path}.validFrom 2026-12-24\n`);
    await set({
      'openingHours[1]': 'Saturday and Sunday 10 am – 2 pm',
      [`${path}.validFrom`]: '2027-12-24',
      [`${path}.validThrough`]: '2027-12-27',
    });
    expect(now().openingHours).to.deep.equal(['Mo-Fr 09:00-18:00', 'Sa,Su 10:00-14:00']);
    expect(now().specialOpeningHoursSpecification[0]).to.include({
      validFrom: '2027-12-24',
      validThrough: '2027-12-27',
    });
    for (const text of ['Christmas', '24.12.2027', '2027-13-40'])
      expect(await refused({ [`${path}.validFrom`]: text })).to.contain('a date: "2027-12-24"');
    expect(await refused({ 'openingHours[0]': 'Come in!' })).to.contain('"Mo-Fr 09:00-17:30"');
  });

  it('are refused where they are no days or no time, before anything is written', async () => {
    const { refused, set, now } = await open({
      name: 'Shop',
      openingHoursSpecification: [entry(['Monday', 'Friday'])],
    });
    const path = 'openingHoursSpecification[0]';
    for (const text of ['Funday', 'Friday 9–12', 'by appointment', 'Friday, Someday'])
      expect(await refused({ name: 'New', [`${path}.dayOfWeek`]: text }), text)
        .to.contain(text)
        .and.to.contain('days of the week: "Friday", "Monday, Tuesday" or "Monday to Friday"');
    for (const text of ['9', 'nine', '25:00', '09:00-17:00', 'closed'])
      expect(await refused({ name: 'New', [`${path}.closes`]: text }), text).to.contain(
        'a time of day: "17:30"',
      );
    await set({ [`${path}.opens`]: '8.30 am' });
    expect(now()).to.include({ name: 'Shop' });
    expect(now().openingHoursSpecification[0]).to.include({ opens: '08:30', closes: '18:00' });
  });

  it('do not follow each other', async () => {
    const { set, now } = await open({
      openingHoursSpecification: [entry('Monday'), entry('Friday')],
    });
    await set({ 'openingHoursSpecification[0].opens': '10:00' });
    expect(now().openingHoursSpecification.map(({ opens }) => opens)).to.deep.equal([
      '10:00',
      '09:00',
    ]);
  });

  it('let a row take its days along, but nothing that is no day', async () => {
    const rows = '<table><tr><th>Friday</th><td>09:00</td></tr></table>';
    const tree = memoryTree({
      'visit.html': (
        await shop({ openingHoursSpecification: [entry('Friday')] }).read('visit.html')
      ).replace('<p>We like guests.</p>', rows),
    });
    const { done, changed } = openModelTools(tree, pages);
    const outline = await done('read_page', { slug: '/visit' });
    const id = /(\S+) th Friday/.exec(outline)![1]!;
    await done('set_texts', { slug: '/visit', edits: [{ id, text: 'Saturday' }] });
    expect(changed().get('visit.html')).to.contain('"dayOfWeek": "Saturday"');
    await done('set_texts', { slug: '/visit', edits: [{ id, text: 'By appointment' }] });
    expect(changed().get('visit.html'))
      .to.contain('"dayOfWeek": "Saturday"')
      .and.to.contain('<th>By appointment</th>');
  });
});

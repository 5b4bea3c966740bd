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

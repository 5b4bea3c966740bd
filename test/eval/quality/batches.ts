import type { SiteName } from '../sites.ts';

/** Pages that a customer could ask for, with what must stand on each of them. */
export interface Batch {
  name: string;
  site: SiteName;
  template: string;
  items: {
    slug: string;
    context: string;
    /** What a reader must find. */
    facts: string[];
  }[];
  /** Words of the template's own subject: none may be left. */
  subject: string[];
}

export const batches: Batch[] = [
  {
    name: 'cities from lines, JSON and prose',
    site: 'demo',
    template: '/locations/austin',
    subject: ['Austin', 'Juniper Street'],
    items: [
      {
        slug: '/locations/lisbon',
        context: [
          'City: Lisbon',
          'Address: Rua das Flores 12, 1200-195 Lisboa, Portugal',
          'Phone: +351 21 555 0134',
          'Open since: 2019',
          'Headline: Web design in Lisbon',
          'Lead: Websites for the shops and studios of Alfama and Chiado.',
        ].join('\n'),
        facts: ['Lisbon', 'Rua das Flores 12', '+351 21 555 0134', '2019'],
      },
      {
        slug: '/locations/ottawa',
        context: JSON.stringify({
          city: 'Ottawa',
          phone: '(613) 555-0101',
          address: '99 Bank Street, Ottawa, ON K1P 1H4',
          testimonial: { quote: 'They answer the telephone.', author: 'Jane Doe, Byward Books' },
        }),
        facts: ['Ottawa', '555-0101', '99 Bank Street', 'They answer the telephone', 'Jane Doe'],
      },
      {
        slug: '/locations/graz',
        context:
          'We open in Graz in March 2027, at Sporgasse 4. Petra Huber leads the studio; call her at +43 316 555 012. Three of our clients there are bakeries.',
        facts: ['Graz', 'Sporgasse 4', 'Petra Huber', '+43 316 555 012'],
      },
    ],
  },
  {
    name: 'a service from a brief',
    site: 'demo',
    template: '/services/brand-identity',
    subject: ['Brand identity', 'brand identity'],
    items: [
      {
        slug: '/services/photography',
        context: [
          '# Photography',
          '',
          'Product and team pictures, taken in your own rooms in one morning.',
          '',
          '- 40 finished pictures',
          '- Delivered within 5 days',
          '- From $1,900',
        ].join('\n'),
        facts: ['Photography', '40 finished pictures', '5 days', '$1,900'],
      },
    ],
  },
  {
    name: 'a project of a portfolio',
    site: 'business',
    template: '/portfolio-item',
    subject: ['Project Title'],
    items: [
      {
        slug: '/portfolio-harbour-museum',
        context:
          'Title: Harbour Museum\nLead: A website for a museum of 300 ships, in two languages.\nLaunched: May 2026',
        facts: ['Harbour Museum', '300 ships', 'May 2026'],
      },
      {
        slug: '/portfolio-lantern-dental',
        context:
          'Title: Lantern Dental\nLead: Every treatment on one page, with its price.\nLaunched: August 2026',
        facts: ['Lantern Dental', 'with its price', 'August 2026'],
      },
    ],
  },
  {
    name: 'a product of a kit',
    site: 'paper',
    template: '/examples/landing',
    subject: ['Henry Ford', 'Sophie West', 'Robert Orben'],
    items: [
      {
        slug: '/examples/tidewatch',
        context: JSON.stringify({
          headline: 'Tidewatch',
          lead: 'Tide tables for 1,200 harbours, on your wrist.',
          features: [
            'Works offline for 30 days',
            'Warns you 2 hours before low tide',
            'Costs €19 a year',
          ],
          team: [
            { name: 'Nora Quist', role: 'Founder' },
            { name: 'Ben Adeyemi', role: 'Engineer' },
            { name: 'Lu Wei', role: 'Designer' },
          ],
        }),
        facts: [
          'Tidewatch',
          '1,200 harbours',
          '30 days',
          '€19',
          'Nora Quist',
          'Ben Adeyemi',
          'Lu Wei',
        ],
      },
    ],
  },
];

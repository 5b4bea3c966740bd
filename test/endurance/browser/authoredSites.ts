/** A page to create, and what its template says about its own town, persons and numbers. */
export interface AuthoredPage {
  template: string;
  target: string;
  context: string;
  own: string[];
}

interface AuthoredSite {
  /** The npm package. */
  name: string;
  /** The site in `node_modules`. */
  folder: string;
  pages: AuthoredPage[];
}

const shardsAuthors = ['Osbourne Tranter', 'Darrin Ollie', 'Quinton Bruce', 'Megacorp'];

export const authoredSites: AuthoredSite[] = [
  {
    name: 'shards-ui',
    folder: 'shards-ui/dist',
    pages: [
      {
        template: '/agency-landing',
        target: '/agency-porto',
        own: [...shardsAuthors, 'Product Development'],
        context: `City: Porto
Title: Atelier Douro | Web design in Porto
Description: Atelier Douro designs websites for hotels and wineries in Porto, from €2,900.
Headline: Websites for Porto
Lead: We design and build websites for the hotels, wineries and shops of the Douro valley, and we look after them afterwards.
Button: See what we do
Phone: +351 22 000 0147
Address: Rua das Flores 112, 4050-265 Porto

## Our Services
### Design & Branding
From the name of your house to the label on the bottle.
### Programming
Fast pages that your team can change without us. From €2,900.

## Testimonials
### Inês Carvalho

Owner, Quinta do Vale

Bookings from our own site doubled in the first summer.
### Rui Matos

Head of marketing, Hotel Ribeira

They answer on Sundays, and they speak plainly.`,
      },
      {
        template: '/app-promo',
        target: '/app-tides',
        own: [...shardsAuthors, 'Keep Your Files in Sync'],
        context: JSON.stringify({
          topic: 'Tides',
          title: 'Tides: the harbour in your pocket',
          description: 'Tide tables and harbour notices for 4,200 ports, for €4.99.',
          headline: 'Know the Tide Before You Sail',
          lead: 'Tide tables, wind and harbour notices for 4,200 ports, on your telephone and without a network.',
          button: 'Get Tides for €4.99',
          features: [
            { name: 'Works Offline', text: 'A year of tables needs nine megabytes.' },
            { name: 'Harbour Notices', text: 'Closed locks and moved buoys, at once.' },
            { name: 'Your Draught', text: 'Enter 1.80 m once, and see when you can leave.' },
          ],
          testimonials: [
            '“I have not opened the printed tables since May.” — Kari Moe, skipper, Bergen',
            '“The notices alone are worth it.” — Tom Baker, harbour pilot, Falmouth',
          ],
        }),
      },
    ],
  },
  {
    name: 'material-kit',
    folder: 'material-kit',
    pages: [
      {
        template: '/examples/landing-page',
        target: '/examples/lisbon',
        own: ['Gigi Hadid', 'Christian Louboutin', 'Kendall Jenner', 'Your Story Starts With Us'],
        context: `City: Lisbon
Title: Oficina Alfama, bicycle workshop in Lisbon
Headline: Your bicycle, ready by tomorrow
Lead: We repair city bikes, e-bikes and tandems in Alfama, and we lend you one while you wait.
Button: Watch us work
Phone: +351 21 000 0290
Email: ola@oficina-alfama.example
Address: Rua dos Remédios 57, 1100-441 Lisboa

## Let's talk product
What we do, and what it costs. Prices include small parts.

### Check-up
Brakes, gears and wheels for €29.
### Full service
Everything apart, cleaned and back together for €119.
### E-bike battery
We test the cells and replace what is weak, from €180.

## Here is our team
### Marta Nunes

Mechanic

Marta builds wheels, and she taught the other two.
### João Pires

Electrician

João knows every battery that was ever sold in Portugal.`,
      },
      {
        template: '/examples/profile-page',
        target: '/examples/helena-prates',
        own: ['Christian Louboutin', 'Chet Faker', 'Nick Murphy', 'Melbourne', 'Brooklyn'],
        context: `Name: Helena Prates
Title: Helena Prates, architect in Évora
Headline: Helena Prates
Subtitle: Architect
Text: Helena restores farmhouses in the Alentejo, with lime, cork and the walls that are already there.
Email: helena@prates.example`,
      },
    ],
  },
  {
    name: 'spectre.css',
    folder: 'spectre.css/docs',
    pages: [
      {
        template: '/',
        target: '/print',
        own: ['SPECTRE.CSS', 'Spectre.css is a lightweight', 'Spectre provides'],
        context: `Topic: Spectre Print
Title: Spectre Print - Style sheets for paper
Description: Spectre Print makes your pages ready for paper, with page numbers, margins and crop marks.
Headline: SPECTRE PRINT
Lead: Style sheets for paper
Button: Read the guide

## Introduction
Spectre Print is a style sheet for printers and for files in PDF.

It adds page numbers, margins and crop marks to the pages that you have.`,
      },
      {
        template: '/components/tiles',
        target: '/components/badges-of-people',
        own: ['Tiles are repeatable', 'Compact tiles', '1 Jan, 2017'],
        context: `# People
Title: People - Components - Spectre.css CSS Framework
Description: People show who works on a page, with a picture, a name and what they do.
Lead: People show who works on a page.

## Compact people
There is a compact version, for the margin of an article.`,
      },
    ],
  },
];

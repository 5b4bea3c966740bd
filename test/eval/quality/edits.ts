import type { Edit } from './edit.ts';
import type { Visited } from './site.ts';

const every = (site: Visited, holds: (path: string) => boolean) =>
  site
    .paths()
    .filter((path) => path.endsWith('.html') && path !== '404.html')
    .every(holds);
const between = (text: string, least: number, most: number) =>
  text.length >= least && text.length <= most;

export const edits: Edit[] = [
  {
    name: 'headline',
    site: 'demo',
    prompt: 'Change the headline of the pricing page to "Prices that fit on one page".',
    touches: /^pricing\.html$/,
    layout: 'same',
    done: {
      'the h1 says it': (site) => site.text('pricing.html', 'h1') === 'Prices that fit on one page',
    },
  },
  {
    name: 'telephone',
    site: 'demo',
    prompt:
      'Our telephone number is now +1 303 555 0177. Please change +1 303 555 0100 everywhere.',
    touches: /\.html$/,
    layout: 'same',
    done: {
      'the old number is nowhere': (site) =>
        every(site, (path) => !site.files[path]!.includes('555 0100')),
      'no link dials it': (site) =>
        every(site, (path) => !site.files[path]!.includes('tel:+13035550100')),
      'the footer has the new one': (site) => site.pagesWith('+1 303 555 0177').length > 5,
    },
  },
  {
    name: 'price',
    site: 'demo',
    prompt: 'The Starter package costs $5,200 from now on.',
    touches: /^(?:pricing|locations\/\w+)\.html$/,
    layout: 'same',
    done: {
      'the page shows it': (site) => site.text('pricing.html').includes('$5,200'),
      'the old one is gone': (site) => !site.text('pricing.html').includes('$4,800'),
      'structured data agrees': (site) =>
        !/"4800(?:\.00)?"|: 4800\b/.test(site.data('pricing.html')),
    },
  },
  {
    name: 'question',
    site: 'demo',
    prompt:
      'Add a question to the pricing page: "Can we pay by card?" with the answer "Yes, with every card, and without a fee."',
    touches: /^pricing\.html$/,
    layout: 'free',
    done: {
      'the question is there': (site) => site.text('pricing.html').includes('Can we pay by card?'),
      'so is its answer': (site) =>
        site.text('pricing.html').includes('Yes, with every card, and without a fee.'),
      'the others stay': (site) => site.text('pricing.html').includes('Do you work for charities?'),
    },
  },
  {
    name: 'navigation',
    site: 'demo',
    prompt: 'Rename "Journal" to "Blog" in the navigation of every page.',
    touches: /\.html$/,
    layout: 'same',
    done: {
      'every header says Blog': (site) =>
        every(
          site,
          (path) =>
            site.texts(path, 'header a').length === 0 ||
            site.texts(path, 'header a').includes('Blog'),
        ),
      'and not Journal': (site) =>
        every(site, (path) => !site.texts(path, 'header a').includes('Journal')),
    },
  },
  {
    name: 'delete a page',
    site: 'demo',
    prompt: 'Delete the page about our Denver location, and every link to it.',
    touches: /\.(?:html|xml)$/,
    layout: 'free',
    done: {
      'the page is gone': (site) => !site.has('locations/denver.html'),
      'nothing links to it': (site) =>
        every(site, (path) => !/href="[^"]*denver"/.test(site.files[path]!)),
    },
  },
  {
    name: 'order',
    site: 'demo',
    prompt:
      'On the pricing page, put the questions about money before the comparison of the packages.',
    touches: /^pricing\.html$/,
    layout: 'free',
    done: {
      'they come first': (site) => {
        const text = site.text('pricing.html');
        return text.indexOf('Questions about money') < text.indexOf('Compare the packages');
      },
      'both are there once': (site) =>
        site.text('pricing.html').split('Questions about money').length === 2 &&
        site.text('pricing.html').split('Compare the packages').length === 2,
    },
  },
  {
    name: 'company name',
    site: 'demo',
    prompt: 'We have a new name: rename Northwind Studio to Southwind Studio everywhere.',
    touches: /\.html$/,
    layout: 'same',
    done: {
      'no page shows the old name': (site) => site.pagesWith('Northwind Studio').length === 0,
      'titles have the new one': (site) =>
        site.text('index.html', 'title').includes('Southwind Studio'),
      'structured data too': (site) => !site.data('index.html').includes('"Northwind Studio"'),
    },
  },
  {
    name: 'shorter hero',
    site: 'demo',
    prompt: 'The first paragraph on the home page is too long. Cut it to one short sentence.',
    touches: /^index\.html$/,
    layout: 'same',
    done: {
      'it is one short sentence': (site) =>
        between(site.texts('index.html', 'main p')[1] ?? '', 10, 110),
      'the headline stays': (site) =>
        site.text('index.html', 'h1') === 'Websites that keep their bearings',
    },
  },
  {
    name: 'about page with a team',
    site: 'demo',
    prompt:
      'Add a page /team about our people, with a section for each of the three on the about page, and link it in the navigation.',
    touches: /\.(?:html|xml)$/,
    layout: 'free',
    done: {
      'the page is there': (site) => site.has('team.html') || site.has('team/index.html'),
      'it names all three': (site) =>
        ['Maren Holt', 'Idris Vale', 'Suki Tamura'].every((name) =>
          site.text(site.has('team.html') ? 'team.html' : 'team/index.html').includes(name),
        ),
      'the navigation leads to it': (site) =>
        site
          .attribute('index.html', 'header a', 'href')
          .some((href) => /(?:^|\/)team\/?$/.test(href)),
    },
  },
  {
    name: 'translate',
    site: 'demo',
    prompt: 'Translate the contact page into German. Keep names, addresses and telephone numbers.',
    touches: /^contact\.html$/,
    layout: 'same',
    done: {
      'the headline is German': (site) =>
        !site.text('contact.html', 'h1').includes('Tell us in two sentences'),
      'it reads German': (site) =>
        / (?:und|wir|Sie|der|die|das) /.test(site.text('contact.html', 'main')),
      'the number stays': (site) => site.text('contact.html').includes('+1 303 555 0100'),
    },
  },
  {
    name: 'friendlier',
    site: 'demo',
    prompt:
      'Rewrite the description for search engines of the about page so that it invites people to visit us in Denver.',
    touches: /^about\.html$/,
    layout: 'same',
    done: {
      'it names Denver': (site) =>
        (site.attribute('about.html', 'meta[name="description"]', 'content')[0] ?? '').includes(
          'Denver',
        ),
      'it has a good length': (site) =>
        between(
          site.attribute('about.html', 'meta[name="description"]', 'content')[0] ?? '',
          50,
          180,
        ),
    },
  },
  {
    name: 'colour',
    site: 'demo',
    prompt: 'Make the buttons dark blue: #12355b.',
    touches: /\.css$/,
    layout: 'same',
    done: {
      'the style sheet has it': (site) =>
        site.files['assets/site.css']!.toLowerCase().includes('#12355b'),
    },
  },
  {
    name: 'plan',
    site: 'business',
    prompt: 'On the pricing page, the Pro plan now costs $12 a month and has 10 users.',
    touches: /^pricing\.html$/,
    layout: 'same',
    done: {
      'the price is there': (site) => site.text('pricing.html').includes('$12'),
      'the old one is gone': (site) => !site.text('pricing.html').includes('$9'),
      'so are the users': (site) => site.text('pricing.html').includes('10 users'),
      'the other plans stay': (site) =>
        /\$49/.test(site.text('pricing.html')) && /\$0/.test(site.text('pricing.html')),
    },
  },
  {
    name: 'team member',
    site: 'business',
    prompt: 'Add Rosa Lindqvist, Head of Support, to our team on the about page.',
    touches: /^about\.html$/,
    layout: 'free',
    done: {
      'she is there': (site) => site.text('about.html').includes('Rosa Lindqvist'),
      'with her work': (site) => site.text('about.html').includes('Head of Support'),
      'the others stay': (site) => site.text('about.html').includes('Malvina Cilla'),
    },
  },
  {
    name: 'year',
    site: 'business',
    prompt: 'Update the copyright year to 2027 on all pages.',
    touches: /\.html$/,
    layout: 'same',
    done: {
      'every footer has it': (site) =>
        every(site, (path) => site.text(path, 'footer').includes('2027')),
      'no footer has the old one': (site) =>
        every(site, (path) => !site.text(path, 'footer').includes('2023')),
      'dates of articles stay': (site) => site.text('blog-home.html').includes('March 12, 2023'),
    },
  },
  {
    name: 'button',
    site: 'business',
    prompt:
      'Make the button "Get Started" on the home page say "See our prices" and lead to the pricing page.',
    touches: /^index\.html$/,
    layout: 'same',
    done: {
      'it says so': (site) => site.texts('index.html', 'a.btn').includes('See our prices'),
      'it leads there': (site) =>
        site
          .all('index.html', 'a.btn')
          .some(
            (link) =>
              link.structuredText.trim() === 'See our prices' &&
              /pricing/.test(link.getAttribute('href') ?? ''),
          ),
    },
  },
  {
    name: 'remove a plan',
    site: 'business',
    prompt: 'We no longer have a free plan. Take it off the pricing page.',
    touches: /^pricing\.html$/,
    layout: 'free',
    done: {
      'it is gone': (site) => !site.text('pricing.html').includes('$0'),
      'the others stay': (site) =>
        ['$9', '$49'].every((price) => site.text('pricing.html').includes(price)),
    },
  },
  {
    name: 'new section',
    site: 'business',
    prompt:
      'The about page should have a section "Our values" after the one about growth, with a short paragraph on honesty.',
    touches: /^about\.html$/,
    layout: 'free',
    done: {
      'the section is there': (site) =>
        site.texts('about.html', 'h1, h2, h3').includes('Our values'),
      'it speaks of honesty': (site) => /honest/i.test(site.text('about.html')),
      'it comes after growth': (site) =>
        site.text('about.html').indexOf('Our values') >
        site.text('about.html').indexOf('Growth & beyond'),
    },
  },
  {
    name: 'headline of a kit',
    site: 'paper',
    prompt:
      'Let the landing page say "Plan trips together" as its headline, and "Start for free" on the button "Watch video".',
    touches: /^examples\/landing\.html$/,
    layout: 'same',
    done: {
      'the headline': (site) => site.text('examples/landing.html').includes('Plan trips together'),
      'the button': (site) => site.text('examples/landing.html').includes('Start for free'),
      'not the old ones': (site) =>
        !/Watch video|Example page/.test(site.text('examples/landing.html')),
    },
  },
  {
    name: 'who is who',
    site: 'paper',
    prompt: 'On examples/landing, swap Henry Ford and Robert Orben with all that belongs to them.',
    touches: /^examples\/landing\.html$/,
    layout: 'free',
    done: {
      'Robert comes first': (site) => {
        const text = site.text('examples/landing.html');
        return (
          text.indexOf('Robert Orben') < text.indexOf('Sophie West') &&
          text.indexOf('Sophie West') < text.indexOf('Henry Ford')
        );
      },
      'with his own words': (site) => {
        const text = site.text('examples/landing.html');
        return text.indexOf('golden') < text.indexOf('Sophie West');
      },
    },
  },
  {
    name: 'typo',
    site: 'paper',
    prompt: 'Fix the typo "veriety": it should be "variety".',
    touches: /^examples\/landing\.html$/,
    layout: 'same',
    done: {
      'it is right': (site) => site.text('examples/landing.html').includes('variety'),
      'the typo is gone': (site) => site.pagesWith('veriety').length === 0,
    },
  },
  {
    name: 'real words',
    site: 'bulma',
    prompt:
      'Replace the filler text of the three cards on templates/hero with short texts about a bakery: bread, cakes and coffee.',
    touches: /^templates\/hero\.html$/,
    layout: 'same',
    done: {
      'they speak of bread, cakes and coffee': (site) =>
        ['bread', 'cake', 'coffee'].every((word) =>
          site.text('templates/hero.html').toLowerCase().includes(word),
        ),
      'their filler is gone': (site) => !site.text('templates/hero.html').includes('Purus semper'),
    },
  },
  {
    name: 'date',
    site: 'bulma',
    prompt: 'All articles on templates/blog are from October 9, 2026, not from October 7, 2017.',
    touches: /^templates\/blog\.html$/,
    layout: 'same',
    done: {
      'the new date is there': (site) =>
        site.text('templates/blog.html').includes('October 9, 2026'),
      'the old one is gone': (site) =>
        !site.text('templates/blog.html').includes('October 7, 2017'),
    },
  },
  {
    name: 'nothing to do',
    site: 'business',
    prompt: 'Make the third plan on the pricing page say "Enterprise".',
    touches: /^$/,
    layout: 'same',
    done: { 'it says so': (site) => site.text('pricing.html').includes('Enterprise') },
  },
];

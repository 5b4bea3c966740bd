import type { SiteName } from './sites.ts';

export type Files = Record<string, string>;

/** What becomes of a site's pages: null for one that is deleted. */
type Outcome = (files: Files) => Record<string, string | null>;

/** An instruction on a site, in several wordings that ask for the same. */
export interface Case {
  /**
   * The row of the table (src/agents/rules/prompt/table.ts); `refused` for what must be refused.
   */
  row: string;
  site: SiteName;
  wordings: string[];
  /** The pages that change, as they are then; or the message of a task that fails. */
  becomes: Outcome | RegExp;
  /** What the warnings say. */
  warns?: RegExp;
}

type Edit = [from: string | RegExp, to: string];
const edited = (source: string, edits: Edit[]) =>
  edits.reduce((text, [from, to]) => text.replaceAll(from, () => to), source);

/** Some texts of one page. */
const on =
  (path: string, ...edits: Edit[]): Outcome =>
  (files) => ({ [path]: edited(files[path]!, edits) });

/** Some texts of every page that has them. */
const everywhere =
  (...edits: Edit[]): Outcome =>
  (files) =>
    Object.fromEntries(
      Object.entries(files)
        .map(([path, source]) => [path, edited(source, edits)] as const)
        .filter(([path, content]) => content !== files[path]),
    );

/** A stretch of a page, from a text to the end of another one. */
function stretch(source: string, from: string, to: string, after = 0): string {
  const start = source.indexOf(from, after);
  const text = source.slice(start, source.indexOf(to, start) + to.length);
  if (start < 0 || text === '') throw new Error(`There is no ${from} … ${to}`);
  return text;
}
const without =
  (path: string, from: string, to: string): Outcome =>
  (files) => ({ [path]: files[path]!.replace(stretch(files[path]!, from, to), '') });

const exchanged =
  (path: string, one: [string, string], other: [string, string]): Outcome =>
  (files) => {
    const [a, b] = [stretch(files[path]!, ...one), stretch(files[path]!, ...other)];
    return {
      [path]: files[path]!.replace(a, '\0')
        .replace(b, () => a)
        .replace('\0', () => b),
    };
  };

/** Where the section with a heading of an id begins, with its indentation. */
const sectionStart = (source: string, id: string) =>
  new RegExp(`\\n {6}<section class="[^"]*" aria-labelledby="${id}">`).exec(source)![0];

const quote = '<figure class="quote">\n              <blockquote>\n                <p>';

/** Words behind a name and descriptions of a text are not to be written: nothing is done. */
const refused: Case = {
  row: 'refused',
  site: 'demo',
  wordings: [
    'Rename the company to Southwind in the footer',
    'Rename the company to Southwind on the about page',
    'Rename the company to Southwind but keep the logo',
    'Rename the company to Southwind for all customers',
    'Make the button "Start a project" say Book a call except on /about',
    'Make the button "Start a project" say Book a call but not on /about',
    'Make the button "Start a project" say Book a call only on the home page',
    'Make the button "Start a project" say Book now in green',
    'Rename the menu entry "Journal" to Blog for now',
    'Change the website to German',
    'Change the site to Dark mode',
    'Change the brand to Blue',
    'Change the description of /about to mention our team in Denver',
    'Change the description of /about to include the word Austin',
    'Change the description of /about to say who we are in fewer words',
    'Change the description of /about to the one from /pricing',
    'Change the description of /about to be about our team',
    'Change the header on the home page to a darker colour',
    'Copy /locations/austin for Houston but without the table as /locations/houston',
    'Change the headline of /about to Me too',
    'Change the headline of /about to Hello, and the year to 2027',
    'Change the headline of /about to Hello instead of Hi',
    'Change the headline of /about to Hello as soon as you can',
    'We no longer have a free plan',
    'We no longer have a Starter package. Change the headline of /pricing to "Prices"',
    'We have a new name. Change the headline of /about to "Us"',
    'Keep it short. Change the headline of /about to "Us"',
    'Do not touch the footer. Change the headline of /about to "Us"',
    'Our address is now 5 Main Street. Change the headline of /about to "Us"',
    'The section about why people stay on the home page is too long. Cut it.',
    'Put Ruth Calloway first in the testimonials on /locations/austin',
    'We no longer have a Starter package. Remove the Atlas package from the pricing page',
    'There\'s a typo on /about. Replace "Starter" with "Start" on /pricing.',
    'On /pricing: change the copyright year to 2027',
    'On the pricing page:',
    'Change the headline of /about to "Us". On the pricing page.',
    'Update the prices on /pricing: everything',
    'Our name is now Southwind Works, and update the rest',
    'The headline of /about is wrong. Change the title of /about to "Us"',
  ],
  becomes: /^Nothing was changed/,
};

export const cases: Case[] = [
  refused,
  {
    row: 'typo',
    site: 'demo',
    wordings: [
      'Fix a typo on /about: "Eleven" should be "Twelve"',
      'There is a typo on the about page: “Eleven” should be “Twelve”',
      "Please correct the spelling 'Eleven' to 'Twelve' on /about",
      'Can you fix "Eleven" to "Twelve" on the "About the studio" page?',
    ],
    becomes: on(
      'about.html',
      [/\bEleven\b/g, 'Twelve'],
      [/\beleven\b/g, 'twelve'],
      [/\bELEVEN\b/g, 'TWELVE'],
    ),
  },
  {
    row: 'typo',
    site: 'business',
    wordings: [
      'There is a typo on /faq: "Account" should be "Acount"',
      'Fix a typo on the faq page: «Account» should be «Acount»',
      '"Account" on /faq should be "Acount"',
      'Please correct "Account" to "Acount" on /faq.',
    ],
    becomes: on(
      'faq.html',
      [/\bAccount\b/g, 'Acount'],
      [/\baccount\b(?!["-])/g, 'acount'],
      ['&amp;', '&amp;'],
    ),
  },
  {
    row: 'telephone',
    site: 'demo',
    wordings: [
      'Our phone number changed from +1 303 555 0100 to +1 303 555 0177',
      'Please change the phone number everywhere from +1 303 555 0100 to +1 303 555 0177.',
      'Can you replace the phone number "+1 303 555 0100" with "+1 303 555 0177" everywhere?',
      'Update the telephone number +1 303 555 0100 to +1 303 555 0177 on all pages',
      '+1 303 555 0100 is now +1 303 555 0177',
      'Our phone number is now +1 303 555 0177, not +1 303 555 0100',
    ],
    becomes: everywhere(
      ['+1 303 555 0100', '+1 303 555 0177'],
      ['+1-303-555-0100', '+1 303 555 0177'],
      ['tel:+13035550100', 'tel:+13035550177'],
    ),
  },
  {
    row: 'telephone',
    site: 'demo',
    wordings: [
      'Change the phone number everywhere to +1 303 555 0177',
      'Our new phone number is +1 303 555 0177',
      'Please update our phone number to "+1 303 555 0177"',
      'Our phone number is now +1 303 555 0177.',
    ],
    becomes: /^the site has \d telephone numbers: .*0100.*0142.*; say which/,
  },
  {
    row: 'email',
    site: 'demo',
    wordings: [
      'Our e-mail changed from austin@northwind.example to texas@northwind.example',
      'Change the email address everywhere from austin@northwind.example to texas@northwind.example',
      'Please replace the e-mail austin@northwind.example with texas@northwind.example everywhere',
      'Could you change the email "austin@northwind.example" to "texas@northwind.example"?',
      'austin@northwind.example is now texas@northwind.example',
      'The email austin@northwind.example should now be texas@northwind.example everywhere',
    ],
    becomes: everywhere(['austin@northwind.example', 'texas@northwind.example']),
  },
  {
    row: 'button',
    site: 'demo',
    wordings: [
      'Make the button "Start a project" say "Book a call" everywhere',
      'Please make the “Start a project” button say “Book a call”',
      'The button "Start a project" should say "Book a call"',
    ],
    becomes: everywhere(['>Start a project</a>', '>Book a call</a>']),
  },
  {
    row: 'button',
    site: 'business',
    wordings: [
      'Make the button "Get Started" say "Begin"',
      'Rename the button "Get Started" to Begin on the home page',
    ],
    becomes: on('index.html', ['>Get Started<', '>Begin<']),
  },
  {
    row: 'button',
    site: 'blog',
    wordings: [
      'Make the button "Older Posts →" say "More posts"',
      'The “Older Posts →” button should say “More posts” everywhere',
      'Please change the button "Older Posts →" on the home page to "More posts"',
    ],
    becomes: on('index.html', ['>Older Posts →<', '>More posts<']),
  },
  {
    row: 'swap',
    site: 'demo',
    wordings: [
      'Swap the two testimonials on /locations/austin',
      'Please switch the testimonials on the Austin page',
      'Can you exchange the first and second testimonial on /locations/austin?',
      'Swap the quotes under "What Austin clients say" on /locations/austin',
      'On locations/austin, swap Ruth Calloway and Marcus Deane with all that belongs to them.',
      'Switch Marcus Deane and Ruth Calloway on the Austin page',
    ],
    becomes: exchanged(
      'locations/austin.html',
      [`${quote}They asked`, '</figure>'],
      [`${quote}We had a launch`, '</figure>'],
    ),
  },
  {
    row: 'swap',
    site: 'business',
    wordings: [
      'Swap the first and third card on /pricing',
      'Please switch the cards "Free" and "Enterprise" on /pricing',
      'Exchange the third and first card on /pricing',
      'Swap the order of the Free and Enterprise cards on the pricing page',
      'Swap the positions of "Free" and "Enterprise" on /pricing',
    ],
    becomes: (files) => {
      const source = files['pricing.html']!;
      const [, free = '', second = '', pro = '', third = '', enterprise = ''] =
        /(<div class="col-lg-6 col-xl-4">(?:(?!<!-- Pricing card).)*<\/div>)(\s*<!-- Pricing card pro-->\s*)(<div class="col-lg-6 col-xl-4">(?:(?!<!-- Pricing card).)*<\/div>)(\s*<!-- Pricing card enterprise-->\s*)(<div class="col-lg-6 col-xl-4">.*?<\/ul>\s*<div[^>]*>.*?<\/div>\s*<\/div>\s*<\/div>\s*<\/div>)/s.exec(
          source,
        ) ?? [];
      return {
        'pricing.html': source.replace(
          free + second + pro + third + enterprise,
          () => enterprise + second + pro + third + free,
        ),
      };
    },
  },
  {
    row: 'moveSection',
    site: 'demo',
    wordings: [
      'Move the FAQ above the packages on /pricing',
      'Move the section "Questions about money" above "Packages" on /pricing',
      'Please put the "Questions about money" section before the section "Packages" on the pricing page',
      'On /pricing, put the FAQ on top of the packages',
      'Move the FAQ to the top of the pricing page',
      'Move "Questions about money" above "Packages"',
      'Put the FAQ right before the packages on the pricing page',
    ],
    becomes: (files) => {
      const source = files['pricing.html']!;
      const faq = `\n      ${stretch(source, '<section class="section tint" aria-labelledby="questions">', '</section>')}`;
      const moved = source
        .replace(faq, '')
        .replace(
          '\n      <section class="section tint" aria-labelledby="packages">',
          (own) => faq + own,
        );
      return { 'pricing.html': moved };
    },
  },
  {
    row: 'moveSection',
    site: 'blog',
    wordings: [
      'Move the section "Reaching for the Stars" above "The Final Frontier" on /post',
      'Put "Reaching for the Stars" before "The Final Frontier" on /post',
      'Move “Reaching for the Stars” above the section “The Final Frontier” on the post page',
    ],
    becomes: (files) => {
      const source = files['post.html']!;
      const from = source.indexOf('<h2 class="section-heading">The Final Frontier</h2>');
      const middle = source.indexOf('<h2 class="section-heading">Reaching for the Stars</h2>');
      const space = /\s*$/.exec(source.slice(0, middle))![0];
      const end = source.lastIndexOf('</p>', source.indexOf('</article>')) + 4;
      const [a, b] = [source.slice(from, middle - space.length), source.slice(middle, end)];
      return { 'post.html': source.slice(0, from) + b + space + a + source.slice(end) };
    },
  },
  {
    row: 'removeSection',
    site: 'demo',
    wordings: [
      'Remove the section "Why people stay" from the home page',
      'Hide the “Why people stay” section on /',
      'Please delete the whole section "Why people stay" on the home page',
      'Can you remove the Why people stay section from the home page?',
      'Take the section "Why people stay" off the home page',
      'Remove the section called "Why people stay"',
      'Hide the "Why people stay" section',
    ],
    becomes: without(
      'index.html',
      '\n      <section class="section tint" aria-labelledby="why">',
      '</section>',
    ),
  },
  {
    row: 'removeSection',
    site: 'business',
    wordings: [
      'Remove the section "From our blog" from the home page',
      'Please get rid of the "From our blog" section on the home page',
      "Delete the 'From our blog' block from /",
      'Remove the section "From our blog"',
    ],
    becomes: (files) => {
      const source = files['index.html']!;
      const at = source.indexOf('\n            <!-- Blog preview section-->');
      return {
        'index.html': source.slice(0, at) + source.slice(source.indexOf('</section>', at) + 10),
      };
    },
  },
  {
    row: 'removeTable',
    site: 'demo',
    wordings: [
      'Remove the pricing table from /pricing',
      'Hide the table "What each package includes" on /pricing',
      'Please remove the table from the pricing page',
      'Delete the table under "Compare the packages" on /pricing',
    ],
    becomes: without(
      'pricing.html',
      '\n          <div class="table-scroll">',
      '</table>\n          </div>',
    ),
  },
  {
    row: 'remove',
    site: 'business',
    wordings: [
      'Remove the second card from /pricing',
      'Hide the second card on the pricing page',
      'Remove the card "Pro" from /pricing',
      'Remove the Pro plan from the pricing page',
      'Take the pro plan off /pricing',
    ],
    becomes: without(
      'pricing.html',
      '\n                        <!-- Pricing card pro-->',
      'Choose plan</a></div>\n                                </div>\n                            </div>\n                        </div>',
    ),
  },
  {
    row: 'addEntry',
    site: 'demo',
    wordings: [
      'Add /locations/austin to the navigation as "Austin"',
      'Please add the Austin page as “Austin” to the menu',
      'Add a link "Austin" to /locations/austin to the navigation',
    ],
    becomes: (files) =>
      Object.fromEntries(
        Object.entries(files).map(([path, source]) => {
          const [, space = '', href = ''] =
            /(\n *)<li><a href="([^"]*)contact"[^>]*>Contact<\/a><\/li>\n *<\/ul>/.exec(source) ??
            [];
          const own =
            /^(?:\.\.\/)*$/.test(href) && path.startsWith('locations/')
              ? 'austin'
              : `${href}locations/austin`;
          const mark =
            path === 'locations/austin.html' ? 'class="active" aria-current="page" ' : '';
          const entry = `${space}<li><a ${mark}href="${own}">Austin</a></li>`;
          return [
            path,
            source.replace(
              /(<a href="[^"]*contact"[^>]*>Contact<\/a><\/li>)(?=\n *<\/ul>)/,
              (all) => all + entry,
            ),
          ];
        }),
      ),
  },
  {
    row: 'addEntry',
    site: 'blog',
    wordings: [
      'Add /post to the navigation as "Read"',
      'Please add /post to the menu called “Read”',
      'Add a link "Read" to /post to the menu',
    ],
    becomes: (files) =>
      everywhere([
        '>Contact</a></li>',
        `>Contact</a></li>${/\s*<li class="nav-item"><a[^>]*href="contact.html"/.exec(files['index.html']!)![0].replace('contact', 'post')}>Read</a></li>`,
      ])(files),
  },
  {
    row: 'renameEntry',
    site: 'demo',
    wordings: [
      'Change "Journal" to "Blog" in the navigation',
      'Rename Journal to Blog in the menu',
      'In the navigation, change “Journal” to “Blog”',
      'Please rename the menu entry "Journal" to Blog',
      'Rename "Journal" to "Blog" in the navigation of every page.',
    ],
    becomes: everywhere([/>Journal<\/a><\/li>/g, '>Blog</a></li>']),
  },
  {
    row: 'renameEntry',
    site: 'business',
    wordings: [
      'Change "Pricing" to "Prices" in the navigation',
      'Could you rename "Pricing" in the menu to "Prices"?',
      'In the navigation change Pricing to Prices',
    ],
    becomes: everywhere(['href="pricing.html">Pricing<', 'href="pricing.html">Prices<']),
  },
  {
    row: 'removeEntry',
    site: 'demo',
    wordings: ['Remove "About" from the navigation', 'Remove the menu entry "About"'],
    becomes: everywhere([/\n *<li><a href="[^"]*about"[^>]*>About<\/a><\/li>/g, '']),
  },
  {
    row: 'removeEntry',
    site: 'blog',
    wordings: [
      'Remove "Contact" from the navigation',
      'Remove the link "Contact" from the menu',
      'Please delete the navigation entry "Contact"',
      'Take out "Contact" from the navigation',
    ],
    becomes: everywhere([
      /\s*<li class="nav-item"><a[^>]*href="contact.html">Contact<\/a><\/li>/g,
      '',
    ]),
  },
  {
    row: 'year',
    site: 'demo',
    wordings: [
      'Change the copyright year to 2027',
      'Please set the year in the footer to 2027',
      'Copyright year to 2027',
      'Can you update the copyright to 2027 everywhere?',
      'Change the copyright year from 2026 to 2027',
      'The copyright year changed from 2026 to 2027',
    ],
    becomes: everywhere(['© 2026', '© 2027']),
  },
  {
    row: 'year',
    site: 'demo',
    wordings: ['Change the copyright year from 2024 to 2027'],
    becomes: /^the year of the copyright is 2026, not "2024"/,
  },
  {
    row: 'year',
    site: 'business',
    wordings: [
      'Update the copyright year to 2027',
      'The year in the footer should be 2027',
      'Please bump the copyright year to 2027',
    ],
    becomes: everywhere([
      /Copyright &copy; Your Website 20\d\d/g,
      'Copyright &copy; Your Website 2027',
    ]),
  },
  {
    row: 'price',
    site: 'demo',
    wordings: [
      "Change Starter's price to $5,200",
      'Please set the price of the Starter package to $5,200',
      'The Starter price should be $5,200',
      'Starter now costs $5,200',
      'Change the price of Starter from $4,800 to $5,200',
      'The price of Starter went up from $4,800 to $5,200',
      'The Starter package costs $5,200 from now on.',
      'Starter is $5,200 now',
      'Please raise the price of Starter to $5,200.',
      'Starter package: $5,200 instead of $4,800',
      'Starter: $5,200 (was $4,800)',
      'Update our prices:\n- Starter: $5,200',
      'Set Starter to $5,200, not $4,800',
      'The Starter package price goes from $4,800 to $5,200',
    ],
    becomes: (files) => {
      const low: Edit = ['<td class="price">$4,800</td>', '<td class="price">$5,200</td>'];
      return {
        ...on('pricing.html', ['$4,800', '$5,200'], ['"4800"', '"5200"'])(files),
        ...on('locations/austin.html', low)(files),
        ...on('locations/denver.html', low)(files),
      };
    },
    warns: /the price "\$4,800" is now "\$5,200"/,
  },
  {
    row: 'price',
    site: 'demo',
    wordings: [
      'Change the price from $4,800 to $5,200',
      'Replace the price $4,800 with $5,200 everywhere',
      'Update all the prices from $4,800 to $5,200',
    ],
    becomes: everywhere(['$4,800', '$5,200'], ['"price": "4800"', '"price": "5200"']),
    warns: /the price "\$4,800" is now "\$5,200"/,
  },
  {
    row: 'price',
    site: 'demo',
    wordings: [
      'Change the price of Starter from $4,900 to $5,200',
      "Starter's price changed from $4,900 to $5,200",
    ],
    becomes: /^the price of "Starter" is \$4,800, not "\$4,900"/,
  },
  {
    row: 'price',
    site: 'business',
    wordings: [
      "Pro's price to $12",
      'Change the price of Pro to $12 on /pricing',
      'Please change the Pro plan price to $12',
      'Pro now costs $12',
      'On the pricing page, the Pro plan now costs $12 a month.',
      'Pro costs $12 per month from now on',
      'Pro plan: $12 instead of $9',
      'On /pricing:\n- Pro is now $12',
    ],
    becomes: on('pricing.html', ['>$9<', '>$12<']),
  },
  {
    row: 'raise',
    site: 'business',
    wordings: ['Raise all prices by 100 %', 'Please increase the prices by 100%'],
    becomes: on('pricing.html', ['>$9<', '>$18<'], ['>$49<', '>$98<']),
    warns: /the price "\$9" is now "\$18"/,
  },
  {
    row: 'add',
    site: 'demo',
    wordings: [
      'Add a question "Is it safe?" with the answer "Yes." on /pricing',
      'Please add the question “Is it safe?” with the answer “Yes.” to the FAQ on /pricing',
      'Add a new question: "Is it safe?" Answer: "Yes." on /pricing',
      'Can you add the question "Is it safe?" with "Yes." to the questions on the pricing page?',
      'Add a question to the pricing page: "Is it safe?" with the answer "Yes."',
      'Please add this question to the FAQ on /pricing: "Is it safe?" Answer: "Yes."',
      'On the pricing page, add a question: "Is it safe?" and the answer "Yes."',
    ],
    becomes: on('pricing.html', [
      '<p>Two a year, at half the price. Applications close every October.</p>\n            </details>',
      '<p>Two a year, at half the price. Applications close every October.</p>\n            </details>\n            <details>\n              <summary>Is it safe?</summary>\n              <p>Yes.</p>\n            </details>',
    ]),
  },
  {
    row: 'headline',
    site: 'demo',
    wordings: ['Please set the title of the about page to "Who we are"'],
    becomes: on('about.html', [
      '<title>About the studio | Northwind Studio</title>',
      '<title>Who we are</title>',
    ]),
  },
  {
    row: 'headline',
    site: 'blog',
    wordings: ['The headline of the about page should be “Who We Are”'],
    becomes: on('about.html', ['<h1>About Me</h1>', '<h1>Who We Are</h1>']),
  },
  {
    row: 'deleteLinks',
    site: 'demo',
    wordings: [
      'Delete /blog/website-brief and the links to it',
      'Please remove the page /blog/website-brief and all links to it',
      'Get rid of /blog/website-brief with its links',
      'Can you delete the website brief page, including the links to it?',
      'Delete the page about the website brief, and every link to it.',
    ],
    becomes: (files) => ({
      ...everywhere([/<a href="[^"]*website-brief">([^<]*)<\/a>/g, '\0'])(files),
      ...Object.fromEntries(
        Object.entries(files)
          .filter(
            ([path, source]) =>
              path !== 'blog/website-brief.html' && source.includes('website-brief"'),
          )
          .map(([path, source]) => [
            path,
            source.replace(/<a href="[^"]*website-brief">([^<]*)<\/a>/g, '$1'),
          ]),
      ),
      'blog/website-brief.html': null,
    }),
  },
  {
    row: 'deleteLinks',
    site: 'business',
    wordings: [
      'Delete /faq and the links to it',
      'Remove /faq and everything that links to it',
      'Please delete the faq page and all the links to it',
      'Drop /faq, including its links',
    ],
    becomes: (files) => ({
      ...everywhere([
        /\s*<li class="nav-item"><a class="nav-link" href="faq.html">FAQ<\/a><\/li>/g,
        '',
      ])(files),
      'faq.html': null,
    }),
  },
  {
    row: 'company',
    site: 'demo',
    wordings: [
      'Rename the company to "Southwind Works" everywhere',
      'Please change the company name to Southwind Works',
      'Change the name of the company from "Northwind Studio" to "Southwind Works" everywhere',
      'We are now called “Southwind Works”',
      'We are now called Southwind Works (before: Northwind Studio)',
      'We changed our name from Northwind Studio to Southwind Works.',
      'Our company is called Southwind Works now, not Northwind Studio',
      'We are now called Southwind Works instead of Northwind Studio',
      'Our name is Southwind Works now, no longer Northwind Studio.',
    ],
    becomes: everywhere(['Northwind Studio', 'Southwind Works']),
    warns: /the address "hello@northwind\.example" has the old name/,
  },
  {
    row: 'link',
    site: 'business',
    wordings: [
      'Make the link "Pricing" lead to /faq everywhere',
      'Change the target of the link "Pricing" to /faq on all pages',
      'Please point the “Pricing” link at /faq everywhere',
      'Can you link "Pricing" to /faq everywhere?',
    ],
    becomes: everywhere(['href="pricing.html">Pricing<', 'href="faq.html">Pricing<']),
  },
  {
    row: 'replace',
    site: 'demo',
    wordings: [
      'Replace "Austin" with "Lisbon" on /contact',
      'On the contact page, replace Austin with Lisbon',
      'Please change “Austin” to “Lisbon” on /contact',
      'Write "Lisbon" instead of "Austin" on /contact',
    ],
    becomes: on('contact.html', [/\bAustin\b/g, 'Lisbon']),
    warns: /\/contact: the link "Lisbon" still leads to \/locations\/austin/,
  },
  {
    row: 'telephone',
    site: 'business',
    wordings: [
      'Change the phone number everywhere to (555) 111-2222',
      'Our new phone number is (555) 111-2222',
      'Please update the phone number on all pages to "(555) 111-2222"',
      'Our telephone number is now (555) 111-2222.',
      'Change the phone number on the contact page to (555) 111-2222',
    ],
    becomes: on('contact.html', ['(555) 892-9403', '(555) 111-2222']),
  },
  {
    row: 'email',
    site: 'business',
    wordings: [
      'Change the e-mail from support@domain.com to help@domain.com',
      'Our e-mail address has changed from support@domain.com to help@domain.com',
      'Please change the email support@domain.com to help@domain.com everywhere',
      'Replace the e-mail address "support@domain.com" with "help@domain.com"',
    ],
    becomes: on('faq.html', ['support@domain.com', 'help@domain.com']),
  },
  {
    row: 'year',
    site: 'blog',
    wordings: [
      'Change the copyright year to 2027',
      'Update the year in the footer to 2027',
      'The copyright year should be 2027',
      'Could you set the copyright year to "2027" on all pages?',
    ],
    becomes: everywhere([
      /Copyright &copy; Your Website 20\d\d/g,
      'Copyright &copy; Your Website 2027',
    ]),
  },
  {
    row: 'add',
    site: 'business',
    wordings: [
      'Add a team member "Ann Lee", "Baker" on /about',
      'Please add the team member “Ann Lee” with “Baker” on the about page',
      'Add another team member: "Ann Lee" and "Baker" on /about',
      'Can you add a person "Ann Lee", "Baker" to the team on /about?',
      'Add a team member to the about page: "Ann Lee", "Baker"',
    ],
    becomes: (files) => {
      const source = files['about.html']!;
      const [model = ''] =
        /\n *<div class="col mb-5 mb-5 mb-xl-0">(?:(?!<div class="col ).)*Arden.*?<\/div>\s*<\/div>\s*<\/div>/s.exec(
          source,
        ) ?? [];
      const own = edited(model, [
        ['Arden Vasek', 'Ann Lee'],
        [/(?<=text-muted">)[^<]*/g, 'Baker'],
      ]);
      const end = source.indexOf('</section>', source.indexOf('Malvina Cilla'));
      const at = source.slice(0, end).replace(/(?:\s*<\/div>){2}\s*$/, '').length;
      return { 'about.html': source.slice(0, at) + own + source.slice(at) };
    },
  },
  {
    row: 'company',
    site: 'blog',
    wordings: [
      'Rename the company to "Ink & Co" everywhere',
      'Change the company name to “Ink & Co” on all pages',
      'Please change the name of the business to "Ink & Co" everywhere',
      'We are now called "Ink & Co"',
    ],
    becomes: everywhere(
      ['<title>Clean Blog - Start Bootstrap Theme', '<title>Clean Blog - Ink &amp; Co Theme'],
      [/(?<=>|by\s+)Start Bootstrap(?=<)/g, 'Ink &amp; Co'],
    ),
  },
  {
    row: 'removeTable',
    site: 'business',
    wordings: [
      'Remove the pricing table from /pricing',
      'Hide the table on /pricing',
      'Remove the table "Prices" from the pricing page',
      'Delete the prices table on /pricing',
    ],
    becomes: /^\/pricing has no table/,
  },
  {
    row: 'raise',
    site: 'demo',
    wordings: [
      'Raise all prices on /services/brand-identity by 10 %',
      'Please put up the prices on /services/brand-identity by 10 percent',
      'Increase all prices by 10% on /services/brand-identity',
    ],
    becomes: on('services/brand-identity/index.html', ['$3,200', '$3,520'], ['"3200"', '"3520"']),
    warns: /the price "\$3,200" is now "\$3,520"/,
  },
  {
    row: 'headline',
    site: 'business',
    wordings: [
      'Set the title of /about to "Our story, and who we are"',
      'Change the about page\'s title to "Our story, and who we are"',
      'The title of /about should be "Our story, and who we are".',
    ],
    becomes: on('about.html', [/<title>[^<]*/g, '<title>Our story, and who we are']),
  },
  {
    row: 'price',
    site: 'business',
    wordings: ['The Pro plan costs $120 a year now', 'Pro now costs $120 per year on /pricing'],
    becomes: /^no price on \/pricing is said to be for a year$/,
  },
  {
    row: 'delete',
    site: 'demo',
    wordings: ['Delete the page about our locations', 'Remove the page about locations'],
    becomes:
      /^the name stands for more than one page: \/locations, \/locations\/austin, \/locations\/denver; /,
  },
  {
    row: 'moveSection',
    site: 'demo',
    wordings: ['On /pricing, move the FAQ in front of the comparison'],
    becomes: (files) => {
      const source = files['pricing.html']!;
      const faq = `\n      ${stretch(source, '<section class="section tint" aria-labelledby="questions">', '</section>')}`;
      const other = /\n {6}<section class="[^"]*" aria-labelledby="compare">/.exec(source)![0];
      return { 'pricing.html': source.replace(faq, '').replace(other, () => faq + other) };
    },
  },
  {
    row: 'link',
    site: 'business',
    wordings: [
      'Make the button "Get Started" on the home page say "See our prices" and lead to the pricing page.',
      'Make the button "Get Started" on / say "See our prices" and link to /pricing.',
    ],
    becomes: on('index.html', [
      'href="#features">Get Started<',
      'href="pricing.html">See our prices<',
    ]),
  },
  {
    row: 'button',
    site: 'business',
    wordings: [
      'All "Choose plan" buttons should say "Start"',
      'Make all "Choose plan" buttons say "Start"',
      'Every "Choose plan" button should read "Start"',
    ],
    becomes: on('pricing.html', ['>Choose plan<', '>Start<']),
  },
  {
    row: 'typo',
    site: 'paper',
    wordings: [
      'Fix the typo "veriety": it should be "variety".',
      '"veriety" is wrong, it should be "variety"',
      'I found a typo: "veriety" should be "variety".',
    ],
    becomes: on('examples/landing.html', ['veriety', 'variety']),
  },
  {
    row: 'price',
    site: 'demo',
    wordings: [
      'Starter is now $5,200 and Atlas is now $19,000',
      'Change the price of Starter to $5,200 and Atlas to $19,000',
      'Update the prices:\n- Starter: $5,200\n- Atlas: $19,000',
    ],
    becomes: (files) => {
      const table: Edit[] = [
        ['<td class="price">$4,800</td>', '<td class="price">$5,200</td>'],
        ['<td class="price">$18,000</td>', '<td class="price">$19,000</td>'],
      ];
      return {
        ...on(
          'pricing.html',
          ['$4,800', '$5,200'],
          ['"4800"', '"5200"'],
          ['$18,000', '$19,000'],
          ['"18000"', '"19000"'],
        )(files),
        ...on('locations/austin.html', ...table)(files),
        ...on('locations/denver.html', ...table)(files),
      };
    },
  },
  {
    row: 'price',
    site: 'business',
    wordings: [
      'Pro plan: $12 instead of $9\nEnterprise plan: $59 instead of $49',
      'Pro is now $12 and Enterprise is now $59',
      'Please make the following changes on /pricing:\n1. Pro now costs $12\n2. Enterprise: $59 instead of $49',
      'Change the Pro price to $12 and the Enterprise price to $59.',
    ],
    becomes: on('pricing.html', ['>$9<', '>$12<'], ['>$49<', '>$59<']),
  },
  {
    row: 'price',
    site: 'business',
    wordings: ['Enterprise plan: $59 instead of $45', 'Enterprise: $59 (was $45)'],
    becomes: /^the price of "Enterprise" is \$49, not "\$45"/,
  },
  {
    row: 'link',
    site: 'demo',
    wordings: [
      'The "See pricing" button on the homepage should go to /contact',
      'On the home page, the "See pricing" button should lead to the contact page instead of /pricing',
      'The button "See pricing" on / should link to /contact',
    ],
    becomes: on('index.html', ['href="pricing">See pricing<', 'href="contact">See pricing<']),
  },
  {
    row: 'link',
    site: 'business',
    wordings: [
      'The "Learn More" button on the home page should go to /about',
      'The "Learn More" button on / should now lead to the about page',
    ],
    becomes: on('index.html', ['href="#!">Learn More<', 'href="about.html">Learn More<']),
  },
  {
    row: 'swap',
    site: 'demo',
    wordings: [
      'Swap "Recent work" and "Small studio, whole job" on the home page',
      'Swap the order of "Small studio, whole job" and "Recent work" on /',
    ],
    becomes: (files) => {
      const source = files['index.html']!;
      const [work, services] = ['work', 'services'].map((id) =>
        stretch(source, sectionStart(source, id), '</section>'),
      );
      return { 'index.html': source.replace(services! + work!, () => work! + services!) };
    },
  },
  {
    row: 'headline',
    site: 'paper',
    wordings: ['On examples/landing:\n- headline: "Tidewatch"'],
    becomes: on('examples/landing.html', ['<h1>Example page<', '<h1>Tidewatch<']),
  },
  {
    row: 'replace',
    site: 'bulma',
    wordings: [
      'The landing page should say "Launching in May" instead of "Coming Soon"',
      '"Coming Soon" on templates/landing should just say "Launching in May"',
    ],
    becomes: on('templates/landing.html', ['Coming Soon', 'Launching in May']),
  },
  {
    row: 'remove',
    site: 'demo',
    wordings: ['Remove the section "Services"', 'Hide the "Nowhere to be found" section'],
    becomes: /^"(?:Services|Nowhere to be found)" stands on .+: say on which page$/,
  },
];

import { defined } from '../../../../contract/defined.ts';
import { verbs } from '../language/synonyms.ts';
import { onPage, type Row } from './row.ts';

const contact =
  (what: 'telephone' | 'email'): Row['read'] =>
  ({ from, to, pages }) => ({
    kind: 'contact',
    what,
    ...defined({ from, pages: pages === 'everywhere' ? undefined : pages }),
    to: to!,
  });

const price: Row['read'] = ({ name, from, per, to, pages = null }) => {
  // a sum or day is no package's name; "New price for Basic" is about no package called "New"
  const isNoName =
    name !== undefined &&
    (!/\p{L}/u.test(name) ||
      /^(?:new|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)$/i.test(name) ||
      verbs.has(name.split(' ')[0]!.toLowerCase()));
  return isNoName ? null : { kind: 'price', ...defined({ name, from, per }), to: to!, pages };
};

const raise =
  (sign: 1 | -1): Row['read'] =>
  ({ percent, pages = null }) => ({ kind: 'raise', percent: sign * percent!, pages });

const company: Row['read'] = ({ from, to }) =>
  // in "called Acme now", the company's name is "Acme"
  / now$/.test(to!)
    ? null
    : { kind: 'company', ...defined({ from: from?.replace(/^([^(]*)\)$/, '$1') }), to: to! };

const hours = onPage(({ days, hours = null, edge }, page) => ({
  kind: 'hours',
  days: days!,
  hours,
  ...defined({ edge }),
  page,
}));

/** The wording for the former price. */
const WAS = '(WAS {sum:from} {per}? CLOSE?)?';

const ITS_PRICE = "THE? {value:name} PACKAGE? 's? PRICE? @";
const OF_PACKAGE = 'of|for THE? {value:name} PACKAGE? @';
const FROM_TO = `IT_CHANGED? (from {amount:from})? TO {amount:to} {per}? ${WAS} @`;
const IN_FOOTER = '(in THE? footer)?';

/** Facts about a business, which are the same everywhere on the site. */
export const factRows: Record<string, Row> = {
  telephone: {
    wordings: [
      [
        'SET THE? PHONE EVERYWHERE? (from {phone:from})? TO {phone:to} EVERYWHERE?',
        'Change the phone number everywhere to +1 303 555 0177',
      ],
      [
        'SET THE? PHONE EVERYWHERE? {phone:from} TO|WITH {phone:to} EVERYWHERE?',
        'Change the phone number +1 303 555 0100 to +1 303 555 0177',
      ],
      [
        'THE? PHONE HAS_CHANGED (from {phone:from})? TO {phone:to} EVERYWHERE?',
        'Our phone number changed from +1 303 555 0100 to +1 303 555 0177',
      ],
      [
        'SET THE? PHONE EVERYWHERE? IT_CHANGED from {phone:from} TO {phone:to} EVERYWHERE?',
        'Change the phone number everywhere; it changed from +1 303 555 0100 to +1 303 555 0177',
      ],
      [
        'SET THE? PHONE @ (from {phone:from})? TO {phone:to} @',
        'Change the phone number on /contact to +1 303 555 0177',
      ],
      ['THE? new PHONE is|: {phone:to} EVERYWHERE?', 'Our new phone number is +1 303 555 0177'],
      [
        'SET THE? PHONE EVERYWHERE? (from {phone:from})? IT_IS {phone:to} EVERYWHERE?',
        'Change the phone number everywhere. It is now +1 303 555 0177',
      ],
      [
        'THE? PHONE NOW_IS now? {phone:to} USED_TO_BE {phone:from} before? CLOSE? EVERYWHERE?',
        'Our phone number is now +1 303 555 0177, not +1 303 555 0100',
      ],
      ['THE? PHONE is now {phone:to} EVERYWHERE?', 'Our phone number is now (303) 555-0177'],
      [
        '(THE? PHONE)? {phone:from} NOW_IS {phone:to} EVERYWHERE?',
        '+1 303 555 0100 is now +1 303 555 0177',
      ],
      [
        'replace THE? PHONE? {phone:from} WITH {phone:to} EVERYWHERE',
        'Replace the phone number +1 303 555 0100 with +1 303 555 0177 everywhere',
      ],
    ],
    read: contact('telephone'),
  },
  email: {
    wordings: [
      [
        'SET THE? EMAIL EVERYWHERE? (from {email:from})? TO {email:to} EVERYWHERE?',
        'Change the e-mail address everywhere to office@acme.example',
      ],
      [
        'SET THE? EMAIL? EVERYWHERE? {email:from} TO|WITH {email:to} EVERYWHERE?',
        'Change the email hello@acme.example to office@acme.example',
      ],
      [
        'THE? EMAIL HAS_CHANGED (from {email:from})? TO {email:to} EVERYWHERE?',
        'Our e-mail changed from hello@acme.example to office@acme.example',
      ],
      [
        'SET THE? EMAIL EVERYWHERE? IT_CHANGED from {email:from} TO {email:to} EVERYWHERE?',
        'Change the e-mail address everywhere; it changed from hello@acme.example to office@acme.example',
      ],
      [
        'SET THE? EMAIL @ (from {email:from})? TO {email:to} @',
        'Change the e-mail address on /contact to office@acme.example',
      ],
      [
        'THE? new EMAIL is|: {email:to} EVERYWHERE?',
        'Our new email address is office@acme.example',
      ],
      [
        'SET THE? EMAIL EVERYWHERE? (from {email:from})? IT_IS {email:to} EVERYWHERE?',
        'Change the e-mail address everywhere. It is now office@acme.example',
      ],
      [
        'THE? EMAIL NOW_IS now? {email:to} USED_TO_BE {email:from} before? CLOSE? EVERYWHERE?',
        'Our e-mail is now office@acme.example, it was hello@acme.example',
      ],
      ['THE? EMAIL is now {email:to} EVERYWHERE?', 'Our e-mail is now office@acme.example'],
      [
        '(THE? EMAIL)? {email:from} NOW_IS {email:to} EVERYWHERE?',
        'hello@acme.example is now office@acme.example',
      ],
      [
        'replace THE? EMAIL? {email:from} WITH {email:to} EVERYWHERE?',
        'Replace the e-mail hello@acme.example with office@acme.example everywhere',
      ],
    ],
    read: contact('email'),
  },
  year: {
    wordings: [
      [
        `SET THE? YEAR ${IN_FOOTER} (on all|every pages|page)? TO {year} EVERYWHERE? ${IN_FOOTER}`,
        'Change the copyright year to 2027',
      ],
      [
        `SET|bump THE? YEAR ${IN_FOOTER} EVERYWHERE? IT_CHANGED? from {year:from} TO {year} EVERYWHERE? ${IN_FOOTER}`,
        'Change the copyright year from 2026 to 2027',
      ],
      [
        `THE? YEAR ${IN_FOOTER} HAS_CHANGED (from {year:from})? TO {year} EVERYWHERE?`,
        'The copyright year changed from 2026 to 2027',
      ],
      [`bump THE? YEAR ${IN_FOOTER} TO {year} EVERYWHERE?`, 'Bump the copyright year to 2027'],
      [`YEAR ${IN_FOOTER} TO? {year}`, 'Copyright year to 2027'],
      [`SET THE? YEAR ${IN_FOOTER} EVERYWHERE?`, 'Update the year in the footer'],
      [`THE? YEAR ${IN_FOOTER} TO {year}`, 'The year in the footer should be 2027'],
      ['THE? footer TO {year} EVERYWHERE?', 'The footer should say 2027'],
      [
        `(in THE? footer ,?)? SET|replace|bump THE? YEAR? © {year:from} TO|WITH ©? {year} ${IN_FOOTER} EVERYWHERE?`,
        'Change © 2026 to © 2027 in the footer',
      ],
      ['SET THE? footer YEAR (from {year:from})? (TO {year})?', 'Set the footer year to 2027'],
    ],
    read: ({ from, year }) => ({ kind: 'year', ...defined({ from, year }) }),
  },
  price: {
    wordings: [
      [`SET THE? {value:name} 's PRICE @ ${FROM_TO}`, "Change Basic's price to $7"],
      [`SET|RAISE|LOWER THE? PRICE ${OF_PACKAGE} ${FROM_TO}`, 'Set the price of Basic to $7'],
      [
        `SET|RAISE|LOWER THE? {value:name} PACKAGE? PRICE @ ${FROM_TO}`,
        'Change the Basic package price to $7 on /pricing',
      ],
      [
        `SET|RAISE|LOWER THE? {value:name} PACKAGE? @ (from {sum:from})? to {sum:to} {per}? ${WAS} @`,
        'Set Basic to $7',
      ],
      [`${ITS_PRICE} COSTS {amount:to} {per}? NOW? ${WAS} @`, 'Basic now costs $7'],
      [`${ITS_PRICE} is {sum:to} {per}? NOW ${WAS} @`, 'Basic is $7 from now on'],
      [`${ITS_PRICE} is {sum:to} {per}? WAS {sum:from} {per}? NOW? @`, 'Basic is $7 instead of $5'],
      [`NOW ,? ${ITS_PRICE} COSTS|is {sum:to} {per}? ${WAS} @`, 'From now on, Basic costs $7'],
      [`${ITS_PRICE} COSTS {amount:to} {per} NOW? ${WAS} @`, 'The Basic plan now costs $7 a month'],
      [
        `THE? {value:name} PACKAGE? PRICE @ TO {amount:to} {per}? ${WAS} @`,
        'The Basic price should be $7 on /pricing',
      ],
      [
        `${ITS_PRICE} (:|-|–|->|→|to|at|for)? {sum:to} {per}? NOW? ${WAS} @`,
        'Basic plan: $7 instead of $5',
      ],
      [`${ITS_PRICE} :? {sum:from} {per}? ->|→|to|=> {sum:to} {per}? @`, 'Basic: $5 -> $7'],
      [
        "{value:name} 's PRICE IT_CHANGED? (from {amount:from})? TO {amount:to} {per}? @",
        "Basic's price to $7",
      ],
      [
        `THE? new? PRICE ${OF_PACKAGE} TO|is|COSTS {amount:to} {per}? now? ${WAS} @`,
        'New price for Basic: $7',
      ],
      [
        `${ITS_PRICE} WENT from {amount:from} TO {amount:to} {per}? @`,
        "Basic's price changed from $5 to $7",
      ],
      [
        `THE? PRICE ${OF_PACKAGE} WENT from {amount:from} TO {amount:to} {per}? @`,
        'The price of Basic went up from $5 to $7',
      ],
      [
        'SET|replace|RAISE|LOWER WHICH? THE? PRICE @ IT_CHANGED? from? {amount:from} @ TO|WITH {amount:to} {per}? @',
        'Change the price from $5 to $7 on /pricing',
      ],
    ],
    read: price,
  },
  raise: {
    wordings: [
      ['RAISE PRICES @ by {percent} @', 'Raise all prices by 10 %'],
      ['RAISE PRICES @ {percent} @', 'Increase the prices on /pricing 10%'],
      ['add {percent} to PRICES @', 'Add 10 percent to all prices'],
      ['make everything {percent} more expensive @', 'Make everything 10 % more expensive'],
      ['make PRICES @ {percent} DEARER @', 'Make all prices 10% higher'],
    ],
    read: raise(1),
  },
  lower: {
    wordings: [
      ['LOWER PRICES @ by {percent} @', 'Lower all prices by 10 %'],
      ['LOWER PRICES @ {percent} @', 'Reduce the prices on /pricing 10%'],
      ['take {percent} off PRICES @', 'Take 10 percent off all prices'],
      ['make everything {percent} cheaper @', 'Make everything 10 % cheaper'],
      ['make PRICES @ {percent} lower|cheaper @', 'Make all prices 10% lower'],
    ],
    read: raise(-1),
  },
  hours: {
    wordings: [
      ['{days} (is|are)? now (open from?)? {hours} @', 'Friday now 9 to 5 on /rooms'],
      [
        '{page:of} (is|are)? now? open|opens now? (on)? {days} now? (from|:)? {hours}',
        'Austin is now open on Fridays from 9 to 5',
      ],
      [
        '{page:of} (is|are)? now? open|opens now? (from)? {hours} (on)? {days} NOW?',
        'The Austin page is open from 9 to 5 on Fridays',
      ],
      [
        'we (are)? now? open now? @ (from)? {hours} (on)? {days} NOW? @',
        'We are open from 9 to 5 on Fridays on /rooms',
      ],
      [
        'we (are|have)? now? open now? (on)? {days} now? @ (from|:)? {hours} NOW? @',
        'In Austin we are open Fridays from 10am to 4pm now',
      ],
      ['(on)? {days} (:|-|–|from)? now? {hours} NOW? @', 'Friday: 9 to 5 on /rooms'],
      [
        'SET THE? HOURS (on|of|for)? {days} @ TO {hours} @',
        'Change the hours on Friday to 9 to 5 on /rooms',
      ],
      [
        "SET THE? {days} 's? HOURS @ TO {hours} @",
        "Change Friday's hours on /rooms to 9 am to 5 pm",
      ],
      [
        '(we are)? (open|opened)? (on)? {days} (we are)? open? (from|:) {hours} @',
        'On Friday we are open from 9 to 5 on /rooms',
      ],
      ['SET {days} @ TO {hours} @', 'Set Friday to 9:00-17:00 on /rooms'],
      ["{days} 's? HOURS @ TO|are {hours} @", 'Friday hours on /rooms: 9 to 5'],
    ],
    read: hours,
  },
  closing: {
    wordings: [
      [
        'we now? {edge} now? (at)? {time:hours} (on)? {days} NOW? @',
        'We close at 4 pm on Fridays on /rooms',
      ],
      [
        '(on)? {days} ,? we now? {edge} now? (at)? {time:hours} NOW? @',
        'On Fridays, we open at 10 am on /rooms',
      ],
      [
        '{page:of} (is|are)? now? open now? (on)? {days} {edge} {time:hours} NOW?',
        'Austin is open on Fridays until 4 pm',
      ],
      [
        'we (are)? now? open now? {edge} {time:hours} (on)? {days} NOW? @',
        'We are open until 4 pm on Fridays on /rooms',
      ],
      [
        '{page:of} now? {edge} now? (at)? {time:hours} (on)? {days} NOW?',
        'Austin closes at 4 pm on Fridays',
      ],
      [
        '{page:of} now? {edge} now? (on)? {days} (at)? {time:hours} NOW?',
        'Austin now closes on Fridays at 4 pm',
      ],
    ],
    read: hours,
  },
  closed: {
    wordings: [
      ['(we BE)? closed (on)? {days} NOW? @', 'Closed on Fridays on /rooms'],
      ['(on)? {days} (we BE)? BE? now? closed NOW? @', 'Friday is now closed on /rooms'],
      ['{page:of} BE? now? closed now? (on)? {days} NOW?', 'Austin is closed on Fridays'],
      ['SET (THE? HOURS (on|of|for)?)? {days} @ TO closed @', 'Set Friday to closed on /rooms'],
      ["SET THE? {days} 's? HOURS @ TO closed @", "Change Friday's hours on /rooms to closed"],
    ],
    read: hours,
  },
  company: {
    wordings: [
      [
        'RENAME THE? COMPANY (from {title:from})? EVERYWHERE? TO {title:to} EVERYWHERE?',
        'Rename the company to "Acme Works" everywhere',
      ],
      [
        "SET THE? COMPANY 's? name (from {title:from})? EVERYWHERE? TO {title:to} EVERYWHERE?",
        'Change the company name to "Acme Works" everywhere',
      ],
      [
        'SET THE? name of THE? COMPANY (from {title:from})? EVERYWHERE? TO {title:to} EVERYWHERE?',
        'Change the name of the company from "Acme" to "Acme Works" everywhere',
      ],
      [
        '(we are)? (THE? COMPANY is)? now? called {title:to} (now|instead)? EVERYWHERE?',
        'We are now called "Acme Works"',
      ],
      [
        '(we are)? (THE? COMPANY is)? now? called {title:to} FORMERLY {title:from} CLOSE? EVERYWHERE?',
        'We are now called "Acme Works" (before: "Acme")',
      ],
      [
        '(we are)? (THE? COMPANY is)? now? called {title:to} NOW? NOT {title:from} ANY_MORE? EVERYWHERE?',
        'Our company is called "Acme Works" now, not "Acme"',
      ],
      [
        'NAME_IS now? {title:to} NOW? NOT {title:from} ANY_MORE? EVERYWHERE?',
        'Our name is now "Acme Works", not "Acme"',
      ],
      [
        'we? have? changed our name (from {title:from})? TO {title:to} EVERYWHERE?',
        'We changed our name from Acme to "Acme Works"',
      ],
      ["THE? (COMPANY 's?)? name is now {title:to} EVERYWHERE?", 'Our name is now "Acme Works"'],
      [
        "THE? (COMPANY 's?)? name HAS_CHANGED (from {title:from})? to|into {title:to} EVERYWHERE?",
        'Our name has changed from Acme to "Acme Works"',
      ],
      [
        'SET our name (from {title:from})? EVERYWHERE? to {title:to} EVERYWHERE?',
        'Change our name to "Acme Works"',
      ],
      ['we? have? rebranded to|as {title:to} EVERYWHERE?', 'We rebranded to "Acme Works"'],
      ["THE? COMPANY 's? new name is {title:to}", 'Our company\'s new name is "Acme Works"'],
    ],
    read: company,
  },
};

import { defined } from '../../../../contract/defined.ts';
import { synonyms } from '../language/words.ts';
import type { Instruction, PageName } from '../instructions.ts';
import type { Found } from '../language/shapes.ts';
import { scopeIn, textIn, type Row } from './row.ts';

type Link = Extract<Instruction, { kind: 'link' }>;
/** What stands where a link's text or target is named. */
interface Target {
  quoted?: string;
  address?: string;
  page?: PageName;
}

/** `All … buttons`: on every page, if none is named. */
const scopeOf = (found: Found) =>
  scopeIn(found) ?? (found['all'] === undefined ? null : 'everywhere');

const looksLikeTarget = (text: string) => /^(?:[/#]\S*|[a-z][a-z0-9+.-]*:\S+)$/i.test(text);
const addressOf = (target: Target | undefined) =>
  target && (target.page ?? target.quoted ?? target.address);
const labels = new Set(synonyms['LABEL']!.split('|'));

function link(found: Found): Link | null {
  const [to, target] = [found['to'] as Target, found['target'] as Target | undefined];
  const what = textIn(found, 'what');
  const isText = to.quoted !== undefined && (what ? labels.has(what) : !looksLikeTarget(to.quoted));
  if ((what && labels.has(what) && !isText) || (target !== undefined && !isText)) return null;
  const leadsTo = addressOf(isText ? target : to);
  return {
    kind: 'link',
    element: found['element'] === 'button' ? 'button' : 'link',
    now: textIn(found, 'now')!,
    ...defined({ old: addressOf(found['old'] as Target | undefined), target: leadsTo }),
    ...(isText && { text: to.quoted! }),
    pages: scopeOf(found),
  };
}

const label: Row['read'] = (found) => ({
  kind: 'link',
  element: found['element'] === 'button' ? 'button' : 'link',
  now: textIn(found, 'now')!,
  text: textIn(found, 'text')!,
  pages: scopeOf(found),
});

const AND_LEADS =
  '(and? ,? (its|the TARGET to)? (POINT it to|at)? (leading|linking|pointing|going to)? ((make|let it)? (it should)? GOES)? {target})?';
const FROM = '(from {target:old})? (LEADS {target:old})?';

/** Links and buttons: where they lead, and what they say. */
export const linkRows: Record<string, Row> = {
  link: {
    hint: 'Change the link {entry} on {page} to /…',
    wordings: [
      [
        `SET|point|link THE? ({target_:what} of|on|for|behind THE?)? {element} CALLED? {quote:now} @ ${FROM} @ TO {target:to} ${AND_LEADS} @`,
        'Change the link "Pricing" on / to /plans',
      ],
      [
        `SET|point|link THE? ({target_:what} of|on|for|behind THE?)? {quote:now} {element} @ ${FROM} @ TO {target:to} ${AND_LEADS} @`,
        'Change the "Pricing" link on / to /plans',
      ],
      [
        `SET THE? {label_:what} of|on|for THE? {element} CALLED? {quote:now} @ ${FROM} @ TO {target:to} ${AND_LEADS} @`,
        'Change the text of the button "Book now" on /rooms to "Book a room"',
      ],
      [
        `SET THE? {label_:what} of|on|for THE? {quote:now} {element} @ ${FROM} @ TO {target:to} ${AND_LEADS} @`,
        'Change the text of the "Book now" button on /rooms to "Book a room"',
      ],
      [
        `SET THE? {element} CALLED? {quote:now} @ ${FROM} GOES {target:to} @`,
        'Make the link "Pricing" on / lead to /plans',
      ],
      [
        `SET THE? {quote:now} {element} @ ${FROM} GOES {target:to} @`,
        'Make the "Book now" button go to /booking everywhere',
      ],
      [
        'POINT THE? {element} CALLED? {quote:now} @ to|at {target:to} @',
        'Point the button "Book now" at /booking everywhere',
      ],
      [
        'SET {all} {quote:now} {element} @ GOES {target:to} @',
        'Make all "Book now" buttons lead to /booking',
      ],
      [
        '{all} {quote:now} {element} @ should now? GOES|lead|go|point|link to? {target:to} (NOT {target:old})? @',
        'All "Book now" buttons should lead to /booking',
      ],
      ['POINT THE? {quote:now} {element}? @ to|at {target:to} @', 'Link "Pricing" on / to /plans'],
      [
        'THE? {quote:now} {element} @ should now? GOES|lead|go|point|link to? {target:to} (NOT {target:old})? @',
        'The "Book now" button on /rooms should go to /booking',
      ],
      [
        'THE? {element} CALLED? {quote:now} @ should now? GOES|lead|go|point|link to? {target:to} (NOT {target:old})? @',
        'The button "Book now" should go to /booking everywhere',
      ],
    ],
    read: link,
  },
  button: {
    hint: 'Make the button {button} say "…" everywhere',
    wordings: [
      [
        'SET THE? {element} CALLED? {label:now} @ TO {label:text} @',
        'Make the button "Book now" say "Book a room"',
      ],
      [
        'SET THE? {element} CALLED? {quote:now} @ TO {label:text} @',
        'Rename the button "Book now" to Book a room on /rooms',
      ],
      [
        'SET THE? {label_} of|on|for THE? {quote:now} {element} @ TO {label:text} @',
        'Set the label of the "Book now" button to Book a room',
      ],
      [
        'SET THE? {label_} of|on|for THE? {element} CALLED? {quote:now} @ TO {label:text} @',
        'Change the label of the button "Book now" to Book a room',
      ],
      [
        'SET THE? {quote:now} {element} @ TO {label:text} @',
        'Make the "Book now" button say "Book a room" everywhere',
      ],
      [
        'THE? {element} CALLED? {quote:now} @ TO {label:text} @',
        'The button "Book now" should say "Book a room"',
      ],
      [
        '{all} {quote:now} {element} @ TO {label:text} @',
        'All "Book now" buttons should say "Book a room"',
      ],
      [
        '{all} {element} CALLED? {quote:now} @ TO {label:text} @',
        'All buttons "Book now" should say "Book a room"',
      ],
      [
        'SET {all} {quote:now} {element} @ TO {label:text} @',
        'Make all "Book now" buttons say "Book a room"',
      ],
      [
        '(put|show|write)? {quote:text} on THE? {element} CALLED? {quote:now} @',
        'Put "Book a room" on the button "Book now"',
      ],
      [
        '(put|show|write)? {quote:text} on THE? {quote:now} {element} @',
        'Put "Book a room" on the "Book now" button',
      ],
      [
        'THE? {quote:now} {element} @ TO {label:text} @',
        'The "Book now" button should read "Book a room" on all pages',
      ],
    ],
    read: label,
  },
};

import { defined } from '../../../../contract/defined.ts';
import type { Instruction } from '../instructions.ts';
import type { Found } from '../language/shapes.ts';
import type { Target } from '../language/slots.ts';
import { synonyms } from '../language/synonyms.ts';
import type { Row } from './row.ts';

const looksLikeTarget = (text: string) => /^(?:[/#]\S*|[a-z][a-z0-9+.-]*:\S+)$/i.test(text);
const addressOf = (target: Target | undefined) =>
  target && (target.page ?? target.quoted ?? target.address);
const labels = new Set(synonyms.LABEL);

/** The fields that all link instructions share. `All … buttons` without a page means everywhere. */
const linkIn = ({ element = 'link', now, all, pages }: Found) => ({
  kind: 'link' as const,
  element,
  now: now!,
  pages: pages ?? (all === undefined ? null : ('everywhere' as const)),
});

function link(found: Found): Instruction | null {
  const { what, target, fromTarget } = found;
  const to = found.toTarget!;
  if (target?.quoted !== undefined && !looksLikeTarget(target.quoted)) return null;
  const isText = to.quoted !== undefined && (what ? labels.has(what) : !looksLikeTarget(to.quoted));
  if ((what && labels.has(what) && !isText) || (target !== undefined && !isText)) return null;
  return {
    ...linkIn(found),
    ...defined({
      old: addressOf(fromTarget),
      target: addressOf(isText ? target : to),
      text: isText ? to.quoted : undefined,
    }),
  };
}

const label: Row['read'] = (found) => ({ ...linkIn(found), text: found.text! });

const AND_LEADS =
  '(and? ,? (its|the TARGET to)? (POINT it to|at)? (leading|linking|pointing|going to)? ((make|let it)? (it should)? GOES)? {target})?';
const FROM = '(from {target:fromTarget})? (LEADS {target:fromTarget})?';

const AN_ELEMENT = 'THE? {element} CALLED? {quote:now} @';
const THE_ELEMENT = 'THE? {quote:now} {element} @';
const LEADS_TO = `${FROM} @ TO {target:toTarget} ${AND_LEADS} @`;
const SHOULD_LEAD =
  'should now? GOES|lead|go|point|link to? {target:toTarget} (NOT {target:fromTarget})? @';

/** Instructions for the targets and texts of links and buttons. */
export const linkRows: Record<string, Row> = {
  link: {
    wordings: [
      [
        `SET|point|link THE? ({target_:what} of|on|for|behind THE?)? {element} CALLED? {quote:now} @ ${LEADS_TO}`,
        'Change the link "Pricing" on / to /plans',
      ],
      [
        `SET|point|link THE? ({target_:what} of|on|for|behind THE?)? {quote:now} {element} @ ${LEADS_TO}`,
        'Change the "Pricing" link on / to /plans',
      ],
      [
        `SET THE? {label_:what} of|on|for ${AN_ELEMENT} ${LEADS_TO}`,
        'Change the text of the button "Book now" on /rooms to "Book a room"',
      ],
      [
        `SET THE? {label_:what} of|on|for ${THE_ELEMENT} ${LEADS_TO}`,
        'Change the text of the "Book now" button on /rooms to "Book a room"',
      ],
      [
        `SET ${AN_ELEMENT} ${FROM} GOES {target:toTarget} @`,
        'Make the link "Pricing" on / lead to /plans',
      ],
      [
        `SET ${THE_ELEMENT} ${FROM} GOES {target:toTarget} @`,
        'Make the "Book now" button go to /booking everywhere',
      ],
      [
        `POINT ${AN_ELEMENT} to|at {target:toTarget} @`,
        'Point the button "Book now" at /booking everywhere',
      ],
      [
        'SET {all} {quote:now} {element} @ GOES {target:toTarget} @',
        'Make all "Book now" buttons lead to /booking',
      ],
      [
        `{all} {quote:now} {element} @ ${SHOULD_LEAD}`,
        'All "Book now" buttons should lead to /booking',
      ],
      [
        'POINT THE? {quote:now} {element}? @ to|at {target:toTarget} @',
        'Link "Pricing" on / to /plans',
      ],
      [`${THE_ELEMENT} ${SHOULD_LEAD}`, 'The "Book now" button on /rooms should go to /booking'],
      [`${AN_ELEMENT} ${SHOULD_LEAD}`, 'The button "Book now" should go to /booking everywhere'],
    ],
    read: link,
  },
  button: {
    wordings: [
      [
        'SET THE? {element} CALLED? {label:now} @ TO {label:text} @',
        'Make the button "Book now" say "Book a room"',
      ],
      [
        `SET ${AN_ELEMENT} TO {label:text} @`,
        'Rename the button "Book now" to Book a room on /rooms',
      ],
      [
        `SET THE? {label_} of|on|for ${THE_ELEMENT} TO {label:text} @`,
        'Set the label of the "Book now" button to Book a room',
      ],
      [
        `SET THE? {label_} of|on|for ${AN_ELEMENT} TO {label:text} @`,
        'Change the label of the button "Book now" to Book a room',
      ],
      [
        `SET ${THE_ELEMENT} TO {label:text} @`,
        'Make the "Book now" button say "Book a room" everywhere',
      ],
      [`${AN_ELEMENT} TO {label:text} @`, 'The button "Book now" should say "Book a room"'],
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
        `(put|show|write)? {quote:text} on ${AN_ELEMENT}`,
        'Put "Book a room" on the button "Book now"',
      ],
      [
        `(put|show|write)? {quote:text} on ${THE_ELEMENT}`,
        'Put "Book a room" on the "Book now" button',
      ],
      [
        `${THE_ELEMENT} TO {label:text} @`,
        'The "Book now" button should read "Book a room" on all pages',
      ],
    ],
    read: label,
  },
};

import { defined } from '../../../../contract/defined.ts';
import { onPage, type Row } from './row.ts';

const remove = (what: 'section' | 'table') =>
  onPage(({ name = '' }, page) => ({ kind: 'remove-section', what, name, page }));

const BEFORE = new Set(['before', 'above', 'on top of', 'ahead of', 'in front of']);

const move = onPage(({ name, other, where: said, near }, page) => {
  const isEnd = said === 'first' || said === 'last';
  const where = isEnd ? said : BEFORE.has(said!) ? 'before' : 'after';
  if (isEnd && near !== undefined && BEFORE.has(near) !== (said === 'first')) return null;
  return { kind: 'move-section', name: name!, where, ...defined({ other }), page };
});

/** Refuses an instruction that names pages: the navigation is the same on all pages. */
const forAll =
  (read: Row['read']): Row['read'] =>
  (found) =>
    Array.isArray(found.pages) ? null : read(found);

const addEntry = forAll(({ page, text, after }) => ({
  kind: 'menu',
  change: 'add',
  page: page!,
  ...defined({ text, after }),
}));

const renameEntry = forAll(({ now, text }) => ({
  kind: 'menu',
  change: 'rename',
  now: now!,
  text: text!,
}));

const removeEntry = forAll(({ now, page }) => ({
  kind: 'menu',
  change: 'remove',
  now: now ?? page!,
}));

const A_LINK = 'THE? (link|entry|item to|for)?';
const ENTRY = 'THE? (entry|item|link)?';
const AS_TEXT = '(as|called {label:text})?';
const BEHIND = '(,? ADVERB? after|behind {value:after})?';
const NEAR_OTHER = '(,? ADVERB? {where:near} THE? section? {value:other} section?)?';

/** Instructions for sections and tables of a page, and for entries of the navigation. */
export const sectionRows: Record<string, Row> = {
  addEntry: {
    wordings: [
      [
        `ADD ${A_LINK} {page} to|in|into MENU ${AS_TEXT} ${BEHIND} @`,
        'Add /booking to the navigation',
      ],
      [
        `ADD ${A_LINK} {page} ${AS_TEXT} to|in|into MENU ${BEHIND} @`,
        'Add the booking page as "Book" to the menu',
      ],
      [
        `ADD THE? (link|entry|item)? {label:text} (leading|linking|pointing|going)? to|for {page} to|in|into MENU ${BEHIND} @`,
        'Add a link "Book" to /booking to the navigation',
      ],
      [`IN_MENU ,? ADD ${A_LINK} {page} ${AS_TEXT}`, 'In the menu, add /booking as "Book"'],
      [
        `have|show|list|want {page} IN_MENU (as {label:text})? ${BEHIND}`,
        'Have the booking page in the menu',
      ],
      ['link {page} IN_MENU (as {label:text})?', 'Link /booking in the navigation'],
      [
        `ADD THE? new? MENU_ENTRY (CALLED? {quote:text})? for|to {page} ${AS_TEXT} ${BEHIND}`,
        'Add a menu item for /booking',
      ],
    ],
    read: addEntry,
  },
  renameEntry: {
    wordings: [
      [
        `SET|replace ${ENTRY} {value:now} IN_MENU (TO|WITH) {label:text} @`,
        'Change "Pricing" in the navigation to "Prices"',
      ],
      [
        `SET|replace ${ENTRY} {value:now} TO|WITH {label:text} IN_MENU @`,
        'Rename "Pricing" to "Prices" in the menu',
      ],
      [
        'SET|replace THE? {words:now} entry|item|link IN_MENU (TO|WITH) {label:text} @',
        'Change the pricing link in the menu to "Prices"',
      ],
      [
        `IN_MENU ,? SET|replace ${ENTRY} {value:now} TO|WITH {label:text}`,
        'In the navigation, change "Pricing" to "Prices"',
      ],
      [
        'IN_MENU ,? {value:now} should be|say|read called? {label:text}',
        'In the navigation, "Pricing" should be called "Prices"',
      ],
      [
        'SET|replace THE? MENU_ENTRY {value:now} TO|WITH {label:text} @',
        'Rename the menu entry "Pricing" to "Prices"',
      ],
      [
        'SET|replace THE? {value:now} MENU_ENTRY TO|WITH {label:text} @',
        'Change the "Pricing" menu item to "Prices"',
      ],
      [
        `IN_MENU @ ,? call ${ENTRY} {value:now} {quote:text}`,
        'In the menu, call "Pricing" "Prices"',
      ],
      [`call ${ENTRY} {value:now} IN_MENU @ {quote:text}`, 'Call "Pricing" in the menu "Prices"'],
      [`call ${ENTRY} {value:now} {quote:text} IN_MENU @`, 'Call "Pricing" "Prices" in the menu'],
      ['call THE? MENU_ENTRY {value:now} {quote:text} @', 'Call the menu entry "Pricing" "Prices"'],
      [
        `${ENTRY} {value:now} IN_MENU @ NOW_CALLED {label:text}`,
        '"Pricing" in the menu is now called "Prices"',
      ],
      [
        'THE? MENU_ENTRY {value:now} @ NOW_CALLED {label:text}',
        'The menu entry "Pricing" should be called "Prices"',
      ],
    ],
    read: renameEntry,
  },
  removeEntry: {
    wordings: [
      [
        `REMOVE ${ENTRY} {quote:now} (entry|item|link)? FROM_MENU @from`,
        'Remove "About" from the navigation',
      ],
      [
        'REMOVE THE? (entry|item|link to|for)? {page} FROM_MENU @from',
        'Remove /about from the menu',
      ],
      [`IN_MENU ,? REMOVE ${ENTRY} {quote:now}`, 'In the navigation, remove "About"'],
      [`take ${ENTRY} {quote:now} (entry|item|link)? out of MENU`, 'Take "About" out of the menu'],
      ['REMOVE THE? MENU_ENTRY {value:now} @from', 'Remove the menu entry "About"'],
      ['REMOVE THE? {value:now} MENU_ENTRY @from', 'Hide the "About" menu item'],
    ],
    read: removeEntry,
  },
  removeSection: {
    wordings: [
      [
        'REMOVE THE? whole? SORT? section|sections CALLED? {value:name} @from',
        'Remove the section "Our story" from /about',
      ],
      [
        'REMOVE THE|these (following)? section|sections @from ,? : {value:name}',
        'Remove the following section from /about: "Our story"',
      ],
      ['REMOVE THE? whole? {value:name} section @from', 'Hide the "Our story" section on /about'],
      [
        'REMOVE THE? section UNDER {quote:name} @from',
        'Remove the section under "Our story" on /about',
      ],
      [
        'REMOVE THE? whole? {value:name} part|block @from',
        'Delete the "Our story" block from /about',
      ],
      ['REMOVE THE? whole? {words:name} section @from', 'Remove the story section from /about'],
      [
        'REMOVE THE? whole? section about|with|for THE? {words:name} @from',
        'Remove the section about our story from /about',
      ],
      [
        'take THE? whole? SORT? section CALLED? {value:name} @off',
        'Take the section "Our story" off /about',
      ],
      ['take THE? whole? {value:name} section @off', 'Take the "Our story" section off /about'],
      ['take THE? whole? {words:name} section @off', 'Take the story section off /about'],
    ],
    read: remove('section'),
  },
  removeTable: {
    wordings: [
      [
        'REMOVE THE? table CALLED? {quote:name} @from',
        'Remove the table "Opening hours" from /rooms',
      ],
      ['REMOVE THE? {quote:name} table @from', 'Hide the "Opening hours" table on /rooms'],
      [
        'REMOVE THE? table UNDER {quote:name} @from',
        'Remove the table under "Opening hours" from /rooms',
      ],
      ['REMOVE THE? {words:name} table @from', 'Remove the hours table from /rooms'],
      ['REMOVE THE? table @from', 'Remove the table from /rooms'],
    ],
    read: remove('table'),
  },
  moveSection: {
    wordings: [
      [
        `MOVE THE? section? {value:name} section? to THE? very? {end:where} @ ${NEAR_OTHER} @`,
        'Move "Our story" to the top of /about, above "The team"',
      ],
      [
        'MOVE THE? {words:name} section? to THE? very? {end:where} @ (,? ADVERB? {where:near} THE? section? {words:other} section?)? @',
        'Move the story to the bottom of /about',
      ],
      [
        'MOVE THE? section? {value:name} section? ADVERB? {where} THE? section? {value:other} section? @',
        'Move the section "Our story" above "The team" on /about',
      ],
      [
        'MOVE THE? {words:name} section? ADVERB? {where} THE? {words:other} section? @',
        'Move the story section below the team on /about',
      ],
      [
        'MOVE THE? section? {value:name} section? ADVERB? {where} THE? {words:other} section? @',
        'Put "Our story" after the team section on /about',
      ],
      [
        'MOVE THE? {words:name} section? ADVERB? {where} THE? section? {value:other} section? @',
        'Move the team before "Our story" on /about',
      ],
    ],
    read: move,
  },
};

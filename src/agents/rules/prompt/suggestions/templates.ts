import type { Action, Thing } from './vocabulary.ts';

/**
 * An instruction with holes. `{page}` is its place, `{target}` another page. `{heading}`, `{item}`,
 * `{entry}`, `{button}` and `{link}` are names of the site, the other holes are new values.
 */
export interface Template {
  actions: Action[];
  things: Thing[];
  text: string;
  /** Whether the site may have several, so that it asks which one is meant. */
  mayAsk?: true;
}

const CHANGE: Action[] = ['change'];
/** People also say that a fact is new. */
const STATE: Action[] = ['change', 'add'];

export const templates: Template[] = [
  {
    actions: ['remove'],
    things: ['section'],
    text: 'Remove the section {heading} from {page}',
  },
  { actions: ['remove'], things: ['table'], text: 'Remove the table under {heading} from {page}' },
  { actions: ['remove'], things: ['question'], text: 'Remove the question {item} from {page}' },
  { actions: ['remove'], things: ['item'], text: 'Remove the {noun} {item} from {page}' },
  { actions: ['remove'], things: ['entry'], text: 'Remove {entry} from the navigation' },
  { actions: ['remove'], things: ['page'], text: 'Delete {target} and the links to it' },
  { actions: ['remove'], things: ['page'], text: 'Delete {target}' },
  {
    actions: ['add'],
    things: ['question'],
    text: 'Add a question {text} with the answer {text} on {page}',
  },
  { actions: ['add'], things: ['item'], text: 'Add the {noun} {texts} under {heading} on {page}' },
  { actions: ['add'], things: ['entry'], text: 'Add {target} to the navigation' },
  { actions: ['add', 'copy'], things: ['page'], text: 'Copy {target} for {subject} as {slug}' },
  {
    actions: ['move'],
    things: ['section', 'heading'],
    text: 'Move the section {heading} above {heading} on {page}',
  },
  {
    actions: ['move'],
    things: ['section', 'heading'],
    text: 'Move the section {heading} to the {end} of {page}',
  },
  { actions: ['move', 'change'], things: ['page'], text: 'Move {target} to {slug}' },
  { actions: ['swap'], things: ['section'], text: 'Swap {heading} and {heading} on {page}' },
  { actions: ['swap'], things: ['item', 'question'], text: 'Swap {item} and {item} on {page}' },
  {
    actions: CHANGE,
    things: ['headline', 'heading'],
    text: 'Change the headline of {page} to {text}',
  },
  { actions: CHANGE, things: ['title'], text: 'Change the title of {page} to {text}' },
  { actions: CHANGE, things: ['description'], text: 'Change the description of {page} to {text}' },
  {
    actions: CHANGE,
    things: ['paragraph'],
    text: 'Change the paragraph under {heading} on {page} to {text}',
  },
  {
    actions: CHANGE,
    things: ['section', 'heading'],
    text: 'Change the heading {heading} on {page} to {text}',
  },
  {
    actions: CHANGE,
    things: ['image'],
    text: 'Change the alt text of the image {file} on {page} to {text}',
  },
  { actions: CHANGE, things: ['entry'], text: 'Change {entry} in the navigation to {text}' },
  {
    actions: CHANGE,
    things: ['link', 'button'],
    text: 'Make the button {button} on {page} lead to {target}',
  },
  { actions: CHANGE, things: ['button'], text: 'Make the button {button} say {text} everywhere' },
  { actions: CHANGE, things: ['link'], text: 'Change the link {link} on {page} to {target}' },
  { actions: CHANGE, things: ['link'], text: 'Change the link {link} on {page} to {text}' },
  { actions: CHANGE, things: ['typo'], text: 'Fix a typo on {page}: {old} should be {text}' },
  {
    actions: STATE,
    things: ['telephone'],
    text: 'Change the phone number from {telephone} to {telephone}',
  },
  {
    actions: STATE,
    things: ['telephone'],
    text: 'Change the phone number everywhere to {telephone}',
    mayAsk: true,
  },
  { actions: STATE, things: ['email'], text: 'Change the e-mail address from {email} to {email}' },
  {
    actions: STATE,
    things: ['email'],
    text: 'Change the e-mail address everywhere to {email}',
    mayAsk: true,
  },
  { actions: STATE, things: ['year'], text: 'Change the copyright year to {year}' },
  {
    actions: ['change', 'raise', 'lower'],
    things: ['price', 'item'],
    text: 'Change the price of {item} to {amount}',
  },
  { actions: ['raise'], things: ['price'], text: 'Raise all prices by {percent} %' },
  { actions: ['lower'], things: ['price'], text: 'Lower all prices by {percent} %' },
  { actions: STATE, things: ['hours'], text: 'Change the hours on {days} on {page} to {hours}' },
  { actions: STATE, things: ['closed'], text: 'Set {days} on {page} to closed' },
  {
    actions: STATE,
    things: ['company'],
    text: 'Rename the company from {old} to {text} everywhere',
  },
  { actions: STATE, things: ['company'], text: 'Rename the company to {text} everywhere' },
  { actions: ['change', 'swap'], things: [], text: 'Replace {old} with {text} on {page}' },
];

import { call } from '../../helpers/modelTurns.ts';
import type { Edit } from './edit.ts';
import { change, look } from './goodModel.ts';

const contact = 'contact.html';
const headline = 'Tell us in two sentences';

/** Prompts of tasks that may ask, each with what the customer answers. */
export const questions: Edit[] = [
  {
    name: 'what only the customer knows',
    site: 'demo',
    prompt: 'The headline of the contact page should be our new slogan.',
    touches: /^contact\.html$/,
    layout: 'same',
    answer: 'Bring us your bearings',
    done: {
      'it asks once': (_, { asked }) => asked.length === 1,
      'it asks for the slogan': (_, { asked }) => /slogan/i.test(`${asked}`),
      'the headline is the answer': (site) => site.text(contact, 'h1') === 'Bring us your bearings',
    },
    good: {
      turns: [
        look('/contact'),
        () => [call('ask', { question: 'What is your new slogan?' })],
        ({ id, ...seen }) =>
          change('/contact', [headline, id(/<answer-\w+>\s*(.+?)\s*<\/answer/)])({ id, ...seen }),
      ],
    },
  },
  {
    name: 'what nobody answers',
    site: 'demo',
    prompt:
      'The headline of the contact page is now "Write to us", and the line above it our new slogan.',
    touches: /^contact\.html$/,
    layout: 'same',
    answer: null,
    done: {
      'it asks once': (_, { asked }) => asked.length === 1,
      'the headline says it': (site) => site.text(contact, 'h1') === 'Write to us',
      'no slogan is invented': (site, { before }) =>
        site.text(contact, '.eyebrow') === before.text(contact, '.eyebrow'),
      'the customer hears what was not done': (_, { notes, summary = '' }) =>
        /slogan/i.test(summary) || notes.some(({ text }) => /slogan/i.test(text)),
    },
    good: {
      turns: [
        look('/contact'),
        ({ id }) => [
          ...change('/contact', [headline, 'Write to us'])({ id, firstId: id }),
          call('ask', { question: 'What is your new slogan?' }),
        ],
      ],
      finish: [
        { summary: 'The headline is changed.', undone: ['The slogan: nobody told it to me.'] },
      ],
    },
  },
  {
    name: 'what needs no question',
    site: 'demo',
    prompt: 'The headline of the contact page is now "Tell us".',
    touches: /^contact\.html$/,
    layout: 'same',
    answer: 'As I said',
    done: {
      'it asks nothing': (_, { asked }) => asked.length === 0,
      'the headline says it': (site) => site.text(contact, 'h1') === 'Tell us',
    },
    good: { turns: [look('/contact'), change('/contact', [headline, 'Tell us'])] },
  },
];

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

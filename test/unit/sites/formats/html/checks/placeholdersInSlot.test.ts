import { expect } from 'chai';
import { parseDocument } from '../../../../../../src/sites/formats/html/document.ts';
import { placeholdersOn } from '../../../../../../src/sites/formats/html/checks/placeholdersInSlot.ts';

const inText = (body: string) =>
  placeholdersOn(parseDocument(`<p>${body}</p>`)).map(([text]) => text);

describe('placeholdersOn', () => {
  const placeholders: [text: string, found: string][] = [
    ['Web design in {{ city }}', '{{ city }}'],
    ['Hello {{<b>name</b>}}!', '{{name}}'],
    ['{% if city %}x', '{% if city %}'],
    ['from &lt;%= price %>', '<%= price %>'],
    ['Hi ${user.name}', '${user.name}'],
    ['See [object Object] for more', '[object object]'],
    ['[Your name]', '[your name]'],
    ['Write to [insert e-mail here] today', '[insert e-mail here]'],
    ['Dentists in [CITY]', '[city]'],
    ['[TODO: prices]', '[todo: prices]'],
    ['TODO: write this', 'todo:'],
    ['TODO', 'todo'],
    ['Lorem ipsum', 'lorem ipsum'],
    ['Then lorem ipsum dolor sit amet', 'lorem ipsum dolor'],
    ['undefined', 'undefined'],
    ['NaN', 'nan'],
    ['Price: null', 'null'],
    ['Web design in undefined', 'undefined'],
    ['Web design in undefined | Acme', 'undefined'],
    ['Visit undefined, our newest place', 'undefined'],
  ];
  for (const [text, found] of placeholders)
    it(`finds "${text}"`, () => {
      expect(inText(text)).to.include(found);
    });

  const honest = [
    'Undefined behaviour and other horrors',
    'Terms that are left undefined',
    'In undefined territory',
    'A null result is a result',
    'Call Nan about Naan',
    'Our TODO list app: all todo lists in one',
    'TODO INCLUIDO',
    'Real words, never lorem ipsum',
    '[NEW] in the shop, [your] choice [1]',
    'The city (see $9 {offer}) of {}',
    'Write <code>{{ name }}</code> and it is filled in',
    '<pre>${x}</pre>',
    '100% {of} it %',
  ];
  for (const text of honest)
    it(`does not report "${text}"`, () => {
      expect(inText(text)).to.deep.equal([]);
    });
});

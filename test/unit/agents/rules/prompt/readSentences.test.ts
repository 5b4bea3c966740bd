import { expect } from 'chai';
import { parsePrompt } from './parsePrompt.ts';

const refused = (prompt: string) =>
  expect(() => parsePrompt(prompt), prompt).to.throw(/not understood/);

describe('lists, and lines above them', () => {
  it('give their page to the instructions below that name none', () => {
    const read = parsePrompt('Change the headline of /a to "X". Change the title of /a to "Y"');
    for (const prompt of [
      'On /a:\n- headline: "X"\n- title: "Y"',
      'Please make these changes on /a:\n1. Change the headline to "X"\n2. Change the title to "Y"',
      'I have a few updates for /a. Change the headline to "X". Change the title to "Y".',
    ])
      expect(parsePrompt(prompt), prompt).to.deep.equal(read);
  });

  it('end where an instruction names another page', () => {
    expect(parsePrompt('On /a:\n- headline: "X"\n- change the title of /b to "Y"')).to.deep.equal(
      parsePrompt('Change the headline of /a to "X". Change the title of /b to "Y"'),
    );
  });

  it('are refused where nothing stands below, or what is everywhere', () => {
    for (const prompt of [
      'On /a:',
      'On /a: change the copyright year to 2027',
      'Change the headline of /a to "X".\nOn /a:',
      'There is a typo on /a. Replace "X" with "Y" on /b.',
      'Add these questions to /a:\nDelete /b',
    ])
      refused(prompt);
  });

  it('begin each line below them', () => {
    const added = (first: string, second: string) =>
      `Add a question to /a: "${first}" Answer: "${second}"`;
    const read = parsePrompt(`${added('One?', 'Yes.')}\n${added('Two?', 'No, never.')}`);
    for (const prompt of [
      'Add these questions to /a:\n- "One?" Answer: "Yes."\n- "Two?" Answer: "No, never."',
      'Add these questions to /a:\nQ: One?\nA: Yes.\nQ: Two?\nA: No, never.',
    ])
      expect(parsePrompt(prompt), prompt).to.deep.equal(read);
  });

  it('take no sentence into an answer that may ask for something', () => {
    for (const more of ['Then delete /b.', 'Delete /b.', 'Thanks!', 'And remove /b.'])
      refused(`Add this question to /a:\nQ: One?\nA: Yes. ${more}`);
  });
});

describe('several instructions in one sentence', () => {
  it('share a beginning, an end and a page', () => {
    for (const [prompt, ...same] of [
      ['Starter is now $5 and Atlas is now $6', 'Starter is now $5', 'Atlas is now $6'],
      ['Set Starter to $5 and Atlas to $6', 'Set Starter to $5', 'Set Atlas to $6'],
      [
        'Remove the sections "A" and "B" from /a',
        'Remove the section "A" from /a',
        'Remove the section "B" from /a',
      ],
      [
        'Rename "A" to "B" in the menu, and "C" to "D"',
        'Rename "A" to "B" in the menu',
        'Rename "C" to "D" in the menu',
      ],
    ] as [string, ...string[]][])
      expect(parsePrompt(prompt), prompt).to.deep.equal(same.flatMap((one) => parsePrompt(one)));
  });

  it('are refused where one of them is not understood, or where a text may have the "and" in it', () => {
    for (const prompt of [
      'Starter is now $5 and everything else stays',
      'Change the headline of /a to Hello, and the year to 2027',
      'Our name is now Acme Works, and Blue',
      'Our phone number is now +1 303 555 0177 and +1 303 555 0178',
    ])
      refused(prompt);
  });
});

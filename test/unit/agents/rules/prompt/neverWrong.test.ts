import { resolve } from 'node:path';
import { expect } from 'chai';
import type { PromptInstruction } from '../../../../../src/agents/rules/prompt/promptInstruction.ts';
import { readPrompt } from '../../../../../src/agents/rules/prompt/readPrompt.ts';
import { instructionKinds } from '../../../../../src/agents/rules/prompt/wordings/instructionKinds.ts';
import { splitPhrases } from '../../../../../src/text/wordLists.ts';
import { DomainError } from '../../../../../src/errors.ts';
import { casesIn } from '../../../../helpers/cases.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { folderTree } from '../../memoryTree.ts';
import { carryOutAtOnce } from './carryOut.ts';
import { afterGuards, beforeGuards } from './hostilePrompts.ts';

/** Words that change what a wording asks for, wherever they are put into it. */
const INSERTED = splitPhrases(`
  not | don't | never | no longer | isn’t | without | or | if possible | unless it rains |
  when ready | until Friday | after 5 pm | for now | only on weekdays | starting Monday |
  next week | except Pro | but not Pro | all but | other than Pro | apart from Pro |
  , not Studio | instead of Pro | in blue | in bold | twice | slightly | maybe | probably |
  and tell Bob`);
/** Words that change a name as well, but may stand in any text to write. */
const IN_NAMES = ['hardly', 'half', 'he says', 'a bit', 'again'];

/** Words around a whole wording that make a question, a report or a condition of it. */
const AROUND: [before: string, after: string][] = [
  ['Should we ', '?'],
  ['Why ', '?'],
  ['What if we ', '?'],
  ['How do I ', '?'],
  ['Do not ', ''],
  ["Don't ", ''],
  ['Never ', ''],
  ['Maybe ', ''],
  ['Nobody should ', ''],
  ['Anna said: ', ''],
  ['Anna said ', ''],
  ['Example: ', ''],
  ['If Bob agrees, ', ''],
  ['After lunch, ', ''],
  ['', ' – or not'],
  ['', ', but ask Bob first'],
  ['', ' if that is OK'],
  ['', ' and so on'],
];

const understood = Object.values(instructionKinds).flatMap(({ wordings }) =>
  wordings.map(([, example]) => example),
);

/** Quoted texts, and words. */
const PIECES = /"(?:\\"|[^"])*"|“[^”]*”|«[^»]*»|'[^']*'(?!\w)|[^\s"“«]+/g;
/** The places between the words of a prompt, outside of its texts. */
const gapsIn = (prompt: string) => [
  0,
  ...[...prompt.matchAll(PIECES)].map(({ index, 0: piece }) => index + piece.length),
];
const insert = (prompt: string, gap: number, word: string) =>
  `${prompt.slice(0, gap)} ${word} ${prompt.slice(gap)}`.replace(/ +/g, ' ').trim();
const lowerFirst = (text: string) => text[0]!.toLowerCase() + text.slice(1);

/** One word from the list for every other gap, and one pair around the whole, in turn. */
function* mutationsOf(prompt: string, number: number): Generator<string> {
  for (const [i, gap] of gapsIn(prompt).entries())
    yield insert(prompt, gap, INSERTED[(number * 5 + i) % INSERTED.length]!);
  const [before, after] = AROUND[number % AROUND.length]!;
  yield before + (before === '' ? prompt : lowerFirst(prompt)) + after;
}

const read = (prompt: string): PromptInstruction[] | null => {
  try {
    return readPrompt(prompt).flat();
  } catch (error) {
    expect(error).to.be.instanceOf(DomainError);
    return null;
  }
};

/** Whether a mutation says what it is read as: `We are now called "A", not B`. */
const isMeant = (mutation: string, [one, ...others]: PromptInstruction[]) =>
  one?.kind === 'company' &&
  others.length === 0 &&
  /" ?(?:, not Studio|instead of Pro)/.test(mutation) &&
  /^(?:Studio|Pro)$/.test(one.from ?? '');

/** Whether a word stands in a text to write, where it is one of the writer's words. */
const isWritten = (instructions: PromptInstruction[], word: string) =>
  instructions.some((one) => 'text' in one && one.text?.includes(word));

describe('a wording with additional words', function () {
  this.timeout(120_000);

  it('is rejected, wherever the words are', () => {
    let count = 0;
    const harmful: string[] = [];
    for (const [number, prompt] of understood.entries())
      for (const mutation of mutationsOf(prompt, number)) {
        count++;
        const instructions = read(mutation);
        if (instructions && !isMeant(mutation, instructions)) harmful.push(mutation);
      }
    expect(count).to.be.greaterThan(600);
    expect(harmful).to.deep.equal([]);
  });

  it('is rejected if the words are in a name', () => {
    const harmful: string[] = [];
    for (const [number, prompt] of understood.entries()) {
      const gaps = gapsIn(prompt);
      const word = IN_NAMES[number % IN_NAMES.length]!;
      const mutation = insert(prompt, gaps[number % gaps.length]!, word);
      const instructions = read(mutation);
      if (instructions && !isWritten(instructions, word)) harmful.push(mutation);
    }
    expect(harmful).to.deep.equal([]);
  });
});

describe('a prompt that asks for something else', function () {
  this.timeout(120_000);
  const demo = folderTree(resolve(import.meta.dirname, '../../../../../src/demo/site'));
  const carriedOut = async (prompts: string[]) => {
    const done: string[] = [];
    for (const prompt of prompts)
      await carryOutAtOnce(demo, pages, prompt).then(
        () => done.push(prompt),
        (error: unknown) => expect(error, prompt).to.be.instanceOf(DomainError),
      );
    return done;
  };

  it('is rejected, for requests that an earlier reader failed at', async () => {
    expect(await carriedOut(casesIn(beforeGuards))).to.deep.equal([]);
  });

  it('is rejected, for requests that nobody had tried', async () => {
    expect(await carriedOut(casesIn(afterGuards))).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import type { PromptInstruction } from '../../../../../src/agents/rules/prompt/promptInstruction.ts';
import { readPrompt } from '../../../../../src/agents/rules/prompt/readPrompt.ts';
import { instructionKinds } from '../../../../../src/agents/rules/prompt/wordings/instructionKinds.ts';
import { DomainError } from '../../../../../src/errors.ts';
import { customerPrompts } from './customerPrompts.ts';

const read = (prompt: string): PromptInstruction[] => readPrompt(prompt).flat();
const headline = (text: string, slug: object | null = { slug: '/about' }) => ({
  kind: 'set',
  field: 'headline',
  slug,
  text,
});

function refusalOf(prompt: string): DomainError {
  try {
    return expect.fail(`read as ${JSON.stringify(read(prompt))}: ${prompt}`);
  } catch (error) {
    expect(error, prompt).to.be.instanceOf(DomainError);
    return error as DomainError;
  }
}

describe('the table of wordings', () => {
  it('has at most 80, each with an example that is read as one instruction of its kind', () => {
    const rows = Object.entries(instructionKinds);
    expect(rows.flatMap(([, { wordings }]) => wordings).length).to.be.at.most(80);
    for (const [name, { wordings }] of rows) {
      const kinds = wordings.map(([, example]) => {
        const [instruction, ...others] = readPrompt(example);
        expect(others, example).to.deep.equal([]);
        return instruction![0]!.kind;
      });
      expect([...new Set(kinds)], name).to.have.lengthOf(1);
    }
  });

  it('has no example twice', () => {
    const examples = Object.values(instructionKinds).flatMap(({ wordings }) =>
      wordings.map(([, one]) => one),
    );
    expect(new Set(examples).size).to.equal(examples.length);
  });
});

describe('readPrompt(prompt)', () => {
  const understood: [prompt: string, instructions: object[]][] = [
    ["change the headline on /about to 'Us'.", [headline('Us')]],
    ['Change the headline of /about to “Us”', [headline('Us')]],
    ['Change the headline of /about to ‘Don’t panic’', [headline('Don’t panic')]],
    ["Change the headline of /about to 'Don't panic'", [headline("Don't panic")]],
    ['Change the headline of /about to `Us`', [headline('Us')]],
    ['Change the headline of /about to «Us»', [headline('Us')]],
    ['Change the headline of /about to „Wir“', [headline('Wir')]],
    ['Change the headline of /about to "Say \\"hello\\""', [headline('Say "hello"')]],
    ['Please set the h1 of the page /about/ to "Us", thanks!', [headline('Us')]],
    [
      'On the "About us" page, change the headline to "Us"',
      [headline('Us', { title: 'About us' })],
    ],
    ['Change the headline to "Us"', [headline('Us', null)]],
    [
      'On /about:\n- headline: "Us"\n- title: "We"',
      [headline('Us'), { ...headline('We'), field: 'title' }],
    ],
    [
      'Change the headline of /about to "Us" and the title to "We", and delete /old-offer',
      [
        headline('Us'),
        { ...headline('We'), field: 'title' },
        { kind: 'delete', slugs: [{ slug: '/old-offer' }] },
      ],
    ],
    [
      'Replace Austin with Lisbon everywhere',
      [{ kind: 'replace', from: 'Austin', to: 'Lisbon', slugs: 'everywhere' }],
    ],
    [
      'Replace $49 with $59 on /a, /b and the home page',
      [
        {
          kind: 'replace',
          from: '$49',
          to: '$59',
          slugs: [{ slug: '/a' }, { slug: '/b' }, { slug: '/' }],
        },
      ],
    ],
    [
      'Replace October 7, 2025 with October 9, 2026 on /blog',
      [
        {
          kind: 'replace',
          from: 'October 7, 2025',
          to: 'October 9, 2026',
          slugs: [{ slug: '/blog' }],
        },
      ],
    ],
    ['Rename the company to Acme Inc.', [{ kind: 'company', to: 'Acme Inc.' }]],
    [
      'The Pro plan now costs 1,900 USD on /pricing',
      [
        {
          kind: 'price',
          to: '1,900 USD',
          name: 'Pro',
          slugs: [{ slug: '/pricing' }],
        },
      ],
    ],
  ];
  for (const [prompt, instructions] of understood)
    it(`reads ${JSON.stringify(prompt)}`, () => expect(read(prompt)).to.deep.equal(instructions));

  it('reads prompts in the words of customers as exactly the kinds that they mean', () => {
    for (const [prompt, kinds] of customerPrompts)
      if (kinds === null) expect(refusalOf(prompt).code).to.equal('NOT_UNDERSTOOD');
      else
        expect(
          read(prompt).map(({ kind }) => kind),
          prompt,
        ).to.deep.equal(kinds);
  });

  it('rejects a text without quotes that is not a name', () => {
    for (const text of ['Who we are', 'something nicer', 'German', 'Nothing', 'A B C D', 'us'])
      expect(refusalOf(`Make the button "Start" say ${text}`).code).to.equal('NOT_UNDERSTOOD');
  });

  it('names the sentence that it does not understand, and the three nearest wordings', () => {
    const { code, message } = refusalOf('Delete /a. Rename the company to "B" by tomorrow.');
    expect(code).to.equal('NOT_UNDERSTOOD');
    expect(message).to.match(/"Rename the company to "B" by tomorrow\."/);
    const nearest = /wordings\. [^:]+: (.+)\.$/.exec(message)![1]!.split(' | ');
    expect(nearest)
      .to.have.lengthOf(3)
      .and.include('Rename the company to "Acme Works" everywhere');
  });

  it('proposes a sentence that it understands for one that only says it differently', () => {
    const proposals: [prompt: string, proposal: string | undefined][] = [
      [
        'On the Berlin page please change the headline to "Web design for Berlin"',
        'On the Berlin page change the headline to "Web design for Berlin"',
      ],
      [
        'On the Berlin page please change the headline to Web design for Berlin',
        'On the Berlin page, change the headline to "Web design for Berlin"',
      ],
      [
        'Replace "6 weeks" with "8 weeks" on all location pages',
        'Replace "6 weeks" with "8 weeks" on every page',
      ],
      [
        'Change the headline of /about to Who we are and what we do',
        'Change the headline of /about to "Who we are and what we do"',
      ],
      ['Never change the headline of /about to Who we are and what we do', undefined],
      ['On the Berlin page please sing', undefined],
    ];
    for (const [prompt, proposal] of proposals) {
      const { message } = refusalOf(prompt);
      expect(/You can write: (.+?)\. The rules/.exec(message)?.[1]).to.equal(proposal);
      if (proposal !== undefined) expect(readPrompt(proposal)).to.have.lengthOf(1);
    }
  });

  it('reports what is wrong with the prompt as a whole', () => {
    expect(refusalOf('Delete "/a').message).to.match(/\bquotation mark\b/);
    expect(refusalOf(' - ').message).to.match(/\bno instruction\b/);
    expect(refusalOf('Change the headline of /a to "…"').message).to.contain('has no words');
    expect(refusalOf('On /pricing:').message).to.contain('not understood');
    expect(refusalOf('Replace "A" with "B" on /a. Replace "B" with "A" on /a').message).to.contain(
      'changes it back',
    );
    expect(refusalOf('Delete /a\n'.repeat(51)).code).to.equal('LIMIT_EXCEEDED');
    expect(refusalOf('a'.repeat(20_001)).code).to.equal('LIMIT_EXCEEDED');
    expect(refusalOf('Delete \uE000').code).to.equal('NOT_UNDERSTOOD');
  });
});

import { expect } from 'chai';
import {
  invalidCalls,
  readModelTurn,
} from '../../../../../src/agents/model/prompt/readModelTurn.ts';

const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 };
const turn = (input: unknown, text = '') =>
  readModelTurn(
    {
      content: [{ type: 'text', text }],
      calls: [{ toolCallId: 'c1', toolName: 'read_page', input }],
      usage,
    },
    [],
    ['read_page'],
  );

describe('the output of a language model', () => {
  it('loses invisible characters in texts, names and values', () => {
    const { text, toolCalls, opaque } = turn(
      { 'a\u200Bb': ['x\u202Ey', { z: 'p\u{E0041}q', n: 1 }] },
      'I\u2066 look\u001B',
    );
    expect(text).to.equal('I look');
    expect(toolCalls[0]!.arguments).to.deep.equal({ ab: ['xy', { z: 'pq', n: 1 }] });
    expect(opaque).to.deep.equal({ parts: [{ type: 'text', length: 6 }] });
  });

  it('is not a call if its arguments are nested without end', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(turn({ deep }).toolCalls[0]).to.include({
      invalid: invalidCalls.noObject(),
    });
    expect(turn({ edits: [{ id: 's1', text: 'x' }] }).toolCalls[0]!.invalid).to.equal(undefined);
  });

  it('keeps what a provider signed unchanged', () => {
    const providerOptions = { anthropic: { signature: 's' } };
    const content = [
      { type: 'reasoning' as const, text: 'a\u200Bb', providerOptions },
      { type: 'reasoning' as const, text: 'c\u200Bd' },
    ];
    const { opaque } = readModelTurn({ content, calls: [], usage }, [], []);
    expect(opaque).to.deep.equal({
      parts: [
        { type: 'reasoning', text: 'a\u200Bb', providerOptions },
        { type: 'reasoning', text: 'cd' },
      ],
    });
  });
});

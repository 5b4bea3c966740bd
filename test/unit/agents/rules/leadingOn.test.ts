import { expect } from 'chai';
import { leadingOn } from '../../../../src/agents/rules/leadingOn.ts';
import { DomainError } from '../../../../src/errors.ts';

describe('leadingOn(error, ways)', () => {
  const refused = new DomainError('NOT_UNDERSTOOD', 'Nothing was changed: it was not understood.');
  const suggesting =
    (...suggestions: string[]) =>
    () =>
      Promise.resolve(suggestions);

  it('adds what the prompt may have meant, and where all instructions are', async () => {
    const list = 'http://localhost:3000/docs/prompts.md';
    expect(await leadingOn(refused, { list, suggest: suggesting('Delete /a', 'Delete /b') }))
      .to.include({ code: 'NOT_UNDERSTOOD', retryable: false })
      .and.to.have.property(
        'message',
        `${refused.message} Did you mean: Delete /a? Or: Delete /b? All instructions: ${list}`,
      );
    expect(await leadingOn(refused, {})).to.have.property(
      'message',
      `${refused.message} All instructions: docs/prompts.md`,
    );
  });

  it('adds no list to what was understood, and no long suggestion', async () => {
    const unfit = new DomainError('INVALID_INPUT', '"A" stands on /a, /b: say on which page');
    expect(await leadingOn(unfit, { suggest: suggesting('Remove "A" from /a') })).to.have.property(
      'message',
      `${unfit.message}. Did you mean: Remove "A" from /a?`,
    );
    expect(await leadingOn(unfit, { suggest: suggesting('x'.repeat(301)) })).to.equal(unfit);
  });

  it('returns other errors as they are', async () => {
    const suggest = () => Promise.reject(new Error('nobody asks'));
    for (const error of [
      new Error('x'),
      new DomainError('LIMIT_EXCEEDED', 'x'),
      new DomainError('INVALID_INPUT', 'x', { retryable: true }),
    ])
      expect(await leadingOn(error, { suggest })).to.equal(error);
  });
});

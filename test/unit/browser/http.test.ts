import { expect } from 'chai';
import { readResponse } from '../../../src/browser/sendRequest.ts';

const refusal = (error: string) =>
  readResponse(
    new Response(JSON.stringify({ error }), { status: 429, headers: { 'Retry-After': '7' } }),
  ).catch((refused: unknown) => (refused as Error).message);

describe('the message about a rate limit in a browser', () => {
  it('says that there were too many requests, and when to try again', async () => {
    expect(await refusal('Too Many Requests')).to.equal(
      'There were too many requests. Try again in 7 seconds.',
    );
  });

  it('names the limit if the service does', async () => {
    const said = 'Too Many Requests: the site has 5 tasks in flight, its limit';
    expect(await refusal(said)).to.equal(
      'The site has 5 tasks in flight, its limit. Try again in 7 seconds.',
    );
  });
});

import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { askService } from '../../../src/cli/askService.ts';
import { serveOperatorChannel } from '../../../src/cli/operatorChannel.ts';
import { DomainError } from '../../../src/errors.ts';
import { killChildren } from '../../helpers/children.ts';
import { temporaryFolder } from '../../helpers/database.ts';

describe('serveOperatorChannel(socketPath, run)', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let socketPath: string;
  let channel: { close(): Promise<void> } | undefined;

  beforeEach(() => {
    folder = temporaryFolder();
    socketPath = join(folder.path, 'operator.sock');
  });
  afterEach(async () => {
    await channel?.close();
    channel = undefined;
    killChildren();
    folder.remove();
  });

  const echo = (command: string, options: unknown) => Promise.resolve({ command, options });
  const serve = async (run: (command: string, options: unknown) => Promise<object>) =>
    (channel = await serveOperatorChannel(socketPath, run));
  const ask = (command: string, options: object = {}) =>
    askService(socketPath, { command, arguments: options });
  const failureOf = (asked: Promise<unknown>) =>
    asked.then(
      () => expect.fail('answered'),
      (error: unknown) => error as Error,
    );

  /** What comes back for bytes that `askService` would never send. */
  async function send(bytes: string): Promise<string> {
    const socket = connect(socketPath);
    await once(socket, 'connect');
    socket.write(bytes);
    return text(socket);
  }

  it('passes command and options on, whatever they contain', async () => {
    await serve(echo);
    const options = { name: 'Zürich "\n\u2028</script>', long: 'x'.repeat(60_000) };
    expect(await ask('site create', options)).to.deep.equal({ command: 'site create', options });
  });

  it('answers many callers at the same time', async () => {
    await serve(echo);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ask(`command ${index}`)),
    );
    expect(answers.map((answer) => (answer as { command: string }).command)).to.deep.equal(
      answers.map((_, index) => `command ${index}`),
    );
  });

  it("returns a failure's code and message", async () => {
    await serve(() => Promise.reject(new DomainError('NOT_FOUND', 'Key x not found')));
    const error = await failureOf(ask('key revoke'));
    expect(error)
      .to.be.instanceOf(DomainError)
      .and.include({ code: 'NOT_FOUND', message: 'Key x not found' });
  });

  it('replaces what a killed process left, and leaves nothing itself', async () => {
    writeFileSync(socketPath, '');
    await serve(echo);
    expect(await ask('key list')).to.include({ command: 'key list' });
    await channel?.close();
    expect(existsSync(socketPath)).to.equal(false);
    channel = undefined;
  });

  it('accepts only this user', async () => {
    const before = process.umask(0);
    try {
      await serve(echo);
      expect(process.umask()).to.equal(0);
    } finally {
      process.umask(before);
    }
    expect(statSync(socketPath).mode & 0o777).to.equal(0o600);
  });

  for (const [what, bytes] of [
    ['no JSON', 'hello\n'],
    ['no object', 'null\n'],
    ['no command', '{"arguments":{}}\n'],
    ['a line that is too long', `${'x'.repeat(100_000)}\n`],
    ['too long a line without an end', 'x'.repeat(100_000)],
  ] as const)
    it(`answers ${what} with an error, and continues`, async () => {
      await serve(echo);
      expect(JSON.parse(await send(bytes)))
        .to.have.nested.property('error.message')
        .that.is.a('string');
      expect(await ask('key list')).to.include({ command: 'key list' });
    });

  it('waits for a running command when it closes, but not for a silent caller', async () => {
    let finish = () => {};
    const running = new Promise<object>((resolve) => (finish = () => resolve({ done: true })));
    let started = () => {};
    const begun = new Promise<void>((resolve) => (started = resolve));
    await serve(() => (started(), running));
    const silent = connect(socketPath);
    await once(silent, 'connect');
    const answer = ask('site create');
    await begun;
    const closed = channel?.close();
    finish();
    expect(await answer).to.deep.equal({ done: true });
    await closed;
    channel = undefined;
    if (!silent.closed) await once(silent.resume(), 'close');
  });
});

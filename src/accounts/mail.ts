/** Milliseconds to wait for the mail server. */
const MAIL_TIMEOUT_MS = 10_000;

export interface Letter {
  to: string;
  subject: string;
  text: string;
}

export interface Mail {
  /** Whether a mail server is configured. */
  isOn: boolean;
  /** @returns whether the mail server accepted the letter; never throws */
  send(letter: Letter): Promise<boolean>;
  /**
   * Sends the letter that `write` returns, if any, in the background. The caller does not wait, so
   * response times don't reveal whether an address is known.
   */
  sendLater(write: () => Promise<Letter | null>): void;
  /** Waits for the letters that are being sent. */
  close(): Promise<void>;
}

interface MailOptions {
  /**
   * `smtp://` or `smtps://`, with user and password if the server wants them. Without it, nothing
   * is mailed.
   */
  smtpUrl: string | undefined;
  /** The sender: an address, or a name and an address. */
  from: string | undefined;
  log: { warn(fields: object, message: string): void };
}

/** Sends plain letters by SMTP (RFC 5321). */
export function createMail({ smtpUrl, from, log }: MailOptions): Mail {
  if (smtpUrl === undefined) return noMail;
  const timeoutOptions = {
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
  };
  const transport = import('nodemailer').then(({ createTransport }) =>
    createTransport({ url: smtpUrl, ...timeoutOptions }, { from }),
  );
  const pendingLetters = new Set<Promise<unknown>>();

  async function send(letter: Letter) {
    try {
      await (
        await transport
      ).sendMail({ ...letter, disableFileAccess: true, disableUrlAccess: true });
      return true;
    } catch (error) {
      // only the code: the message of an SMTP error may contain the address
      log.warn({ code: (error as { code?: string }).code ?? 'unknown' }, 'sending an email failed');
      return false;
    }
  }
  return {
    isOn: true,
    send,
    sendLater(writeLetter) {
      const pendingLetter = writeLetter()
        .then((letter) => letter && send(letter))
        .catch((err: unknown) => log.warn({ err }, 'writing an email failed'))
        .finally(() => pendingLetters.delete(pendingLetter));
      pendingLetters.add(pendingLetter);
    },
    async close() {
      await Promise.all(pendingLetters);
      (await transport).close();
    },
  };
}

const noMail: Mail = {
  isOn: false,
  send: () => Promise.resolve(false),
  sendLater: () => undefined,
  close: () => Promise.resolve(),
};

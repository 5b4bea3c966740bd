import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Accounts that one browser is known for. */
const MOST = 5;
const BETWEEN = '~';
const ID_LENGTH = 22;

/** A browser in which an account has signed in. */
export interface KnownBrowser {
  account: string;
  /** The browser's name, for this account. */
  name: string;
}

/** The cookie by which a browser is known for the accounts that signed in there. */
export interface KnownBrowsers {
  /** What of a cookie this service has signed. */
  read(cookie: string | undefined): KnownBrowser[];
  /** The cookie's new value after a sign-in. @param cookie its value before */
  remember(account: string, cookie: string | undefined): string;
}

/** Stands for an account, whether there is one or not. */
export const accountOf = (email: string): string =>
  createHash('sha256').update(email.toLowerCase()).digest('base64url').slice(0, ID_LENGTH);

/** @param secret signs the cookies */
export function createKnownBrowsers(secret: Buffer): KnownBrowsers {
  const write = ({ account, name }: KnownBrowser) => {
    const signature = createHmac('sha256', secret).update(`device ${account} ${name}`);
    return `${account}.${name}.${signature.digest('base64url')}`;
  };
  const readOne = (entry: string): KnownBrowser[] => {
    const [account = '', name = ''] = entry.split('.', 2);
    return isEqual(entry, write({ account, name })) ? [{ account, name }] : [];
  };
  const read = (cookie = '') => cookie.split(BETWEEN, MOST).flatMap(readOne);

  return {
    read,
    remember(account, cookie) {
      const others = read(cookie).filter((known) => known.account !== account);
      const name = randomBytes(16).toString('base64url');
      return [{ account, name }, ...others].slice(0, MOST).map(write).join(BETWEEN);
    },
  };
}

function isEqual(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
